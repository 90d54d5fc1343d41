// SetLines: where pawns can be placed and what turns over (2.1), on bitboards of any size.
//
// Plain shifts and walks over Bits<W>, correct on every machine. Boards of one word have a faster
// twin with the same members, WordLines in word_lines.hpp, where the machine allows it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "board/shape.hpp"

namespace paika::othello {

template <class Shape>
class SetLines {
 public:
  using Set = typename Shape::Set;

  explicit constexpr SetLines(Shape shape) noexcept : shape_(shape) {
    for (int i = 0; i < shape_.size(); ++i) {
      for (const Direction d : all_directions) room_[at(i)][static_cast<std::size_t>(d)] = room(shape_.square(i), d);
    }
  }

  /// The empty squares where a pawn of `own` encloses pawns of `opponent`.
  [[nodiscard]] constexpr Set placings(const Set& own, const Set& opponent) const noexcept {
    // An enclosed pawn has a neighbour on both sides in its line, so it is never in the outer
    // columns, except in a vertical line. Leaving those out keeps shifts from wrapping round.
    const Set inner = opponent & ~(shape_.left() | shape_.right());
    const int cols = shape_.cols();
    const Set reached = beyond_runs(own, inner, 1) | beyond_runs(own, opponent, cols) |
                        beyond_runs(own, inner, cols - 1) | beyond_runs(own, inner, cols + 1);
    return reached & shape_.all() & ~(own | opponent);
  }

  /// The pawns of `opponent` that turn over when a pawn of `own` is placed on `square`.
  [[nodiscard]] constexpr Set flips(int square, const Set& own, const Set& opponent) const noexcept {
    Set flipped;
    for (const Direction d : all_directions) {
      const int by = shape_.delta(d);
      const int end = square + by * room_[at(square)][static_cast<std::size_t>(d)];
      int i = square;
      while (i != end && opponent.test(i + by)) i += by;
      if (i == square || i == end || !own.test(i + by)) continue;
      for (; i != square; i -= by) flipped.set(i);
    }
    return flipped;
  }

 private:
  /// The squares right behind unbroken runs of `opponent` that start next to `own`, in the line
  /// whose neighbours are `by` indices apart, both ways.
  [[nodiscard, gnu::always_inline]] static constexpr Set beyond_runs(const Set& own, const Set& opponent,
                                                                     int by) noexcept {
    Set up = (own << by) & opponent;
    Set down = (own >> by) & opponent;
    Set reached;
    while ((up | down).any()) {
      up = up << by;
      down = down >> by;
      reached |= up | down;
      up &= opponent;
      down &= opponent;
    }
    return reached;
  }

  /// How many steps in direction `d` stay on the board.
  [[nodiscard]] constexpr std::uint8_t room(Square s, Direction d) const noexcept {
    int steps = 0;
    while (shape_.contains(step(s, d, steps + 1))) ++steps;
    return static_cast<std::uint8_t>(steps);
  }

  static constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }

  Shape shape_;
  std::array<std::array<std::uint8_t, 8>, Shape::max_size> room_{};
};

}  // namespace paika::othello
