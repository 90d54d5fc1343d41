// Linear evaluations: their files and their sums.
#include "rules/linear.hpp"

#include <gtest/gtest.h>

namespace paika {
namespace {

constexpr std::array<std::string_view, 3> names = {"stones", "turn", "edge"};

std::string error_of(std::string_view text) {
  const auto read = read_weights(text, names);
  return read ? "" : read.error().message;
}

TEST(Linear, reads_a_weights_file) {
  const auto read = read_weights("# from somewhere\n\nturn 5 -2.5\r\n  stones 100 120 \nedge -0.06 0", names);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, (std::vector<Weight>{weight(100, 120), weight(5, -2.5), weight(-0.0625, 0)}));
}

TEST(Linear, writes_what_it_reads) {
  const std::vector<Weight> weights = {weight(100, 87.3), weight(-0.0625, 0.125), weight(-12'345.5, 3)};
  const auto read = read_weights(weights_text(weights, names), names);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, weights);
}

TEST(Linear, says_what_is_wrong_with_a_weights_file) {
  EXPECT_EQ(error_of("stones 1 1\nturn 1 1"), "the weights of edge are missing");
  EXPECT_EQ(error_of("stone 1 1"),
            "line 1: no feature is called \"stone\" (did you mean stones?); the features are stones, turn and edge");
  EXPECT_EQ(error_of("turn 1 1\nturn 1 1"), "line 2: turn has weights already; give each feature once");
  for (const auto* bad : {"turn 1", "turn", "turn x 1", "turn 1 1 1", "turn 1e3 1", "turn inf 1", "turn 1 99999999"}) {
    EXPECT_NE(error_of(bad).find("line 1: after turn come two decimal numbers"), std::string::npos) << bad;
  }
}

TEST(Linear, without_a_file_the_plain_weights_serve) {
  const std::array<Weight, 3> plain = {weight(100), weight(1), weight(2)};
  const auto weights = linear_weights(Evaluation::tuned, "no_such_game.weights", names, plain);
  for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(weights[i], plain[i]);
}

TEST(Linear, value_interpolates_scales_and_is_antisymmetric) {
  const LinearWeights<3> weights({weight(100, 200), weight(10, 10), weight(0, -3)});
  Features<3> f;
  f.values = {2, 1, 5};
  EXPECT_EQ(weights.value(f), 210);
  f.phase = Features<3>::whole;
  EXPECT_EQ(weights.value(f), 395);
  f.phase = Features<3>::whole / 2;
  EXPECT_EQ(weights.value(f), 302);  // 302.5, rounded towards zero
  int sum = 0;
  for (const Term& term : weights.terms(f, names)) sum += term.value;
  EXPECT_NEAR(sum, 302, 3);
  for (auto& value : f.values) value = -value;
  EXPECT_EQ(weights.value(f), -302);
  f.scale = Features<3>::whole / 4;
  EXPECT_EQ(weights.value(f), -75);
  f.scale = 0;
  EXPECT_EQ(weights.value(f), 0);
}

TEST(Linear, value_stays_within_the_bounds_of_evaluations) {
  const LinearWeights<3> weights({weight(max_weight), weight(0), weight(0)});
  Features<3> f;
  f.values[0] = 1000;
  EXPECT_EQ(weights.value(f), evaluation_bound - 1);
  f.values[0] = -1000;
  EXPECT_EQ(weights.value(f), 1 - evaluation_bound);
}

TEST(Linear, terms_leave_out_what_is_zero) {
  const LinearWeights<3> weights({weight(100), weight(10), weight(5)});
  Features<3> f;
  f.values = {1, 0, -1};
  const auto terms = weights.terms(f, names);
  ASSERT_EQ(terms.size(), 2U);
  EXPECT_EQ(terms[0].name, "stones");
  EXPECT_EQ(terms[1].value, -5);
}

}  // namespace
}  // namespace paika
