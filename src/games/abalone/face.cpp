// The game at large: names, the start, symmetries and endings.
#include "games/abalone/face.hpp"

namespace paika::abalone {

Face::Face(const Options& options)
    : options_(options), coordinates_(options.cols, options.rows, Coordinates::RowsFrom::bottom) {}

std::string Face::spec() const { return canonical_spec(options_); }

std::string_view Face::player_name(Player player) const { return player == Player::first ? "Black" : "White"; }

char Face::glyph(const Cell& cell) const {
  switch (cell.owner) {
    case Owner::first: return 'b';
    case Owner::second: return 'w';
    case Owner::nobody: break;
  }
  return '-';
}

Board Face::initial() const {
  const int bottom = options_.rows - 1;
  const int right = options_.cols - 1;
  Board board;
  board.cells = Grid<Cell>(options_.cols, options_.rows);
  // 1.2: the corners at the top left and the bottom right belong to nobody.
  board.cells.for_each_square([&](Square s) {
    const bool black = s.col == 0 || s.row == bottom;
    const bool white = s.col == right || s.row == 0;
    if (black && !white) board.cells[s] = piece_of(Player::first);
    if (white && !black) board.cells[s] = piece_of(Player::second);
  });
  return board;
}

std::vector<Symmetry> Face::symmetries() const {
  // Section 2 treats all directions and both colours alike, so every map of the board will do.
  return all_symmetries(options_.cols, options_.rows);
}

Ending Face::ending(const Board& board, const Outcome& outcome) const {
  if (outcome.verdict == Verdict::draw) return {"Draw: the position occurred for the third time", "3.3"};
  const Player winner = outcome.winner();
  const std::string_view won = player_name(winner);
  const std::string clause = options_.misere ? "4.1" : outcome.reason == EndReason::captures ? "3.1" : "3.2";
  if (outcome.reason == EndReason::captures) {
    const Player captor = options_.misere ? other(winner) : winner;
    return {fmt::format("{} wins: {} made {} capture{}{}", won, player_name(captor), options_.captures,
                        options_.captures == 1 ? "" : "s", options_.misere ? " and so loses" : ""),
            clause};
  }
  return {fmt::format("{} wins: {} is trapped, no move is legal", won, player_name(board.to_move)), clause};
}

std::unique_ptr<GameFace> make_face(const Options& options) { return std::make_unique<Face>(options); }

}  // namespace paika::abalone
