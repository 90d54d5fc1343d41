// `paika match`: games between two players, and what they prove.
#include "play/match.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/entry.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/stderr.hpp"
#include "base/text.hpp"
#include "engine/json.hpp"
#include "engine/registry.hpp"
#include "play/opening_list.hpp"

namespace paika::apps {

namespace {

using play::EngineSettings;
using play::MatchPlan;
using play::MatchScore;
using play::Sprt;
using play::SprtState;

// ---- Reading the arguments ----

Result<double> read_real(std::string_view name, std::string_view text, double least, double most) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error == std::errc{} && end == text.data() + text.size() && number >= least && number <= most) return number;
  return fail("{} must be a number from {} to {}, not {}", name, least, most, in_quotes(text));
}

Result<std::optional<Sprt>> read_sprt(const MatchArgs& args) {
  if (args.sprt.empty()) return std::optional<Sprt>{};
  const auto words = split(args.sprt, ',');
  if (words.size() != 2) return fail("--sprt must be two numbers, ELO0,ELO1, not {}", in_quotes(args.sprt));
  const auto elo0 = read_real("ELO0 of --sprt", words[0], -1000, 1000);
  const auto elo1 = read_real("ELO1 of --sprt", words[1], -1000, 1000);
  const auto alpha = read_real("--alpha", args.alpha, 0.0001, 0.5);
  const auto beta = read_real("--beta", args.beta, 0.0001, 0.5);
  for (const auto* number : {&elo0, &elo1, &alpha, &beta}) {
    if (!*number) return tl::unexpected(number->error());
  }
  if (*elo0 >= *elo1) return fail("ELO0 of --sprt must be less than ELO1, and {} is not less than {}", *elo0, *elo1);
  return std::optional<Sprt>(Sprt{*elo0, *elo1, *alpha, *beta});
}

Result<EngineSettings> read_each(const MatchArgs& args) {
  auto each = play::read_settings(args.each);
  if (!each) return fail("in --each: {}", each.error().message);
  if (args.time_ms > 0) each->limits.move_time = Milliseconds(args.time_ms);
  if (args.depth > 0) each->limits.depth = args.depth;
  if (args.nodes > 0) each->limits.nodes = static_cast<std::uint64_t>(args.nodes);
  std::error_code error;
  if (!args.tables.empty() && !std::filesystem::is_directory(args.tables, error)) {
    return fail("--tables must be a folder that holds tables (paika solve makes them), and {} is none",
                in_quotes(args.tables));
  }
  each->search.tables = args.tables;
  if (!args.book.empty()) each->search.book = args.book;
  return each;
}

/// Fills in the game and where its games begin, from the file of openings.
Result<void> read_openings(MatchPlan& plan, const MatchArgs& args) {
  if (!args.position.empty()) {
    return fail("--position and a file of openings both say where the games start: give only one");
  }
  const auto text = read_text_file(args.openings_file);
  if (!text) return fail("--openings takes a number of moves or a file of openings: {}", text.error().message);
  auto list = play::read_opening_list(args.spec, *text);
  if (!list) return fail("{}: {}", in_quotes(args.openings_file), list.error().message);
  plan.game = std::move(list->game);
  plan.starts = std::move(list->starts);
  return {};
}

/// The same where openings are by chance.
Result<void> read_start(MatchPlan& plan, const MatchArgs& args) {
  auto game = args.position.empty() ? open_game(args.spec) : open_game_for(args.spec, args.position);
  if (!game) return tl::unexpected(game.error());
  plan.game = std::move(*game);
  if (!args.position.empty()) {
    const auto session = plan.game->start_from_text(args.position);
    if (!session) return fail("bad position for {}: {}", plan.game->notation().spec(), session.error().message);
    if ((*session)->outcome().over()) return fail("the game is over in the position of --position");
    plan.start = (*session)->position_text();
  }
  plan.opening_plies = args.openings;
  plan.balance = args.balance;
  return {};
}

Result<MatchPlan> read_plan(const MatchArgs& args) {
  MatchPlan plan;
  if (!args.readable.empty() && !args.confine) return fail("--read is for bots in a sandbox: give --confine too");
  if (auto begun = args.openings_file.empty() ? read_start(plan, args) : read_openings(plan, args); !begun) {
    return tl::unexpected(begun.error());
  }
  const auto each = read_each(args);
  if (!each) return tl::unexpected(each.error());
  const std::array texts = {&args.first, &args.second};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto entry = read_entry(*texts[i], *each, plan.game, {Milliseconds(args.margin_ms), args.confine, args.readable});
    if (!entry) return tl::unexpected(entry.error());
    plan.entries[i] = std::move(*entry);
  }
  const auto sprt = read_sprt(args);
  if (!sprt) return tl::unexpected(sprt.error());
  plan.sprt = *sprt;
  plan.pairs = (static_cast<std::uint64_t>(args.games) + 1) / 2;
  plan.seed = static_cast<std::uint64_t>(args.seed);
  plan.threads = args.concurrency;
  plan.max_turns = args.max_turns;
  plan.margin = Milliseconds(args.margin_ms);
  return plan;
}

// ---- The report ----

double milliseconds(std::chrono::microseconds time) { return static_cast<double>(time.count()) / 1000; }

std::string_view words_for(SprtState state) {
  switch (state) {
    case SprtState::undecided: return "undecided";
    case SprtState::elo0_accepted: return "elo0 accepted";
    case SprtState::elo1_accepted: return "elo1 accepted";
  }
  return "";
}

void print_side(const MatchPlan& plan, const MatchScore& score, std::size_t i) {
  const play::Timing& timing = score.timings[i];
  const double average = timing.turns == 0 ? 0 : milliseconds(timing.total) / timing.turns;
  fmt::print("{}: {} moves, {:.1f} ms on average, {:.1f} ms at most", i == 0 ? "A" : "B", timing.turns, average,
             milliseconds(timing.slowest));
  if (timing.max_over) {
    const double over = milliseconds(*timing.max_over);
    fmt::print(", {} {:.1f} ms {} its limit", over > 0 ? "up to" : "at least", std::abs(over),
               over > 0 ? "after" : "before");
  }
  const auto lost_by = [&](play::Failure failure) { return score.failures[i][static_cast<std::size_t>(failure)]; };
  fmt::print("; lost on time: {}", lost_by(play::Failure::time));
  for (const play::Failure failure : play::failures) {
    if (failure == play::Failure::time || lost_by(failure) == 0) continue;
    fmt::print(", by {}: {}", play::name(failure), lost_by(failure));
  }
  fmt::print("  [{}]\n", play::limits_text(plan.entries[i].limits));
}

void print_report(const MatchPlan& plan, const MatchScore& score) {
  const play::EloEstimate elo = play::estimate_elo(score.pairs);
  fmt::print("{}\nA: {}\nB: {}\n\n", plan.game->notation().spec(), plan.entries[0].text, plan.entries[1].text);
  fmt::print("A won {}, drew {}, lost {} of {} games: {:.1f} %\n", score.wins[0], score.draws, score.wins[1],
             score.games(), 100 * play::score_of(score.pairs));
  fmt::print("pairs with 0, 1/2, 1, 3/2, 2 points of A: {}\n", fmt::join(score.pairs, " "));
  fmt::print("Elo of A over B: {:+.1f} (95 %: {:+.1f} to {:+.1f}), likelihood of superiority {:.1f} %\n", elo.elo,
             elo.low, elo.high, 100 * elo.los);
  if (plan.sprt) {
    fmt::print("SPRT of Elo {} against {} (alpha {}, beta {}): {}, LLR {:.2f} between {:.2f} and {:.2f}\n",
               plan.sprt->elo0, plan.sprt->elo1, plan.sprt->alpha, plan.sprt->beta,
               words_for(play::sprt_state(score.pairs, *plan.sprt)),
               play::log_likelihood_ratio(score.pairs, *plan.sprt), plan.sprt->lower_bound(), plan.sprt->upper_bound());
  }
  fmt::print("the first player won {}, the second {}; {} different openings of {}; {} games drawn for their length\n",
             score.first_wins, score.second_wins, score.different_openings,
             plan.starts.empty() ? fmt::format("{} moves", plan.opening_plies)
                                 : fmt::format("the {} given", plan.starts.size()),
             score.too_long);
  for (const std::size_t i : {0U, 1U}) print_side(plan, score, i);
  if (!score.last_failure.empty()) fmt::print("last failure: {}\n", score.last_failure);
}

/// JSON has no infinite numbers; they are null.
Json finite(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json side_json(const MatchPlan& plan, const MatchScore& score, std::size_t i) {
  const play::Timing& timing = score.timings[i];
  Json failures;
  for (const play::Failure f : play::failures) failures[play::name(f)] = score.failures[i][static_cast<std::size_t>(f)];
  Json json{{"player", plan.entries[i].text},
            {"limits", play::limits_text(plan.entries[i].limits)},
            {"wins", score.wins[i]},
            {"moves", timing.turns},
            {"total_ms", milliseconds(timing.total)},
            {"slowest_ms", milliseconds(timing.slowest)},
            {"over_limit_ms", nullptr},
            {"failures", failures}};
  if (timing.max_over) json["over_limit_ms"] = milliseconds(*timing.max_over);
  return json;
}

Json report_json(const MatchPlan& plan, const MatchScore& score) {
  const play::EloEstimate elo = play::estimate_elo(score.pairs);
  Json json{{"spec", plan.game->notation().spec()},
            {"a", side_json(plan, score, 0)},
            {"b", side_json(plan, score, 1)},
            {"games", score.games()},
            {"draws", score.draws},
            {"score", play::score_of(score.pairs)},
            {"pairs", score.pairs},
            {"elo", finite(elo.elo)},
            {"elo_low", finite(elo.low)},
            {"elo_high", finite(elo.high)},
            {"los", elo.los},
            {"sprt", nullptr},
            {"first_wins", score.first_wins},
            {"second_wins", score.second_wins},
            {"openings", score.different_openings},
            {"too_long", score.too_long},
            {"last_failure", score.last_failure},
            {"seed", plan.seed}};
  if (!plan.sprt) return json;
  json["sprt"] = {{"elo0", plan.sprt->elo0},
                  {"elo1", plan.sprt->elo1},
                  {"alpha", plan.sprt->alpha},
                  {"beta", plan.sprt->beta},
                  {"llr", play::log_likelihood_ratio(score.pairs, *plan.sprt)},
                  {"lower", plan.sprt->lower_bound()},
                  {"upper", plan.sprt->upper_bound()},
                  {"state", words_for(play::sprt_state(score.pairs, *plan.sprt))}};
  return json;
}

// ---- Playing ----

/// The file for the records; what could not be written is found out at the end.
using RecordFile = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

Result<MatchScore> play_all(const MatchPlan& plan, std::FILE* records) {
  const Interrupt interrupt;
  Progress progress("match");
  play::MatchListener listener;
  if (records != nullptr) {
    listener.game_ended = [&](const play::GameRecord& record) {
      fmt::print(records, "{}\n", play::record_text(record));
      std::fflush(records);
    };
  }
  listener.pair_ended = [&](const MatchScore& score) {
    progress.update(static_cast<double>(score.games()) / static_cast<double>(2 * plan.pairs));
  };
  return play::play_match(plan, listener, interrupt.token());
}

}  // namespace

int run_match(const MatchArgs& args) {
  const auto plan = read_plan(args);
  if (!plan) return complain(plan.error().message);
  if (const auto games = 2 * plan->pairs; games != static_cast<std::uint64_t>(args.games)) {
    to_stderr(
        fmt::format("paika: games come in pairs with colours reversed: playing {} instead of {}\n", games, args.games));
  }
  RecordFile records(nullptr, std::fclose);
  if (!args.record.empty()) {
    records.reset(std::fopen(args.record.c_str(), "abe"));
    if (!records) return complain(fmt::format("cannot write {}: {}", in_quotes(args.record), std::strerror(errno)));
  }
  const auto score = play_all(*plan, records.get());
  if (!score) return complain(score.error().message);
  if (args.json) {
    fmt::print("{}\n", report_json(*plan, *score).dump(2));
  } else {
    print_report(*plan, *score);
  }
  if (records && std::ferror(records.get()) != 0) {
    return complain(fmt::format("not all games could be written to {}", in_quotes(args.record)));
  }
  return finish(exit_done);
}

}  // namespace paika::apps
