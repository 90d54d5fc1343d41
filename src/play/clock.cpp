#include "play/clock.hpp"

#include <algorithm>

namespace paika::play {

Now steady_now() {
  return [] { return std::chrono::steady_clock::now(); };
}

std::optional<Microseconds> TimeLeft::least() const {
  if (turn && game) return std::min(*turn, *game);
  return turn ? turn : game;
}

TimeLeft time_left(const SearchLimits& limits, std::span<const Microseconds> times) {
  TimeLeft left;
  if (limits.move_time) left.turn = *limits.move_time;
  if (!limits.clock) return left;
  left.game = limits.clock->left;
  // A turn within the margin of a player may have taken more than there was: it cannot owe time.
  for (const Microseconds time : times) {
    left.game = std::max(*left.game - time, Microseconds(0)) + Microseconds(limits.clock->increment);
  }
  return left;
}

TimeLeft less(TimeLeft left, Microseconds used) {
  if (left.turn) *left.turn -= used;
  if (left.game) *left.game -= used;
  return left;
}

}  // namespace paika::play
