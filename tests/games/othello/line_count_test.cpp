// Lines counted in bulk against lines counted one by one: near the end too, where sides pass and lose all their pawns.
#include <gtest/gtest.h>

#include "helpers.hpp"
#include "positions.hpp"

namespace paika::othello {
namespace {

template <class Rules>
std::uint64_t lines(const Rules& rules, const typename Rules::Position& p, int depth) {
  if (depth == 0) return 1;
  std::uint64_t count = 0;
  rules.for_each_turn(p, [&](const typename Rules::Move& m) {
    count += lines(rules, rules.play(p, m), depth - 1);
    return true;
  });
  return count;
}

template <class Shape>
void expect_all_lines(int size, std::size_t max_lanes) {
  const BitboardRules<Shape> rules(Options{size});
  Random random(static_cast<std::uint64_t>(size));
  for (int empties = 1; empties <= size * size - 4; ++empties) {
    const auto p = random_position(rules, empties, random);
    for (int depth = 2; depth <= (empties <= 7 ? 8 : 4); ++depth) {
      ASSERT_EQ(LineCount(size, depth, max_lanes).count(p.own.words[0], p.opponent.words[0]), lines(rules, p, depth))
          << size << " " << max_lanes << " " << empties << " " << depth;
    }
  }
}

TEST(OthelloLines, in_bulk_equal_those_one_by_one) {
  for (const std::size_t max_lanes : {4, 8}) {
    expect_all_lines<FixedShape<8, 8>>(8, max_lanes);
    expect_all_lines<FixedShape<6, 6>>(6, max_lanes);
  }
}

TEST(OthelloLines, end_with_the_game) {
  const TestGame game(Options{6});
  const BitboardRules<FixedShape<6, 6>> rules(Options{6});
  const auto over = rules.from_board(game.board(text_of(nobody_can_place, 'X')));
  const auto passing = rules.from_board(game.board(text_of(white_must_pass, 'O')));
  for (int depth = 2; depth <= 5; ++depth) {
    EXPECT_EQ(rules.count_lines(over, depth), 0);
    EXPECT_EQ(rules.count_lines(passing, depth), lines(rules, passing, depth));
  }
}

}  // namespace
}  // namespace paika::othello
