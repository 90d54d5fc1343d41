#include "engine/tables.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "engine/table_checksum.hpp"
#include "engine/user_folder.hpp"
#include "solve/steps.hpp"

namespace paika {

namespace {

constexpr const char* table_suffix = ".table";
constexpr std::size_t reader_bytes = std::size_t{4} << 20;

tl::unexpected<Error> other_table(const std::string& path, const ValueTable& table, const std::string& wanted) {
  return fail("{} is the table of \"{}\", not of \"{}\"", path, table.spec(), wanted);
}

Json tier_json(const TableSection& tier) {
  const TierStatistics& s = tier.statistics();
  return {{"tier", tier.name()},
          {"positions", tier.positions()},
          {"bytes", tier.bytes().size()},
          {"wins", s.wins},
          {"losses", s.losses},
          {"draws", s.draws},
          {"void", s.voids},
          {"longest_win", s.longest_win},
          {"longest_loss", s.longest_loss}};
}

}  // namespace

std::string default_tables_folder() { return user_data_folder("tables"); }

std::string table_path(const std::string& folder, const std::string& label) {
  std::string name = label;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ':' || c == ',' || c == '=' || c == ' ' || c == '/'; }, '-');
  return folder + "/" + name + table_suffix;
}

Json table_json(const ValueTable& table) {
  Json tiers = Json::array();
  for (const TableSection& tier : table.tiers()) tiers.push_back(tier_json(tier));
  return {{"table", table.spec()},
          {"spec", table.spec().substr(0, table.spec().find(' '))},
          {"positions", table.positions()},
          {"tiers", std::move(tiers)}};
}

Json tables_json(const std::string& folder) {
  std::map<std::string, Json> found;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != table_suffix) continue;
    const auto table = ValueTable::open(at->path().string());
    if (!table) continue;
    Json json = table_json(*table);
    std::error_code unknown;
    json["bytes"] = std::filesystem::file_size(at->path(), unknown);
    json["file"] = at->path().filename().string();
    json["checksum"] = file_checksum(*table);
    found.emplace(table->spec(), std::move(json));
  }
  Json list = Json::array();
  for (auto& [label, json] : found) list.push_back(std::move(json));
  return list;
}

TableBook::TableBook(std::shared_ptr<const Solver> solver, std::unique_ptr<const ValueTable> table, Lookup lookup,
                     std::string path)
    : solver_(std::move(solver)), table_(std::move(table)), lookup_(std::move(lookup)), path_(std::move(path)) {}

std::unique_ptr<TableBook> TableBook::over(std::shared_ptr<const Solver> solver, Lookup lookup, std::string name) {
  return std::unique_ptr<TableBook>(new TableBook(std::move(solver), nullptr, std::move(lookup), std::move(name)));
}

std::unique_ptr<TableBook> TableBook::over_file(std::shared_ptr<const Solver> solver, ValueTable table,
                                                const std::string& path) {
  auto kept = std::make_unique<const ValueTable>(std::move(table));
  // Shared, for functions are copied and readers are not.
  auto reader = std::make_shared<TableReader>(kept->reader(reader_bytes));
  auto lookup = [&table = *kept, reader](TierIndex place) { return table.lookup(*reader, place.tier, place.index); };
  return std::unique_ptr<TableBook>(new TableBook(std::move(solver), std::move(kept), std::move(lookup), path));
}

Result<std::unique_ptr<TableBook>> TableBook::open(const std::string& spec, const std::string& folder) {
  for (const TableKind& kind : table_kinds(spec)) {
    const std::string path = table_path(folder, kind.label);
    std::error_code error;
    if (std::filesystem::exists(path, error)) return open_file(spec, path);
  }
  return std::unique_ptr<TableBook>();
}

Result<std::unique_ptr<TableBook>> TableBook::open_file(const std::string& spec, const std::string& path) {
  const std::vector<TableKind> kinds = table_kinds(spec);
  if (kinds.empty()) return tl::unexpected(table_label(spec).error());
  auto table = ValueTable::open(path);
  if (!table) return tl::unexpected(table.error());
  const auto kind = std::ranges::find(kinds, table->spec(), &TableKind::label);
  if (kind == kinds.end()) return other_table(path, *table, kinds.front().label);
  auto solver = open_solver(spec, kind->stones);
  if (!solver) return tl::unexpected(solver.error());
  return over_file(std::move(*solver), std::move(*table), path);
}

Result<std::unique_ptr<TableBook>> TableBook::open_file(std::shared_ptr<const Solver> solver, const std::string& path) {
  auto table = ValueTable::open(path);
  if (!table) return tl::unexpected(table.error());
  if (table->spec() != solver->label()) return other_table(path, *table, solver->label());
  return over_file(std::move(solver), std::move(*table), path);
}

Result<std::optional<Value>> TableBook::value(const Session& session) {
  // Repetition is the history's business: only an ending of the position itself counts.
  const Board board = session.board();
  const Outcome outcome = session.outcome();
  if (outcome.over() && outcome.reason != EndReason::repetition) return value_of(outcome, board.to_move);
  const auto place = solver_->place(board);
  if (!place) return std::optional<Value>();
  const auto value = lookup_(*place);
  if (!value) return tl::unexpected(value.error());
  if (value->kind() == ValueKind::none) return std::optional<Value>();
  return solver_->within_limits(board, *value);
}

Result<std::optional<std::vector<ValuedTurn>>> TableBook::turns(const Session& session) {
  std::vector<ValuedTurn> turns;
  const auto scratch = session.game().start_from(session.board());
  std::vector<std::pair<Turn, std::string>> legal;
  scratch->for_each_turn([&](const ListedTurn& turn) {
    legal.emplace_back(turn.steps, turn.text);
    return true;
  });
  for (auto& [steps, text] : legal) {
    scratch->play(steps);
    const auto after = value(*scratch);
    scratch->undo();
    if (!after) return tl::unexpected(after.error());
    if (!*after) return std::optional<std::vector<ValuedTurn>>();
    turns.push_back({std::move(steps), std::move(text), before(**after)});
  }
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
