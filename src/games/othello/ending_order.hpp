// EndingMoves: the placings of a position in an ending, played all at once, and given out best first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace paika::othello {

/// A list of fixed capacity: no position has more than 33 placings. Without initial values: clearing a list would take
/// longer than filling it.
class EndingMoves {
 public:
  static constexpr std::size_t capacity = 40;  // whole vectors are written
  using Words = std::array<std::uint64_t, capacity>;

  // What comes of each placing: the words of the side then to move and of the one that placed, where the former can
  // place, and the empty squares next to the latter's pawns, where it may be able to later.
  alignas(64) Words own;
  alignas(64) Words opponent;
  alignas(64) Words replies;
  alignas(64) Words frontier;
  alignas(64) std::array<std::uint8_t, 64> square;
  Words key;                        // of the position
  std::array<int, capacity> score;  // for the order, the best first

  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): see above
  EndingMoves() noexcept = default;

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  void set_size(std::size_t size) noexcept { size_ = size; }

  /// The one on `square`; size() if there is none.
  [[nodiscard]] std::size_t find(std::uint8_t wanted) const noexcept {
    std::size_t i = 0;
    while (i < size_ && square[i] != wanted) ++i;
    return i;
  }
  /// The score of one that has been tried.
  static constexpr int done = std::numeric_limits<int>::min();
  /// The one with the highest score.
  [[nodiscard, gnu::always_inline]] std::size_t pick() const noexcept {
    std::size_t best = 0;
    for (std::size_t i = 1; i < size_; ++i) {
      if (score[i] > score[best]) best = i;
    }
    return best;
  }
  /// Leaves those out that lead to the same position as an earlier one.
  void leave_out_repeated() noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      std::size_t same = 0;
      while (same < kept && (own[same] != own[i] || opponent[same] != opponent[i])) ++same;
      if (same < kept) continue;
      own[kept] = own[i];
      opponent[kept] = opponent[i];
      replies[kept] = replies[i];
      frontier[kept] = frontier[i];
      square[kept++] = square[i];
    }
    size_ = kept;
  }

 private:
  std::size_t size_ = 0;
};

/// Fills a list with the placings of `set`, each played in the position of `own`, who is to move, and `opponent`.
using PlayAll = void (*)(std::uint64_t own, std::uint64_t opponent, std::uint64_t set, EndingMoves& moves);

/// The fastest way on this machine, with vectors of at most so many lanes. Requires a size of 6 or 8.
[[nodiscard]] PlayAll best_play_all(int size, std::size_t max_lanes = 8);

}  // namespace paika::othello
