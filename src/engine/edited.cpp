#include "engine/edited.hpp"

#include <optional>

#include "base/text.hpp"

namespace paika {

namespace {

std::optional<Cell> cell_for(const GameFace& face, Square square, char sign) {
  const Cell empty = face.empty_cell(square);
  if (sign == '.' || sign == '-' || sign == face.glyph(empty)) return empty;
  for (const Cell& piece : face.all_pieces()) {
    if (face.glyph(piece) == sign) return piece;
  }
  return std::nullopt;
}

}  // namespace

Result<Board> edited_board(const GameFace& face, std::span<const std::string> rows, Player to_move) {
  Board board = face.initial();
  board.to_move = to_move;
  const auto height = static_cast<std::size_t>(board.cells.rows());
  const auto width = static_cast<std::size_t>(board.cells.cols());
  if (rows.size() != height) return fail("the board has {} rows, not {}", height, rows.size());
  for (std::size_t row = 0; row < height; ++row) {
    if (rows[row].size() != width) return fail("row {} has {} squares, not {}", row + 1, rows[row].size(), width);
    for (std::size_t col = 0; col < width; ++col) {
      const Square square{static_cast<int>(col), static_cast<int>(row)};
      const auto cell = cell_for(face, square, rows[row][col]);
      if (!cell) {
        return fail("{}: there is no piece {}", face.coordinates().name(square), in_quotes(rows[row].substr(col, 1)));
      }
      board.cells[square] = *cell;
    }
  }
  // The text's reader is the judge of what can be.
  return face.parse_position(face.position_text(board));
}

}  // namespace paika
