// paika_tune: fits the weights of linear evaluations to self-play, and measures players by matches.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tools/tune/fit.hpp"
#include "tools/tune/play.hpp"
#include "tools/tune/player.hpp"

namespace paika::tune {
namespace {

struct Options {
  std::vector<std::string> specs;
  PlayPlan plan;
  std::uint64_t nodes = 2000;
  // fit
  int rounds = 1;
  double l2 = 1e-4;
  std::string start = "plain";
  bool hold_to_start = false;
  std::string out;
  // match
  std::string a = "tuned";
  std::string b = "plain";
};

Result<std::vector<Pairing>> pairings_of(const Options& options, const std::string& a, const std::string& b) {
  std::vector<Pairing> pairings;
  for (const std::string& spec : options.specs) {
    auto arena = open_arena(spec);
    if (!arena) return tl::unexpected(arena.error());
    Pairing pairing{std::move(*arena), {}, {}};
    const auto first = read_player(a, *pairing.arena);
    const auto second = read_player(b, *pairing.arena);
    if (!first) return tl::unexpected(first.error());
    if (!second) return tl::unexpected(second.error());
    pairing.a = *first;
    pairing.b = *second;
    // "nodes=" in a player's text goes before the option for both.
    if (a.find("nodes=") == std::string::npos) pairing.a.nodes = options.nodes;
    if (b.find("nodes=") == std::string::npos) pairing.b.nodes = options.nodes;
    if (!pairings.empty() && pairing.arena->weights_file() != pairings.front().arena->weights_file()) {
      return fail("{} is judged by {}, but {} by {}; give specs with the same weights", spec,
                  pairing.arena->weights_file(), options.specs.front(), pairings.front().arena->weights_file());
    }
    pairings.push_back(std::move(pairing));
  }
  return pairings;
}

std::vector<PlayedGame> played(const std::vector<Pairing>& pairings, const PlayPlan& plan) {
  auto games = play(pairings, plan, [&](int done) { fmt::print(stderr, "\r{} of {} games ", done, plan.games); });
  fmt::print(stderr, "\n");
  return games;
}

std::string provenance(const Options& options, const Fit& fit, int games) {
  std::string specs;
  for (const std::string& spec : options.specs) specs += fmt::format(" --spec {}", spec);
  const GamePlan& game = options.plan.game;
  return fmt::format(
      "# Weights of a linear evaluation (src/rules/linear.hpp): feature, opening, ending.\n"
      "# Fitted by: paika_tune fit{} --games {} --rounds {} --nodes {} --seed {} --l2 {} --start {}\n"
      "#   --min-random {} --max-random {} --max-plies {}{}{}\n"
      "# {} games of self-play, {} positions of the last two rounds; log-loss on positions not fitted to: {:.4f}\n"
      "# (plain weights {:.4f}, weights of the last round's games {:.4f}). Scale {:.1f}.\n",
      specs, options.plan.games, options.rounds, options.nodes, options.plan.seed, options.l2, options.start,
      game.min_random, game.max_random, game.max_plies, game.tactical ? " --tactical" : "",
      options.hold_to_start ? " --hold-to-start" : "", games, fit.samples, fit.loss_after, fit.loss_plain,
      fit.loss_before, fit.scale);
}

int run_fit(Options options) {
  auto pairings = pairings_of(options, options.start, options.start);
  if (!pairings) return fmt::print(stderr, "paika_tune: {}\n", pairings.error().message), 2;
  const Arena& arena = *pairings->front().arena;
  const auto names = arena.feature_names();
  options.plan.game.sample = true;
  FitPlan fitting;
  fitting.plain = arena.player(Evaluation::plain).weights;
  if (options.hold_to_start) fitting.home = pairings->front().a.weights;
  fitting.l2 = options.l2;
  Samples before;
  Fit result;
  int games = 0;
  PlayPlan plan = options.plan;
  for (int round = 1; round <= options.rounds; ++round) {
    plan.seed = options.plan.seed + static_cast<std::uint64_t>(round - 1);
    int draws = 0;
    Samples now;
    for (const PlayedGame& game : played(*pairings, plan)) {
      now.append(game.samples);
      draws += game.score > 0.25 && game.score < 0.75 ? 1 : 0;
      ++games;
    }
    // Two rounds are fitted to: games of weaker players than the last say less about good play.
    Samples both = std::move(before);
    both.append(now);
    before = std::move(now);
    fitting.before = pairings->front().a.weights;
    result = fit(both, fitting);
    fmt::print(
        "round {}: {} positions, {} of {} games drawn, log-loss plain {:.4f} before {:.4f} after {:.4f}, scale "
        "{:.1f}\n{}",
        round, result.samples, draws, plan.games, result.loss_plain, result.loss_before, result.loss_after,
        result.scale, weights_text(result.weights, names));
    std::fflush(stdout);
    for (Pairing& pairing : *pairings) pairing.a.weights = pairing.b.weights = result.weights;
  }
  if (options.out.empty()) return 0;
  std::ofstream file(options.out);
  file << provenance(options, result, games) << weights_text(result.weights, names);
  file.close();
  if (!file) return fmt::print(stderr, "paika_tune: cannot write {}\n", options.out), 2;
  return 0;
}

int run_match(Options options) {
  const auto pairings = pairings_of(options, options.a, options.b);
  if (!pairings) return fmt::print(stderr, "paika_tune: {}\n", pairings.error().message), 2;
  options.plan.paired = true;
  options.plan.games += options.plan.games % 2;
  const MatchResult result = judge(played(*pairings, options.plan));
  fmt::print("{} against {}: +{} ={} -{}, Elo {:+.1f} ± {:.1f} (95 %)\n", options.a, options.b, result.wins,
             result.draws, result.losses, result.elo, result.error);
  return 0;
}

void add_common(CLI::App& app, Options& options) {
  app.add_option("--spec", options.specs, "a game, as in fanorona:5x5; more than one share the games out")->required();
  app.add_option("--games", options.plan.games, "games (of each round)")->check(CLI::Range(2, 10'000'000));
  app.add_option("--threads", options.plan.threads, "games played at the same time")->check(CLI::Range(1, 256));
  app.add_option("--seed", options.plan.seed, "of the random openings");
  app.add_option("--nodes", options.nodes, "nodes a move")->check(CLI::PositiveNumber);
  app.add_option("--min-random", options.plan.game.min_random, "random plies at the start, at least")
      ->check(CLI::Range(0, 1000));
  app.add_option("--max-random", options.plan.game.max_random, "… at most")->check(CLI::Range(0, 1000));
  app.add_option("--max-plies", options.plan.game.max_plies, "a longer game is a draw")->check(CLI::PositiveNumber);
}

int run(int argc, char** argv) {
  CLI::App app("Fits the weights of linear evaluations to self-play, and measures players by matches.", "paika_tune");
  app.require_subcommand(1);
  Options options;
  CLI::App& fitting = *app.add_subcommand("fit", "play games and fit weights to their results");
  add_common(fitting, options);
  fitting.add_option("--rounds", options.rounds, "play and fit so often, with the new weights each time")
      ->check(CLI::Range(1, 100));
  fitting.add_option("--l2", options.l2, "how strongly weights are held back")->check(CLI::NonNegativeNumber);
  fitting.add_option("--start", options.start, "the player of the first round: plain, tuned or a weights file");
  fitting.add_flag("--hold-to-start", options.hold_to_start, "hold weights back at those of --start, not at zero");
  fitting.add_option("--out", options.out, "the weights file to write");
  fitting.add_flag("--tactical", options.plan.game.tactical, "use positions with tactical turns too");
  CLI::App& match = *app.add_subcommand("match", "play two players against each other");
  add_common(match, options);
  match.add_option("--a", options.a, "plain, tuned or a weights file, and changes: tuned,null_move=0,first_reduced=4");
  match.add_option("--b", options.b, "the same");
  CLI11_PARSE(app, argc, argv);
  if (options.plan.game.min_random > options.plan.game.max_random) {
    fmt::print(stderr, "paika_tune: --min-random is more than --max-random\n");
    return 2;
  }
  return fitting.parsed() ? run_fit(options) : run_match(options);
}

}  // namespace
}  // namespace paika::tune

int main(int argc, char** argv) { return paika::tune::run(argc, argv); }
