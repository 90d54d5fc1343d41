// Which rules a move exercises, and moves that they forbid.
#include <algorithm>
#include <array>

#include "games/othello/enclosing.hpp"
#include "games/othello/game.hpp"

namespace paika::othello {

namespace {

enum Topic : std::size_t { one_run, several_runs, nothing_enclosed, pass };

constexpr std::array<RuleTopic, 4> topic_table = {{{"2.1", "one run turned over"},
                                                   {"2.1", "several runs turned over"},
                                                   {"2.1", "placing where nothing is enclosed"},
                                                   {"2.2", "pass"}}};

bool encloses(const Run& run) { return run.end == Run::End::own_pawn; }

std::vector<std::size_t> exercised(const Notation& /*notation*/, const Board& board, const Turn& turn) {
  if (turn[0].kind == StepKind::pass) return {pass};
  const auto runs = runs_around(board.cells, turn[0].square, board.to_move);
  return {std::count_if(runs.begin(), runs.end(), encloses) > 1 ? several_runs : one_run};
}

/// Squares beside an opposing pawn on which nothing is enclosed, and a pass if there is something to place.
std::vector<ForbiddenTurn> forbidden(const Notation& /*notation*/, const Board& board) {
  std::vector<ForbiddenTurn> all;
  if (placings(board.cells, board.to_move).empty()) return all;
  Board passed = board;
  passed.to_move = other(board.to_move);
  board.cells.for_each_square([&](Square s) {
    if (board.cells[s].owner != Owner::nobody) return;
    const auto runs = runs_around(board.cells, s, board.to_move);
    if (runs.empty() || std::any_of(runs.begin(), runs.end(), encloses)) return;
    Board after = passed;
    after.cells[s] = piece_of(board.to_move);
    all.push_back({nothing_enclosed, {{StepKind::place, s}}, std::move(after)});
  });
  all.push_back({pass, {{StepKind::pass, {}}}, std::move(passed)});
  return all;
}

}  // namespace

const RuleTopics rule_topics{.topics = topic_table, .exercised = exercised, .forbidden = forbidden};

}  // namespace paika::othello
