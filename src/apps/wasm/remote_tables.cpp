#include "apps/wasm/remote_tables.hpp"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/numbering.hpp"
#include "engine/tables.hpp"
#include "solve/remote_table.hpp"

namespace paika {

namespace {

/// So much of all files together is held at most; the page has the rest at hand.
constexpr std::uint64_t max_held = std::uint64_t{64} << 20;

struct Announced {
  Json listed;  // as the server lists it
  std::shared_ptr<RemoteTable> table;
};

/// By label.
std::map<std::string, Announced>& announced() {
  static std::map<std::string, Announced> all;
  return all;
}

std::function<void()>& missing_listener() {
  static std::function<void()> listener;
  return listener;
}

/// The last numbering that was used: making one takes a moment.
std::shared_ptr<const Numbering> numbering_of(const std::string& spec, int stones) {
  static std::string made_for;
  static std::shared_ptr<const Numbering> made;
  const std::string wanted = fmt::format("{} {}", spec, stones);
  if (made_for == wanted) return made;
  auto numbering = open_numbering(spec, stones);
  if (!numbering) return nullptr;
  made_for = wanted;
  made = std::move(*numbering);
  return made;
}

}  // namespace

// What engine/tables.cpp has for programs with files. There is one folder, whatever it is called.

Result<std::unique_ptr<TableBook>> TableBook::open(const std::string& spec, const std::string& /*folder*/) {
  for (const TableKind& kind : table_kinds(spec)) {
    const auto found = announced().find(kind.label);
    if (found == announced().end()) continue;
    auto numbering = numbering_of(spec, kind.stones);
    if (!numbering) continue;
    const auto lookup = [table = found->second.table](TierIndex place) {
      auto value = table->lookup(place);
      if (!value && missing_listener()) missing_listener()();
      return value;
    };
    return over(std::move(numbering), lookup, found->second.table->name());
  }
  return std::unique_ptr<TableBook>();
}

Json tables_json(const std::string& /*folder*/) {
  Json list = Json::array();
  for (const auto& [label, one] : announced()) list.push_back(one.listed);
  return list;
}

namespace wasm {

Result<void> announce_tables(std::string_view json) {
  const Json list = Json::parse(json, nullptr, false);
  if (!list.is_array()) return fail("the tables are a list, as GET /api/tables answers");
  std::map<std::string, Announced> next;
  for (const Json& one : list) {
    const bool whole = one.is_object() && one.contains("table") && one["table"].is_string() && one.contains("file") &&
                       one["file"].is_string() && one.contains("checksum") && one["checksum"].is_string() &&
                       one.contains("bytes") && one["bytes"].is_number_unsigned();
    if (!whole) return fail("a table has the fields table, file, bytes and checksum");
    const auto& label = one["table"].get_ref<const std::string&>();
    const auto known = announced().find(label);
    if (known != announced().end() && known->second.listed == one) {
      next.emplace(label, known->second);
      continue;
    }
    auto table = std::make_shared<RemoteTable>(one["file"].get<std::string>(), one["bytes"].get<std::uint64_t>(),
                                               one["checksum"].get<std::string>());
    next.emplace(label, Announced{one, std::move(table)});
  }
  announced() = std::move(next);
  return {};
}

void supply_bytes(std::string_view file, std::uint64_t offset, std::vector<std::uint8_t> bytes) {
  for (auto& [label, one] : announced()) {
    if (one.table->name() != file) continue;
    one.table->supply(offset, std::move(bytes));
    return;
  }
}

void on_missing_bytes(std::function<void()> when) { missing_listener() = std::move(when); }

std::string take_missing_bytes() {
  Json list = Json::array();
  for (auto& [label, one] : announced()) {
    for (const ByteRange& range : one.table->take_missing()) {
      list.push_back({{"file", one.table->name()}, {"offset", range.offset}, {"size", range.size}});
    }
  }
  return list.empty() ? "" : list.dump();
}

void tidy_tables(bool damaged) {
  std::uint64_t held = 0;
  for (const auto& [label, one] : announced()) held += one.table->held();
  if (!damaged && held <= max_held) return;
  for (auto& [label, one] : announced()) one.table->forget();
}

}  // namespace wasm

}  // namespace paika
