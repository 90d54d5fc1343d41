// The game at large: names, the start, symmetries and endings.
#include "games/abalone/notation.hpp"

namespace paika::abalone {

AbaloneNotation::AbaloneNotation(const Options& options)
    : options_(options), coordinates_(options.cols, options.rows, Coordinates::RowsFrom::bottom) {}

std::string AbaloneNotation::spec() const { return canonical_spec(options_); }

std::string_view AbaloneNotation::player_name(Player player) const {
  return player == Player::first ? translatable("Black") : translatable("White");
}

char AbaloneNotation::glyph(const Cell& cell) const {
  switch (cell.owner) {
    case Owner::first: return 'b';
    case Owner::second: return 'w';
    case Owner::nobody: break;
  }
  return '-';
}

Phrase AbaloneNotation::kind_phrase(const Cell& /*cell*/) const { return phrase("piece"); }

Phrase AbaloneNotation::piece_phrase(const Cell& cell, Square square) const {
  return phrase("{}'s piece on {}", player(player_of(cell)), coordinates_.name(square));
}

Board AbaloneNotation::initial() const {
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

std::vector<Symmetry> AbaloneNotation::symmetries() const {
  // Section 2 treats all directions and both colours alike, so every map of the board will do.
  return all_symmetries(options_.cols, options_.rows);
}

Phrase AbaloneNotation::captures_sentence(Player winner) const {
  const int made = options_.captures;
  const Phrase won = player(winner);
  const Phrase lost = player(other(winner));
  if (options_.misere && made == 1) return phrase("{} wins: {} made {} capture and so loses", won, lost, made);
  if (options_.misere) return phrase("{} wins: {} made {} captures and so loses", won, lost, made);
  if (made == 1) return phrase("{} wins: {} made {} capture", won, won, made);
  return phrase("{} wins: {} made {} captures", won, won, made);
}

Ending AbaloneNotation::ending(const Board& board, const Outcome& outcome) const {
  if (outcome.verdict == Verdict::draw) return {phrase("Draw: the position occurred for the third time"), "3.3"};
  const Player winner = outcome.winner();
  const Phrase won = player(winner);
  const std::string clause = options_.misere ? "4.1" : outcome.reason == EndReason::captures ? "3.1" : "3.2";
  if (outcome.reason == EndReason::captures) {
    return {captures_sentence(winner), clause};
  }
  return {phrase("{} wins: {} is trapped and has no legal move", won, player(board.to_move)), clause};
}

std::unique_ptr<Notation> make_notation(const Options& options) { return std::make_unique<AbaloneNotation>(options); }

// ---- What a move does: the whole line moves at once, and at the edge the last piece is captured ----

std::vector<Effect> AbaloneNotation::effects(const Board& board, const Turn& turn) const {
  const Square from = turn[0].square;
  const Line line = line_of(board, board.to_move, from, *direction_to(from, turn[1].square));
  std::vector<Effect> out;
  for (int i = 0; i < line.size(); ++i) {
    const bool own = i < line.own;
    Effect effect;
    effect.kind = own ? EffectKind::moved : EffectKind::pushed;
    effect.from = line.at(i);
    effect.to = line.at(i + 1);
    effect.piece = board.cells[line.at(i)];
    effect.clause = own ? "2.1" : "2.4";
    if (i > 0) effect.cause = from;
    out.push_back(effect);
  }
  if (line.captures()) {
    out.back().kind = EffectKind::captured;
    out.back().to.reset();
  }
  return out;
}

}  // namespace paika::abalone
