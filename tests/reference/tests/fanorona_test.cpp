// The reference Fanorona against every number and example of the rules document that is quick to check.
#include <gtest/gtest.h>
#include <map>

#include "tests/reference/tests/perft_lines.hpp"
#include "tests/reference/tests/turns.hpp"

namespace paika_reference {
namespace {

using Counts = std::vector<std::int64_t>;
using Turns = std::multiset<std::string>;

Counts perft_from_start(const ReferenceGame& game, int depths) { return perft_counts(game, game.initial(), depths); }

std::unique_ptr<ReferenceGame> fanorona(int cols, int rows, bool sacrifice, int limit = -1) {
  return make_fanorona({cols, rows, sacrifice, limit});
}

Turns only_captures(const Turns& all) {
  Turns captures;
  for (const std::string& t : all) {
    if (t.back() == 'A' || t.back() == 'W') captures.insert(t);
  }
  return captures;
}

TEST(FanoronaReference, clause_1_2_start) {
  EXPECT_EQ(fanorona(9, 5, true)->initial(), "bbbbbbbbb/bbbbbbbbb/bwbw.bwbw/wwwwwwwww/wwwwwwwww w 0");
  EXPECT_EQ(fanorona(5, 5, true)->initial(), "bbbbb/bbbbb/bw.bw/wwwww/wwwww w 0");
  EXPECT_EQ(fanorona(7, 3, true)->initial(), "bbbbbbb/bwb.wbw/wwwwwww w 0");
  EXPECT_EQ(fanorona(3, 3, true)->initial(), "bbb/b.w/www w 0");
  EXPECT_EQ(fanorona(3, 1, true)->initial(), "b.w w 0");
  EXPECT_EQ(fanorona(1, 3, true)->initial(), "b/./w w 0");
  EXPECT_EQ(fanorona(1, 1, true)->initial(), ". w 0");
}

TEST(FanoronaReference, clause_1_3_diagonals_only_at_strong_points) {
  // 5x3: the centre c2 is strong and has an odd sum of column and row, so the corner a1 is weak, a2 strong.
  EXPECT_EQ(turns(*fanorona(5, 3, false), "....b/...../w.... w 0"), (Turns{"a1a2", "a1b1"}));
  EXPECT_EQ(turns(*fanorona(5, 3, false), "....b/w..../..... w 0"), (Turns{"a2a1", "a2a3", "a2b2", "a2b1", "a2b3"}));
  // 3x3: the corner a1 has the parity of the centre b2.
  EXPECT_EQ(turns(*fanorona(3, 3, false), ".b./.../w.. w 0"), (Turns{"a1a2", "a1b1", "a1b2"}));
}

TEST(FanoronaReference, clause_2_1_run_ends_at_empty_own_block_and_edge) {
  const auto game = fanorona(9, 1, false, 0);
  EXPECT_EQ(after(*game, "w.bb.b... w 0", "a1b1A"), ".w...b... b 1");
  EXPECT_EQ(after(*game, "w.bbwb... w 0", "a1b1A"), ".w..wb... b 1");
  EXPECT_EQ(after(*game, "w.bbxb... w 0", "a1b1A"), ".w...b... b 1");
  EXPECT_EQ(after(*game, "bw.....bb w 7", "b1c1W"), "..w....bb b 8");
  EXPECT_EQ(after(*game, "bbbbbbb.w w 0", "i1h1A"), ".......w. b 1");
  // What leaves the board at the right must not come back in another row.
  EXPECT_EQ(after(*fanorona(3, 3, false), "b../w.b/b.b w 0", "a2b2A"), "b../.w./b.b b 1");
}

TEST(FanoronaReference, clause_2_2_approach_or_withdrawal) {
  const auto game = fanorona(5, 1, false, 0);
  EXPECT_EQ(turns(*game, "bw.b. w 0"), (Turns{"b1c1A", "b1c1W"}));
  EXPECT_EQ(after(*game, "bw.b. w 0", "b1c1A"), "b.w.. b 1");
  EXPECT_EQ(after(*game, "bw.b. w 0", "b1c1W"), "..wb. b 1");
}

TEST(FanoronaReference, clause_2_3_paika_only_without_a_capture) {
  const auto game = fanorona(9, 1, false, 0);
  EXPECT_EQ(turns(*game, "bw....w.. w 0"), (Turns{"b1c1W"}));
  EXPECT_EQ(turns(*game, "b..w..w.. w 0"), (Turns{"d1c1", "d1e1", "g1f1", "g1h1"}));
  // 2.5: a capture forbids paikas but no sacrifice.
  EXPECT_EQ(turns(*fanorona(9, 1, true, 0), "bw....w.. w 0"), (Turns{"b1c1W", "Sb1", "Sg1"}));
}

TEST(FanoronaReference, clause_2_4_not_twice_in_the_same_direction) {
  // After b1c1W the stone could approach e1 by c1d1, but that is the same direction again.
  EXPECT_EQ(turns(*fanorona(5, 1, false, 0), "bw..b w 0"), (Turns{"b1c1W"}));
}

TEST(FanoronaReference, clause_2_4_no_point_twice) {
  // d4, e4, e5 form a triangle; closing it would capture c3 (from e5) or f4 (from e4).
  const std::string position = "......./....b../......./...w.b./..b..../......./....... w 0";
  EXPECT_EQ(turns(*fanorona(7, 7, false), position),
            (Turns{"d4e4A", "d4e4A,e5A", "d4e5W", "d4e5W,e4W", "d4e5W,d6W", "d4e5W,d6W,c6W"}));
  EXPECT_EQ(after(*fanorona(7, 7, false), position, "d4e4A,e5A"),
            "......./......./....w../......./..b..../......./....... b 1");
}

TEST(FanoronaReference, clause_2_5_a_block_stays_for_one_turn) {
  const auto game = fanorona(3, 3, true);
  const std::string blocked = after(*game, game->initial(), "Sb1");
  EXPECT_EQ(blocked, "bbb/b.w/wxw b 1");
  // b3b2 captures nothing, as the block is nobody's stone.
  EXPECT_EQ(turns(*game, blocked), (Turns{"a2b2A", "a3b2A", "c3b2A", "Sa2", "Sa3", "Sb3", "Sc3"}));
  EXPECT_EQ(after(*game, blocked, "a2b2A"), "bbb/.b./w.w w 2");
  // Black answers with a sacrifice: White's block goes, Black's stands.
  EXPECT_EQ(after(*game, blocked, "Sa2"), "bbb/x.w/w.w w 2");
  // Nobody enters the point of a block.
  EXPECT_EQ(turns(*fanorona(5, 1, true), "bx.w. b 1"), (Turns{"Sa1"}));
}

TEST(FanoronaReference, clause_3_1_no_live_stone_loses) {
  const auto game = fanorona(3, 3, true);
  EXPECT_EQ(game->outcome(".../.w./... b 5"), "first_wins eliminated");
  EXPECT_EQ(game->outcome(".../.b./... w 6"), "second_wins eliminated");
  EXPECT_TRUE(game->successors(".../.b./... w 6").empty());
  const std::string gave_up = after(*game, "b../.../..w w 8", "Sc1");
  EXPECT_EQ(gave_up, "b../.../..x b 9");
  EXPECT_EQ(game->outcome(gave_up), "second_wins eliminated");
  EXPECT_EQ(game->outcome("x../.../..w w 9"), "first_wins eliminated");
  EXPECT_EQ(fanorona(1, 1, true)->outcome(". w 0"), "draw empty_board");
  EXPECT_TRUE(fanorona(1, 1, true)->successors(". w 0").empty());
}

TEST(FanoronaReference, clause_3_2_move_limit) {
  const auto game = fanorona(3, 3, true);
  EXPECT_EQ(game->outcome("b../.../..w w 29"), "ongoing");
  EXPECT_EQ(game->outcome("b../.../..w w 30"), "draw move_limit");
  EXPECT_TRUE(game->successors("b../.../..w w 30").empty());
  EXPECT_EQ(game->outcome(".../.../..w b 30"), "first_wins eliminated");
  EXPECT_EQ(fanorona(3, 3, true, 0)->outcome("b../.../..w w 1000"), "ongoing");
  EXPECT_EQ(fanorona(3, 13, true)->outcome(fanorona(3, 13, true)->initial()), "ongoing");
  const auto three = fanorona(5, 3, false, 3);
  EXPECT_GT(perft(*three, three->initial(), 3), 0);
  EXPECT_EQ(perft(*three, three->initial(), 4), 0);
}

TEST(FanoronaReference, clause_3_3_trapped) {
  EXPECT_EQ(fanorona(5, 1, false)->outcome("wbb.. w 4"), "second_wins trapped");
  EXPECT_EQ(fanorona(5, 1, false)->outcome("bww.. b 5"), "first_wins trapped");
  EXPECT_EQ(fanorona(5, 1, true)->outcome("wbb.. w 4"), "ongoing");
  EXPECT_EQ(turns(*fanorona(5, 1, true), "wbb.. w 4"), (Turns{"Sa1"}));
  // 3.2 before 3.3: at the limit nobody has to move any more.
  EXPECT_EQ(fanorona(5, 1, false)->outcome("wbb.. w 10"), "draw move_limit");
}

TEST(FanoronaReference, clause_5_1_perft_without_sacrifice) {
  EXPECT_EQ(perft_from_start(*fanorona(9, 5, false), 5), (Counts{5, 39, 724, 18026, 431852}));
  EXPECT_EQ(perft_from_start(*fanorona(5, 5, false), 6), (Counts{5, 21, 202, 3469, 34608, 306837}));
  EXPECT_EQ(perft_from_start(*fanorona(3, 3, false), 6), (Counts{4, 7, 14, 67, 137, 280}));
  EXPECT_EQ(perft_from_start(*fanorona(13, 13, false), 3), (Counts{5, 39, 1559}));
}

TEST(FanoronaReference, clause_5_1_perft_with_sacrifice) {
  EXPECT_EQ(perft_from_start(*fanorona(3, 3, true), 4), (Counts{8, 47, 282, 1475}));
  EXPECT_EQ(perft_from_start(*fanorona(5, 5, true), 4), (Counts{17, 272, 4618, 85376}));
  EXPECT_EQ(perft_from_start(*fanorona(9, 5, true), 3), (Counts{27, 730, 20771}));
}

TEST(FanoronaReference, clause_5_2_example) {
  const auto game = fanorona(5, 5, true);
  const std::string blocked = after(*game, "...b./.b.../.b.ww/b.bww/...ww w 0", "Sd2");
  EXPECT_EQ(blocked, "...b./.b.../.b.ww/b.bxw/...ww b 1");
  const Turns with = only_captures(turns(*game, blocked));
  EXPECT_EQ(with, (Turns{"d5d4A", "d5d4A,c5W", "b3c3A"}));
  const Turns without = only_captures(turns(*game, "...b./.b.../.b.ww/b.bww/...ww b 1"));
  EXPECT_EQ(without.count("b4c3A"), 1U);
  EXPECT_EQ(without.count("c2b2W"), 1U);
  EXPECT_EQ(after(*game, blocked, "d5d4A"), "...../.b.b./.b..w/b.b.w/...ww w 2");
}

struct Value {
  int winner = 0;  // 1: first, -1: second, 0: nobody
  int plies = 0;   // until then, if the winner hurries and the loser delays
};

// True if `a` is better than `b` for the side `me` (1 or -1).
bool better(const Value& a, const Value& b, int me) {
  if (a.winner != b.winner) return a.winner * me > b.winner * me;
  return a.winner == me ? a.plies < b.plies : a.plies > b.plies;
}

// The move count in the text grows with every turn, so with a limit the recursion ends.
Value solve(const ReferenceGame& game, const std::string& position, int me, std::map<std::string, Value>& known) {
  if (const auto found = known.find(position); found != known.end()) return found->second;
  const std::string outcome = game.outcome(position);
  Value best;
  if (outcome.starts_with("first_wins")) best.winner = 1;
  if (outcome.starts_with("second_wins")) best.winner = -1;
  bool first = true;
  for (const Successor& s : game.successors(position)) {
    Value v = solve(game, s.position, -me, known);
    ++v.plies;
    if (first || better(v, best, me)) best = v;
    first = false;
  }
  known[position] = best;
  return best;
}

TEST(FanoronaReference, clause_5_3_white_wins_3x3_in_11_plies) {
  const auto game = fanorona(3, 3, false);
  std::map<std::string, Value> known;
  const Value value = solve(*game, game->initial(), 1, known);
  EXPECT_EQ(value.winner, 1);
  EXPECT_EQ(value.plies, 11);
}

TEST(FanoronaReference, perft_file) { expect_perft_file("reference_fanorona.txt", 25, 20000); }

}  // namespace
}  // namespace paika_reference
