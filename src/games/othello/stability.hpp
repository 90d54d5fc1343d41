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
  // The four kinds of line, by how far neighbours are apart: 1, size-1, size and size+1.
  using Lanes [[gnu::vector_size(32)]] = std::uint64_t;
  /// The same where it crosses a call: how vectors do depends on the processor compiled for.
  struct FullLines {
    std::uint64_t row, rising, column, falling;
  };
  struct Spread {
    Lanes by;
    Lanes up;    // what can be reached towards higher indices …
    Lanes down;  // … and lower ones
  };

  [[nodiscard]] std::uint64_t stable_on_edges(std::uint64_t own, std::uint64_t opponent) const noexcept;
  /// For each kind of line, the squares whose line is full.
  [[nodiscard]] FullLines full_lines(std::uint64_t taken) const noexcept;

  std::array<Spread, 3> spreads_{};
  std::uint64_t rim_;
  std::uint64_t top_;
  std::uint64_t bottom_;
  std::uint64_t left_;
  std::uint64_t right_;
  std::uint64_t all_ = 0;
  std::array<std::uint64_t, 256> spread_{};  // the bits of a byte down the left column
  unsigned size_;
  // By the state of an edge in base 3 (gather.hpp): the own pawns on it that no play along the edge turns.
  std::array<std::uint8_t, 6561> edges_{};
};

}  // namespace paika::othello
