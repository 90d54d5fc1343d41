#include "rules/board.hpp"

namespace paika {

int count_pieces(const Board& board, Player player) {
  return count_cells(board, [player](const Cell& cell) { return cell.belongs_to(player); });
}

Board transformed(const Board& board, Symmetry symmetry) {
  const int cols = board.cells.cols();
  const int rows = board.cells.rows();
  const bool turned = exchanges_axes(symmetry.map);
  Board out = board;
  out.cells = Grid<Cell>(turned ? rows : cols, turned ? cols : rows);
  board.cells.for_each_square([&](Square s) {
    Cell cell = board.cells[s];
    if (symmetry.swap_players) cell.owner = exchanged(cell.owner);
    out.cells[mapped(s, symmetry.map, cols, rows)] = cell;
  });
  if (symmetry.swap_players) out.to_move = other(board.to_move);
  return out;
}

}  // namespace paika
