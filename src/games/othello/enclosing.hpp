// Enclosing on a plain grid: the heart of the rules (2.1) as the notation sees it.
//
// Everything here walks squares one by one. It shares nothing with the bitboards of rules.hpp, so
// that each of the two can be checked against the other.
#pragma once

#include <vector>

#include "rules/board.hpp"

namespace paika::othello {

/// An unbroken row of the opponent's pawns that starts next to a square, and what stops it.
struct Run {
  enum class End : unsigned char { own_pawn, empty, edge };

  std::vector<Square> pawns;  // nearest first; never empty
  End end = End::edge;
  Square behind{};  // the square after the last pawn; off the board if `end` is edge
};

/// The runs of opposing pawns around `square` as `player` sees them, clockwise from up.
[[nodiscard]] std::vector<Run> runs_around(const Grid<Cell>& cells, Square square, Player player);

/// The pawns that turn over when `player` places on `square` (2.1): nearest first, then clockwise
/// from up. Empty if the square is occupied or nothing is enclosed, that is, if he may not.
[[nodiscard]] std::vector<Square> enclosed(const Grid<Cell>& cells, Square square, Player player);

/// The squares on which `player` may place a pawn, row by row.
[[nodiscard]] std::vector<Square> placings(const Grid<Cell>& cells, Player player);

}  // namespace paika::othello
