// Plays games of Black & White against itself on 6x6, 8x8 or 10x10 and writes samples for training.
//
// A game begins with some turns by chance, goes on with a search of fixed depth, and is solved
// exactly from a given number of empty squares on: its score is that of perfect play from there. In
// the middle game, positions beside the game are searched, too; in the ending some turns are by chance, each
// followed by solving anew. Game number n of a seed is the same on every machine and with any number of threads.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>

#include "base/random.hpp"
#include "games/othello/search_traits.hpp"
#include "sample.hpp"
#include "search/search.hpp"

namespace paika::othello {
namespace {

struct Settings {
  std::uint64_t seed = 1;
  std::uint64_t first_game = 0;
  std::uint64_t games = 1000;
  double seconds = 0;
  int threads = 1;
  int size = 8;
  int depth = 6;
  int exact_from = 16;
  std::string out;
};

/// One thread's player with its search and, where there is one, its solver.
template <int Size>
class SelfPlayer {
 public:
  using Shape = FixedShape<Size, Size>;
  using RulesType = BitboardRules<Shape>;
  using Traits = BitboardTraits<Shape>;
  using Position = typename RulesType::Position;
  using Move = typename RulesType::Move;
  using SampleType = Sample<typename Shape::Set>;

  explicit SelfPlayer(const Settings& settings)
      : settings_(settings), rules_(Options{Size}), traits_(rules_, Evaluation::tuned), search_(traits_, small()) {
    if constexpr (HasEndings<Traits>) ending_.emplace(traits_);
  }

  /// Plays game `number` and appends its samples.
  void play(std::uint64_t number, std::string& out) {
    search_.forget();
    if constexpr (HasEndings<Traits>) ending_->table.clear();
    Random random(mix64(settings_.seed * 0x9e3779b97f4a7c15ULL + 1) ^ mix64(number + 1));
    game_ = static_cast<std::uint16_t>(number);
    Position p = opening(random);
    std::vector<std::pair<Position, int>> middle;
    while (!rules_.outcome(p).over() && empties(p) > exact_from()) {
      const auto found = searched(p, settings_.depth);
      middle.emplace_back(p, found.score);
      if (random.one_in(3)) add_beside(p, random, out);
      p = rules_.play(p, found.move);
    }
    const int score = rules_.outcome(p).over() ? traits_.final_score(p) / 100 : solve(p);
    for (const auto& [q, value] : middle) {
      append(out, q, SampleKind::played, q.to_move == p.to_move ? score : -score, value);
    }
    if constexpr (HasEndings<Traits>) play_ending(p, score, random, out);
  }

 private:
  struct Solver {
    explicit Solver(const Traits& traits) : table(1), ending(traits, table) {}
    EndingTable table;
    typename Traits::Ending ending;
  };
  struct NoSolver {};
  struct Found {
    Move move;
    int score;
  };

  static SearchSettings small() {
    SearchSettings s;
    s.threads = 0;
    s.hash_mb = 1;
    return s;
  }

  [[nodiscard]] static int empties(const Position& p) { return Size * Size - (p.own | p.opponent).count(); }
  /// Without a solver games are played out.
  [[nodiscard]] int exact_from() const { return HasEndings<Traits> ? settings_.exact_from : 0; }

  [[nodiscard]] Move random_move(const Position& p, Random& random) const {
    std::array<Move, Size * Size> moves;
    std::size_t count = 0;
    rules_.for_each_turn(p, [&](const Move& m) {
      moves[count++] = m;
      return true;
    });
    return moves[random.index(count)];
  }

  [[nodiscard]] Found searched(const Position& p, int depth) {
    SearchLimits limits;
    limits.depth = depth;
    const auto result = search_.run(p, {}, limits);
    return {result.move, result.report.lines.front().score};
  }

  /// A position after a number of turns of which some are by chance; rarely one that is long decided.
  [[nodiscard]] Position opening(Random& random) {
    constexpr int most = Size * Size / 2 - 2;
    constexpr int decided = 2500;
    for (;;) {
      Position p = rules_.initial();
      const std::uint64_t plies = 1 + random.below(most);
      const std::uint64_t rarity = std::uint64_t{2} << random.below(3);
      for (std::uint64_t i = 0; i < plies && !rules_.outcome(p).over(); ++i) {
        p = rules_.play(p, i < 4 || random.one_in(rarity) ? random_move(p, random) : searched(p, 2).move);
      }
      if (rules_.outcome(p).over()) continue;
      if (std::abs(searched(p, 3).score) < decided || random.one_in(6)) return p;
    }
  }

  /// A sample of what a turn by chance leads to.
  void add_beside(const Position& p, Random& random, std::string& out) {
    const Position q = rules_.play(p, random_move(p, random));
    if (rules_.outcome(q).over() || empties(q) <= exact_from()) return;
    append(out, q, SampleKind::searched, 0, searched(q, settings_.depth).score);
  }

  /// In discs, for the mover; by playing on where there is no solver.
  [[nodiscard]] int solve(const Position& p) {
    if constexpr (HasEndings<Traits>) {
      return ending_->ending.solve(p, -infinite_score, infinite_score, [](std::uint64_t) { return false; }) / 100;
    } else {
      return 0;  // never asked: games are played out
    }
  }

  /// A turn that keeps the score. Requires that `score` is right and the game is not over.
  [[nodiscard]] Move keeping_move(const Position& p, int score) {
    Move kept;
    rules_.for_each_turn(p, [&](const Move& m) {
      kept = m;
      const Position child = rules_.play(p, m);
      const int reply = rules_.outcome(child).over() ? traits_.final_score(child)
                                                     : ending_->ending.solve(child, -100 * score, -100 * score + 1,
                                                                             [](std::uint64_t) { return false; });
      return -reply < 100 * score;
    });
    return kept;
  }

  void play_ending(Position p, int score, Random& random, std::string& out) {
    while (!rules_.outcome(p).over()) {
      append(out, p, SampleKind::exact, score, 100 * score);
      const bool by_chance = random.one_in(4);
      p = rules_.play(p, by_chance ? random_move(p, random) : keeping_move(p, score));
      if (rules_.outcome(p).over()) return;
      score = by_chance ? solve(p) : -score;
    }
  }

  void append(std::string& out, const Position& p, SampleKind kind, int score, int value) const {
    SampleType sample;
    sample.own = p.own;
    sample.opponent = p.opponent;
    sample.placings = static_cast<std::uint8_t>(rules_.placings(p).count());
    sample.opponent_placings = static_cast<std::uint8_t>(rules_.opponent_placings(p).count());
    sample.score = static_cast<std::int8_t>(score);
    sample.kind = kind;
    sample.searched = static_cast<std::int16_t>(std::clamp(value, -20'000, 20'000));
    sample.evaluated = static_cast<std::int16_t>(std::clamp(traits_.evaluate(p), -20'000, 20'000));
    sample.game = game_;
    append_sample(out, sample);
  }

  const Settings& settings_;
  RulesType rules_;
  Traits traits_;
  Search<Traits> search_;
  std::optional<std::conditional_t<HasEndings<Traits>, Solver, NoSolver>> ending_;
  std::uint16_t game_ = 0;
};

/// Plays the games of `settings` on its threads; false if the file cannot be written.
template <int Size>
bool play_games(const Settings& settings) {
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
        SelfPlayer<Size> player(settings);
        std::string out;
        for (;;) {
          const bool late = settings.seconds > 0 && elapsed() >= settings.seconds;
          const std::uint64_t number = late ? settings.games : next++;
          constexpr std::size_t enough = std::size_t{1} << 18;
          if (number >= settings.games || out.size() > enough) {
            const std::lock_guard lock(mutex);
            file.write(out.data(), static_cast<std::streamsize>(out.size()));
            file.flush();
            samples += out.size() / SelfPlayer<Size>::SampleType::bytes;
            out.clear();
          }
          if (number >= settings.games) return;
          player.play(settings.first_game + number, out);
        }
      });
    }
  }
  fmt::print("size {} games {} samples {} seconds {:.1f} depth {} exact-from {} seed {} first-game {}\n", Size,
             std::min(next.load(), settings.games), samples.load(), elapsed(), settings.depth, settings.exact_from,
             settings.seed, settings.first_game);
  return static_cast<bool>(file);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Plays games of Black & White against itself, for training its evaluation.");
  app.add_option("--seed", settings.seed, "of all chance");
  app.add_option("--first-game", settings.first_game, "number of the first game");
  app.add_option("--games", settings.games, "how many games at the most");
  app.add_option("--seconds", settings.seconds, "begin no game after so long; 0: no limit");
  app.add_option("--threads", settings.threads)->check(CLI::Range(1, 256));
  app.add_option("--size", settings.size, "of the board")->check(CLI::IsMember({6, 8, 10}));
  app.add_option("--depth", settings.depth, "of the search in the middle game")->check(CLI::Range(1, 20));
  app.add_option("--exact-from", settings.exact_from, "solve from so many empty squares on")->check(CLI::Range(4, 24));
  app.add_option("--out", settings.out, "file for the samples")->required();
  CLI11_PARSE(app, argc, argv);
  const bool written = settings.size == 6   ? play_games<6>(settings)
                       : settings.size == 8 ? play_games<8>(settings)
                                            : play_games<10>(settings);
  if (!written) fmt::print(stderr, "cannot write {}\n", settings.out);
  return written ? 0 : 2;
}

}  // namespace
}  // namespace paika::othello

int main(int argc, char** argv) { return paika::othello::run(argc, argv); }
