// How fast random games of Black & White are played to their end, with the rules alone, on one thread.
//
// usage: random_games_bench [--games N] [--size N] [--seed N]
// One line: games, turns, wins, processor seconds, games and turns per second.
#include <CLI/CLI.hpp>
#include <bit>
#include <cstdint>
#include <ctime>
#include <fmt/format.h>

#include "base/gather.hpp"
#include "base/random.hpp"
#include "games/othello/instances.hpp"

namespace paika::othello {
namespace {

struct Tally {
  std::uint64_t turns = 0;
  std::uint64_t black_wins = 0;
  std::uint64_t white_wins = 0;
};

/// One of the squares of `set`, each equally likely. Requires that there is one.
template <class Set>
std::uint16_t random_square(const Set& set, Random& random) {
  auto left = random.below(static_cast<std::uint64_t>(set.count()));
  unsigned word = 0;
  for (; left >= static_cast<unsigned>(std::popcount(set.words[word])); ++word) {
    left -= static_cast<unsigned>(std::popcount(set.words[word]));
  }
  const std::uint64_t bit = scattered(std::uint64_t{1} << left, set.words[word]);
  return static_cast<std::uint16_t>(64 * word + static_cast<unsigned>(std::countr_zero(bit)));
}

template <class Shape>
void play_game(const BitboardRules<Shape>& rules, Random& random, Tally& tally) {
  auto p = rules.initial();
  for (;;) {
    const auto squares = rules.placings(p);
    if (squares.none()) {
      if (rules.opponent_placings(p).none()) break;
      p = rules.play(p, {});
    } else {
      p = rules.play(p, {random_square(squares, random)});
    }
    ++tally.turns;
  }
  const Outcome outcome = rules.outcome(p);
  if (outcome.won_by(Player::first)) ++tally.black_wins;
  if (outcome.won_by(Player::second)) ++tally.white_wins;
}

void measure(int games, int size, std::uint64_t seed) {
  with_rules(Options{size}, [&](const auto& rules) {
    Random random(seed);
    Tally tally;
    const std::clock_t start = std::clock();
    for (int i = 0; i < games; ++i) play_game(rules, random, tally);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    fmt::print(
        "{0}x{0}: {1} games, {2} turns, Black won {3}, White {4}; {5:.2f} s, {6:.0f} games/s, {7:.1f} M turns/s\n",
        size, games, tally.turns, tally.black_wins, tally.white_wins, seconds, games / seconds,
        static_cast<double>(tally.turns) / seconds / 1e6);
  });
}

}  // namespace
}  // namespace paika::othello

int main(int argc, char** argv) {
  int games = 500'000;
  int size = 8;
  std::uint64_t seed = 1;
  CLI::App app("How fast random games of Black & White are played.");
  app.add_option("--games", games)->check(CLI::Range(1, 1'000'000'000));
  app.add_option("--size", size)->check(CLI::Range(paika::othello::min_size, paika::othello::max_size));
  app.add_option("--seed", seed);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (size % 2 != 0) {
    fmt::print(stderr, "random_games_bench: the size must be even, not {}\n", size);
    return 2;
  }
  paika::othello::measure(games, size, seed);
  return 0;
}
