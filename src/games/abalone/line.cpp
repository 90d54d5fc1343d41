#include "games/abalone/line.hpp"

namespace paika::abalone {

namespace {

bool stands(const Board& board, Player player, Square s) {
  return board.cells.contains(s) && board.cells[s].belongs_to(player);
}

}  // namespace

Line line_of(const Board& board, Player mover, Square from, Direction direction) {
  Line line{.from = from, .direction = direction};
  while (stands(board, mover, line.at(line.own))) ++line.own;
  while (stands(board, other(mover), line.at(line.size()))) ++line.pushed;
  const Square after = line.at(line.size());
  if (!board.cells.contains(after)) {
    line.end = LineEnd::edge;
  } else if (board.cells[after].owner != Owner::nobody) {
    line.end = LineEnd::blocked;
  }
  return line;
}

std::optional<Line> push_onto(const Board& board, Player pusher, Square target) {
  for (const Direction direction : all_directions) {
    Square s = target;
    while (stands(board, other(pusher), s)) s = step(s, opposite(direction));
    for (; stands(board, pusher, s); s = step(s, opposite(direction))) {
      const Line line = line_of(board, pusher, s, direction);
      if (line.can_move()) return line;
    }
  }
  return std::nullopt;
}

}  // namespace paika::abalone
