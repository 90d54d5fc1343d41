// The parts of the search that know no game: the table, the clock's plan, levels, ordering, threads.
#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <thread>

#include "base/random.hpp"
#include "games/abalone/params.hpp"
#include "games/fanorona/params.hpp"
#include "games/othello/params.hpp"
#include "games/wildebeest/search_traits.hpp"
#include "search/candidates.hpp"
#include "search/helpers.hpp"
#include "search/level.hpp"
#include "search/search_control.hpp"
#include "search/transposition_table.hpp"

namespace paika {
namespace {

TEST(TranspositionTable, gives_back_what_was_stored) {
  TranspositionTable table(1);
  Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t key = random.next();
    const TtEntry entry{static_cast<int>(random.below(2'000'000)) - 1'000'000, static_cast<int>(random.below(256)),
                        static_cast<Bound>(1 + random.below(3)), static_cast<std::uint16_t>(1 + random.below(65535))};
    table.store(key, entry);
    const auto found = table.find(key);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->score, entry.score);
    EXPECT_EQ(found->depth, entry.depth);
    EXPECT_EQ(found->bound, entry.bound);
    EXPECT_EQ(found->move, entry.move);
  }
}

TEST(TranspositionTable, finds_no_other_key_and_nothing_after_clear) {
  TranspositionTable table(1);
  table.store(12345, {7, 3, Bound::exact, 1});
  EXPECT_FALSE(table.find(12346));
  EXPECT_FALSE(table.find(12345ULL << 32));
  EXPECT_TRUE(table.find(12345));
  table.clear();
  EXPECT_FALSE(table.find(12345));
}

TEST(TranspositionTable, keeps_a_best_turn_when_a_later_entry_has_none) {
  TranspositionTable table(1);
  table.store(99, {5, 4, Bound::lower, 17});
  table.store(99, {-5, 5, Bound::upper, 0});
  ASSERT_TRUE(table.find(99));
  EXPECT_EQ(table.find(99)->move, 17);
  EXPECT_EQ(table.find(99)->score, -5);
}

TEST(TranspositionTable, keeps_deep_entries_of_this_search_longest) {
  TranspositionTable table(0);  // one bucket
  table.store(1, {1, 20, Bound::exact, 1});
  for (std::uint64_t key = 2; key < 50; ++key) table.store(key, {2, 1, Bound::exact, 1});
  EXPECT_TRUE(table.find(1));
  for (int search = 0; search < 4; ++search) table.next_search();
  for (std::uint64_t key = 50; key < 60; ++key) table.store(key, {2, 1, Bound::exact, 1});
  EXPECT_FALSE(table.find(1)) << "what older searches left goes first";
}

TEST(TranspositionTable, threads_never_see_a_torn_entry) {
  TranspositionTable table(0);
  std::atomic<bool> bad{false};
  const auto work = [&](std::uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < 100'000; ++i) {
      const std::uint64_t key = random.below(16) + 1;
      // The score says the key, so a mixture of two entries would show.
      if (const auto found = table.find(key); found && found->score != static_cast<int>(key)) bad = true;
      table.store(key, {static_cast<int>(key), static_cast<int>(random.below(30)), Bound::exact, 1});
    }
  };
  {
    const std::jthread a(work, 1);
    const std::jthread b(work, 2);
  }
  EXPECT_FALSE(bad);
}

TEST(PlanTime, never_plans_more_than_there_is) {
  for (const int ms : {0, 1, 2, 5, 10, 50, 100, 1000, 60'000, 3'600'000}) {
    const TimePlan move = plan_time({.depth = {}, .nodes = {}, .move_time = Milliseconds(ms), .clock = {}}, 30);
    EXPECT_LE(move.hard.count(), ms);
    EXPECT_LE(move.soft, move.hard);
    EXPECT_GE(move.hard.count(), ms / 2);
    for (const int increment : {0, 100, 100'000}) {
      const GameClock clock{Milliseconds(ms), Milliseconds(increment)};
      const TimePlan plan = plan_time({.depth = {}, .nodes = {}, .move_time = {}, .clock = clock}, 30);
      EXPECT_TRUE(plan.limited());
      EXPECT_LE(plan.hard.count(), ms) << "an increment comes after the move";
      EXPECT_LE(plan.soft, plan.hard);
      EXPECT_GE(plan.soft.count(), 0);
    }
  }
  EXPECT_FALSE(plan_time({}, 30).limited());
}

TEST(PlanTime, a_clock_lasts_for_a_long_game) {
  Milliseconds left(60'000);
  for (int turn = 0; turn < 300; ++turn) {
    const TimePlan plan =
        plan_time({.depth = {}, .nodes = {}, .move_time = {}, .clock = GameClock{left, Milliseconds(0)}}, 30);
    left -= turn % 10 == 0 ? plan.hard : plan.soft;
    ASSERT_GE(left.count(), 0) << turn;
  }
  EXPECT_LT(left.count(), 10'000) << "most of it is used";
}

void check_levels(const LevelPlans& plans) {
  for (std::size_t i = 0; i + 2 < plans.size(); ++i) {
    const LevelPlan& weaker = plans[i];
    const LevelPlan& stronger = plans[i + 1];
    EXPECT_LE(weaker.depth, stronger.depth) << i + 1;
    EXPECT_LE(weaker.nodes, stronger.nodes) << i + 1;
    EXPECT_TRUE(weaker.nodes < stronger.nodes || weaker.depth < stronger.depth ||
                weaker.temperature > stronger.temperature)
        << i + 1;
  }
  EXPECT_EQ(plans.back().depth, 0);
  EXPECT_EQ(plans.back().nodes, 0U);
  EXPECT_EQ(plans.back().temperature, 0.0);
}

TEST(Levels, grow_with_the_number) {
  check_levels(standard_levels());
  check_levels(fanorona::level_plans());
  check_levels(abalone::level_plans());
  check_levels(othello::level_plans());
  check_levels(wildebeest::BitboardTraits::levels());
}

TEST(Levels, choose_better_turns_more_often) {
  Random random(3);
  std::array<int, 4> taken{};
  for (int i = 0; i < 10'000; ++i) ++taken[choose_by_chance({100, 50, 0, loss_in(2)}, 0.5, random)];
  EXPECT_GT(taken[0], taken[1]);
  EXPECT_GT(taken[1], taken[2]);
  EXPECT_GT(taken[2], 0);
  EXPECT_EQ(taken[3], 0) << "a turn seen to lose is not played";
  EXPECT_NEAR(taken[1] / static_cast<double>(taken[0]), std::exp(-1.0), 0.05);
}

TEST(Levels, without_temperature_take_the_best) {
  Random random(4);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(choose_by_chance({10, 10, 9}, 0.0, random), 0U);
  EXPECT_EQ(choose_by_chance({loss_in(4), loss_in(2)}, 1.0, random), 0U);
}

TEST(SeenKeys, knows_what_was_added_since_the_last_clear) {
  SeenKeys seen;
  Random random(5);
  for (int round = 0; round < 3; ++round) {
    seen.clear();
    Random again = random;
    for (int i = 0; i < 3000; ++i) EXPECT_TRUE(seen.add(random.next()));
    for (int i = 0; i < 3000; ++i) EXPECT_FALSE(seen.add(again.next()));
  }
}

TEST(Ordering, rewards_what_refuted_and_blames_what_did_not) {
  Ordering ordering(10, 4);
  ordering.forget();
  ordering.reward(3, 5, 1, 7, {1, 2});
  EXPECT_GT(ordering.history(3), 0);
  EXPECT_LT(ordering.history(1), 0);
  EXPECT_EQ(ordering.history(4), 0);
  EXPECT_TRUE(ordering.is_killer(3, 1));
  EXPECT_FALSE(ordering.is_killer(3, 2));
  EXPECT_TRUE(ordering.is_reply(3, 7));
  EXPECT_FALSE(ordering.is_reply(3, 6));
  for (int i = 0; i < 10'000; ++i) ordering.reward(3, 20, 1, no_history_index, {1});
  EXPECT_LE(ordering.history(3), Ordering::max_history);
  EXPECT_GE(ordering.history(1), -Ordering::max_history);
}

TEST(HelperThreads, all_do_each_piece_of_work_once) {
  HelperThreads helpers(3);
  std::array<std::atomic<int>, 3> done{};
  for (int round = 1; round <= 50; ++round) {
    helpers.start([&](int i) { ++done[static_cast<std::size_t>(i)]; });
    helpers.wait();
    for (const auto& count : done) ASSERT_EQ(count, round);
  }
}

}  // namespace
}  // namespace paika
