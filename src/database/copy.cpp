#include "database/copy.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>
#include <vector>

#include "base/check.hpp"
#include "base/text.hpp"
#include "database/checksum.hpp"

namespace paika {

namespace {

/// What a table comes to: rows in any order.
struct TableSum {
  std::int64_t rows = 0;
  std::uint64_t checksum = 0;  // the sum of the rows' checksums
  std::int64_t last_number = 0;
  friend bool operator==(const TableSum&, const TableSum&) = default;
};

class TableCopy {
 public:
  TableCopy(Connection& from, Connection& to, const TableInfo& table)
      : from_(from), to_(to), table_(table.name), columns_(table.columns) {}

  /// Copies every row, and sums up what was there.
  TableSum copy() {
    const auto insert =
        to_.prepare(fmt::format("INSERT INTO {} ({}) VALUES ({})", table_, names(), fmt::join(places(), ", ")));
    TableSum sum = for_each_row(from_, [&](const Statement& row) {
      for (std::size_t i = 0; i < columns_.size(); ++i) pass_on(row, i, *insert);
      static_cast<void>(insert->step());
      insert->reset();
    });
    to_.set_last_number(table_, sum.last_number);
    return sum;
  }

  /// What is there now.
  TableSum check() {
    return for_each_row(to_, [](const Statement&) {});
  }

 private:
  [[nodiscard]] std::string names() const {
    std::vector<std::string_view> names;
    for (const Column& column : columns_) names.push_back(column.name);
    return fmt::format("{}", fmt::join(names, ", "));
  }
  [[nodiscard]] std::vector<char> places() const { return std::vector<char>(columns_.size(), '?'); }

  void pass_on(const Statement& row, std::size_t at, Statement& insert) const {
    const int column = static_cast<int>(at);
    const ValueType type = columns_[at].type;
    if (row.is_null(column)) return insert.bind_null(column + 1, type);
    switch (type) {
      case ValueType::integer: return insert.bind(column + 1, row.number(column));
      case ValueType::real: return insert.bind(column + 1, row.real(column));
      case ValueType::text: return insert.bind(column + 1, std::string_view(row.text(column)));
      case ValueType::blob: return insert.bind(column + 1, Blob{row.text(column)});
    }
  }

  /// The values of a row in one way of writing, whatever the engine's is.
  [[nodiscard]] std::int64_t checksum_of(const Statement& row) const {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const int column = static_cast<int>(i);
      if (row.is_null(column)) {
        values.emplace_back("NULL");
      } else if (columns_[i].type == ValueType::real) {
        values.push_back(fmt::format("={}", row.real(column)));
      } else {
        values.push_back("=" + row.text(column));
      }
    }
    const std::vector<std::string_view> views(values.begin(), values.end());
    return row_checksum(views);
  }

  template <class Use>
  TableSum for_each_row(Connection& connection, Use use) {
    TableSum sum;
    const auto rows = connection.prepare(fmt::format("SELECT {} FROM {}", names(), table_), true);
    while (rows->step()) {
      ++sum.rows;
      sum.checksum += static_cast<std::uint64_t>(checksum_of(*rows));
      use(*rows);
    }
    rows->reset();
    sum.last_number = connection.last_number(table_);
    return sum;
  }

  Connection& from_;
  Connection& to_;
  const std::string& table_;
  const std::vector<Column>& columns_;
};

/// The tables in an order in which each refers only to those before it, and to itself.
std::vector<TableInfo> in_order(std::vector<TableInfo> tables) {
  std::vector<TableInfo> ordered;
  const auto is_placed = [&](const std::string& name) {
    return std::any_of(ordered.begin(), ordered.end(), [&](const TableInfo& table) { return table.name == name; });
  };
  while (!tables.empty()) {
    const auto next = std::find_if(tables.begin(), tables.end(), [&](const TableInfo& table) {
      return std::all_of(table.references.begin(), table.references.end(),
                         [&](const std::string& name) { return name == table.name || is_placed(name); });
    });
    PAIKA_CHECK(next != tables.end());  // no layout of ours goes in circles
    ordered.push_back(std::move(*next));
    tables.erase(next);
  }
  return ordered;
}

}  // namespace

Result<void> copy_tables(Database& from, Database& to, const CopyProgress& progress) {
  const std::vector<TableInfo> tables = in_order(from.connection().tables());
  const Transaction reading(from);
  Transaction writing(to);
  for (const TableInfo& table : std::views::reverse(tables)) {
    to.connection().run_script(fmt::format("DELETE FROM {}", table.name));
  }
  for (const TableInfo& table : tables) {
    TableCopy copy(from.connection(), to.connection(), table);
    const TableSum wanted = copy.copy();
    if (copy.check() != wanted) {
      return fail("the table {} of {} is not the same as in {}", table.name, in_quotes(to.name(), 200),
                  in_quotes(from.name(), 200));
    }
    progress(table.name, wanted.rows);
  }
  writing.finish();
  return {};
}

}  // namespace paika
