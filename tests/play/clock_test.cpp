// What a player has left: of a limit for one turn, of a clock for the game, and of both.
#include "play/clock.hpp"

#include <array>
#include <gtest/gtest.h>

namespace paika::play {
namespace {

using namespace std::chrono_literals;

SearchLimits limits(std::optional<Milliseconds> turn, std::optional<GameClock> clock) {
  SearchLimits limits;
  limits.move_time = turn;
  limits.clock = clock;
  return limits;
}

TEST(TimeLeft, the_least_is_what_runs_out_first) {
  EXPECT_EQ(TimeLeft().least(), std::nullopt);
  EXPECT_EQ((TimeLeft{2s, std::nullopt}.least()), Microseconds(2s));
  EXPECT_EQ((TimeLeft{std::nullopt, 3s}.least()), Microseconds(3s));
  EXPECT_EQ((TimeLeft{2s, 3s}.least()), Microseconds(2s));
  EXPECT_EQ((TimeLeft{3s, 2s}.least()), Microseconds(2s));
  EXPECT_EQ((TimeLeft{-1us, 2s}.least()), Microseconds(-1));
}

TEST(TimeLeft, a_turn_has_its_limit_anew_and_the_clock_runs_down) {
  const std::array<Microseconds, 2> times = {1500ms, 2500ms};
  EXPECT_EQ(time_left(limits(3s, std::nullopt), times), (TimeLeft{3s, std::nullopt}));
  EXPECT_EQ(time_left(limits(std::nullopt, GameClock{10s, 1s}), times), (TimeLeft{std::nullopt, 8s}));
  EXPECT_EQ(time_left(limits(3s, GameClock{10s, 0s}), times), (TimeLeft{3s, 6s}));
  EXPECT_EQ(time_left(limits(std::nullopt, std::nullopt), times), TimeLeft());
}

TEST(TimeLeft, a_turn_that_took_more_than_there_was_owes_nothing) {
  const std::array<Microseconds, 1> times = {11s};
  EXPECT_EQ(time_left(limits(std::nullopt, GameClock{10s, 2s}), times).game, Microseconds(2s));
}

TEST(TimeLeft, what_was_used_is_taken_from_both) {
  EXPECT_EQ(less({3s, 5s}, 4s), (TimeLeft{-1s, 1s}));
  EXPECT_EQ(less({std::nullopt, 5s}, 5s), (TimeLeft{std::nullopt, 0s}));
}

}  // namespace
}  // namespace paika::play
