// Patterns and features: numbering, symmetry, reading of weights files, and what an evaluation adds up to.
#include <bit>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

#include "helpers.hpp"
#include "positions.hpp"

namespace paika::othello {
namespace {

using Rules8 = BitboardRules<FixedShape<8, 8>>;

std::size_t weights_per_phase() {
  std::size_t count = count_names.size() * count_values;
  for (const Pattern& pattern : patterns) {
    const auto numbers = weight_numbers(pattern);
    count += *std::max_element(numbers.begin(), numbers.end()) + std::size_t{1};
  }
  return count;
}

/// A weights file full of numbers by chance, with runs of zeros.
std::string some_file() {
  std::string file = "paika othello pattern weights 1\nmade by chance\ndata\n";
  Random random(3);
  const auto add = [&](std::uint64_t n) {
    file += static_cast<char>(n & 0xff);
    file += static_cast<char>((n >> 8) & 0xff);
  };
  for (std::size_t left = weights_per_phase() * phases; left > 0;) {
    if (random.one_in(10)) {
      const std::uint64_t more = std::min<std::uint64_t>(random.below(50), left - 1);
      add(0);
      add(more);
      left -= 1 + more;
    } else {
      add(1 + random.below(200));
      --left;
    }
  }
  return file;
}

TEST(OthelloPatterns, gathering_and_base_3) {
  EXPECT_EQ(gathered(0b1011'0110, 0b1111'0000), 0b1011U);
  EXPECT_EQ(gathered(0xff00'0000'0000'0001, 0x8000'0000'0000'0001), 0b11U);
  EXPECT_EQ(ternary_index(0b001, 0b100, 0b111), 1U + 2 * 9);
  EXPECT_EQ(ternary_index(0x8000, 0x0100, 0xff00), 2187U + 2);
}

TEST(OthelloPatterns, each_pattern_covers_different_squares_in_its_places) {
  for (const Pattern& pattern : patterns) {
    std::set<std::uint64_t> places;
    int images = 0;
    for (std::size_t image = 0; image < 8; ++image) {
      if (((pattern.images >> image) & 1) == 0) continue;
      ++images;
      std::uint64_t squares = 0;
      for (int i = 0; i < 64; ++i) {
        const auto there = board_images({std::uint64_t{1} << i, 0})[image].own;
        if ((there & pattern.squares) != 0) squares |= std::uint64_t{1} << i;
      }
      EXPECT_EQ(std::popcount(squares), std::popcount(pattern.squares)) << pattern.name;
      // A pattern without symmetry of its own may lie on the same squares twice, read the other way.
      places.insert(squares);
    }
    EXPECT_EQ(static_cast<int>(places.size()), images) << pattern.name;
  }
}

TEST(OthelloPatterns, states_that_are_mirror_images_share_a_weight) {
  const auto numbers = weight_numbers(patterns[0]);  // the edge: a1 to h1, b2, g2
  EXPECT_EQ(numbers.size(), 59049U);
  EXPECT_EQ(numbers[1], numbers[2187]);       // a1 and h1
  EXPECT_EQ(numbers[13122], numbers[39366]);  // the opponent on b2 and g2
  EXPECT_NE(numbers[1], numbers[2]);          // own and opponent
  EXPECT_EQ(*std::max_element(numbers.begin(), numbers.end()) + 1, 29646U);
}

TEST(OthelloPatterns, the_evaluation_knows_no_direction) {
  const auto weights = PatternWeights::read(some_file());
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  const Rules8 rules(Options{8});
  const Evaluator<FixedShape<8, 8>> evaluator(rules, &*weights, nullptr);
  Random random(4);
  std::set<int> values;
  for (int i = 0; i < 200; ++i) {
    const auto p = random_position(rules, static_cast<int>(1 + random.below(58)), random);
    const int value = evaluator.evaluate(p.own, p.opponent);
    values.insert(value);
    for (const auto& image : board_images({p.own.words[0], p.opponent.words[0]})) {
      ASSERT_EQ(evaluator.evaluate({{image.own}}, {{image.opponent}}), value);
    }
    int sum = 0;
    for (const Term& term : evaluator.terms(p.own, p.opponent)) sum += term.value;
    ASSERT_EQ(sum, value);
  }
  EXPECT_GT(values.size(), 150U);
}

TEST(OthelloPatterns, bad_weights_files_are_explained) {
  const std::string good = some_file();
  const auto error = [](const std::string& file) {
    const auto weights = PatternWeights::read(file);
    return weights ? std::string("none") : weights.error().message;
  };
  EXPECT_EQ(error(good), "none");
  EXPECT_EQ(error(""), "not a weights file: it must begin with \"paika othello pattern weights 1\"");
  EXPECT_EQ(error("paika othello pattern weights 1\n"), "a weights file needs a line \"data\" before its numbers");
  EXPECT_EQ(error(good.substr(0, good.size() / 8)), "the weights end in phase 2 of 12");
  EXPECT_EQ(error(good + "\x01\x01"), "the weights file goes on after the last weight");
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
