// Why a turn is refused, and what a legal one does.
#include "base/text.hpp"
#include "games/othello/enclosing.hpp"
#include "games/othello/face.hpp"

namespace paika::othello {

namespace {

/// "a white pawn", for sentences.
std::string_view colour(Player player) { return player == Player::first ? "black" : "white"; }

/// "b3 ends at the empty d3" or "b3-c3 ends at the edge": why a run is not enclosed.
std::string open_run(const Coordinates& names, const Run& run) {
  std::string text = names.name(run.pawns.front());
  if (run.pawns.size() > 1) text += fmt::format("-{}", names.name(run.pawns.back()));
  return run.end == Run::End::empty ? fmt::format("{} ends at the empty {}", text, names.name(run.behind))
                                    : text + " ends at the edge of the board";
}

}  // namespace

Refusal Face::nothing_enclosed(const Board& board, Square square) const {
  const std::string at = coordinates_.name(square);
  const auto opponent = colour(other(board.to_move));
  const auto runs = runs_around(board.cells, square, board.to_move);
  if (runs.empty())
    return {fmt::format("{} encloses nothing: no {} pawn is next to it", at, opponent), "2.1", {square}};
  Refusal refusal;
  refusal.clause = "2.1";
  refusal.squares = {square};
  std::vector<std::string> reasons;
  for (const Run& run : runs) {
    reasons.push_back(open_run(coordinates_, run));
    refusal.squares.insert(refusal.squares.end(), run.pawns.begin(), run.pawns.end());
  }
  refusal.message = fmt::format("{} encloses nothing: no run of {} pawns from it ends at a {} pawn ({})", at, opponent,
                                colour(board.to_move), listed(reasons, "and"));
  return refusal;
}

std::optional<Refusal> Face::refuse_placing(const Board& board, Square square) const {
  if (!board.cells.contains(square)) {
    return Refusal{fmt::format("the square is off the board: the squares are {}", coordinates_.range()), "1.1", {}};
  }
  if (!enclosed(board.cells, square, board.to_move).empty()) return std::nullopt;
  const auto player = player_name(board.to_move);
  if (placings(board.cells, board.to_move).empty()) {
    return Refusal{fmt::format("{} can place no pawn anywhere and must pass", player), "2.2", {}};
  }
  if (const Cell cell = board.cells[square]; cell.owner != Owner::nobody) {
    return Refusal{
        fmt::format("{} is occupied: a {} pawn stands there", coordinates_.name(square), colour(player_of(cell))),
        "2.1",
        {square}};
  }
  return nothing_enclosed(board, square);
}

std::optional<Refusal> Face::refuse_pass(const Board& board) const {
  const auto squares = placings(board.cells, board.to_move);
  const auto player = player_name(board.to_move);
  if (!squares.empty()) {
    const std::string first = coordinates_.name(squares.front());
    return Refusal{squares.size() == 1 ? fmt::format("{} may not pass: a pawn can be placed on {}", player, first)
                                       : fmt::format("{} may not pass: a pawn can be placed on {} (one of {} squares)",
                                                     player, first, squares.size()),
                   "2.2", squares};
  }
  if (placings(board.cells, other(board.to_move)).empty()) {
    return Refusal{"the game is over: neither side can place a pawn", "3.1", {}};
  }
  return std::nullopt;
}

std::optional<Refusal> Face::refuse(const Board& board, const Turn& turn) const {
  if (turn.size() == 1 && squares_fit_kinds(turn)) {
    if (turn[0].kind == StepKind::place) return refuse_placing(board, turn[0].square);
    if (turn[0].kind == StepKind::pass) return refuse_pass(board);
  }
  return Refusal{"a turn of this game is one pawn placed on a square, or a pass", "2.1", {}};
}

std::vector<Effect> Face::effects(const Board& board, const Turn& turn) const {
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
