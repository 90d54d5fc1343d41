// Squares and directions of a rectangular board.
//
// One convention for all games: column 0 is the left column, row 0 is the TOP row, as a person sees
// the board and as a Grid stores it. How a game writes its squares is the business of Coordinates.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

namespace paika {

/// A place on a board: column from the left, row from the top, both from 0.
struct Square {
  int col = 0;
  int row = 0;
  friend constexpr bool operator==(const Square&, const Square&) = default;
};

/// The eight ways to a neighbour, clockwise from up.
enum class Direction : unsigned char { n, ne, e, se, s, sw, w, nw };

inline constexpr std::array<Direction, 8> all_directions = {Direction::n, Direction::ne, Direction::e, Direction::se,
                                                            Direction::s, Direction::sw, Direction::w, Direction::nw};

// One more than the step, in two bits a direction: a GPU would keep an array in slow memory.
[[nodiscard]] constexpr int col_step(Direction d) noexcept {
  constexpr unsigned steps = 0b00'00'00'01'10'10'10'01;
  return static_cast<int>(steps >> 2 * static_cast<unsigned>(d) & 3U) - 1;
}
[[nodiscard]] constexpr int row_step(Direction d) noexcept {
  constexpr unsigned steps = 0b00'01'10'10'10'01'00'00;
  return static_cast<int>(steps >> 2 * static_cast<unsigned>(d) & 3U) - 1;
}
[[nodiscard]] constexpr Direction opposite(Direction d) noexcept {
  return static_cast<Direction>((static_cast<unsigned>(d) + 4) & 7);
}
[[nodiscard]] constexpr bool is_diagonal(Direction d) noexcept { return (static_cast<unsigned>(d) & 1) != 0; }

/// The square `distance` steps from `s` in direction `d`; may lie off the board.
[[nodiscard]] constexpr Square step(Square s, Direction d, int distance = 1) noexcept {
  return {s.col + distance * col_step(d), s.row + distance * row_step(d)};
}

/// The direction in which `to` lies from `from`, at any distance along a straight or diagonal line;
/// nothing if it lies on none, or is the same square.
[[nodiscard]] constexpr std::optional<Direction> direction_to(Square from, Square to) noexcept {
  const int dc = to.col - from.col;
  const int dr = to.row - from.row;
  const int distance = std::max({dc, -dc, dr, -dr});
  for (const Direction d : all_directions) {
    if (distance > 0 && step(from, d, distance) == to) return d;
  }
  return std::nullopt;
}

/// True if the two squares touch, by side or corner, and differ.
[[nodiscard]] constexpr bool adjacent(Square a, Square b) noexcept {
  const int dc = a.col - b.col;
  const int dr = a.row - b.row;
  return dc >= -1 && dc <= 1 && dr >= -1 && dr <= 1 && !(dc == 0 && dr == 0);
}

}  // namespace paika
