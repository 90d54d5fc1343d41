// The computer player at Wildebeest: it takes kings, lets none of its own be lost without need, and
// sees explosions coming.
#include <gtest/gtest.h>

#include "engine/engine.hpp"
#include "engine/registry.hpp"
#include "tests/games/wildebeest/support.hpp"
#include "tests/games/wildebeest/tactics.hpp"

namespace paika::wildebeest::testing {

namespace {

SearchLimits to_depth(int depth) {
  SearchLimits limits;
  limits.depth = depth;
  return limits;
}

SearchSettings settings_of(int level = full_level, std::uint64_t seed = 0) {
  SearchSettings settings;
  settings.hash_mb = 1;
  settings.level = level;
  settings.seed = seed;
  return settings;
}

Decision decide(const Board& b, int depth, const SearchSettings& settings = settings_of()) {
  const GamePtr game = *open_game("wildebeest");
  return game->engine(settings)->think(*game->start_from(b), to_depth(depth));
}

/// Whether the turn leaves the side that plays it without a king.
bool loses_the_king(const Board& b, const Turn& turn) {
  const GamePtr game = *open_game("wildebeest");
  const auto session = game->start_from(b);
  session->play(turn);
  return session->outcome().won_by(other(b.to_move));
}

}  // namespace

TEST(WildebeestTactics, kings_are_taken_at_every_depth) {
  for (const Tactic& tactic : tactics) {
    for (const int depth : {1, 2, 4}) {
      const Decision decision = decide(board(tactic.pieces, tactic.to_move), depth);
      EXPECT_EQ(decision.text, tactic.wins) << tactic.about << ", depth " << depth;
      EXPECT_EQ(decision.info.lines.front().score, win_in(1)) << tactic.about;
    }
  }
}

TEST(WildebeestTactics, no_level_loses_its_king_with_the_first_turn) {
  const Board start = make_notation(standard)->initial();
  for (int level = weakest_level; level <= full_level; ++level) {
    for (std::uint64_t seed = 1; seed <= (level < full_level ? 20U : 1U); ++seed) {
      const Decision decision = decide(start, 3, settings_of(level, seed));
      EXPECT_FALSE(loses_the_king(start, decision.turn)) << decision.text << ", level " << level << ", seed " << seed;
    }
  }
}

TEST(WildebeestTactics, the_first_turn_is_safe_at_every_depth) {
  const Board start = make_notation(standard)->initial();
  for (int depth = 1; depth <= 5; ++depth) {
    const Decision decision = decide(start, depth);
    EXPECT_FALSE(loses_the_king(start, decision.turn)) << decision.text << ", depth " << depth;
    EXPECT_FALSE(is_loss(decision.info.lines.front().score));
  }
}

struct Forced {
  std::string_view about;
  std::string_view pieces;
  int plies = 0;  // to the end
};

/// Won positions of White, where the king is not lost by the first turn but cannot be saved.
TEST(WildebeestTactics, forced_wins_are_found) {
  const std::vector<Forced> forced = {
      {"2: two Rooks confine the king", "Kf0 Rk9 Rj8 ka10 pe6", 3},
      {"5.4: the row of the king's own Joey fills up", "Kk0 Ra3 Rb2 Zd8 je9 ke10 pc9 gg10", 3},
  };
  for (const Forced& f : forced) {
    const Decision decision = decide(board(f.pieces), f.plies + 1);
    EXPECT_EQ(decision.info.lines.front().score, win_in(f.plies)) << f.about << ": " << decision.text;
  }
}

TEST(WildebeestTactics, a_threatened_king_is_saved) {
  // 4.1: the Serpent on d2 threatens to poison the king from e1; the Rook cannot take it.
  const Board b = board("Kf0 Rk9 Pa1 sd2 ka10 rc10");
  EXPECT_GT(decide(b, 2).info.lines.front().score, -evaluation_bound);
}

}  // namespace paika::wildebeest::testing
