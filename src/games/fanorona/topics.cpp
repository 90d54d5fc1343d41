// Which rules a turn exercises, and turns that the duty to capture or the rules of chains forbid.
#include <array>

#include "games/fanorona/game.hpp"
#include "games/fanorona/plain.hpp"

namespace paika::fanorona {

namespace {

enum Topic : std::size_t { approach, withdrawal, choice, paika, chain, sacrifice, block };

constexpr std::array<RuleTopic, 7> topic_table = {{{"2.1", "capture by approach"},
                                                   {"2.1", "capture by withdrawal"},
                                                   {"2.2", "approach or withdrawal"},
                                                   {"2.3", "paika"},
                                                   {"2.4", "chain"},
                                                   {"2.5", "sacrifice"},
                                                   {"2.5", "sacrificed stone on the board"}}};

constexpr std::array<StepKind, 2> captures = {StepKind::approach, StepKind::withdraw};

std::vector<std::size_t> exercised(const Notation& /*notation*/, const Board& board, const Turn& turn) {
  std::vector<std::size_t> topics;
  if (turn[1].kind == StepKind::sacrifice) {
    topics.push_back(sacrifice);
  } else if (turn.size() == 2) {
    topics.push_back(paika);
  } else if (turn.size() > 3) {
    topics.push_back(chain);
  } else {
    topics.push_back(turn[2].kind == StepKind::approach ? approach : withdrawal);
    const auto takes = [&](StepKind how) { return !taken_by(board, turn[0].square, turn[1].square, how).empty(); };
    if (takes(StepKind::approach) && takes(StepKind::withdraw)) topics.push_back(choice);
  }
  if (count_cells(board, [](const Cell& cell) { return cell == sacrificed_stone; }) > 0) topics.push_back(block);
  return topics;
}

/// The empty points next to `from` that a line joins to it.
std::vector<Square> open_points(const Grid<Cell>& cells, Square from) {
  std::vector<Square> points;
  for (const Direction d : all_directions) {
    const Square to = step(from, d);
    if (cells.contains(to) && cells[to] == Cell{} && joined(cells, from, to)) points.push_back(to);
  }
  return points;
}

/// Collects what 2.3 and 2.4 forbid on a board.
class ForbiddenTurns {
 public:
  ForbiddenTurns(const Notation& notation, const Board& board) : notation_(notation), board_(board) {}

  std::vector<ForbiddenTurn> all() {
    board_.cells.for_each_square([&](Square from) {
      if (!board_.cells[from].belongs_to(board_.to_move)) return;
      for (const Square to : open_points(board_.cells, from)) {
        consider(paika, "2.3", {{StepKind::from, from}, {StepKind::to, to}});
        for (const StepKind how : captures) {
          if (!taken_by(board_, from, to, how).empty()) {
            continue_chain({{StepKind::from, from}, {StepKind::to, to}, {how, {}}});
          }
        }
      }
    });
    return std::move(found_);
  }

 private:
  [[nodiscard]] Board after(const Turn& turn) const {
    Board next = board_;
    next.cells = replayed(std::move(next.cells), notation_.effects(board_, turn),
                          [&](Square s) { return notation_.empty_cell(s); });
    next.to_move = other(board_.to_move);
    ++next.counters[0];
    return next;
  }

  void consider(Topic topic, std::string_view clause, const Turn& turn) {
    const auto refusal = notation_.refuse(board_, turn);
    if (refusal && refusal->clause == clause) found_.push_back({topic, turn, after(turn)});
  }

  /// The second steps that capture; some go back or straight on.
  void continue_chain(const Turn& first) {
    Board now = after(first);
    now.to_move = board_.to_move;
    const Square at = first[1].square;
    for (const Square to : open_points(now.cells, at)) {
      for (const StepKind how : captures) {
        if (taken_by(now, at, to, how).empty()) continue;
        Turn turn = first;
        turn.push_back({StepKind::to, to});
        turn.push_back({how, {}});
        consider(chain, "2.4", turn);
      }
    }
  }

  const Notation& notation_;
  const Board& board_;
  std::vector<ForbiddenTurn> found_;
};

std::vector<ForbiddenTurn> forbidden(const Notation& notation, const Board& board) {
  return ForbiddenTurns(notation, board).all();
}

}  // namespace

const RuleTopics rule_topics{.topics = topic_table, .exercised = exercised, .forbidden = forbidden};

}  // namespace paika::fanorona
