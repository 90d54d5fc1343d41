// Statistics: against numbers computed by hand from the formulas, and what must hold of any.
#include "play/statistics.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace paika::play {
namespace {

TEST(Statistics, scores_and_elo_belong_together) {
  EXPECT_DOUBLE_EQ(score_for_elo(0), 0.5);
  EXPECT_NEAR(score_for_elo(400), 10.0 / 11, 1e-12);
  EXPECT_NEAR(score_for_elo(100), 0.640065, 1e-6);
  EXPECT_NEAR(elo_for_score(0.75), 190.848502, 1e-6);
  for (const double elo : {-700.0, -3.0, 0.0, 12.5, 250.0}) EXPECT_NEAR(elo_for_score(score_for_elo(elo)), elo, 1e-9);
  EXPECT_EQ(elo_for_score(1), HUGE_VAL);
  EXPECT_EQ(elo_for_score(0), -HUGE_VAL);
}

TEST(Statistics, mean_and_variance_of_pairs) {
  const PairCounts counts = {1, 2, 3, 2, 2};  // pair scores 0, 1/4, 1/2, 3/4, 1
  EXPECT_EQ(pairs_in(counts), 10U);
  EXPECT_DOUBLE_EQ(score_of(counts), 0.55);
  EXPECT_NEAR(variance_of(counts), 0.0975, 1e-12);
  EXPECT_DOUBLE_EQ(score_of({}), 0.5);
}

TEST(Statistics, elo_with_error_bars) {
  // Score 0.55, standard deviation of the mean sqrt(0.0975 / 10) = 0.0987421: 0.3564692 to 0.7435308.
  const EloEstimate e = estimate_elo({1, 2, 3, 2, 2});
  EXPECT_NEAR(e.elo, 34.86, 0.01);
  EXPECT_NEAR(e.low, 400 * std::log10(0.3564692 / 0.6435308), 1e-3);
  EXPECT_NEAR(e.high, 400 * std::log10(0.7435308 / 0.2564692), 1e-3);
  EXPECT_NEAR(e.los, 0.69370, 1e-4);  // the normal distribution up to 0.05 / 0.0987421 = 0.50637
}

TEST(Statistics, the_opponent_sees_the_mirror_image) {
  const PairCounts counts = {3, 14, 50, 22, 7};
  const EloEstimate mine = estimate_elo(counts);
  const EloEstimate theirs = estimate_elo(mirrored(counts));
  EXPECT_NEAR(mine.elo, -theirs.elo, 1e-9);
  EXPECT_NEAR(mine.low, -theirs.high, 1e-9);
  EXPECT_NEAR(mine.high, -theirs.low, 1e-9);
  EXPECT_NEAR(mine.los, 1 - theirs.los, 1e-12);
  const Sprt up{0, 10, 0.05, 0.05};
  const Sprt down{-10, 0, 0.05, 0.05};
  EXPECT_NEAR(log_likelihood_ratio(counts, up), -log_likelihood_ratio(mirrored(counts), down), 1e-6);
}

TEST(Statistics, all_pairs_alike) {
  const EloEstimate won = estimate_elo({0, 0, 0, 0, 10});
  EXPECT_EQ(won.elo, HUGE_VAL);
  EXPECT_NEAR(won.low, elo_for_score(0.7), 1e-9);
  EXPECT_EQ(won.high, HUGE_VAL);
  EXPECT_NEAR(won.los, 1 - 1.0 / 1024, 1e-12);
  const EloEstimate even = estimate_elo({0, 0, 10, 0, 0});
  EXPECT_EQ(even.elo, 0);
  EXPECT_EQ(even.los, 0.5);
  EXPECT_NEAR(even.low, -even.high, 1e-9);
  const EloEstimate nothing = estimate_elo({});
  EXPECT_EQ(nothing.low, -HUGE_VAL);
  EXPECT_EQ(nothing.high, HUGE_VAL);
}

TEST(Sprt, bounds) {
  const Sprt sprt{0, 5, 0.05, 0.05};
  EXPECT_NEAR(sprt.upper_bound(), 2.944439, 1e-6);
  EXPECT_NEAR(sprt.lower_bound(), -2.944439, 1e-6);
  const Sprt uneven{0, 5, 0.01, 0.10};
  EXPECT_NEAR(uneven.upper_bound(), std::log(90.0), 1e-9);
  EXPECT_NEAR(uneven.lower_bound(), std::log(0.1 / 0.99), 1e-9);
}

/// With two results only, 0 and 2 points, the nearest distribution with a given score is that score
/// itself: the ratio can be computed by hand.
TEST(Sprt, two_results_are_bernoulli) {
  const double wins = 600;
  const double losses = 400;
  const Sprt sprt{0, 50, 0.05, 0.05};
  const double s0 = score_for_elo(0);
  const double s1 = score_for_elo(50);
  const double by_hand = wins * std::log(s1 / s0) + losses * std::log((1 - s1) / (1 - s0));
  EXPECT_NEAR(log_likelihood_ratio({400, 0, 0, 0, 600}, sprt), by_hand, 0.02);
}

/// Near the hypotheses the ratio is that of normal distributions with the observed variance.
TEST(Sprt, many_pairs_are_nearly_normal) {
  const PairCounts counts = {300, 2500, 5200, 2700, 350};
  const Sprt sprt{0, 4, 0.05, 0.05};
  const double s0 = score_for_elo(0);
  const double s1 = score_for_elo(4);
  const double n = static_cast<double>(pairs_in(counts));
  const double normal = n * (s1 - s0) * (2 * score_of(counts) - s0 - s1) / (2 * variance_of(counts));
  EXPECT_NEAR(log_likelihood_ratio(counts, sprt), normal, 0.05 * std::abs(normal));
}

TEST(Sprt, decides_for_what_is_true) {
  const Sprt sprt{0, 30, 0.05, 0.05};
  EXPECT_EQ(sprt_state({}, sprt), SprtState::undecided);
  EXPECT_EQ(sprt_state({1, 2, 4, 2, 1}, sprt), SprtState::undecided);
  EXPECT_EQ(sprt_state({20, 100, 200, 200, 60}, sprt), SprtState::elo1_accepted);
  EXPECT_EQ(sprt_state({60, 200, 200, 100, 20}, sprt), SprtState::elo0_accepted);
  EXPECT_EQ(sprt_state({0, 0, 400, 0, 0}, sprt), SprtState::elo0_accepted);
  EXPECT_EQ(sprt_state({0, 0, 0, 0, 40}, sprt), SprtState::elo1_accepted);
  EXPECT_EQ(sprt_state({40, 0, 0, 0, 0}, sprt), SprtState::elo0_accepted);
}

TEST(Sprt, more_of_the_same_says_more) {
  const Sprt sprt{0, 10, 0.05, 0.05};
  const double once = log_likelihood_ratio({10, 40, 80, 60, 20}, sprt);
  const double twice = log_likelihood_ratio({20, 80, 160, 120, 40}, sprt);
  EXPECT_GT(once, 0);
  EXPECT_NEAR(twice, 2 * once, 1e-6);
}

}  // namespace
}  // namespace paika::play
