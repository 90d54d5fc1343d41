// EndingMoves: the placings of a position in an ending, scored and given out best first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace paika::othello {

/// A placing with what comes of it.
struct EndingMove {
  std::uint64_t own = 0;       // after the placing: the words of the side then to move …
  std::uint64_t opponent = 0;  // … and of the one that placed
  std::uint64_t key = 0;       // of that position; 0 if not worked out
  int worth = 0;
  std::uint8_t square = 0;
};

/// A list of fixed capacity: no position has more placings than empty squares.
class EndingMoves {
 public:
  void add(const EndingMove& move) noexcept { moves_[count_++] = move; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] EndingMove& operator[](std::size_t i) noexcept { return moves_[i]; }
  [[nodiscard]] EndingMove* begin() noexcept { return moves_.data(); }
  [[nodiscard]] EndingMove* end() noexcept { return moves_.data() + count_; }

  /// Brings the one with the most worth among those from `i` on to place i, and returns it.
  EndingMove& pick(std::size_t i) noexcept {
    std::size_t best = i;
    for (std::size_t j = i + 1; j < count_; ++j) {
      if (moves_[j].worth > moves_[best].worth) best = j;
    }
    std::swap(moves_[i], moves_[best]);
    return moves_[i];
  }

 private:
  std::array<EndingMove, 34> moves_;
  std::size_t count_ = 0;
};

}  // namespace paika::othello
