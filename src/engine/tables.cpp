#include "engine/tables.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/user_folder.hpp"
#include "solve/table_header.hpp"

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
          {"bytes", tier.length()},
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
          {"checksum", checksum_text(table.checksum())},
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
    found.emplace(table->spec(), std::move(json));
  }
  Json list = Json::array();
  for (auto& [label, json] : found) list.push_back(std::move(json));
  return list;
}

std::unique_ptr<TableBook> TableBook::over_file(std::shared_ptr<const Numbering> numbering, ValueTable table,
                                                const std::string& path) {
  const auto kept = std::make_shared<const ValueTable>(std::move(table));
  // Shared, for functions are copied and readers are not.
  auto reader = std::make_shared<TableReader>(kept->reader(reader_bytes));
  auto lookup = [kept, reader](TierIndex place) { return kept->lookup(*reader, place.tier, place.index); };
  return std::unique_ptr<TableBook>(new TableBook(std::move(numbering), kept, std::move(lookup), path));
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
  auto numbering = open_numbering(spec, kind->stones);
  if (!numbering) return tl::unexpected(numbering.error());
  return over_file(std::move(*numbering), std::move(*table), path);
}

Result<std::unique_ptr<TableBook>> TableBook::open_file(std::shared_ptr<const Numbering> numbering,
                                                        const std::string& path) {
  auto table = ValueTable::open(path);
  if (!table) return tl::unexpected(table.error());
  if (table->spec() != numbering->label()) return other_table(path, *table, numbering->label());
  return over_file(std::move(numbering), std::move(*table), path);
}

}  // namespace paika
