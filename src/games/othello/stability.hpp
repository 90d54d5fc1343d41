// Stable pawns: those that can never be turned over again, whatever is played. A lower bound of their
// number limits the score of the other side, which ends many searches early.
//
// For boards of one word. A pawn counts as stable if in each of the four lines through it the line
// is full, or the next square one way is off the board or holds a stable pawn of the same colour; on
// the edges a table knows the truth of the edge alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace paika::othello {

class Stability {
 public:
  /// Requires an even size of 6 or 8.
  explicit Stability(int size);

  /// How many pawns of `own` are certainly stable; the truth may be more.
  [[nodiscard]] int count(std::uint64_t own, std::uint64_t opponent) const noexcept;

 private:
  struct LineSet {
    std::array<std::uint64_t, 16> lines{};
    std::size_t count = 0;
  };

  [[nodiscard]] std::uint64_t stable_on_edges(std::uint64_t own, std::uint64_t opponent) const noexcept;
  [[nodiscard]] static std::uint64_t in_full_lines(std::uint64_t taken, const LineSet& lines) noexcept;

  unsigned size_;
  std::uint64_t rim_;
  std::uint64_t top_;
  std::uint64_t bottom_;
  std::uint64_t left_;
  std::uint64_t right_;
  LineSet rows_;
  LineSet columns_;
  LineSet rising_;   // lines whose neighbours are size-1 apart
  LineSet falling_;  // … size+1 apart
  // By the state of an edge in base 3 (gather.hpp): the own pawns on it that no play along the edge turns.
  std::array<std::uint8_t, 6561> edges_{};
  std::array<std::uint64_t, 256> spread_{};  // the bits of a byte down the left column
};

}  // namespace paika::othello
