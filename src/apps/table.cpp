// `paika table info | verify | query`: looking at table files.
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/progress.hpp"
#include "apps/tables_input.hpp"
#include "engine/solver.hpp"
#include "solve/device_job.hpp"

namespace paika::apps {

namespace {

void print_info(const ValueTable& table, bool json) {
  if (json) {
    fmt::print("{}\n", table_json(table).dump(2));
    return;
  }
  fmt::print("table of {}: {} positions up to symmetry\n", table.spec(), table.positions());
  fmt::print("{:<10} {:>14} {:>14} {:>14} {:>14} {:>8} {:>8} {:>10}\n", "tier", "positions", "won", "lost", "drawn",
             "win in", "loss in", "size");
  for (const TableSection& tier : table.tiers()) {
    const TierStatistics& s = tier.statistics();
    const auto longest = [&](std::uint32_t moves) { return tier.is_packed() ? "-" : fmt::to_string(moves); };
    fmt::print("{:<10} {:>14} {:>14} {:>14} {:>14} {:>8} {:>8} {:>10}\n", tier.name(), tier.positions(), s.wins,
               s.losses, s.draws, longest(s.longest_win), longest(s.longest_loss), memory_text(tier.length()));
  }
}

/// How many positions of the whole table have each value.
Result<std::map<std::uint16_t, std::uint64_t>> count_values(const ValueTable& table) {
  std::vector<std::uint64_t> counts(std::size_t{1} << 16);
  TableReader reader = table.reader(std::size_t{1} << 20);
  for (const TableSection& tier : table.tiers()) {
    const auto count = [&](std::uint64_t /*first*/, std::span<const std::uint16_t> codes) {
      for (const std::uint16_t code : codes) ++counts[code];
    };
    if (auto done = tier.for_each_piece(reader, count); !done) return tl::unexpected(done.error());
  }
  std::map<std::uint16_t, std::uint64_t> found;
  for (std::size_t code = 0; code < counts.size(); ++code) {
    const Value value = Value::from_code(static_cast<std::uint16_t>(code));
    if (counts[code] != 0 && value.kind() != ValueKind::none) found[value.code()] = counts[code];
  }
  return found;
}

int print_distances(const ValueTable& table, bool json) {
  const auto counts = count_values(table);
  if (!counts) return complain(counts.error().message);
  Json list = Json::array();
  for (const auto& [code, count] : *counts) {
    const Value value = Value::from_code(code);
    if (json) {
      Json item = value_json(value);
      item["positions"] = count;
      list.push_back(std::move(item));
    } else {
      fmt::print("{}\t{}\n", value_words(value), count);
    }
  }
  if (json) fmt::print("{}\n", Json{{"table", table.spec()}, {"values", list}}.dump(2));
  return finish(exit_done);
}

/// The checksum of each tier's values, as solving on a GPU gives it without a table.
int print_checksums(const ValueTable& table, bool json) {
  Json list = Json::array();
  for (const TableSection& tier : table.tiers()) {
    const auto checksum = tier_checksum(tier);
    if (!checksum) return complain(checksum.error().message);
    const std::string text = fmt::format("{:016x}", *checksum);
    if (json) {
      list.push_back({{"tier", tier.name()}, {"checksum", text}});
    } else {
      fmt::print("{}\t{}\n", tier.name(), text);
    }
  }
  if (json) fmt::print("{}\n", Json{{"table", table.spec()}, {"tiers", list}}.dump(2));
  return finish(exit_done);
}

/// The spec in a label: some labels say more after a blank.
std::string spec_of(const ValueTable& table) { return table.spec().substr(0, table.spec().find(' ')); }

/// The solver of the table's positions.
Result<std::unique_ptr<Solver>> solver_of(const ValueTable& table) {
  for (const TableKind& kind : table_kinds(spec_of(table))) {
    if (kind.label == table.spec()) return open_solver(spec_of(table), kind.stones);
  }
  return open_solver(spec_of(table));
}

int verify(const ValueTable& table, const TableArgs& args, std::uint64_t memory) {
  const auto solver = solver_of(table);
  if (!solver) return complain(solver.error().message);
  const Interrupt interrupt;
  Progress progress("verifying " + table.spec());
  if (auto whole = table.check(); !whole) return complain(whole.error().message);
  TableWork work{memory, args.threads, interrupt.token(), {}};
  if (progress.shown()) work.on_progress = [&](double done) { progress.update(done); };
  const auto wrong = (*solver)->verify(table, work);
  if (!wrong) return complain(wrong.error().message);
  if (*wrong) {
    fmt::print("wrong: {}\n", **wrong);
    return finish(exit_no);
  }
  fmt::print("all {} values of {} follow from their moves\n", table.positions(), table.spec());
  return finish(exit_done);
}

int query(const ValueTable& table, const TableArgs& args) {
  PositionArgs at = args.at;
  at.spec = spec_of(table);
  const auto session = open_position(at);
  if (!session) return complain(session.error().message);
  const auto book = TableBook::open_file((*session)->notation().spec(), args.file);
  if (!book) return complain(book.error().message);
  const auto value = (*book)->value(**session);
  if (!value) return complain(value.error().message);
  if (!*value) return complain("the table does not hold this position");
  const auto turns = (*book)->turns(**session);
  if (!turns) return complain(turns.error().message);
  if (at.json) {
    Json json = value_json(**value);
    json["position"] = (*session)->position_text();
    json["moves"] = Json::array();
    if (*turns) {
      for (const ValuedTurn& turn : **turns) {
        Json item = value_json(turn.value);
        item["move"] = turn.text;
        json["moves"].push_back(std::move(item));
      }
    }
    fmt::print("{}\n", json.dump(2));
    return finish(exit_done);
  }
  fmt::print("{}\n", value_sentence((*session)->notation(), (*session)->board().to_move, **value));
  if (*turns) {
    for (const ValuedTurn& turn : **turns) fmt::print("{}\t{}\n", turn.text, value_words(turn.value));
  }
  return finish(exit_done);
}

}  // namespace

int run_table(const TableArgs& args) {
  const auto memory = read_memory(args.memory);
  if (!memory) return complain("--memory: " + memory.error().message);
  const auto table = ValueTable::open(args.file);
  if (!table) return complain(table.error().message);
  if (args.what == "verify") return verify(*table, args, *memory);
  if (args.what == "query") return query(*table, args);
  if (args.distances) return print_distances(*table, args.at.json);
  if (args.checksums) return print_checksums(*table, args.at.json);
  print_info(*table, args.at.json);
  return finish(exit_done);
}

}  // namespace paika::apps
