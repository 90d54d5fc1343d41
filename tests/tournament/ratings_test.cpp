#include "tournament/ratings.hpp"

#include <cmath>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "play/statistics.hpp"

namespace paika::tournament {

namespace {

double uniform(Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

}  // namespace

TEST(Ratings, two_players_are_as_far_apart_as_their_score_says) {
  // Enough games that the prior weighs nothing.
  const Ratings ratings(2, {{0, 1, 100'000, 76'000}});
  EXPECT_NEAR(ratings.elo(0) - ratings.elo(1), play::elo_for_score(0.76), 0.5);
  EXPECT_NEAR(ratings.elo(0) + ratings.elo(1), 0, 1e-6);
  EXPECT_GT(ratings.superiority(0, 1), 0.999);
}

TEST(Ratings, all_won_stays_finite) {
  const Ratings ratings(3, {{0, 1, 10, 10}, {1, 2, 10, 10}});
  EXPECT_GT(ratings.elo(0), ratings.elo(1) + 100);
  EXPECT_GT(ratings.elo(1), ratings.elo(2) + 100);
  EXPECT_LT(ratings.elo(0), 2000);
  EXPECT_TRUE(std::isfinite(ratings.error(0)));
  const Ratings none(4, {});
  EXPECT_EQ(none.elo(2), 0);
  EXPECT_NEAR(none.superiority(0, 1), 0.5, 1e-9);
}

TEST(Ratings, simulated_players_are_within_the_error_in_95_of_100_cases) {
  const std::vector<double> truth = {150, 80, 30, -10, -90, -160};  // their average is 0
  Random random(5);
  int within = 0;
  int superior = 0;
  double expected_superior = 0;
  constexpr int runs = 400;
  for (int run = 0; run < runs; ++run) {
    std::vector<Encounter> encounters;
    for (std::size_t i = 0; i < truth.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        Encounter e{i, j, 30, 0};
        for (int game = 0; game < 30; ++game) {
          if (uniform(random) < play::score_for_elo(truth[i] - truth[j])) e.points += 1;
        }
        encounters.push_back(e);
      }
    }
    const Ratings ratings(truth.size(), encounters);
    for (std::size_t i = 0; i < truth.size(); ++i) {
      if (std::abs(ratings.elo(i) - truth[i]) <= ratings.error(i)) ++within;
    }
    expected_superior += ratings.superiority(2, 3);
    if (ratings.elo(2) > ratings.elo(3)) ++superior;
  }
  const double share = within / (runs * static_cast<double>(truth.size()));
  EXPECT_GT(share, 0.93);
  EXPECT_LT(share, 0.97);
  EXPECT_GT(superior, runs * 7 / 10) << "40 Elo apart";
  EXPECT_NEAR(expected_superior / runs, superior / static_cast<double>(runs), 0.1);
}

TEST(Sprt, errs_as_seldom_as_it_promises) {
  const play::Sprt sprt{0, 40, 0.05, 0.05};
  Random random(6);
  constexpr int runs = 300;
  for (const double elo : {0.0, 40.0}) {
    int wrong = 0;
    const double p = play::score_for_elo(elo);
    for (int run = 0; run < runs; ++run) {
      play::PairCounts pairs{};
      auto state = play::SprtState::undecided;
      while (state == play::SprtState::undecided) {
        for (int i = 0; i < 8; ++i) {
          std::size_t half_points = 0;
          for (int game = 0; game < 2; ++game) half_points += uniform(random) < p ? 2U : 0U;
          ++pairs[half_points];
        }
        state = play::sprt_state(pairs, sprt);
      }
      if ((state == play::SprtState::elo1_accepted) != (elo > 0)) ++wrong;
    }
    EXPECT_LE(wrong, runs * 8 / 100) << "at " << elo << " Elo, of " << runs;
  }
}

}  // namespace paika::tournament
