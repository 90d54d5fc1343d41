// What the game is: names, start, symmetries, and how an ending is told.
#include "games/othello/notation.hpp"

#include <algorithm>

#include "games/othello/enclosing.hpp"

namespace paika::othello {

std::unique_ptr<Notation> make_notation(const Options& options) { return std::make_unique<OthelloNotation>(options); }

std::string_view OthelloNotation::player_name(Player player) const {
  return player == Player::first ? translatable("Black") : translatable("White");
}

char OthelloNotation::glyph(const Cell& cell) const {
  switch (cell.owner) {
    case Owner::first: return 'X';
    case Owner::second: return 'O';
    case Owner::nobody: break;
  }
  return '-';
}

Phrase OthelloNotation::kind_phrase(const Cell& /*cell*/) const { return phrase("pawn"); }

Phrase OthelloNotation::piece_phrase(const Cell& cell, Square square) const {
  return phrase("{}'s pawn on {}", player_phrase(*this, player_of(cell)), coordinates_.name(square));
}

Board OthelloNotation::initial() const {
  const int right = options_.size / 2;
  const int left = right - 1;
  Board board;
  board.cells = Grid<Cell>(options_.size, options_.size);
  // 1.2: e4 and d5 Black, d4 and e5 White, and alike about the centre of other sizes.
  board.cells[{right, left}] = board.cells[{left, right}] = piece_of(Player::first);
  board.cells[{left, left}] = board.cells[{right, right}] = piece_of(Player::second);
  board.to_move = Player::first;  // 1.3
  return board;
}

std::vector<Symmetry> OthelloNotation::symmetries() const {
  // The start keeps only half of the maps, but the rules keep all: enclosing knows no direction and
  // no colour.
  return all_symmetries(options_.size, options_.size);
}

Ending OthelloNotation::ending(const Board& board, const Outcome& outcome) const {
  const int black = count_pieces(board, Player::first);
  const int white = count_pieces(board, Player::second);
  const int most = std::max(black, white);
  const int least = std::min(black, white);
  const Phrase result = outcome.verdict == Verdict::draw
                            ? phrase("Draw, {} to {}", most, least)
                            : phrase("{} wins {} to {}", player_phrase(*this, outcome.winner()), most, least);
  switch (outcome.reason) {
    case EndReason::eliminated:
      return {phrase("{}: {} has no pawn left", result, player_phrase(*this, other(outcome.winner()))), "3.1"};
    case EndReason::board_full: return {phrase("{}: the board is full", result), "3.1"};
    default: return {phrase("{}: neither side can place a pawn", result), "3.1"};
  }
}

}  // namespace paika::othello
