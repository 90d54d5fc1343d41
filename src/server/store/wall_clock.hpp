// WallClock: the time of day for decisions about age, which must not follow a clock that jumps.
//
// The system's time of day can be set: by a person, by a radio signal that was misread, by a machine that wakes up. For
// a second it may then be a hundred days later, and everything would seem old. The monotonic clock cannot jump, but
// does not know the day. So the time of day is believed as long as it moves as the monotonic clock does.
#pragma once

#include <chrono>
#include <optional>

#include "server/store/store.hpp"

namespace paika::server {

/// To be used by one thread at a time.
class WallClock {
 public:
  using Steady = std::chrono::steady_clock::time_point;

  /// How far the clocks may move apart, and how long they must have agreed before a jump is believed.
  static constexpr std::chrono::milliseconds tolerance = std::chrono::minutes(1);
  static constexpr std::chrono::milliseconds patience = std::chrono::hours(1);

  /// The time, of what both clocks show now. After a jump it goes on as if there had been none, until the clock has
  /// shown the new time for an hour.
  WallTime now(WallTime wall, Steady steady);
  /// True if the clocks have agreed for an hour, as of the last call of now(): only then is anything deleted for its
  /// age.
  [[nodiscard]] bool is_settled() const noexcept { return settled_; }

 private:
  /// What both clocks showed at a moment, and since when they have agreed with it.
  struct Anchor {
    WallTime wall = 0;
    Steady steady;
    Steady since;
    [[nodiscard]] WallTime at(Steady later) const;
    [[nodiscard]] bool agrees(WallTime wall_then, Steady steady_then) const;
    void follow(WallTime wall_then, Steady steady_then);
  };

  std::optional<Anchor> believed_;
  std::optional<Anchor> other_;  // what the clock shows after a jump
  bool settled_ = false;
};

/// True if the time of wall_now() has not jumped for an hour. From any thread.
[[nodiscard]] bool wall_is_settled();

}  // namespace paika::server
