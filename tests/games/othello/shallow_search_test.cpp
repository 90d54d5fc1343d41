// The last plies of the middle game against trying everything, and the errors that ProbCut goes by.
#include <gtest/gtest.h>

#include "positions.hpp"

namespace paika::othello {
namespace {

/// The score by trying everything to a depth.
template <class Shape>
int tried_score(const BitboardTraits<Shape>& traits, const typename BitboardRules<Shape>::Position& p, int depth) {
  const auto& rules = traits.rules();
  if (rules.outcome(p).over()) return traits.final_score(p);
  if (depth == 0) return traits.evaluate(p);
  int best = -evaluation_bound;
  for (const auto& m : moves_of(rules, p)) {
    best = std::max(best, -tried_score(traits, rules.play(p, m), m.is_pass() ? depth : depth - 1));
  }
  return best;
}

template <int Size>
void expect_same_as_trying_everything() {
  using Shape = FixedShape<Size, Size>;
  const BitboardRules<Shape> rules(Options{Size});
  const BitboardTraits<Shape> traits(rules, Evaluation::tuned);
  typename BitboardTraits<Shape>::ShallowSearch search(traits);
  ASSERT_EQ(search.max_depth(), 3);
  Random random(6);
  for (int i = 0; i < 60; ++i) {
    const auto p = random_position(rules, static_cast<int>(1 + random.below(Size * Size - 6)), random);
    const int depth = static_cast<int>(1 + random.below(3));
    const int score = tried_score(traits, p, depth);
    std::uint64_t nodes = 0;
    ASSERT_EQ(search.search(p, -evaluation_bound, evaluation_bound, depth, false, nodes), score);
    EXPECT_GT(nodes, 1U);
    EXPECT_GE(search.search(p, score - 1, score, depth, false, nodes), score);
    EXPECT_LE(search.search(p, score, score + 1, depth, false, nodes), score);
    // Far from the window nothing need be searched.
    std::uint64_t few = 0;
    EXPECT_GE(search.search(p, score - 20'001, score - 20'000, depth, true, few), score - 20'000);
    EXPECT_LE(few, 2U);  // a pass counts
  }
}

TEST(OthelloShallowSearch, finds_what_trying_everything_finds) {
  expect_same_as_trying_everything<6>();
  expect_same_as_trying_everything<8>();
  expect_same_as_trying_everything<10>();
}

TEST(OthelloProbCut, errors_shrink_with_the_shallow_depth_and_grow_with_the_plies_between) {
  for (const int size : {6, 8, 10}) {
    const int squares = size * size;
    EXPECT_GT(probcut_error(squares, squares / 2, 8, 0), probcut_error(squares, squares / 2, 8, 6));
    EXPECT_LT(probcut_error(squares, squares / 2, 3, 2), probcut_error(squares, squares / 2, 6, 2));
    EXPECT_GT(probcut_error(squares, 4, 30, 20), 0);
    EXPECT_GT(probcut_error(squares, squares, 2, 1), 0);
  }
}

}  // namespace
}  // namespace paika::othello
