// Looking positions up, wherever their values lie. engine/tables.cpp opens the files.
#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/tables.hpp"
#include "solve/first_look.hpp"

namespace paika {

TableBook::TableBook(std::shared_ptr<const Numbering> numbering, std::shared_ptr<const ValueTable> table, Lookup lookup,
                     std::string path)
    : numbering_(std::move(numbering)), table_(std::move(table)), lookup_(std::move(lookup)), path_(std::move(path)) {}

std::unique_ptr<TableBook> TableBook::over(std::shared_ptr<const Numbering> numbering, Lookup lookup,
                                           std::string name) {
  return std::unique_ptr<TableBook>(new TableBook(std::move(numbering), nullptr, std::move(lookup), std::move(name)));
}

Result<std::optional<Value>> TableBook::value(const Session& session) {
  // Repetition is the history's business: only an ending of the position itself counts.
  const Board board = session.board();
  const Outcome outcome = session.outcome();
  if (outcome.over() && outcome.reason != EndReason::repetition) return value_of(outcome, board.to_move);
  const auto place = numbering_->place(board);
  if (!place) return std::optional<Value>();
  const auto value = lookup_(*place);
  if (!value) return tl::unexpected(value.error());
  if (value->kind() == ValueKind::none) return std::optional<Value>();
  return numbering_->within_limits(board, *value);
}

Result<std::optional<std::vector<ValuedTurn>>> TableBook::turns(const Session& session) {
  std::vector<ValuedTurn> turns;
  const auto scratch = session.game().start_from(session.board());
  std::vector<std::pair<Turn, std::string>> legal;
  scratch->for_each_turn([&](const ListedTurn& turn) {
    legal.emplace_back(turn.steps, turn.text);
    return true;
  });
  std::optional<Error> fault;
  for (auto& [steps, text] : legal) {
    scratch->play(steps);
    const auto after = value(*scratch);
    scratch->undo();
    if (!after) {
      // Looked at to the end: of a table that is elsewhere, all that is missing is asked for at once.
      fault = after.error();
    } else if (!*after) {
      return std::optional<std::vector<ValuedTurn>>();
    } else {
      turns.push_back({std::move(steps), std::move(text), before(**after)});
    }
  }
  if (fault) return tl::unexpected(*std::move(fault));
  // Turns of equal value stay in the order of the rules, so that the answer is always the same.
  std::vector<std::size_t> order(turns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (turns[a].value != turns[b].value) return better(turns[a].value, turns[b].value);
    return a < b;
  });
  std::vector<ValuedTurn> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(turns[i]));
  turns = std::move(sorted);
  return std::optional(std::move(turns));
}

Result<std::optional<Value>> value_for_either(TableBook& book, const Session& session) {
  const auto nothing = [] { return std::optional<Value>(); };
  Board swapped = session.board();
  swapped.to_move = other(swapped.to_move);
  // Whether the other player can be to move is what the reader of positions knows.
  const Notation& notation = session.notation();
  const auto read = notation.parse_position(notation.position_text(swapped));
  if (!read || *read != swapped) return nothing();
  const auto theirs = session.game().start_from(swapped);
  if (session.outcome().over() || theirs->outcome().over()) return nothing();
  auto mine = book.value(session);
  if (!mine || !*mine) return mine;
  auto value = book.value(*theirs);
  if (value && *value && **value != **mine) return nothing();
  return value;
}

Result<std::vector<ValuedTurn>> perfect_line(TableBook& book, const Session& session, std::size_t most) {
  std::vector<ValuedTurn> line;
  const auto scratch = session.game().start_from(session.board());
  while (line.size() < most && !scratch->outcome().over()) {
    auto turns = book.turns(*scratch);
    if (!turns) return tl::unexpected(turns.error());
    if (!*turns || (*turns)->empty()) break;
    if (const Value best = (*turns)->front().value; best.is_draw() || !best.has_distance()) break;
    line.push_back(std::move((*turns)->front()));
    scratch->play(line.back().steps);
  }
  return line;
}

}  // namespace paika
