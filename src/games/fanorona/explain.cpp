// Refusals: why a turn is not legal, told by the clause that forbids it.
//
// The turn is played step by step on a copy of the board; the first step that breaks a rule is
// explained. Any list of steps may come in, also one that no text would give.
#include <algorithm>

#include "games/fanorona/notation.hpp"
#include "games/fanorona/plain.hpp"

namespace paika::fanorona {

namespace {

Refusal refusal(std::string clause, std::vector<Square> squares, Phrase message) {
  return {std::move(message), std::move(clause), std::move(squares)};
}

bool is_taking(StepKind kind) { return kind == StepKind::approach || kind == StepKind::withdraw; }

Phrase noun(StepKind how) { return how == StepKind::approach ? phrase("approach") : phrase("withdrawal"); }

std::vector<Square> joined_squares(std::vector<Square> squares, const std::vector<Square>& more) {
  squares.insert(squares.end(), more.begin(), more.end());
  return squares;
}

class Explainer {
 public:
  Explainer(const Options& options, const Notation& notation, const Board& board)
      : options_(options), notation_(notation), board_(board), me_(player_phrase(notation, board.to_move)) {}

  std::optional<Refusal> explain(const Turn& turn) {
    if (auto bad = form(turn)) return bad;
    at_ = turn[0].square;
    if (auto bad = stone()) return bad;
    if (turn[1].kind == StepKind::sacrifice) return sacrifice();
    if (turn.size() == 2) return paika(turn[1].square);
    for (std::size_t i = 1; i < turn.size(); i += 2) {
      if (auto bad = step_to(turn[i].square)) return bad;
      if (auto bad = capture(turn[i].square, turn[i + 1].kind)) return bad;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] std::string name(Square s) const { return notation_.coordinates().name(s); }
  [[nodiscard]] std::string text(const CapturingStep& c) const {
    return name(c.from) + name(c.to) + (c.how == StepKind::approach ? 'A' : 'W');
  }

  /// 4.2: from, then either sacrifice, or to, or to and approach or withdraw any number of times.
  [[nodiscard]] std::optional<Refusal> form(const Turn& turn) const {
    if (turn.empty()) return refusal("4.2", {}, phrase("the move is empty: choose a stone first"));
    if (turn[0].kind != StepKind::from) return refusal("4.2", {}, phrase("a move begins with the stone that moves"));
    if (turn.size() == 1) return refusal("4.2", {}, phrase("the chosen stone neither moves nor is sacrificed"));
    if (!squares_fit_kinds(turn)) return refusal("4.2", {}, phrase("a step of this kind does not name a point"));
    for (const Step& s : turn) {
      if (has_square(s.kind) && !board_.cells.contains(s.square)) {
        return refusal("1.1", {}, phrase("a step leads off the board: points are {}", notation_.coordinates().range()));
      }
    }
    if (turn[1].kind == StepKind::sacrifice) {
      if (turn.size() == 2) return std::nullopt;
      return refusal("2.5", {turn[0].square}, phrase("a sacrifice is a whole move: nothing may follow it"));
    }
    if (turn[1].kind == StepKind::to && turn.size() == 2) return std::nullopt;
    return chain_form(turn);
  }

  [[nodiscard]] std::optional<Refusal> chain_form(const Turn& turn) const {
    const auto is_sacrifice = [](const Step& s) { return s.kind == StepKind::sacrifice; };
    if (std::any_of(turn.begin(), turn.end(), is_sacrifice)) {
      return refusal("2.5", {turn[0].square}, phrase("a sacrifice is a whole move: it cannot follow a step"));
    }
    for (std::size_t i = 1; i < turn.size(); i += 2) {
      if (turn[i].kind != StepKind::to) {
        return refusal("4.2", {}, phrase("expected a point to go to, not {}", step_phrase(turn[i].kind)));
      }
      if (i + 1 < turn.size() && is_taking(turn[i + 1].kind)) continue;
      if (i == 1 && turn[2].kind == StepKind::to) {
        return refusal("2.4", {turn[1].square}, phrase("only a capture can be continued: a paika ends the move"));
      }
      return refusal(
          "2.4", {turn[i].square},
          phrase("the step to {} must say which capture it makes: approach or withdrawal", name(turn[i].square)));
    }
    return std::nullopt;
  }

  /// 2.1, 2.5: the stone must be a live one of the mover.
  [[nodiscard]] std::optional<Refusal> stone() const {
    const Cell cell = board_.cells[at_];
    if (cell.belongs_to(board_.to_move)) return std::nullopt;
    if (cell == sacrificed_stone) {
      return refusal("2.5", {at_}, phrase("the stone on {} is sacrificed: nobody owns or moves it", name(at_)));
    }
    if (cell.belongs_to(other(board_.to_move))) {
      return refusal("2.1", {at_},
                     phrase("the stone on {} is {}'s, and {} is to move", name(at_),
                            player_phrase(notation_, other(board_.to_move)), me_));
    }
    return refusal("2.1", {at_}, phrase("there is no stone on {}", name(at_)));
  }

  [[nodiscard]] std::optional<Refusal> sacrifice() const {
    if (options_.sacrifice) return std::nullopt;
    return refusal("2.5", {at_}, phrase("this game has no sacrifice (option sacrifice=off)"));
  }

  /// 2.3: a move without capture, only if there is no capture at all.
  [[nodiscard]] std::optional<Refusal> paika(Square to) const {
    if (auto bad = step_to(to)) return bad;
    for (const StepKind how : {StepKind::approach, StepKind::withdraw}) {
      const CapturingStep c{at_, to, how, taken_by(board_, at_, to, how)};
      if (!c.taken.empty()) return paika_refusal(c, phrase("this same move captures if written {}", text(c)));
    }
    auto found = capture_from(board_, at_);
    if (!found) found = any_capture(board_);
    if (found) return paika_refusal(*found, phrase("{} can capture with {}", me_, text(*found)));
    return std::nullopt;
  }
  [[nodiscard]] Refusal paika_refusal(const CapturingStep& c, const Phrase& reason) const {
    return refusal("2.3", joined_squares({c.from, c.to}, c.taken),
                   phrase("a move without capture is allowed only if no stone can capture: {}", reason));
  }

  /// May the stone go from where it is to `to`, whatever it captures there?
  [[nodiscard]] std::optional<Refusal> step_to(Square to) const {
    if (to == at_) return refusal("2.1", {at_}, phrase("the stone on {} must go to another point", name(at_)));
    if (!adjacent(at_, to)) {
      return refusal("2.1", {at_, to}, phrase("{} is not next to {}", name(to), name(at_)));
    }
    if (!joined(board_.cells, at_, to)) {
      return refusal(
          "1.3", {at_, to},
          phrase("no line joins {} to {}: {} is a weak point, without diagonals", name(at_), name(to), name(at_)));
    }
    if (std::find(visited_.begin(), visited_.end(), to) != visited_.end()) {
      return refusal("2.4", {at_, to}, phrase("the chain has already been on {}: no point is visited twice", name(to)));
    }
    if (!visited_.empty() && direction_to(visited_.back(), at_) == direction_to(at_, to)) {
      return refusal(
          "2.4", {visited_.back(), at_, to},
          phrase("the step from {} to {} goes on in the direction of the step before it", name(at_), name(to)));
    }
    return occupied(to);
  }
  [[nodiscard]] std::optional<Refusal> occupied(Square to) const {
    const Cell cell = board_.cells[to];
    if (cell == Cell{}) return std::nullopt;
    if (cell == sacrificed_stone) {
      return refusal("2.5", {at_, to}, phrase("{} is blocked by a sacrificed stone", name(to)));
    }
    return refusal("2.1", {at_, to},
                   phrase("{} is occupied by a stone of {}", name(to), player_phrase(notation_, player_of(cell))));
  }

  /// Makes a capturing step on the copy, or says why it takes nothing.
  [[nodiscard]] std::optional<Refusal> capture(Square to, StepKind how) {
    const auto taken = taken_by(board_, at_, to, how);
    if (taken.empty()) return nothing_taken(to, how);
    for (const Square s : taken) board_.cells[s] = {};
    std::swap(board_.cells[at_], board_.cells[to]);
    visited_.push_back(at_);
    at_ = to;
    return std::nullopt;
  }
  [[nodiscard]] Refusal nothing_taken(Square to, StepKind how) const {
    const Square start = run_start(at_, to, how);
    const bool inside = board_.cells.contains(start);
    const bool blocked = inside && board_.cells[start] == sacrificed_stone;
    const StepKind instead = how == StepKind::approach ? StepKind::withdraw : StepKind::approach;
    const auto others = taken_by(board_, at_, to, instead);
    const std::string move = name(at_) + name(to);
    const Phrase there = what_is_there(start);
    const Phrase message = others.empty() ? phrase("{} captures nothing by {}: {}", move, noun(how), there)
                                          : phrase("{} captures nothing by {}: {}; by {} it captures {}", move,
                                                   noun(how), there, noun(instead), name(others[0]));
    std::vector<Square> squares = {at_, to};
    if (inside) squares.push_back(start);
    return refusal(blocked ? "2.5" : "2.1", std::move(squares), message);
  }
  [[nodiscard]] Phrase what_is_there(Square s) const {
    if (!board_.cells.contains(s)) return phrase("the board ends there");
    if (board_.cells[s] == sacrificed_stone) return phrase("the stone on {} is sacrificed", name(s));
    if (board_.cells[s] == Cell{}) return phrase("{} is empty", name(s));
    return phrase("the stone on {} is {}'s own", name(s), me_);
  }

  const Options& options_;
  const Notation& notation_;
  Board board_;  // as the chain has left it so far
  Phrase me_;
  Square at_{};                  // where the stone is now
  std::vector<Square> visited_;  // where it was before, the start first
};

}  // namespace

std::optional<Refusal> FanoronaNotation::refuse(const Board& board, const Turn& turn) const {
  return Explainer(options_, *this, board).explain(turn);
}

}  // namespace paika::fanorona
