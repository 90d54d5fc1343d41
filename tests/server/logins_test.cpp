// LoginThrottle: guessing is slow, and the owner is not locked out by it.
#include "server/logins.hpp"

#include <gtest/gtest.h>

namespace paika::server {
namespace {

using namespace std::chrono_literals;
using Time = LoginThrottle::Time;

constexpr Time begin = Time() + 1h;

/// A try that ends at once.
LoginThrottle::Decision guess(LoginThrottle& throttle, std::string_view address, std::string_view name, Time now,
                              bool right = false) {
  const auto decision = throttle.begin(address, name, now);
  if (!decision.refused) throttle.end(decision, address, name, right);
  return decision;
}

TEST(Logins, an_address_has_ten_tries_at_a_name) {
  LoginThrottle throttle;
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(guess(throttle, "a", "Owner", begin).refused);
  EXPECT_EQ(guess(throttle, "a", "OWNER", begin).refused, 10s) << "in any case";
  EXPECT_FALSE(guess(throttle, "a", "Other", begin).refused) << "another name";
  EXPECT_FALSE(guess(throttle, "a", "Owner", begin + 10s).refused);
}

TEST(Logins, the_owner_logs_in_elsewhere_at_once) {
  LoginThrottle throttle;
  for (int i = 0; i < 12; ++i) static_cast<void>(guess(throttle, "a", "Owner", begin));
  const auto owner = guess(throttle, "b", "Owner", begin, true);
  EXPECT_FALSE(owner.refused);
  EXPECT_EQ(owner.delay, 0ms);
}

TEST(Logins, many_addresses_wait_longer_and_longer_and_the_owner_does_not) {
  LoginThrottle throttle;
  EXPECT_FALSE(guess(throttle, "home", "Owner", begin, true).refused);
  std::vector<std::chrono::milliseconds> delays;
  for (int i = 0; i < 200; ++i) {
    delays.push_back(guess(throttle, "bot " + std::to_string(i), "Owner", begin).delay);
  }
  EXPECT_TRUE(guess(throttle, "bot", "Owner", begin).crowded);
  EXPECT_FALSE(guess(throttle, "home", "Owner", begin).crowded);
  EXPECT_EQ(delays[20], 0ms) << "a few strangers are nothing strange";
  EXPECT_TRUE(std::is_sorted(delays.begin(), delays.end()));
  EXPECT_GT(delays[60], 1s);
  EXPECT_EQ(delays.back(), 10s) << "that is slow, but not for ever";
  EXPECT_EQ(guess(throttle, "home", "Owner", begin, true).delay, 0ms) << "where the owner has logged in before";
  const auto new_place = guess(throttle, "holiday", "Owner", begin, true);
  EXPECT_FALSE(new_place.refused) << "and from a new place it takes ten seconds";
  EXPECT_EQ(guess(throttle, "holiday", "Owner", begin, true).delay, 0ms);
  EXPECT_EQ(guess(throttle, "later", "Owner", begin + 1h).delay, 0ms) << "it is forgotten";
}

TEST(Logins, only_so_many_strangers_wait_at_a_time) {
  LoginThrottle throttle;
  int waiting = 0;
  for (int i = 0; i < 1'000; ++i) {
    waiting += throttle.begin("bot " + std::to_string(i), "Owner", begin).refused ? 0 : 1;
  }
  EXPECT_LE(waiting, 50);
  EXPECT_FALSE(guess(throttle, "x", "Other", begin).refused);
}

TEST(Logins, long_names_are_cut) {
  LoginThrottle throttle;
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(guess(throttle, "a", std::string(100'000, 'x') + std::to_string(i), begin).refused);
  }
  EXPECT_TRUE(guess(throttle, "a", std::string(100'000, 'x'), begin).refused);
}

}  // namespace
}  // namespace paika::server
