// FittedDepth: how deep a program is told to search that knows depths only, so that it keeps to a time.
//
// A ply more takes about twice as long. What the last turn took says how deep the next may be; a turn that took no
// time at all came from a book and says nothing. In the second half of a game programs turn to solving the ending,
// where a short time promises nothing for the next game: there the depth only falls, and is forgotten afterwards.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

namespace paika::protocols {

class FittedDepth {
 public:
  using Time = std::chrono::duration<double>;

  static constexpr int min_depth = 1;
  static constexpr int max_depth = 40;

  void start_game() { depth_ = early_depth_; }

  /// The depth for a turn that should take `target`; `early`: in the first half of a game.
  [[nodiscard]] int for_turn(Time target, bool early) {
    depth_ = std::clamp(depth_ == 0 ? guess(target) : depth_ + step(target, early), min_depth, max_depth);
    if (early) early_depth_ = depth_;
    return depth_;
  }

  /// What the turn took for which the depth was asked last.
  void took(Time time) { last_ = time; }

 private:
  static int guess(Time target) { return std::min(static_cast<int>(first_depth + std::log2(target / first_time)), 20); }

  /// Deeper in small steps, as the next turn may be harder than the last; shallower at once.
  [[nodiscard]] int step(Time target, bool early) const {
    if (last_ < from_a_book) return 0;
    return std::min(static_cast<int>(std::log2(target / last_)), early ? 2 : 0);
  }

  static constexpr double first_depth = 4;
  static constexpr Time first_time{0.002};  // what that depth is taken to need
  static constexpr Time from_a_book{0.001};

  int depth_ = 0;  // 0: not asked for yet
  int early_depth_ = 0;
  Time last_{0};
};

}  // namespace paika::protocols
