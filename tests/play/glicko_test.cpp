// Glicko-2: the worked example of the paper, what must hold of any rating, and games that nobody could foresee.
#include "play/glicko.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "base/random.hpp"

namespace paika::play {
namespace {

TEST(Glicko, gives_the_numbers_of_the_papers_example) {
  const Rating player{1500, 200, 0.06};
  const std::array<RatedGame, 3> games = {{{{1400, 30, 0.06}, 1}, {{1550, 100, 0.06}, 0}, {{1700, 300, 0.06}, 0}}};
  const Rating after = after_games(player, games);
  EXPECT_NEAR(after.value, 1464.06, 0.01);
  EXPECT_NEAR(after.deviation, 151.52, 0.01);
  EXPECT_NEAR(after.volatility, 0.05999, 0.00001);
}

TEST(Glicko, grows_less_sure_without_games_but_never_less_than_of_somebody_new) {
  const Rating known{1700, 200, 0.06};
  const Rating after = after_games(known, {});
  EXPECT_EQ(after.value, known.value);
  EXPECT_EQ(after.volatility, known.volatility);
  EXPECT_NEAR(after.deviation, 200.2714, 0.001);  // the paper's step for a player without games
  Rating idle = known;
  for (int i = 0; i < 100'000; ++i) idle = after_games(idle, {});
  EXPECT_EQ(idle.deviation, Rating{}.deviation);
}

TEST(Glicko, expects_less_of_whom_it_does_not_know) {
  const Rating strong{1700, 50, 0.06};
  const Rating weak{1500, 50, 0.06};
  EXPECT_NEAR(expected_score(weak, weak), 0.5, 1e-12);
  EXPECT_NEAR(expected_score(strong, weak) + expected_score(weak, strong), 1, 1e-12);
  EXPECT_GT(expected_score(strong, weak), 0.7);
  const Rating unknown{1700, 350, 0.06};
  EXPECT_LT(expected_score(unknown, weak), expected_score(strong, weak)) << "less is known, so less is expected";
  EXPECT_GT(expected_score(unknown, weak), 0.5);
}

TEST(Glicko, gives_the_winner_what_it_takes_from_the_loser_between_equals) {
  const Rating both{1500, 120, 0.06};
  const Rating won = after_games(both, std::array<RatedGame, 1>{{{both, 1}}});
  const Rating lost = after_games(both, std::array<RatedGame, 1>{{{both, 0}}});
  const Rating drawn = after_games(both, std::array<RatedGame, 1>{{{both, 0.5}}});
  EXPECT_GT(won.value, both.value);
  EXPECT_NEAR(won.value - both.value, both.value - lost.value, 1e-9);
  EXPECT_NEAR(drawn.value, both.value, 1e-9);
  EXPECT_LT(won.deviation, both.deviation);
}

TEST(Glicko, stays_sober_whatever_happens) {
  Random random(5);
  for (int trial = 0; trial < 5000; ++trial) {
    const Rating rating{static_cast<double>(random.below(4000)), static_cast<double>(1 + random.below(350)),
                        0.0001 + static_cast<double>(random.below(2000)) / 1000};
    std::vector<RatedGame> games(1 + random.index(20));
    double better = 0;
    for (RatedGame& game : games) {
      game.opponent = {static_cast<double>(random.below(20000)), static_cast<double>(1 + random.below(350)), 0.06};
      game.score = static_cast<double>(random.below(3)) / 2;
      better += game.score;
    }
    const Rating after = after_games(rating, games);
    ASSERT_TRUE(std::isfinite(after.value) && std::isfinite(after.deviation) && std::isfinite(after.volatility));
    ASSERT_GT(after.deviation, 0);
    ASSERT_LE(after.deviation, 350);
    ASSERT_GT(after.volatility, 0);
    EXPECT_TRUE(better < static_cast<double>(games.size()) || after.value >= rating.value);
    EXPECT_TRUE(better > 0 || after.value <= rating.value);
  }
}

TEST(Glicko, finds_who_is_stronger) {
  Rating strong;
  Rating weak;
  Random random(11);
  for (int game = 0; game < 300; ++game) {
    const double score = random.below(4) != 0 ? 1 : 0;  // the one wins three of four games
    const Rating before = strong;
    strong = after_games(strong, std::array<RatedGame, 1>{{{weak, score}}});
    weak = after_games(weak, std::array<RatedGame, 1>{{{before, 1 - score}}});
  }
  EXPECT_NEAR(expected_score(strong, weak), 0.75, 0.1);
  EXPECT_LT(strong.deviation, 100);
}

}  // namespace
}  // namespace paika::play
