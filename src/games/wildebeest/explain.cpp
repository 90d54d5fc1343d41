// Why a turn is not legal: the rules of movement once more, on a plain grid and in words.
#include <cstdlib>

#include "games/wildebeest/names.hpp"
#include "games/wildebeest/notation.hpp"

namespace paika::wildebeest {

namespace {

/// Why not; nothing if all is well.
using Objection = std::optional<Refusal>;

bool is_king(const Cell& cell) { return cell.kind == 'K' || cell.kind == 'W'; }

bool is_knight_leap(Square from, Square to) { return std::abs(to.col - from.col) * std::abs(to.row - from.row) == 2; }

/// Judges one turn of one board.
class Refuser {
 public:
  Refuser(const Board& board, const Options& options, const Coordinates& coordinates)
      : board_(board), options_(options), names_(coordinates), us_(board.to_move) {}

  Objection turn(const Turn& turn) const;

 private:
  static Refusal no(std::string clause, std::vector<Square> squares, Phrase message) {
    return {std::move(message), std::move(clause), std::move(squares)};
  }
  [[nodiscard]] const Cell& at(Square s) const { return board_.cells[s]; }
  [[nodiscard]] bool empty(Square s) const { return at(s).owner == Owner::nobody; }
  [[nodiscard]] std::string name(Square s) const { return names_.name(s); }
  /// "the Pawn", and "White's Pawn on e1". Both require a piece there.
  [[nodiscard]] Phrase the(Square s) const { return the_kind(at(s).kind); }
  [[nodiscard]] Phrase piece(Square s) const { return piece_on(at(s), name(s)); }
  /// The side that judges: "White".
  [[nodiscard]] Phrase our_name() const { return phrase_of(side_name(us_)); }
  /// The first opposing Beekeeper next to `s`, other than one on `gone`.
  [[nodiscard]] Objection chosen_piece(Square from) const;
  [[nodiscard]] Objection move(Square from, Square to) const;
  [[nodiscard]] Objection fling(Square from, Square to) const;
  [[nodiscard]] Objection paralysis(Square from) const;
  [[nodiscard]] Objection reach(Square from, Square to) const;
  [[nodiscard]] Objection pawn(Square from, Square to) const;
  [[nodiscard]] Objection single_step(Square from, Square to) const;
  [[nodiscard]] Objection cart(Square from, Square to) const;
  [[nodiscard]] Objection slide(Square from, Square to, const Phrase& who, bool straight, bool diagonal) const;
  [[nodiscard]] Objection push(Square from, Square to) const;
  [[nodiscard]] Objection landing(Square from, Square to) const;
  [[nodiscard]] Objection swarm(Square from, Square to) const;

  const Board& board_;
  const Options& options_;
  const Coordinates& names_;
  Player us_;
};

Objection Refuser::turn(const Turn& turn) const {
  const bool moves = turn.size() == 2 && turn[0].kind == StepKind::from && turn[1].kind == StepKind::to;
  const bool flings = turn.size() == 3 && turn[0].kind == StepKind::from && turn[1].kind == StepKind::fling &&
                      turn[2].kind == StepKind::to;
  if ((!moves && !flings) || !squares_fit_kinds(turn))
    return no("7.6", {}, phrase("a move goes from one square to another, or is a fling"));
  const Square from = turn.front().square;
  const Square to = turn.back().square;
  if (!names_.contains(from) || !names_.contains(to)) {
    return no("1.1", {}, phrase("a square is off the board; the squares are {}", names_.range()));
  }
  if (auto refusal = chosen_piece(from)) return refusal;
  return moves ? move(from, to) : fling(from, to);
}

Objection Refuser::chosen_piece(Square from) const {
  if (empty(from)) return no("2", {from}, phrase("{} is empty: there is no piece to move", name(from)));
  if (!at(from).belongs_to(us_)) {
    return no("2", {from}, phrase("it is {}'s move, but the piece is {}", our_name(), piece(from)));
  }
  return std::nullopt;
}

Objection Refuser::move(Square from, Square to) const {
  if (from == to) return no("2", {from}, phrase("{} would stay on {}", the(from), name(from)));
  if (at(from).kind == 'H') return no("2", {from}, phrase("the Time Machine on {} never moves", name(from)));
  if (auto refusal = paralysis(from)) return refusal;
  if (auto refusal = reach(from, to)) return refusal;
  if (auto refusal = at(from).kind == 'G' && !empty(to) ? push(from, to) : landing(from, to)) return refusal;
  return swarm(from, to);
}

Objection Refuser::paralysis(Square from) const {
  const auto beekeeper = paralyser_of(board_.cells, from);
  if (!beekeeper) return std::nullopt;
  return no("3.3", {from, *beekeeper}, phrase("{} on {} is paralysed by {}", the(from), name(from), piece(*beekeeper)));
}

/// Could the piece get to the square if nothing but other pieces in between were in its way?
Objection Refuser::reach(Square from, Square to) const {
  switch (at(from).kind) {
    case 'P': return pawn(from, to);
    case 'X': return cart(from, to);
    case 'B': return slide(from, to, phrase("a Bishop moves diagonally"), false, true);
    case 'W': return slide(from, to, phrase("a King with a Jet Pack moves like a Bishop, diagonally"), false, true);
    case 'R': return slide(from, to, phrase("a Rook moves along its row or column"), true, false);
    case 'E':
      if (is_knight_leap(from, to)) return std::nullopt;
      return slide(from, to, phrase("a Grand Empress moves like a Queen or a Knight"), true, true);
    case 'N':
      if (is_knight_leap(from, to)) return std::nullopt;
      return no("2", {from, to},
                phrase("a Knight leaps two squares straight and one to the side; {} is not there", name(to)));
    default: return single_step(from, to);
  }
}

Objection Refuser::pawn(Square from, Square to) const {
  const int forward = (to.row - from.row) * pawn_step(us_);
  const int sideways = std::abs(to.col - from.col);
  if (forward == 1 && sideways == 1) {
    if (!empty(to)) return std::nullopt;
    return no("2", {from, to}, phrase("a Pawn moves diagonally only to capture, and {} is empty", name(to)));
  }
  if (sideways != 0 || forward < 1 || forward > 2) {
    const int row = pawn_row(us_);
    return no(
        "2", {from, to},
        us_ == Player::first
            ? phrase("a White Pawn moves one square down (two from row {}) and captures one square diagonally down",
                     row)
            : phrase("a Black Pawn moves one square up (two from row {}) and captures one square diagonally up", row));
  }
  if (forward == 2 && from.row != pawn_row(us_)) {
    return no("2", {from, to}, phrase("a {} Pawn moves two squares only from row {}", our_name(), pawn_row(us_)));
  }
  for (int i = 1; i <= forward; ++i) {
    const Square s{from.col, from.row + i * pawn_step(us_)};
    if (!empty(s))
      return no("2", {from, s}, phrase("a Pawn moves straight over empty squares only: {} is there", piece(s)));
  }
  return std::nullopt;
}

Objection Refuser::single_step(Square from, Square to) const {
  if (!adjacent(from, to)) {
    return no("2", {from, to},
              phrase("{} moves one square in any direction; {} is further away", any_kind(at(from).kind), name(to)));
  }
  const bool peaceful = at(from).kind == 'S' || at(from).kind == 'C';
  if (peaceful && !empty(to)) {
    return no("2", {from, to},
              phrase("{} steps onto empty squares only: {} is there", any_kind(at(from).kind), piece(to)));
  }
  return std::nullopt;
}

Objection Refuser::cart(Square from, Square to) const {
  if (from.row != 0 && from.row != last_row) {
    return no("2", {from}, phrase("a Golf Cart drives on rows 0 and 10 only; {} is on row {}", name(from), from.row));
  }
  if (from.row == to.row && std::abs(from.col - to.col) == 1) return std::nullopt;
  return no("2", {from, to}, phrase("a Golf Cart drives one square left or right; {} is not there", name(to)));
}

Objection Refuser::slide(Square from, Square to, const Phrase& who, bool straight, bool diagonal) const {
  const auto d = direction_to(from, to);
  if (!d || !(is_diagonal(*d) ? diagonal : straight)) {
    return no("2", {from, to}, phrase("{}; it cannot reach {}", who, name(to)));
  }
  for (Square s = step(from, *d); s != to; s = step(s, *d)) {
    if (!empty(s))
      return no("2", {from, s}, phrase("the way from {} to {} is blocked by {}", name(from), name(to), piece(s)));
  }
  return std::nullopt;
}

/// Where an own move other than a push may end.
Objection Refuser::landing(Square from, Square to) const {
  if (at(to).belongs_to(us_)) {
    return no("2", {from, to}, phrase("{} is in the way: a move cannot capture a piece of its own side", piece(to)));
  }
  if (at(to).kind == 'G') return no("2", {from, to}, phrase("{} cannot be captured", piece(to)));
  return std::nullopt;
}

Objection Refuser::push(Square from, Square to) const {
  if (at(to).kind == 'G')
    return no("3.2", {from, to}, phrase("a Gorilla cannot push {}: it is a Gorilla too", piece(to)));
  const Square beyond = {2 * to.col - from.col, 2 * to.row - from.row};
  if (!names_.contains(beyond)) return no("3.2", {from, to}, phrase("{} would be pushed off the board", piece(to)));
  if (at(beyond).kind == 'G') {
    return no("3.2", {from, to, beyond},
              phrase("{} cannot be pushed onto {}: a Gorilla is never captured", piece(to), piece(beyond)));
  }
  return std::nullopt;
}

Objection Refuser::swarm(Square from, Square to) const {
  if (options_.swarm == Swarm::enter) return std::nullopt;
  // A Beekeeper that this move captures, by a push on the square beyond, no longer counts.
  std::optional<Square> captured;
  if (at(from).kind == 'G' && !empty(to)) captured = Square{2 * to.col - from.col, 2 * to.row - from.row};
  const auto beekeeper = beekeeper_next_to(board_.cells, to, us_, captured);
  if (!beekeeper) return std::nullopt;
  return no("3.3", {from, to, *beekeeper},
            phrase("with swarm=forbid no piece may end its move next to {}", piece(*beekeeper)));
}

Objection Refuser::fling(Square from, Square to) const {
  if (at(from).kind == 'H') return no("3.1", {from}, phrase("the Time Machine on {} cannot be flung", name(from)));
  const auto d = direction_to(from, to);
  if (!d)
    return no("3.1", {from, to}, phrase("{} is not on a straight or diagonal line with {}", name(to), name(from)));
  const Square catapult = step(from, *d);
  if (at(catapult).kind != 'C' || !at(catapult).belongs_to(us_)) {
    return no("3.1", {from, catapult},
              phrase("there is no {} Catapult on {}, next to {} on the way to {}", our_name(), name(catapult),
                     name(from), name(to)));
  }
  if (to == catapult)
    return no("3.1", {from, to},
              phrase("a flung piece flies past the Catapult, and {} is the Catapult's own square", name(to)));
  if (auto refusal = paralysis(catapult)) {
    refusal->message = phrase("{}, and a paralysed Catapult flings nothing", refusal->message);
    return refusal;
  }
  if (at(to).belongs_to(us_))
    return no("3.1", {from, to}, phrase("a flung piece cannot land on its own side: {} is there", piece(to)));
  if (is_king(at(to)))
    return no("3.1", {from, to}, phrase("a flung piece cannot land on a king: {} is there", piece(to)));
  if (at(to).kind == 'G')
    return no("3.1", {from, to}, phrase("a flung piece cannot land on a Gorilla: {} is there", piece(to)));
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> explain(const Board& board, const Turn& turn, const Options& options,
                               const Coordinates& coordinates) {
  return Refuser(board, options, coordinates).turn(turn);
}

}  // namespace paika::wildebeest
