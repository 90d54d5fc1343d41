// How long a search may take, and when it begins no further depth. Nothing here looks at a clock: times are handed in.
#pragma once

#include <array>

#include "search/types.hpp"

namespace paika {

/// `soft`: begin no new depth after about this, sooner or later by what the search finds (DepthPolicy); `hard`: stop in
/// the middle; `solving`: the same while the ending is solved, after which the rest of the game costs nothing; `grace`
/// after that the search is not waited for any more.
struct TimePlan {
  Milliseconds soft{Milliseconds::max()};
  Milliseconds hard{Milliseconds::max()};
  Milliseconds solving{Milliseconds::max()};
  Milliseconds grace{0};

  [[nodiscard]] bool limited() const { return hard != Milliseconds::max(); }
};

/// Shares out the time. `turns_left`: about how many more turns the player will have to make; `lag`: how
/// much later than it wanted the machine has let the player go on before.
[[nodiscard]] TimePlan plan_time(const SearchLimits& limits, int turns_left, Milliseconds lag = {});

/// How much of the soft limit a search is worth, by how its depths went: little if the best turn stays the same, more
/// if it changed lately, and still more if the score falls, since a better turn may be found then.
class DepthPolicy {
 public:
  /// After each depth. `score` is in hundredths of a piece.
  void completed(bool same_best, int score) noexcept;
  /// A factor for the soft limit.
  [[nodiscard]] double patience() const noexcept;
  /// True if no further depth should begin.
  [[nodiscard]] bool enough(const TimePlan& plan, Milliseconds elapsed) const noexcept;

 private:
  /// By how much the score fell, over pairs of depths: from one depth to the next it swings.
  [[nodiscard]] double fall() const noexcept;

  double changes_ = 0;           // of the best turn; older ones count half as much with each depth
  std::array<int, 4> scores_{};  // of the last depths, the latest first
  int depths_ = 0;
};

}  // namespace paika
