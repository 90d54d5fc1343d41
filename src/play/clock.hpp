// Clocks of a game in progress: what is left follows from the limits and the times of the turns that stand.
//
// Nothing ticks here. Taking turns back therefore turns the clocks back too, and a record that keeps the
// times of its turns keeps the clocks.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>

#include "search/types.hpp"

namespace paika::play {

using Microseconds = std::chrono::microseconds;
using TimePoint = std::chrono::steady_clock::time_point;

/// Where time comes from; may be called by several threads. Tests put in their own.
using Now = std::function<TimePoint()>;
[[nodiscard]] Now steady_now();

/// What a player has left; nothing where there is no such limit. Below zero once it was overstepped.
struct TimeLeft {
  std::optional<Microseconds> turn;  // of the limit for one turn
  std::optional<Microseconds> game;  // of the clock for the whole game

  /// The one that runs out first.
  [[nodiscard]] std::optional<Microseconds> least() const;
  friend bool operator==(const TimeLeft&, const TimeLeft&) = default;
};

/// What is left when a turn begins, after turns that took `times`.
[[nodiscard]] TimeLeft time_left(const SearchLimits& limits, std::span<const Microseconds> times);
/// The same when the turn has taken `used` already.
[[nodiscard]] TimeLeft less(TimeLeft left, Microseconds used);

}  // namespace paika::play
