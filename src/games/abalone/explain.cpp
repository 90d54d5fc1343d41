// Why a turn is illegal, clause by clause: the choice, the line, freezing, the duty to capture.
#include "games/abalone/notation.hpp"

namespace paika::abalone {

std::string AbaloneNotation::move_name(const Line& line) const {
  return coordinates_.name(line.from) + coordinates_.name(line.at(1));
}

Phrase AbaloneNotation::pieces(Player whose, int count) const {
  return count == 1 ? phrase("{} {} piece", count, player(whose)) : phrase("{} {} pieces", count, player(whose));
}

std::optional<Refusal> AbaloneNotation::refuse(const Board& board, const Turn& turn) const {
  if (auto refusal = refuse_form(turn)) return refusal;
  const Square from = turn[0].square;
  const Square to = turn[1].square;
  if (auto refusal = refuse_choice(board, from, to)) return refusal;
  const Line line = line_of(board, board.to_move, from, *direction_to(from, to));
  if (auto refusal = refuse_line(board, line)) return refusal;
  if (auto refusal = refuse_frozen(board, line)) return refusal;
  return refuse_quiet(board, line);
}

std::optional<Refusal> AbaloneNotation::refuse_form(const Turn& turn) const {
  if (turn.size() != 2 || turn[0].kind != StepKind::from || turn[1].kind != StepKind::to) {
    return Refusal{
        phrase("a move names one of your own pieces and then the square it goes to, nothing else"), "2.5", {}};
  }
  for (const Step& s : turn) {
    if (!coordinates_.contains(s.square)) {
      return Refusal{
          phrase("a square of the move is not on the board: squares are {}", coordinates_.range()), "2.5", {}};
    }
  }
  return std::nullopt;
}

std::optional<Refusal> AbaloneNotation::refuse_choice(const Board& board, Square from, Square to) const {
  const bool black = board.to_move == Player::first;
  const std::string name = coordinates_.name(from);
  const Owner owner = board.cells[from].owner;
  if (owner == Owner::nobody) {
    return Refusal{black ? phrase("{} is empty: Black must choose a Black piece", name)
                         : phrase("{} is empty: White must choose a White piece", name),
                   "2.1",
                   {from}};
  }
  if (owner != owner_of(board.to_move)) {
    return Refusal{black ? phrase("the piece on {} is White: Black must choose a Black piece", name)
                         : phrase("the piece on {} is Black: White must choose a White piece", name),
                   "2.1",
                   {from}};
  }
  if (from == to) return Refusal{phrase("the piece on {} must go to another square", name), "2.1", {from}};
  if (!adjacent(from, to)) {
    return Refusal{phrase("{} is not next to {}: a piece moves one square along a row, column or diagonal",
                          coordinates_.name(to), name),
                   "2.1",
                   {from, to}};
  }
  return std::nullopt;
}

std::optional<Refusal> AbaloneNotation::refuse_line(const Board& board, const Line& line) const {
  if (line.can_move()) return std::nullopt;
  const Player us = board.to_move;
  std::vector<Square> squares;
  for (int i = 0; i < line.size(); ++i) squares.push_back(line.at(i));
  const std::string move = move_name(line);
  if (line.pushed == 0) {
    return Refusal{
        phrase("{} would push {}'s own piece on {} off the board", move, player(us), coordinates_.name(squares.back())),
        "2.3", squares};
  }
  if (line.end == LineEnd::blocked) {
    const Square behind = line.at(line.size());
    squares.push_back(behind);
    const Phrase pushed = pieces(other(us), line.pushed);
    const std::string there = coordinates_.name(behind);
    return Refusal{line.pushed == 1
                       ? phrase("{} cannot push {}: there is another piece behind it, on {}", move, pushed, there)
                       : phrase("{} cannot push {}: there is another piece behind them, on {}", move, pushed, there),
                   "2.4", squares};
  }
  return Refusal{phrase("{} has {} against {}: a push needs a majority", move, pieces(us, line.own),
                        pieces(other(us), line.pushed)),
                 "2.4", squares};
}

Phrase AbaloneNotation::frozen_sentence(Square s, const Line& push, Player pusher) const {
  const std::string name = coordinates_.name(s);
  if (push.captures() && s == push.at(push.size() - 1)) {
    return phrase("{} is frozen: {} could push it off the board with {}", name, player(pusher), move_name(push));
  }
  return phrase("{} is frozen: {} could push it to {} with {}", name, player(pusher),
                coordinates_.name(step(s, push.direction)), move_name(push));
}

std::optional<Refusal> AbaloneNotation::refuse_frozen(const Board& board, const Line& line) const {
  if (options_.freeze == Freeze::off) return std::nullopt;
  const bool strict = options_.freeze == Freeze::strict;
  const Player them = other(board.to_move);
  for (int i = 0; i < (strict ? line.own : 1); ++i) {
    const Square s = line.at(i);
    const auto push = push_onto(board, them, s);
    if (!push) continue;
    return Refusal{frozen_sentence(s, *push, them), strict ? "4.2" : "4.4", {s, push->from}};
  }
  return std::nullopt;
}

std::vector<Badge> AbaloneNotation::badges(const Board& board) const {
  std::vector<Badge> frozen;
  if (options_.freeze == Freeze::off) return frozen;
  board.cells.for_each_square([&](Square s) {
    if (!board.cells[s].belongs_to(board.to_move)) return;
    if (push_onto(board, other(board.to_move), s)) frozen.push_back({s, BadgeKind::frozen});
  });
  return frozen;
}

std::optional<Refusal> AbaloneNotation::refuse_quiet(const Board& board, const Line& line) const {
  if (!options_.must || line.captures()) return std::nullopt;
  std::optional<Refusal> refusal;
  board.cells.for_each_square([&](Square s) {
    if (refusal || !board.cells[s].belongs_to(board.to_move)) return;
    for (const Direction d : all_directions) {
      const Line capture = line_of(board, board.to_move, s, d);
      // A capture that freezing forbids is no capture one could be made to play.
      if (!capture.captures() || refuse_frozen(board, capture)) continue;
      refusal =
          Refusal{phrase("{} must capture when it can, for example with {}", player(board.to_move), move_name(capture)),
                  "4.4",
                  {s, capture.at(capture.size() - 1)}};
      return;
    }
  });
  return refusal;
}

}  // namespace paika::abalone
