#include "games/fanorona/plain.hpp"

namespace paika::fanorona {

bool is_strong(const Grid<Cell>& cells, Square s) noexcept {
  return (s.col + s.row) % 2 == (cells.cols() / 2 + cells.rows() / 2) % 2;
}

bool joined(const Grid<Cell>& cells, Square a, Square b) noexcept {
  return a.col == b.col || a.row == b.row || is_strong(cells, a);
}

Square run_start(Square from, Square to, StepKind how) noexcept {
  const Direction d = *direction_to(from, to);
  return how == StepKind::approach ? step(to, d) : step(from, opposite(d));
}

std::vector<Square> taken_by(const Board& board, Square from, Square to, StepKind how) {
  const Direction ahead = *direction_to(from, to);
  const Direction along = how == StepKind::approach ? ahead : opposite(ahead);
  std::vector<Square> taken;
  for (Square s = run_start(from, to, how); board.cells.contains(s) && board.cells[s].belongs_to(other(board.to_move));
       s = step(s, along)) {
    taken.push_back(s);
  }
  return taken;
}

std::optional<CapturingStep> capture_from(const Board& board, Square from) {
  for (const Direction d : all_directions) {
    const Square to = step(from, d);
    if (!board.cells.contains(to) || board.cells[to] != Cell{} || !joined(board.cells, from, to)) continue;
    for (const StepKind how : {StepKind::approach, StepKind::withdraw}) {
      auto taken = taken_by(board, from, to, how);
      if (!taken.empty()) return CapturingStep{from, to, how, std::move(taken)};
    }
  }
  return std::nullopt;
}

std::optional<CapturingStep> any_capture(const Board& board) {
  std::optional<CapturingStep> found;
  board.cells.for_each_square([&](Square s) {
    if (!found && board.cells[s].belongs_to(board.to_move)) found = capture_from(board, s);
  });
  return found;
}

}  // namespace paika::fanorona
