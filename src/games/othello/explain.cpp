// Why a turn is refused, and what a legal one does.
#include "games/othello/enclosing.hpp"
#include "games/othello/notation.hpp"

namespace paika::othello {

namespace {

/// "b3 ends at the empty d3" or "b3-c3 ends at the edge": why a run is not enclosed.
Phrase open_run(const Coordinates& names, const Run& run) {
  std::string text = names.name(run.pawns.front());
  if (run.pawns.size() > 1) text += fmt::format("-{}", names.name(run.pawns.back()));
  return run.end == Run::End::empty ? phrase("{} ends at the empty {}", text, names.name(run.behind))
                                    : phrase("{} ends at the edge of the board", text);
}

}  // namespace

Refusal OthelloNotation::nothing_enclosed(const Board& board, Square square) const {
  const std::string at = coordinates_.name(square);
  const bool black = board.to_move == Player::first;
  const auto runs = runs_around(board.cells, square, board.to_move);
  if (runs.empty()) {
    return {black ? phrase("{} encloses nothing: no white pawn is next to it", at)
                  : phrase("{} encloses nothing: no black pawn is next to it", at),
            "2.1",
            {square}};
  }
  Refusal refusal;
  refusal.clause = "2.1";
  refusal.squares = {square};
  std::vector<Phrase> reasons;
  for (const Run& run : runs) {
    reasons.push_back(open_run(coordinates_, run));
    refusal.squares.insert(refusal.squares.end(), run.pawns.begin(), run.pawns.end());
  }
  const Phrase why = and_list(std::move(reasons));
  refusal.message =
      black ? phrase("{} encloses nothing: no run of white pawns from it ends at a black pawn ({})", at, why)
            : phrase("{} encloses nothing: no run of black pawns from it ends at a white pawn ({})", at, why);
  return refusal;
}

std::optional<Refusal> OthelloNotation::refuse_placing(const Board& board, Square square) const {
  if (!board.cells.contains(square)) {
    return Refusal{phrase("the square is off the board: the squares are {}", coordinates_.range()), "1.1", {}};
  }
  if (!enclosed(board.cells, square, board.to_move).empty()) return std::nullopt;
  const Phrase player = player_phrase(*this, board.to_move);
  if (placings(board.cells, board.to_move).empty()) {
    return Refusal{phrase("{} cannot place a pawn anywhere and must pass", player), "2.2", {}};
  }
  if (const Cell cell = board.cells[square]; cell.owner != Owner::nobody) {
    const std::string name = coordinates_.name(square);
    return Refusal{cell.belongs_to(Player::first) ? phrase("{} is occupied by a black pawn", name)
                                                  : phrase("{} is occupied by a white pawn", name),
                   "2.1",
                   {square}};
  }
  return nothing_enclosed(board, square);
}

std::optional<Refusal> OthelloNotation::refuse_pass(const Board& board) const {
  const auto squares = placings(board.cells, board.to_move);
  const Phrase player = player_phrase(*this, board.to_move);
  if (!squares.empty()) {
    const std::string first = coordinates_.name(squares.front());
    return Refusal{squares.size() == 1 ? phrase("{} may not pass: a pawn can be placed on {}", player, first)
                                       : phrase("{} may not pass: a pawn can be placed on {} (one of {} squares)",
                                                player, first, squares.size()),
                   "2.2", squares};
  }
  if (placings(board.cells, other(board.to_move)).empty()) {
    return Refusal{phrase("the game is over: neither side can place a pawn"), "3.1", {}};
  }
  return std::nullopt;
}

std::optional<Refusal> OthelloNotation::refuse(const Board& board, const Turn& turn) const {
  if (turn.size() == 1 && squares_fit_kinds(turn)) {
    if (turn[0].kind == StepKind::place) return refuse_placing(board, turn[0].square);
    if (turn[0].kind == StepKind::pass) return refuse_pass(board);
  }
  return Refusal{phrase("a move is one pawn placed on a square, or a pass"), "2.1", {}};
}

std::vector<Effect> OthelloNotation::effects(const Board& board, const Turn& turn) const {
  Effect effect;
  if (turn[0].kind == StepKind::pass) {
    effect.kind = EffectKind::passed;
    effect.clause = "2.2";
    return {effect};
  }
  const Square square = turn[0].square;
  effect.kind = EffectKind::placed;
  effect.to = square;
  effect.piece = piece_of(board.to_move);
  effect.clause = "2.1";
  std::vector<Effect> list = {effect};
  effect.kind = EffectKind::flipped;
  effect.stage = 1;  // 2.1: all at once
  effect.cause = square;
  for (const Square pawn : enclosed(board.cells, square, board.to_move)) {
    effect.to = pawn;
    list.push_back(effect);
  }
  return list;
}

}  // namespace paika::othello
