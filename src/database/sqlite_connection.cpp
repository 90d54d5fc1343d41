#include "database/sqlite_connection.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <span>
#include <sqlite3.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/text.hpp"
#include "database/checksum.hpp"
#include "database/dialect.hpp"
#include "database/sqlite.hpp"

namespace paika {

namespace {

constexpr int busy_timeout_ms = 5000;

/// A connection is used on one thread at a time, so SQLite needs no lock of its own. A reader may also have to put the
/// file in order after a crash: it is kept from writing by query_only (sqlite_file.cpp), not by this.
constexpr int open_flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

SQLite::Database connect(const std::string& path) {
  try {
    return {path, open_flags, busy_timeout_ms};
  } catch (const SQLite::Exception& error) {
    throw StoreError(fmt::format("{} cannot be opened: {}", in_quotes(path, 200), error.what()));
  }
}

// ---- Functions that PostgreSQL has, and one of ours ----

using Values = std::span<sqlite3_value*>;

Values values_of(int count, sqlite3_value** given) { return {given, static_cast<std::size_t>(count)}; }

/// A value as bytes.
std::string_view bytes_of(sqlite3_value* value) {
  // The pointer first: asking for it may change the length.
  const void* const bytes = sqlite3_value_blob(value);
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

/// The largest number of those that are not NULL, or the smallest.
template <bool WantsLargest>
void extreme(sqlite3_context* context, int count, sqlite3_value** given) {
  sqlite3_value* best = nullptr;
  for (sqlite3_value* const value : values_of(count, given)) {
    if (sqlite3_value_type(value) == SQLITE_NULL) continue;
    const auto number = sqlite3_value_int64(value);
    if (best == nullptr || (WantsLargest ? number > sqlite3_value_int64(best) : number < sqlite3_value_int64(best))) {
      best = value;
    }
  }
  if (best != nullptr) sqlite3_result_value(context, best);
}

void octet_length(sqlite3_context* context, int, sqlite3_value** given) {
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(bytes_of(*given).size()));
}

/// Milliseconds since 1970.
void now_ms(sqlite3_context* context, int, sqlite3_value**) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  sqlite3_result_int64(context, std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

/// The checksum of a row, for the step of the store's layout that gave events theirs.
void event_checksum(sqlite3_context* context, int count, sqlite3_value** given) {
  std::vector<std::string_view> values;
  for (sqlite3_value* const value : values_of(count, given)) values.push_back(bytes_of(value));
  sqlite3_result_int64(context, row_checksum(values));
}

void add_functions(SQLite::Database& connection) {
  const auto add = [&](const char* name, int count, auto* function) {
    connection.createFunction(name, count, true, nullptr, function, nullptr, nullptr, nullptr);
  };
  add("greatest", -1, extreme<true>);
  add("least", -1, extreme<false>);
  add("octet_length", 1, octet_length);
  add("event_checksum", 4, event_checksum);
  connection.createFunction("now_ms", 0, false, nullptr, now_ms, nullptr, nullptr, nullptr);
}

class SqliteStatement : public Statement {
 public:
  SqliteStatement(SqliteConnection& connection, const std::string& text)
      : connection_(connection), statement_(connection.handle(), text) {}

  /// Does `work` with its errors as they leave this engine.
  template <class Work>
  auto guarded(Work work) {
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      throw connection_.fault(error);
    }
  }

  void bind(int index, std::int64_t value) override {
    guarded([&] { statement_.bind(index, value); });
  }
  void bind(int index, double value) override {
    guarded([&] { statement_.bind(index, value); });
  }
  void bind(int index, std::string_view value) override {
    guarded([&] { statement_.bind(index, std::string(value)); });
  }
  void bind(int index, const Blob& value) override {
    guarded([&] { statement_.bind(index, value.bytes.data(), static_cast<int>(value.bytes.size())); });
  }
  void bind_null(int, ValueType) override {}  // as reset() has left it

  bool step() override {
    return guarded([&] { return statement_.executeStep(); });
  }
  [[nodiscard]] int changes() const override { return connection_.handle().getChanges(); }
  void reset() noexcept override {
    // A statement that failed gives its error once more here; it was thrown already.
    (void)statement_.tryReset();
    try {
      statement_.clearBindings();
    } catch (const SQLite::Exception&) {
      PAIKA_CHECK(false);  // it cannot fail
    }
  }

  [[nodiscard]] std::int64_t number(int column) const override { return statement_.getColumn(column).getInt64(); }
  [[nodiscard]] double real(int column) const override { return statement_.getColumn(column).getDouble(); }
  [[nodiscard]] std::string text(int column) const override { return statement_.getColumn(column).getString(); }
  [[nodiscard]] bool is_null(int column) const override { return statement_.isColumnNull(column); }

 private:
  SqliteConnection& connection_;
  mutable SQLite::Statement statement_;
};

ValueType sqlite_type(std::string_view word) {
  if (word == "INTEGER") return ValueType::integer;
  if (word == "REAL") return ValueType::real;
  return word == "BLOB" ? ValueType::blob : ValueType::text;
}

/// Does a prepared statement without values; false if it failed.
bool try_run(SQLite::Statement& statement) noexcept {
  (void)statement.tryReset();
  const bool is_done = statement.tryExecuteStep() == SQLITE_DONE;
  return statement.tryReset() == SQLITE_OK && is_done;
}

}  // namespace

std::unique_ptr<Connection> connect_sqlite(const std::string& path, Access access) {
  return std::make_unique<SqliteConnection>(path, access, std::nullopt);
}

SqliteConnection::Undo::Undo(const SQLite::Database& connection)
    : whole(connection, "ROLLBACK"), part(connection, "ROLLBACK TO part"), release(connection, "RELEASE part") {}

SqliteConnection::SqliteConnection(std::string path, Access access, std::optional<OwnerLock> lock)
    : lock_(std::move(lock)),
      path_(std::move(path)),
      access_(access),
      connection_(connect(path_)),
      file_(file_identity(path_)) {
  add_functions(connection_);
}

std::unique_ptr<Statement> SqliteConnection::prepare(std::string_view text, bool) {
  try {
    return std::make_unique<SqliteStatement>(*this, only_for(Engine::sqlite, text));
  } catch (const SQLite::Exception& error) {
    throw fault(error);
  }
}

void SqliteConnection::run_script(std::string_view text) {
  try {
    connection_.exec(only_for(Engine::sqlite, text));
  } catch (const SQLite::Exception& error) {
    throw fault(error);
  }
}

StoreError SqliteConnection::fault(const SQLite::Exception& error) const {
  const std::string file = in_quotes(path_, 200);
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB: return StoreError(fmt::format("{} is not a database of this server", file));
    case SQLITE_CORRUPT: return StoreError(fmt::format("{} is damaged: {}", file, error.what()));
    default: return StoreError(fmt::format("{} cannot be used: {}", file, error.what()));
  }
}

// ---- Transactions ----

std::string_view SqliteConnection::begin_text() const noexcept {
  return access_ == Access::owner ? "BEGIN IMMEDIATE" : "BEGIN";
}

bool SqliteConnection::in_transaction() const noexcept { return sqlite3_get_autocommit(connection_.getHandle()) == 0; }

void SqliteConnection::prepare_undo() {
  try {
    undo_.emplace(connection_);
  } catch (const SQLite::Exception& error) {
    throw fault(error);
  }
}

bool SqliteConnection::undo(bool whole) noexcept {
  if (whole) return try_run(undo_->whole);
  return try_run(undo_->part) && try_run(undo_->release);
}

// ---- What SQLite does in its own way ----

std::int64_t SqliteConnection::one_number(const char* text, std::string_view value) {
  const auto statement = prepare(text, false);
  if (!value.empty()) statement->bind(1, value);
  return statement->step() ? statement->number(0) : 0;
}

/// The first column of all rows.
std::vector<std::string> SqliteConnection::texts(const char* text, std::string_view value) {
  const auto statement = prepare(text, false);
  if (!value.empty()) statement->bind(1, value);
  std::vector<std::string> texts;
  while (statement->step()) texts.push_back(statement->text(0));
  return texts;
}

std::vector<TableInfo> SqliteConnection::tables() {
  std::vector<TableInfo> tables;
  for (const std::string& name :
       texts("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
             " ORDER BY name")) {
    TableInfo table{name, {}, texts("SELECT DISTINCT \"table\" FROM pragma_foreign_key_list(?)", name)};
    const auto columns = texts("SELECT name FROM pragma_table_info(?) ORDER BY cid", name);
    const auto types = texts("SELECT type FROM pragma_table_info(?) ORDER BY cid", name);
    for (std::size_t i = 0; i < columns.size(); ++i) table.columns.push_back({columns[i], sqlite_type(types[i])});
    tables.push_back(std::move(table));
  }
  return tables;
}

LayoutMark SqliteConnection::layout_mark() {
  return {one_number("PRAGMA application_id"), static_cast<int>(one_number("PRAGMA user_version")),
          one_number("SELECT count(*) FROM sqlite_schema") == 0};
}

void SqliteConnection::set_layout_mark(std::int64_t application, int version) {
  run_script(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, version));
}

bool SqliteConnection::is_read_only() const noexcept {
  return sqlite3_db_readonly(connection_.getHandle(), "main") == 1;
}

std::optional<std::string> SqliteConnection::storage_fault() {
  constexpr std::uintmax_t min_free = std::uintmax_t{1} << 20U;
  const FileIdentity now = file_identity(path_);
  if (now == FileIdentity())
    return "the database file has been deleted: what is saved now is lost when the server ends";
  if (now != file_) return "the database file has been replaced by another one: the server must be restarted";
  std::error_code error;
  if (!std::filesystem::exists(path_ + "-wal", error)) return "the log of the database (-wal) has been deleted";
  if (::access(path_.c_str(), W_OK) != 0) return "the database file is read-only";
  const std::filesystem::space_info space = std::filesystem::space(path_, error);
  if (!error && space.available < min_free) return fmt::format("the disk is full: {} bytes are left", space.available);
  return std::nullopt;
}

std::int64_t SqliteConnection::bytes() {
  return one_number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
}

std::int64_t SqliteConnection::last_number(std::string_view table) {
  const bool numbers_rows =
      one_number("SELECT count(*) FROM pragma_table_info(?) WHERE name = 'id' AND pk = 1 AND type = 'INTEGER'", table) >
      0;
  if (!numbers_rows) return 0;
  return std::max(one_number("SELECT seq FROM sqlite_sequence WHERE name = ?", table),
                  one_number(fmt::format("SELECT max(id) FROM {}", table).c_str()));
}

void SqliteConnection::set_last_number(std::string_view table, std::int64_t number) {
  if (number <= last_number(table)) return;
  run_script(
      fmt::format("INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq)"
                  " VALUES ((SELECT rowid FROM sqlite_sequence WHERE name = '{0}'), '{0}', {1})",
                  table, number));
}

}  // namespace paika
