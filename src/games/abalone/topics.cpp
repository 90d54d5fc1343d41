// Which rules a move exercises, and moves that one of them forbids.
#include <array>

#include "games/abalone/game.hpp"
#include "games/abalone/line.hpp"

namespace paika::abalone {

namespace {

enum Topic : std::size_t { single, in_line, edge, push, majority, capture, frozen, duty };

constexpr std::array<RuleTopic, 8> topic_table = {{{"2.1", "single pieces"},
                                                   {"2.2", "lines of own pieces"},
                                                   {"2.3", "own pieces at the edge"},
                                                   {"2.4", "push"},
                                                   {"2.4", "push without a majority"},
                                                   {"2.4", "capture"},
                                                   {"4.2", "frozen pieces"},
                                                   {"4.4", "frozen initiator or duty to capture"}}};

Line line_of_turn(const Board& board, const Turn& turn) {
  return line_of(board, board.to_move, turn[0].square, *direction_to(turn[0].square, turn[1].square));
}

std::vector<std::size_t> exercised(const Notation& /*notation*/, const Board& board, const Turn& turn) {
  const Line line = line_of_turn(board, turn);
  if (line.captures()) return {capture};
  if (line.pushed > 0) return {push};
  return {line.own > 1 ? in_line : single};
}

/// The whole line moved by one square; what leaves the board is gone.
Board moved(Board board, const Line& line) {
  for (int i = line.size() - 1; i >= 0; --i) {
    if (board.cells.contains(line.at(i + 1))) board.cells[line.at(i + 1)] = board.cells[line.at(i)];
    board.cells[line.at(i)] = {};
  }
  board.to_move = other(board.to_move);
  return board;
}

std::optional<Topic> topic_of(const Refusal& refusal, const Line& line) {
  if (refusal.clause == "2.3") return edge;
  if (refusal.clause == "2.4" && line.end != LineEnd::blocked) return majority;
  if (refusal.clause == "4.2") return frozen;
  if (refusal.clause == "4.4") return duty;
  return std::nullopt;
}

std::vector<ForbiddenTurn> forbidden(const Notation& notation, const Board& board) {
  std::vector<ForbiddenTurn> all;
  board.cells.for_each_square([&](Square from) {
    if (!board.cells[from].belongs_to(board.to_move)) return;
    for (const Direction d : all_directions) {
      if (!board.cells.contains(step(from, d))) continue;
      const Turn turn = {{StepKind::from, from}, {StepKind::to, step(from, d)}};
      const auto refusal = notation.refuse(board, turn);
      if (!refusal) continue;
      const Line line = line_of_turn(board, turn);
      if (const auto topic = topic_of(*refusal, line)) all.push_back({*topic, turn, moved(board, line)});
    }
  });
  return all;
}

}  // namespace

const RuleTopics rule_topics{.topics = topic_table, .exercised = exercised, .forbidden = forbidden};

}  // namespace paika::abalone
