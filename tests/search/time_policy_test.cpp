// Time: what a search may take, over simulated clocks.
#include "search/time_policy.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace paika {
namespace {

SearchLimits with_clock(GameClock clock) {
  SearchLimits limits;
  limits.clock = clock;
  return limits;
}

/// How long a search takes that goes from depth to depth, each so much longer than the one before, with scores and best
/// turns that change by chance.
Milliseconds search(const TimePlan& plan, Random& random) {
  DepthPolicy policy;
  double elapsed = 0;
  double depth = 0.01;
  int score = 0;
  for (;;) {
    const bool solves = random.one_in(12);
    const auto hard = static_cast<double>((solves ? plan.solving : plan.hard).count());
    depth *= 1.2 + static_cast<double>(random.below(200)) / 100;
    elapsed += depth;
    if (elapsed >= hard) return Milliseconds(static_cast<std::int64_t>(hard));
    score += static_cast<int>(random.below(400)) - 200;
    policy.completed(!random.one_in(3), score);
    if (policy.enough(plan, Milliseconds(static_cast<std::int64_t>(elapsed)))) {
      return Milliseconds(static_cast<std::int64_t>(elapsed));
    }
  }
}

TEST(TimePolicy, no_clock_runs_out_whatever_the_search_does) {
  Random random(7);
  for (int game = 0; game < 3000; ++game) {
    const int digits = static_cast<int>(random.below(6));
    std::int64_t scale = 1;
    for (int i = 0; i < digits; ++i) scale *= 10;
    GameClock clock{Milliseconds(1 + static_cast<std::int64_t>(random.below(9)) * scale),
                    Milliseconds(random.one_in(2) ? static_cast<std::int64_t>(random.below(500)) : 0)};
    const int period = random.one_in(3) ? 1 + static_cast<int>(random.below(40)) : 0;
    const Milliseconds all = clock.left;
    const Milliseconds lag(random.one_in(4) ? static_cast<std::int64_t>(random.below(20)) : 0);
    const int turns = 1 + static_cast<int>(random.below(120));
    for (int turn = 0; turn < turns; ++turn) {
      if (period > 0) clock.moves_to_go = period - turn % period;
      const int guess = 1 + static_cast<int>(random.below(40));
      const TimePlan plan = plan_time(with_clock(clock), guess, lag);
      ASSERT_TRUE(plan.limited());
      ASSERT_GE(plan.soft.count(), 0);
      ASSERT_LE(plan.soft, plan.hard);
      ASSERT_LE(plan.hard, plan.solving);
      // The caller leaves `grace` later at the latest, and lag is what the machine did before.
      ASSERT_LT(plan.solving + plan.grace, clock.left + Milliseconds(1));
      clock.left -= search(plan, random);
      ASSERT_GE(clock.left.count(), 0) << "game " << game << ", turn " << turn;
      clock.left += clock.increment;
      if (period > 0 && clock.moves_to_go == 1) clock.left += all;
    }
  }
}

TEST(TimePolicy, a_clock_with_a_period_is_used_up_in_it) {
  Milliseconds left(10'000);
  for (int to_go = 40; to_go > 0; --to_go) {
    const TimePlan plan = plan_time(with_clock({left, Milliseconds(0), to_go}), 60);
    EXPECT_GE(plan.soft, std::min(left / to_go, plan.hard)) << to_go;
    left -= plan.soft;
  }
  EXPECT_LT(left.count(), 500) << "new time comes: none need be kept";
  EXPECT_GE(left.count(), 0);
}

TEST(TimePolicy, a_limit_for_the_turn_bounds_a_clock) {
  SearchLimits limits = with_clock({Milliseconds(60'000), Milliseconds(0)});
  limits.move_time = Milliseconds(100);
  const TimePlan plan = plan_time(limits, 30);
  EXPECT_LT(plan.hard.count(), 100);
  EXPECT_LT(plan.solving.count(), 100);
}

TEST(TimePolicy, solving_may_take_more_than_a_turn_but_not_all) {
  const TimePlan plan = plan_time(with_clock({Milliseconds(10'000), Milliseconds(0)}), 10);
  EXPECT_GT(plan.solving, plan.hard);
  EXPECT_LT(plan.solving.count(), 7'000);
}

TEST(DepthPolicy, spends_time_where_the_best_turn_changes_or_the_score_falls) {
  const auto after = [](std::initializer_list<std::pair<bool, int>> depths) {
    DepthPolicy policy;
    for (const auto& [same, score] : depths) policy.completed(same, score);
    return policy.patience();
  };
  const double calm = after({{true, 0}, {true, 0}, {true, 0}, {true, 0}});
  EXPECT_LT(calm, 0.5);
  EXPECT_GT(after({{true, 0}, {true, 0}, {true, 0}, {false, 0}}), 2 * calm) << "the best turn just changed";
  const double earlier = after({{true, 0}, {false, 0}, {true, 0}, {true, 0}});
  EXPECT_GT(earlier, calm);
  EXPECT_LT(earlier, 2 * calm);
  EXPECT_GT(after({{true, 300}, {true, 300}, {true, 0}, {true, 0}}), 1.3 * calm) << "the score falls";
  EXPECT_EQ(after({{true, 100}, {true, -100}, {true, 100}, {true, -100}}), calm) << "it swings from depth to depth";
  EXPECT_EQ(after({{true, 0}, {true, 0}, {true, 300}, {true, 300}}), calm) << "it rises";
  EXPECT_LE(after({{false, 900}, {false, 900}, {false, 0}, {false, 0}}), 2.0) << "within the hard limit";
}

TEST(DepthPolicy, a_limit_for_the_turn_is_used_to_its_end) {
  SearchLimits limits;
  limits.move_time = Milliseconds(1000);
  const TimePlan plan = plan_time(limits, 30);
  DepthPolicy policy;
  for (int i = 0; i < 20; ++i) policy.completed(true, 0);
  EXPECT_FALSE(policy.enough(plan, plan.hard - Milliseconds(1)));
  EXPECT_TRUE(policy.enough(plan, plan.hard));
  EXPECT_FALSE(policy.enough(TimePlan{}, std::chrono::hours(10))) << "there is no limit";
}

}  // namespace
}  // namespace paika
