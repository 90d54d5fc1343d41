// EndingMoves: the placings of a position in an ending, scored and given out best first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace paika::othello {

/// A placing with what comes of it. Without initial values: clearing a list would take longer than filling it.
struct EndingMove {
  std::uint64_t own;       // after the placing: the words of the side then to move …
  std::uint64_t opponent;  // … and of the one that placed
  std::uint64_t key;       // of that position
  std::uint64_t replies;   // where the side then to move can place
  int worth;
  std::uint8_t square;
};

/// A list of fixed capacity: no position has more placings than empty squares.
class EndingMoves {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): see EndingMove
  EndingMoves() noexcept = default;

  void add(const EndingMove& move) noexcept { moves_[count_++] = move; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] EndingMove& operator[](std::size_t i) noexcept { return moves_[i]; }
  [[nodiscard]] EndingMove* begin() noexcept { return moves_.data(); }
  [[nodiscard]] EndingMove* end() noexcept { return moves_.data() + count_; }

  /// Whether one leads to the same position as `move`.
  [[nodiscard]] bool has(const EndingMove& move) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (moves_[i].own == move.own && moves_[i].opponent == move.opponent) return true;
    }
    return false;
  }
  /// Brings the one on `square` to place i; false if there is none.
  bool bring(std::uint8_t square, std::size_t i) noexcept {
    for (std::size_t j = i; j < count_; ++j) {
      if (moves_[j].square != square) continue;
      std::swap(moves_[i], moves_[j]);
      return true;
    }
    return false;
  }

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
