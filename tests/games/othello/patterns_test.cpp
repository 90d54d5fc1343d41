// Patterns and features: numbering, symmetry, reading of weights files, and what an evaluation adds up to.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "games/othello/ternary.hpp"
#include "helpers.hpp"
#include "positions.hpp"
#include "weights.hpp"

namespace paika::othello {
namespace {

/// A weight with so many pawns on the board, by its number in a knot.
int reference_weight(const SomeWeights& weights, int pawns, std::size_t at) {
  const PatternLayout& layout = *PatternLayout::of_size(weights.size);
  const auto [lower, part, whole] = layout.knot_place(layout.phase_of(pawns));
  const double value =
      static_cast<double>(weights.knots[lower][at] * (whole - part) + weights.knots[lower + 1][at] * part) *
      weights.step / whole;
  return static_cast<int>(std::lround(value));
}

/// The evaluation of a board, worked out from the definition alone: every pattern is looked for under every symmetry of
/// the board, square by square.
int reference_value(const SomeWeights& weights, const Board& board, int placings, int opponent_placings) {
  const PatternLayout& layout = *PatternLayout::of_size(weights.size);
  const int size = weights.size;
  int pawns = 0;
  board.cells.for_each_square([&](Square s) { pawns += board.cells[s].owner == Owner::nobody ? 0 : 1; });
  const auto weight = [&](std::size_t at) { return reference_weight(weights, pawns, at); };
  int sum = 0;
  std::size_t first = 0;
  for (std::size_t p = 0; p < layout.patterns().size(); ++p) {
    const auto numbers = layout.weight_numbers(p);
    std::set<std::set<std::pair<int, int>>> seen;
    for (const Dihedral map : all_dihedrals) {
      std::set<std::pair<int, int>> squares;
      std::size_t state = 0;
      std::size_t power = 1;
      const std::string_view text = layout.patterns()[p].squares;
      for (const std::string_view name : split(text, ' ')) {
        const Square s = mapped({name[0] - 'a', static_cast<int>(*parse_int(name.substr(1))) - 1}, map, size, size);
        squares.insert({s.col, s.row});
        const Cell cell = board.cells[s];
        state += power * (cell.owner == Owner::nobody ? 0U : cell.belongs_to(board.to_move) ? 1U : 2U);
        power *= 3;
      }
      if (seen.insert(squares).second) sum += weight(first + numbers[state]);
    }
    first += *std::max_element(numbers.begin(), numbers.end()) + std::size_t{1};
  }
  const std::array<int, 3> counts = {placings, opponent_placings, pawns};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += weight(first + i * count_values + static_cast<std::size_t>(counts[i]));
  }
  return sum;
}

template <int Size>
void expect_as_defined(int positions) {
  using Shape = FixedShape<Size, Size>;
  const SomeWeights some(Size, 3);
  const auto weights = PatternWeights::read(some.file());
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  const BitboardRules<Shape> rules(Options{Size});
  const Evaluator<Shape> evaluator(rules, &*weights, nullptr);
  Random random(4);
  std::set<int> values;
  for (int i = 0; i < positions; ++i) {
    const auto p = random_position(rules, static_cast<int>(1 + random.below(Size * Size - 6)), random);
    const int value = evaluator.evaluate(p.own, p.opponent);
    values.insert(value);
    ASSERT_EQ(value,
              reference_value(some, rules.to_board(p), rules.placings(p).count(), rules.opponent_placings(p).count()));
    for (const Dihedral map : all_dihedrals) {
      const auto q = rules.transform(p, {map, false});
      ASSERT_EQ(evaluator.evaluate(q.own, q.opponent), value);
    }
    int sum = 0;
    for (const Term& term : evaluator.terms(p.own, p.opponent)) sum += term.value;
    ASSERT_EQ(sum, value);
  }
  EXPECT_GT(values.size(), static_cast<std::size_t>(positions) * 3 / 4);
}

TEST(OthelloPatterns, base_3) {
  EXPECT_EQ(gathered(0b1011'0110, 0b1111'0000), 0b1011U);
  EXPECT_EQ(gathered(0xff00'0000'0000'0001, 0x8000'0000'0000'0001), 0b11U);
  EXPECT_EQ(ternary_index(0b001, 0b100, 0b111), 1U + 2 * 9);
  EXPECT_EQ(ternary_index(0x8000, 0x0100, 0xff00), 2187U + 2);
}

TEST(OthelloPatterns, the_evaluation_is_as_defined_on_6x6) { expect_as_defined<6>(40); }
TEST(OthelloPatterns, the_evaluation_is_as_defined_on_8x8) { expect_as_defined<8>(40); }
TEST(OthelloPatterns, the_evaluation_is_as_defined_on_10x10) { expect_as_defined<10>(40); }

TEST(OthelloPatterns, threads_may_ask_for_a_phase_at_the_same_time) {
  constexpr int size = 6;
  const SomeWeights some(size, 5);
  const auto shared = PatternWeights::read(some.file());
  ASSERT_TRUE(shared.has_value()) << shared.error().message;
  // Place i is in state i, which every pattern has.
  const PatternLayout& layout = shared->layout();
  PatternLanes::Numbers states{};
  std::iota(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(layout.places().size()), std::uint16_t{0});
  const Counts counts{{3, 4, 0}};
  const auto value = [&](int pawns) {
    Counts with_pawns = counts;
    with_pawns.values[2] = static_cast<std::uint8_t>(pawns);
    return shared->evaluate(PatternLanes(states), with_pawns);
  };
  std::array<std::vector<int>, 4> found;
  {
    std::vector<std::jthread> threads;
    for (auto& values : found) {
      threads.emplace_back([&] {
        for (int pawns = 4; pawns < size * size; ++pawns) values.push_back(value(pawns));
      });
    }
  }
  std::vector<std::size_t> weights;  // their numbers in a knot
  std::size_t first = 0;
  for (std::size_t p = 0; p < layout.patterns().size(); ++p) {
    const auto numbers = layout.weight_numbers(p);
    for (std::size_t i = 0; i < layout.places().size(); ++i) {
      if (layout.places()[i].pattern == p) weights.push_back(first + numbers[states[i]]);
    }
    first += *std::max_element(numbers.begin(), numbers.end()) + std::size_t{1};
  }
  for (std::size_t i = 0; i < 2; ++i) weights.push_back(first + i * count_values + counts.values[i]);
  for (int pawns = 4; pawns < size * size; ++pawns) {
    int expected = reference_weight(some, pawns, first + 2 * count_values + static_cast<std::size_t>(pawns));
    for (const std::size_t at : weights) expected += reference_weight(some, pawns, at);
    for (const auto& values : found) ASSERT_EQ(values[static_cast<std::size_t>(pawns - 4)], expected) << pawns;
  }
}

TEST(OthelloPatterns, other_sizes_have_none) {
  EXPECT_EQ(PatternLayout::of_size(4), nullptr);
  EXPECT_EQ(PatternLayout::of_size(12), nullptr);
  EXPECT_EQ(PatternWeights::built_in(12), nullptr);
}

TEST(OthelloPatterns, weights_are_built_in_for_three_sizes) {
  for (const int size : {6, 8, 10}) {
    const PatternWeights* const weights = PatternWeights::built_in(size);
    ASSERT_NE(weights, nullptr) << size;
    EXPECT_EQ(weights->layout().size(), size);
  }
}

TEST(OthelloPatterns, every_square_belongs_to_a_pattern_and_no_place_comes_twice) {
  for (const int size : {6, 8, 10}) {
    const PatternLayout& layout = *PatternLayout::of_size(size);
    std::set<std::pair<std::size_t, std::set<int>>> places;
    std::set<int> covered;
    for (const auto& place : layout.places()) {
      const std::set<int> squares(place.squares.begin(), place.squares.end());
      EXPECT_EQ(squares.size(), place.squares.size());
      EXPECT_TRUE(places.insert({place.pattern, squares}).second);
      covered.insert(squares.begin(), squares.end());
    }
    EXPECT_EQ(static_cast<int>(covered.size()), size * size);
  }
}

TEST(OthelloPatterns, states_that_are_mirror_images_share_a_weight) {
  const auto numbers = PatternLayout::of_size(8)->weight_numbers(0);  // the edge: a1 to h1, b2, g2
  EXPECT_EQ(numbers.size(), 59049U);
  EXPECT_EQ(numbers[1], numbers[2187]);       // a1 and h1
  EXPECT_EQ(numbers[13122], numbers[39366]);  // the opponent on b2 and g2
  EXPECT_NE(numbers[1], numbers[2]);          // own and opponent
  EXPECT_EQ(*std::max_element(numbers.begin(), numbers.end()) + 1, 29646U);
}

TEST(OthelloPatterns, phases_lie_between_knots) {
  const PatternLayout& layout = *PatternLayout::of_size(8);
  EXPECT_EQ(layout.knots(), 16U);
  EXPECT_EQ(layout.phases(), 30U);
  EXPECT_EQ(layout.phase_of(4), 0U);
  EXPECT_EQ(layout.phase_of(5), 0U);
  EXPECT_EQ(layout.phase_of(63), 29U);
  EXPECT_EQ(layout.phase_of(64), 29U);
  const auto place = layout.knot_place(29);  // 62 and 63 pawns: 58.5 after the first knot, which are 14.625 knots
  EXPECT_EQ(place.lower, 14U);
  EXPECT_EQ(place.part * 8, place.whole * 5);
}

template <int Size>
void expect_kept_up_to_date() {
  using Shape = FixedShape<Size, Size>;
  const BitboardRules<Shape> rules(Options{Size});
  const PatternLayout& layout = *PatternLayout::of_size(Size);
  Random random(5);
  for (int game = 0; game < 10; ++game) {
    auto p = rules.initial();
    PatternStates states(layout, p.own, p.opponent);
    while (!rules.outcome(p).over()) {
      const auto moves = moves_of(rules, p);
      const auto move = moves[random.index(moves.size())];
      const auto q = rules.play(p, move);
      const PatternStates fresh(layout, q.own, q.opponent);
      if (move.is_pass()) {
        states = states.passed();
      } else {
        ASSERT_EQ(states.lanes_after(layout, move.square, rules.flips(p, move.square)), fresh.lanes());
        states = states.after(layout, move.square, rules.flips(p, move.square));
      }
      ASSERT_EQ(states, fresh);
      p = q;
    }
  }
}

TEST(OthelloPatterns, states_are_kept_up_to_date_move_by_move) {
  expect_kept_up_to_date<6>();
  expect_kept_up_to_date<8>();
  expect_kept_up_to_date<10>();
}

TEST(OthelloPatterns, bad_weights_files_are_explained) {
  const std::string good = SomeWeights(6, 7).file();
  const auto error = [](const std::string& file) {
    const auto weights = PatternWeights::read(file);
    return weights ? std::string("none") : weights.error().message;
  };
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string file = good;
    return file.replace(file.find(from), from.size(), to);
  };
  EXPECT_EQ(error(good), "none");
  EXPECT_EQ(error(""), "not a weights file: it must begin with \"paika othello pattern weights 2\"");
  EXPECT_EQ(error("paika othello pattern weights 2\n"), "a weights file needs a line \"data\" before its numbers");
  EXPECT_EQ(error(changed("size 6", "size 7")), "a weights file needs a line \"size 6\", \"size 8\" or \"size 10\"");
  EXPECT_EQ(error(changed("step 8", "step 0")), "a weights file needs a line \"step N\", N from 1 to 100");
  EXPECT_EQ(error(changed("data\n", "data\n!")), "the tables of frequencies are wrong or cut short");
  EXPECT_EQ(error(good.substr(0, good.size() / 2)), "the weights end in knot 5 of 9");
  EXPECT_EQ(error(good + "\x01"), "the weights file goes on after the last weight, or is damaged");
}

TEST(OthelloFeatures, counts_on_a_small_board) {
  const BitboardRules<FixedShape<6, 6>> rules(Options{6});
  const Evaluator<FixedShape<6, 6>> evaluator(rules, nullptr, nullptr);
  const TestGame game(Options{6});
  // Own: the corner a1, b5 next to the empty corner a6, the edge square f3. Opponent: e6 beside the corner f6.
  const auto p =
      rules.from_board(game.board(text_of({"X-----", "-O----", "--XOOX", "--OX--", "-X--O-", "----O-"}, 'X')));
  const FeatureValues values = evaluator.feature_values(p.own, p.opponent);
  EXPECT_EQ(values[2], 1);   // corners
  EXPECT_EQ(values[3], 0);   // b5 and the opponent's e5
  EXPECT_EQ(values[4], -1);  // e6
  EXPECT_EQ(values[5], 1);   // f3
  EXPECT_EQ(values[6], 5 - 6);
  EXPECT_EQ(values[7], 1);  // 25 empty squares: the mover would have the last turn
}

TEST(OthelloFeatures, plain_evaluation_counts_placings_and_corners) {
  const BitboardRules<FixedShape<10, 10>> rules(Options{10});
  const BitboardTraits<FixedShape<10, 10>> traits(rules, Evaluation::plain);
  EXPECT_EQ(traits.evaluate(rules.initial()), 0);
  auto p = rules.initial();
  p.own.set(0);
  EXPECT_GT(traits.evaluate(p), 400);
}

TEST(OthelloFeatures, weights_files_are_read_by_name) {
  std::string file = "# a comment\n";
  for (std::size_t i = 0; i < feature_names.size(); ++i) file += fmt::format(" {} 1 2 3 -4 {}\n", i, feature_names[i]);
  const auto weights = read_feature_weights(file);
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  EXPECT_EQ((*weights)[0][3], 3);
  EXPECT_EQ((*weights)[4][7], -4);
  EXPECT_EQ(read_feature_weights("1 2 x 4 5 corners").error().message, "\"x\" is not a weight");
  EXPECT_EQ(read_feature_weights("1 2 3 4 5 crowns").error().message, "\"crowns\" is not a feature");
  EXPECT_EQ(read_feature_weights("").error().message, "the weights of \"placings\" are missing");
}

TEST(OthelloFeatures, weights_change_evenly_between_knots) {
  FeatureWeights weights{};
  weights[1][2] = 100;
  weights[2][2] = 300;
  FeatureValues values{};
  values[2] = 1;
  EXPECT_EQ(feature_parts(weights, values, feature_phase(16, 64), 8)[2], 100);
  EXPECT_EQ(feature_parts(weights, values, feature_phase(24, 64), 8)[2], 200);
  EXPECT_EQ(feature_parts(weights, values, feature_phase(32, 64), 8)[2], 300);
  EXPECT_EQ(feature_parts(weights, values, feature_phase(64, 256), 16)[2], 200);  // twice as long an edge
  EXPECT_EQ(feature_phase(64, 64).knot, feature_knots - 2);
}

}  // namespace
}  // namespace paika::othello
