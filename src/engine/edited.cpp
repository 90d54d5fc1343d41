#include "engine/edited.hpp"

#include <optional>

#include "base/text.hpp"

namespace paika {

namespace {

std::optional<Cell> cell_for(const Notation& notation, Square square, char sign) {
  const Cell empty = notation.empty_cell(square);
  if (sign == '.' || sign == '-' || sign == notation.glyph(empty)) return empty;
  for (const Cell& piece : notation.all_pieces()) {
    if (notation.glyph(piece) == sign) return piece;
  }
  return std::nullopt;
}

}  // namespace

Result<Board> edited_board(const Notation& notation, std::span<const std::string> rows, Player to_move) {
  Board board = notation.initial();
  board.to_move = to_move;
  const auto height = static_cast<std::size_t>(board.cells.rows());
  const auto width = static_cast<std::size_t>(board.cells.cols());
  if (rows.size() != height) return fail("the board has {} rows, not {}", height, rows.size());
  for (std::size_t row = 0; row < height; ++row) {
    if (rows[row].size() != width) return fail("row {} has {} squares, not {}", row + 1, rows[row].size(), width);
    for (std::size_t col = 0; col < width; ++col) {
      const Square square{static_cast<int>(col), static_cast<int>(row)};
      const auto cell = cell_for(notation, square, rows[row][col]);
      if (!cell) {
        return fail("{}: there is no piece {}", notation.coordinates().name(square),
                    in_quotes(rows[row].substr(col, 1)));
      }
      board.cells[square] = *cell;
    }
  }
  // The text's reader is the judge of what can be.
  return notation.parse_position(notation.position_text(board));
}

}  // namespace paika
