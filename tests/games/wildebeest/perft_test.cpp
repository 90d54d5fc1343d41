// Known numbers (rules 7.3).
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {

/// 6.2: counts successors, never stopping at a lost king.
std::uint64_t successors(const BitboardRules& rules, const Position& p, int depth) {
  if (depth == 1) return rules.count_successors(p);
  std::uint64_t count = 0;
  rules.for_each_successor(p, [&](const Move& m) {
    count += successors(rules, rules.play(p, m), depth - 1);
    return true;
  });
  return count;
}

}  // namespace

TEST(WildebeestPerft, clause_7_3_successor_counts) {
  const BitboardRules diagonal(standard);
  EXPECT_EQ(successors(diagonal, diagonal.initial(), 1), 30U);
  EXPECT_EQ(successors(diagonal, diagonal.initial(), 2), 898U);
  EXPECT_EQ(successors(diagonal, diagonal.initial(), 3), 37466U);
  const BitboardRules around(cycle);
  EXPECT_EQ(successors(around, around.initial(), 1), 30U);
  EXPECT_EQ(successors(around, around.initial(), 2), 899U);
  EXPECT_EQ(successors(around, around.initial(), 3), 37535U);
}

TEST(WildebeestPerft, clause_7_3_29_distinct_boards_follow_the_first) {
  const BitboardRules rules(standard);
  std::set<std::string> boards;
  const auto p = rules.initial();
  rules.for_each_successor(p, [&](const Move& m) {
    boards.insert(board_line_text(rules.to_board(rules.play(p, m))));
    return true;
  });
  EXPECT_EQ(boards.size(), 29U);
}

TEST(WildebeestPerft, clause_7_3_perft_of_the_game) {
  EXPECT_EQ(TestGame(standard).perft_counts(5), (std::vector<std::uint64_t>{30, 210, 1673, 35330, 797576}));
}

}  // namespace paika::wildebeest::testing
