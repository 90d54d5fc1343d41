// Plays games of Black & White against itself on the 8x8 board and writes samples for training.
//
// A game begins with some turns by chance, goes on with a search of fixed depth, and is solved
// exactly from a given number of empty squares on: its score is that of perfect play from there. In
// the ending, too, some turns are by chance, each followed by solving anew. Game number n of a seed is
// the same on every machine and with any number of threads.
#include <CLI/CLI.hpp>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <thread>

#include "base/random.hpp"
#include "games/othello/search_traits.hpp"
#include "layout.hpp"
#include "sample.hpp"
#include "search/search.hpp"

namespace paika::othello {
namespace {

using Shape8 = FixedShape<8, 8>;
using Rules8 = BitboardRules<Shape8>;
using Traits8 = BitboardTraits<Shape8>;
using Position = Rules8::Position;
using Move = Rules8::Move;

struct Settings {
  std::uint64_t seed = 1;
  std::uint64_t first_game = 0;
  std::uint64_t games = 1000;
  double seconds = 0;
  int threads = 1;
  int depth = 4;
  int exact_from = 14;
  std::string weights;
  std::string out;
};

/// One thread's player with its search and its solver.
class SelfPlayer {
 public:
  SelfPlayer(const Settings& settings, const PatternWeights* weights)
      : settings_(settings),
        rules_(Options{8}),
        traits_(rules_, Evaluator<Shape8>(rules_, weights, nullptr)),
        search_(traits_, small_tables()),
        table_(1),
        ending_(traits_, table_) {}

  /// Plays game `number` and appends its samples.
  void play(std::uint64_t number, std::string& out) {
    search_.forget();
    table_.clear();
    Random random(mix64(settings_.seed * 0x9e3779b97f4a7c15ULL + 1) ^ mix64(number + 1));
    game_ = static_cast<std::uint16_t>(number);
    Position p = opening(random);
    std::vector<Position> middle;
    while (!rules_.outcome(p).over() && empties(p) > settings_.exact_from) {
      middle.push_back(p);
      p = rules_.play(p, best_move(p, settings_.depth));
    }
    const int score = rules_.outcome(p).over() ? traits_.final_score(p) / 100 : solve(p);
    for (const Position& q : middle) append(out, q, q.to_move == p.to_move ? score : -score);
    play_ending(p, score, random, out);
  }

 private:
  static SearchSettings small_tables() {
    SearchSettings s;
    s.hash_mb = 1;
    return s;
  }

  [[nodiscard]] static int empties(const Position& p) { return 64 - (p.own | p.opponent).count(); }

  [[nodiscard]] Move random_move(const Position& p, Random& random) const {
    std::array<Move, 64> moves;
    std::size_t count = 0;
    rules_.for_each_turn(p, [&](const Move& m) {
      moves[count++] = m;
      return true;
    });
    return moves[random.index(count)];
  }

  [[nodiscard]] Move best_move(const Position& p, int depth) {
    SearchLimits limits;
    limits.depth = depth;
    return search_.run(p, {}, limits).move;
  }

  /// A position after a number of turns of which about half are by chance.
  [[nodiscard]] Position opening(Random& random) {
    for (;;) {
      Position p = rules_.initial();
      const std::uint64_t plies = 1 + random.below(30);
      for (std::uint64_t i = 0; i < plies && !rules_.outcome(p).over(); ++i) {
        p = rules_.play(p, i < 4 || random.one_in(2) ? random_move(p, random) : best_move(p, 1));
      }
      if (!rules_.outcome(p).over()) return p;
    }
  }

  /// In discs, for the mover.
  [[nodiscard]] int solve(const Position& p) {
    return ending_.solve(p, -infinite_score, infinite_score, [](std::uint64_t) { return false; }) / 100;
  }

  /// A turn that keeps the score. Requires that `score` is right and the game is not over.
  [[nodiscard]] Move keeping_move(const Position& p, int score) {
    Move kept;
    rules_.for_each_turn(p, [&](const Move& m) {
      kept = m;
      const Position child = rules_.play(p, m);
      const int reply = rules_.outcome(child).over()
                            ? traits_.final_score(child)
                            : ending_.solve(child, -100 * score, -100 * score + 1, [](std::uint64_t) { return false; });
      return -reply < 100 * score;
    });
    return kept;
  }

  void play_ending(Position p, int score, Random& random, std::string& out) {
    while (!rules_.outcome(p).over()) {
      append(out, p, score);
      const bool by_chance = random.one_in(4);
      p = rules_.play(p, by_chance ? random_move(p, random) : keeping_move(p, score));
      if (rules_.outcome(p).over()) return;
      score = by_chance ? solve(p) : -score;
    }
  }

  void append(std::string& out, const Position& p, int score) const {
    Sample sample;
    sample.board = {p.own.words[0], p.opponent.words[0]};
    sample.counts = traits_.evaluator().counts(p.own, p.opponent);
    sample.score = static_cast<std::int8_t>(score);
    sample.game = game_;
    append_sample(out, sample);
  }

  const Settings& settings_;
  Rules8 rules_;
  Traits8 traits_;
  Search<Traits8> search_;
  EndingTable table_;
  Traits8::Ending ending_;
  std::uint16_t game_ = 0;
};

std::optional<std::string> file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Nothing if there is no file name; an error message and the end of the program if it is bad.
std::optional<PatternWeights> weights_from(const std::string& path) {
  if (path.empty()) return {};
  const auto bytes = file_bytes(path);
  if (!bytes) {
    fmt::print(stderr, "cannot read the weights file {}\n", path);
    std::exit(2);
  }
  auto weights = PatternWeights::read(*bytes);
  if (!weights) {
    fmt::print(stderr, "{}: {}\n", path, weights.error().message);
    std::exit(2);
  }
  return std::move(*weights);
}

/// Plays the games of `settings` on its threads; false if the file cannot be written.
bool play_games(const Settings& settings, const PatternWeights* weights) {
  using Clock = std::chrono::steady_clock;
  std::ofstream file(settings.out, std::ios::binary);
  std::mutex mutex;
  std::atomic<std::uint64_t> next{0};
  std::atomic<std::uint64_t> samples{0};
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < settings.threads; ++t) {
      threads.emplace_back([&] {
        SelfPlayer player(settings, weights);
        std::string out;
        for (;;) {
          const bool late = settings.seconds > 0 && elapsed() >= settings.seconds;
          const std::uint64_t number = late ? settings.games : next++;
          constexpr std::size_t enough = std::size_t{1} << 20;
          if (number >= settings.games || out.size() > enough) {
            const std::lock_guard lock(mutex);
            file.write(out.data(), static_cast<std::streamsize>(out.size()));
            samples += out.size() / Sample::bytes;
            out.clear();
          }
          if (number >= settings.games) return;
          player.play(settings.first_game + number, out);
        }
      });
    }
  }
  file.flush();
  fmt::print("games {} samples {} seconds {:.1f} depth {} exact-from {} seed {} first-game {}\n",
             std::min(next.load(), settings.games), samples.load(), elapsed(), settings.depth, settings.exact_from,
             settings.seed, settings.first_game);
  return static_cast<bool>(file);
}

/// Prints how far the evaluation is from the scores of the samples in a file, by phase.
bool measure(const std::string& path, const PatternWeights& weights) {
  const auto bytes = file_bytes(path);
  if (!bytes) return false;
  std::array<double, phases> squares{};
  std::array<std::uint64_t, phases> counts{};
  for (std::string_view rest = *bytes; rest.size() >= Sample::bytes; rest.remove_prefix(Sample::bytes)) {
    const Sample sample = read_sample(rest);
    const int pawns = std::popcount(sample.board.own | sample.board.opponent);
    const auto phase = static_cast<std::size_t>(phase_of(pawns));
    const double error = weights.evaluate(sample.board, sample.counts) / 100.0 - sample.score;
    squares[phase] += error * error;
    ++counts[phase];
  }
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const auto n = static_cast<double>(counts[i]);
    fmt::print("phase {:2} samples {:9} rmse {:.3f}\n", i, counts[i], counts[i] == 0 ? 0.0 : std::sqrt(squares[i] / n));
  }
  return true;
}

int run(int argc, char** argv) {
  Settings settings;
  std::string layout;
  std::string measured;
  CLI::App app("Plays games of Black & White against itself, for training its evaluation.");
  app.add_option("--seed", settings.seed, "of all chance");
  app.add_option("--first-game", settings.first_game, "number of the first game");
  app.add_option("--games", settings.games, "how many games at the most");
  app.add_option("--seconds", settings.seconds, "begin no game after so long; 0: no limit");
  app.add_option("--threads", settings.threads)->check(CLI::Range(1, 256));
  app.add_option("--depth", settings.depth, "of the search in the middle game")->check(CLI::Range(1, 20));
  app.add_option("--exact-from", settings.exact_from, "solve from so many empty squares on")->check(CLI::Range(4, 24));
  app.add_option("--weights", settings.weights, "pattern weights to play with; else the plain evaluation");
  app.add_option("--out", settings.out, "file for the samples");
  app.add_option("--layout", layout, "write the layout of the patterns to this file");
  app.add_option("--measure", measured, "print the errors of --weights on the samples of this file");
  CLI11_PARSE(app, argc, argv);
  if (!layout.empty() && !(std::ofstream(layout) << layout_json())) {
    fmt::print(stderr, "cannot write {}\n", layout);
    return 2;
  }
  const auto weights = weights_from(settings.weights);
  if (!measured.empty() && (!weights || !measure(measured, *weights))) {
    fmt::print(stderr, "--measure needs --weights and a file of samples\n");
    return 2;
  }
  if (!settings.out.empty() && !play_games(settings, weights ? &*weights : nullptr)) {
    fmt::print(stderr, "cannot write {}\n", settings.out);
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace paika::othello

int main(int argc, char** argv) { return paika::othello::run(argc, argv); }
