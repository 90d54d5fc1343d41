// WallClock: a time of day that does not follow jumps.
#include "server/store/wall_clock.hpp"

#include <gtest/gtest.h>

#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

using namespace std::chrono_literals;

constexpr WallTime day = std::chrono::milliseconds(24h).count();
constexpr WallTime minute = std::chrono::milliseconds(1min).count();
constexpr WallTime start = 20'000 * day;

/// Both clocks of a machine, moved by the test; the time of day can be wrong.
struct Machine {
  WallClock clock;
  std::chrono::milliseconds up{0};
  WallTime wrong = 0;

  WallTime now() { return clock.now(start + up.count() + wrong, WallClock::Steady() + up); }
  /// Runs for a time and looks at the clock every minute, as a server does.
  void run(std::chrono::milliseconds time) {
    const auto end = up + time;
    while (up < end) {
      up = std::min(end, up + std::chrono::milliseconds(1min));
      now();
    }
  }
  [[nodiscard]] WallTime truth() const { return start + up.count(); }
};

TEST(WallClock, goes_as_the_time_of_day_does) {
  Machine machine;
  EXPECT_EQ(machine.now(), start);
  EXPECT_FALSE(machine.clock.is_settled()) << "a machine that has just started may have a wrong clock";
  machine.run(59min);
  EXPECT_FALSE(machine.clock.is_settled());
  machine.run(1min);
  EXPECT_TRUE(machine.clock.is_settled());
  EXPECT_EQ(machine.now(), machine.truth());
}

TEST(WallClock, does_not_follow_a_jump) {
  for (const WallTime jump : {100 * day, -100 * day, 2 * minute}) {
    Machine machine;
    machine.now();
    machine.run(2h);
    machine.wrong = jump;
    EXPECT_EQ(machine.now(), machine.truth());
    EXPECT_FALSE(machine.clock.is_settled()) << "nothing is deleted while the clocks disagree";
    machine.run(1s);
    EXPECT_EQ(machine.now(), machine.truth());
    machine.wrong = 0;
    machine.run(59min);
    EXPECT_FALSE(machine.clock.is_settled()) << "nor for an hour after that";
    machine.run(2min);
    EXPECT_TRUE(machine.clock.is_settled());
    EXPECT_EQ(machine.now(), machine.truth());
  }
}

TEST(WallClock, follows_a_clock_that_was_set_right) {
  Machine machine;
  machine.wrong = -100 * day;  // it started without knowing the day
  machine.now();
  machine.run(10min);
  machine.wrong = 0;
  machine.run(30min);
  EXPECT_EQ(machine.now(), machine.truth() - 100 * day);
  machine.run(31min);
  EXPECT_EQ(machine.now(), machine.truth());
  EXPECT_TRUE(machine.clock.is_settled());
}

TEST(WallClock, a_clock_that_jumps_again_and_again_is_never_believed) {
  Machine machine;
  machine.now();
  for (int i = 0; i < 20; ++i) {
    machine.wrong = i % 2 == 0 ? 100 * day : 0;
    machine.run(30min);
    EXPECT_FALSE(machine.clock.is_settled());
    EXPECT_EQ(machine.now(), machine.truth());
  }
}

TEST(WallClock, small_corrections_are_followed) {
  Machine machine;
  machine.now();
  for (int i = 0; i < 100; ++i) {
    machine.run(10min);
    machine.wrong += minute / 2;
  }
  EXPECT_EQ(machine.now(), machine.truth() + 50 * minute);
  EXPECT_TRUE(machine.clock.is_settled());
}

class StoreClock : public paika_tests::StoreTest {};

TEST_F(StoreClock, a_jump_of_a_hundred_days_deletes_nobody) {
  Machine machine;
  machine.now();
  machine.run(2h);
  std::vector<PersonId> guests;
  for (int i = 0; i < 50; ++i) {
    guests.push_back(store->add_guest(machine.now()).id);
    store->add_session(guests.back(), fmt::format("hash {}", i), machine.now(), machine.now() + 90 * day);
  }
  const auto clean = [&] {
    const WallTime now = machine.now();
    return machine.clock.is_settled() ? store->drop_idle_guests(now) : 0;
  };
  machine.wrong = 100 * day;
  EXPECT_EQ(clean(), 0);
  machine.run(1s);
  EXPECT_EQ(clean(), 0);
  machine.wrong = 0;
  machine.run(90min);
  EXPECT_EQ(clean(), 0);
  for (std::size_t i = 0; i < guests.size(); ++i) {
    EXPECT_TRUE(store->session_person(fmt::format("hash {}", i), machine.now())) << i;
  }
  machine.run(24h);
  EXPECT_EQ(clean(), 50) << "those who never played go after a day";
}

}  // namespace
}  // namespace paika::server
