// BoardLook: what a game's boards and pieces look like, described once for pictures, the terminal and the web page.
#pragma once

#include <array>
#include <string_view>

namespace paika {

/// What the ground of a board is made of.
enum class Ground : unsigned char {
  points,    // points and lines between them
  hollows,   // a hollow a square, for marbles
  grid,      // squares between lines
  chequered  // squares of two shades
};

/// What pieces are like.
enum class PieceShape : unsigned char {
  stone,  // round and flat
  marble,
  disc,   // with a face of either colour
  figure  // with a letter, and a front
};

struct BoardLook {
  Ground ground = Ground::chequered;
  PieceShape pieces = PieceShape::figure;
  /// Pieces taken leave the board, so that it is worth showing which each side has lost.
  bool pieces_leave = true;
  /// Where a screen has no signs of its own for pieces: the letters of the first player's and the second's; empty:
  /// those of texts.
  std::array<std::string_view, 2> letters{};
  /// Players are called by those letters as well as by their names.
  bool called_by_letter = false;
};

/// "points", "hollows", "grid", "chequered".
[[nodiscard]] std::string_view name(Ground ground) noexcept;
/// "stone", "marble", "disc", "figure".
[[nodiscard]] std::string_view name(PieceShape shape) noexcept;

}  // namespace paika
