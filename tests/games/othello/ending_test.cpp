// The ending solver against plain minimax, its windows, its halting, and what it builds on.
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

#include "helpers.hpp"
#include "positions.hpp"

namespace paika::othello {
namespace {

constexpr int wide = 1'000'000;

bool never(std::uint64_t /*positions*/) { return false; }

template <class Shape>
class Solved {
 public:
  explicit Solved(int size) : rules(Options{size}), traits(rules, Evaluation::tuned), table(4), ending(traits, table) {}

  BitboardRules<Shape> rules;
  BitboardTraits<Shape> traits;
  EndingTable table;
  typename BitboardTraits<Shape>::Ending ending;
};

template <class Shape>
void expect_exact(int size, int empties, int count) {
  Solved<Shape> solved(size);
  Random random(static_cast<std::uint64_t>(100 * size + empties));
  for (int i = 0; i < count; ++i) {
    const auto p = random_position(solved.rules, empties, random);
    const int truth = true_score(solved.traits, p);
    ASSERT_EQ(solved.ending.solve(p, -wide, wide, never), truth) << size << " " << empties << " " << i;
    // Null windows near the truth, not at whole discs: the right side, and never beyond the truth.
    const int alpha = truth - 150 + static_cast<int>(random.below(300));
    const int found = solved.ending.solve(p, alpha, alpha + 1, never);
    ASSERT_EQ(found > alpha, truth > alpha) << found << " " << alpha << " " << truth;
    ASSERT_TRUE(found > alpha ? found <= truth : found >= truth) << found << " " << alpha << " " << truth;
  }
}

TEST(OthelloEnding, equals_minimax_on_8x8) {
  for (int empties = 1; empties <= 7; ++empties) expect_exact<FixedShape<8, 8>>(8, empties, 300);
  expect_exact<FixedShape<8, 8>>(8, 8, 100);
  expect_exact<FixedShape<8, 8>>(8, 9, 20);
}

TEST(OthelloEnding, equals_minimax_on_6x6_and_runtime_shapes) {
  for (int empties = 1; empties <= 8; ++empties) expect_exact<FixedShape<6, 6>>(6, empties, 200);
  expect_exact<FixedShape<6, 6>>(6, 10, 20);
  expect_exact<RuntimeShape<64>>(8, 6, 100);
  expect_exact<RuntimeShape<64>>(6, 6, 100);
}

TEST(OthelloEnding, same_score_with_and_without_a_window_table_or_symmetry) {
  Solved<FixedShape<8, 8>> solved(8);
  Random random(5);
  for (int i = 0; i < 10; ++i) {
    const auto p = random_position(solved.rules, 13, random);
    const int score = solved.ending.solve(p, -wide, wide, never);
    EXPECT_EQ(solved.ending.solve(p, score - 100, score + 100, never), score);
    solved.table.clear();
    EXPECT_EQ(solved.ending.solve(p, score - 200, score + 200, never), score);
    const auto turned = solved.rules.transform(p, {Dihedral::transpose, false});
    EXPECT_EQ(solved.ending.solve(turned, -wide, wide, never), score);
  }
}

TEST(OthelloEnding, empty_squares_count_for_the_winner) {
  // Black takes the last white pawn: 64 to 0, whatever stays empty.
  Solved<FixedShape<6, 6>> solved(6);
  const TestGame game(Options{6});
  const auto p =
      solved.rules.from_board(game.board(text_of({"------", "------", "-XXXO-", "--XX--", "------", "------"}, 'X')));
  EXPECT_EQ(solved.ending.solve(p, -wide, wide, never), 3600);
  const auto over = solved.rules.from_board(game.board(text_of(nobody_can_place, 'X')));
  EXPECT_EQ(solved.traits.final_score(over), 100 * (7 - 1 + 28));
}

TEST(OthelloEnding, a_pass_at_the_start_costs_a_ply) {
  const BitboardRules<FixedShape<6, 6>> rules(Options{6});
  const BitboardTraits<FixedShape<6, 6>> traits(rules, Evaluation::tuned);
  const TestGame game(Options{6});
  const auto passing = rules.from_board(game.board(text_of(white_must_pass, 'O')));
  const auto playing = rules.from_board(game.board(text_of(white_must_pass, 'X')));
  EXPECT_EQ(traits.plies_to_end(passing), 1 + traits.plies_to_end(playing));
}

TEST(OthelloEnding, halts_soon_when_told) {
  Solved<FixedShape<8, 8>> solved(8);
  Random random(6);
  const auto p = random_position(solved.rules, 30, random);
  std::uint64_t most = 0;
  int calls = 0;
  const int limit = 50;
  (void)solved.ending.solve(p, -wide, wide, [&](std::uint64_t n) {
    most = std::max(most, n);
    return ++calls >= limit;
  });
  EXPECT_EQ(calls, limit);
  EXPECT_LT(most, 100'000);  // about 3 ms
  // A search that was broken off leaves nothing wrong behind.
  const auto later = random_position(solved.rules, 8, random);
  EXPECT_EQ(solved.ending.solve(later, -wide, wide, never), true_score(solved.traits, later));
}

TEST(OthelloEnding, the_line_is_perfect_play_to_the_end) {
  Solved<FixedShape<8, 8>> solved(8);
  Random random(21);
  for (int i = 0; i < 40; ++i) {
    auto p = random_position(solved.rules, 4 + i % 10, random);
    int score = solved.ending.solve(p, -wide, wide, never);
    for (const auto& turn : solved.ending.line(p, score, never)) {
      EXPECT_EQ(solved.ending.solve(p, -wide, wide, never), score);
      p = solved.rules.play(p, turn);
      score = -score;
    }
    ASSERT_TRUE(solved.rules.outcome(p).over()) << i;
    EXPECT_EQ(solved.traits.final_score(p), score) << i;
  }
}

TEST(OthelloEnding, the_line_stops_when_told) {
  Solved<FixedShape<8, 8>> solved(8);
  Random random(22);
  const auto p = random_position(solved.rules, 12, random);
  const int score = solved.ending.solve(p, -wide, wide, never);
  solved.table.clear();
  const auto at_once = [](std::uint64_t /*positions*/) { return true; };
  EXPECT_TRUE(solved.ending.line(p, score, at_once).empty());
}

TEST(OthelloEnding, threads_share_a_table) {
  const BitboardRules<FixedShape<8, 8>> rules(Options{8});
  const BitboardTraits<FixedShape<8, 8>> traits(rules, Evaluation::tuned);
  Random random(8);
  const auto p = random_position(rules, 14, random);
  EndingTable alone(1);
  const int score = BitboardTraits<FixedShape<8, 8>>::Ending(traits, alone).solve(p, -wide, wide, never);
  EndingTable shared(1);
  std::array<int, 3> scores{};
  {
    std::vector<std::jthread> threads;
    for (int& found : scores) {
      threads.emplace_back(
          [&] { found = BitboardTraits<FixedShape<8, 8>>::Ending(traits, shared).solve(p, -wide, wide, never); });
    }
  }
  for (const int found : scores) EXPECT_EQ(found, score);
}

/// The empty squares next to `pawns`, one by one.
template <class Shape>
std::uint64_t frontier_of(const Shape& shape, const typename Shape::Set& pawns, const typename Shape::Set& others) {
  typename Shape::Set squares;
  for_each_bit(pawns, [&](int i) {
    for (const Direction d : all_directions) {
      const Square next = step(shape.square(i), d);
      if (shape.contains(next)) squares.set(shape.index(next));
    }
  });
  return (squares & ~(pawns | others)).words[0];
}

template <class Shape>
void expect_played_as_by_the_rules(int size, std::size_t max_lanes) {
  const BitboardRules<Shape> rules(Options{size});
  const PlayAll play_all = best_play_all(size, max_lanes);
  Random random(35);
  for (int i = 0; i < 500; ++i) {
    const auto p =
        random_position(rules, 1 + static_cast<int>(random.below(static_cast<unsigned>(size * size - 8))), random);
    const auto set = rules.placings(p);
    EndingMoves moves;
    play_all(p.own.words[0], p.opponent.words[0], set.words[0], moves);
    ASSERT_EQ(moves.size(), static_cast<std::size_t>(set.count()));
    for (std::size_t m = 0; m < moves.size(); ++m) {
      const auto q = rules.play(p, {moves.square[m]});
      ASSERT_TRUE(set.test(moves.square[m]));
      ASSERT_EQ(moves.find(moves.square[m]), m);
      ASSERT_EQ(moves.own[m], q.own.words[0]);
      ASSERT_EQ(moves.opponent[m], q.opponent.words[0]);
      ASSERT_EQ(moves.replies[m], rules.placings(q).words[0]);
      ASSERT_EQ(moves.frontier[m], frontier_of(rules.shape(), q.opponent, q.own));
    }
  }
}

TEST(OthelloEnding, placings_are_played_all_at_once_as_by_the_rules) {
  for (const std::size_t lanes : {4, 8}) {
    expect_played_as_by_the_rules<FixedShape<8, 8>>(8, lanes);
    expect_played_as_by_the_rules<FixedShape<6, 6>>(6, lanes);
  }
}

TEST(OthelloEnding, estimates_keep_the_patterns_up_to_date) {
  // A search of one ply is the best evaluation of the positions after each placing, worked out from nothing.
  using Rules8 = BitboardRules<FixedShape<8, 8>>;
  const Rules8 rules(Options{8});
  const Evaluator<FixedShape<8, 8>> evaluator(rules, Evaluation::tuned);
  const BitboardTraits<FixedShape<8, 8>> traits(rules, evaluator);
  EndingEstimate<FixedShape<8, 8>> estimate(rules, evaluator);
  ASSERT_TRUE(estimate.is_possible());
  EXPECT_FALSE((EndingEstimate<FixedShape<8, 8>>(rules, {rules, Evaluation::plain}).is_possible()));
  const auto plain = [&](const auto& self, const Rules8::Position& p, int depth) -> int {
    if (depth == 0) return evaluator.evaluate(p.own, p.opponent);
    if (rules.outcome(p).over()) return traits.final_score(p);
    int best = -wide;
    for (const auto& m : moves_of(rules, p)) {
      best = std::max(best, -self(self, rules.play(p, m), m.is_pass() ? depth : depth - 1));
    }
    return best;
  };
  Random random(36);
  for (int i = 0; i < 50; ++i) {
    const auto p = random_position(rules, 12 + static_cast<int>(random.below(10)), random);
    const std::uint64_t own = p.own.words[0];
    const std::uint64_t opponent = p.opponent.words[0];
    for (int depth = 0; depth <= 3; ++depth) {
      ASSERT_EQ(estimate.search(own, opponent, -wide, wide, depth), plain(plain, p, depth)) << i << " " << depth;
    }
  }
}

/// Plain alpha-beta with nothing that the solver has: no table, no order, no cutoffs but its own.
int plain_score(const BitboardTraits<FixedShape<8, 8>>& traits, const BitboardRules<FixedShape<8, 8>>::Position& p,
                int alpha, int beta) {
  if (traits.rules().outcome(p).over()) return traits.final_score(p);
  for (const auto& m : moves_of(traits.rules(), p)) {
    alpha = std::max(alpha, -plain_score(traits, traits.rules().play(p, m), -beta, -alpha));
    if (alpha >= beta) break;
  }
  return alpha;
}

template <class Shape>
void expect_exact_after_selective_searches(int size) {
  // Large enough for the selective searches, which believe what is only likely.
  Solved<Shape> solved(size);
  Random random(31);
  for (int i = 0; i < 2; ++i) {
    const auto p = random_position(solved.rules, 18, random);
    std::vector<int> levels;
    const int score = solved.ending.solve(p, -wide, wide, never, [&](int likely) { levels.push_back(likely); });
    EXPECT_EQ(levels.size(), 3U);
    // Without any of them: the positions after each turn are too small for selective searches.
    int best = -wide;
    for (const auto& m : moves_of(solved.rules, p)) {
      Solved<Shape> other(size);
      const auto q = solved.rules.play(p, m);
      best = std::max(best, -other.ending.solve(q, -wide, wide, never));
    }
    EXPECT_EQ(score, best) << size << " " << i;
  }
}

TEST(OthelloEnding, selective_searches_leave_the_score_exact) {
  expect_exact_after_selective_searches<FixedShape<8, 8>>(8);
  expect_exact_after_selective_searches<FixedShape<6, 6>>(6);
  Solved<FixedShape<8, 8>> solved(8);
  Random random(31);
  for (int i = 0; i < 10; ++i) {
    const auto p = random_position(solved.rules, 11, random);
    const int score = solved.ending.solve(p, -wide, wide, never);
    EXPECT_EQ(plain_score(solved.traits, p, score - 1, score + 1), score) << i;
  }
}

TEST(OthelloEnding, threads_split_the_work) {
  // Two threads look at hardly more positions together than one does alone; repeating the work would be twice as many.
  const BitboardRules<FixedShape<8, 8>> rules(Options{8});
  const BitboardTraits<FixedShape<8, 8>> traits(rules, Evaluation::tuned);
  Random random(33);
  std::uint64_t alone = 0;
  std::uint64_t together = 0;
  for (int i = 0; i < 2; ++i) {
    const auto p = random_position(rules, 19, random);
    EndingTable table(16);
    std::uint64_t nodes = 0;
    const int score =
        BitboardTraits<FixedShape<8, 8>>::Ending(traits, table).solve(p, -wide, wide, [&](std::uint64_t n) {
          nodes += n;
          return false;
        });
    alone += nodes;
    EndingTable shared(16);
    std::array<int, 2> scores{};
    std::array<std::uint64_t, 2> counts{};
    std::vector<std::unique_ptr<BitboardTraits<FixedShape<8, 8>>::Ending>> solvers;
    for (std::size_t t = 0; t < 2; ++t) {
      solvers.push_back(std::make_unique<BitboardTraits<FixedShape<8, 8>>::Ending>(traits, shared));
    }
    {
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < 2; ++t) {
        threads.emplace_back([&, t] {
          scores[t] = solvers[t]->solve(p, -wide, wide, [&counts, t](std::uint64_t n) {
            counts[t] += n;
            return false;
          });
        });
      }
    }
    EXPECT_EQ(scores[0], score) << i;
    EXPECT_EQ(scores[1], score) << i;
    together += counts[0] + counts[1];
  }
  EXPECT_LT(together, alone * 8 / 5);
}

TEST(OthelloEnding, symmetric_starts_are_folded_and_the_score_stays) {
  // On 6x6 positions with many empty squares are folded; the images of one are on the same side of any window.
  Random random(34);
  const BitboardRules<FixedShape<6, 6>> rules(Options{6});
  const auto p = random_position(rules, 23, random);
  constexpr int alpha = 2000;
  std::vector<bool> above;
  for (const Dihedral map : {Dihedral::identity, Dihedral::rotate90}) {
    Solved<FixedShape<6, 6>> solved(6);
    above.push_back(solved.ending.solve(rules.transform(p, {map, false}), alpha, alpha + 1, never) > alpha);
  }
  EXPECT_EQ(above[0], above[1]);
}

template <class Shape>
void expect_stable_pawns_stay(int size) {
  const BitboardRules<Shape> rules(Options{size});
  const Stability stability(size);
  Random random(9);
  int found = 0;
  for (int i = 0; i < 300; ++i) {
    auto p = random_position(rules, static_cast<int>(4 + random.below(20)), random);
    const int stable = stability.count(p.own.words[0], p.opponent.words[0]);
    found += stable;
    const Player player = p.to_move;
    for (int game = 0; game < 10; ++game) {
      auto q = p;
      while (!rules.outcome(q).over()) {
        const auto moves = moves_of(rules, q);
        q = rules.play(q, moves[random.index(moves.size())]);
      }
      ASSERT_GE((q.to_move == player ? q.own : q.opponent).count(), stable);
    }
  }
  EXPECT_GT(found, 300);
}

TEST(OthelloStability, stable_pawns_stay_whatever_is_played) {
  expect_stable_pawns_stay<FixedShape<8, 8>>(8);
  expect_stable_pawns_stay<FixedShape<6, 6>>(6);
}

TEST(OthelloStability, known_cases) {
  const Stability stability(8);
  EXPECT_EQ(stability.count(0, 0), 0);
  EXPECT_EQ(stability.count(0x1, 0x2), 1);               // a corner
  EXPECT_EQ(stability.count(0x2, 0), 0);                 // beside one
  EXPECT_EQ(stability.count(0x7, 0x8), 3);               // a chain from a corner
  EXPECT_EQ(stability.count(0xff, 0), 8);                // a full edge
  EXPECT_EQ(stability.count(0x0102030f, 0), 4 + 1 + 1);  // a2 and b2 lean on the corner; b3 and a4 do not
  EXPECT_EQ(stability.count(~std::uint64_t{0}, 0), 64);
}

}  // namespace
}  // namespace paika::othello
