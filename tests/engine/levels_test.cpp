// Levels: each is stronger than those below. docs/strategy/levels.md has the measured differences.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string_view>

#include "engine/engine.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

SearchSettings player_at(int level, std::uint64_t seed) {
  SearchSettings settings;
  settings.threads = 0;
  settings.hash_mb = 4;
  settings.level = level;
  settings.seed = seed;
  return settings;
}

/// Twice the points that `above` scores against `below` in one game, which begins with four moves of the lowest level.
int play_game(const Game& game, int above, int below, bool above_is_first, std::uint64_t seed) {
  constexpr int opening = 4;
  constexpr int max_moves = 200;
  const Player stronger = above_is_first ? Player::first : Player::second;
  const auto newcomer = game.engine(player_at(weakest_level, seed));
  const auto strong = game.engine(player_at(above, seed));
  const auto weak = game.engine(player_at(below, seed + 1));
  const auto session = game.start();
  for (int i = 0; i < max_moves && !session->outcome().over(); ++i) {
    Engine& mover = i < opening ? *newcomer : session->board().to_move == stronger ? *strong : *weak;
    session->play(mover.think(*session, {}).turn);
  }
  const Outcome outcome = session->outcome();
  if (outcome.won_by(stronger)) return 2;
  return outcome.won_by(other(stronger)) ? 0 : 1;
}

/// Expects more than half of the points for a level against one that is well below it.
void expect_stronger(std::string_view spec, int above, int below, int games) {
  const GamePtr game = paika_tests::must_open(spec);
  int points = 0;
  for (int i = 0; i < games; ++i) {
    points += play_game(*game, above, below, i % 2 == 0, static_cast<std::uint64_t>(i / 2 + 1));
  }
  std::printf("%.*s: level %d scores %.1f of %d against level %d\n", static_cast<int>(spec.size()), spec.data(), above,
              points / 2.0, games, below);
  EXPECT_GT(points, games) << spec << ": level " << above << " against level " << below;
}

TEST(LevelGames, are_won_by_the_stronger) {
  const char* const asked = std::getenv("PAIKA_LEVEL_GAMES");
  if (asked == nullptr) return expect_stronger("othello:6x6", 5, 1, 10);
  // The upper levels look at many more positions; these show that the order is right.
  constexpr int step = 2;
  constexpr int last = 9;
  for (const std::string_view spec : {"fanorona", "abalone:5x5,captures=3", "othello", "wildebeest"}) {
    for (int above = weakest_level + step; above <= last; above += step) {
      expect_stronger(spec, above, above - step, std::atoi(asked));
    }
  }
}

}  // namespace
}  // namespace paika
