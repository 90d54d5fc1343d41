#include "server/store/database.hpp"

#include <cstring>
#include <fmt/format.h>
#include <span>
#include <sqlite3.h>
#include <utility>

#define XXH_INLINE_ALL  // NOLINT(readability-identifier-naming): xxhash.h names it
#include <xxhash.h>

#include "base/check.hpp"
#include "base/text.hpp"

namespace paika::server {

namespace {

constexpr int busy_timeout_ms = 5000;

/// The store uses a connection on one thread at a time, so SQLite needs no lock of its own. A reader may also have
/// to put the file in order after a crash: it is kept from writing by query_only (store.cpp), not by this.
constexpr int open_flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;

SQLite::Database connect(const std::string& path) {
  try {
    return {path, open_flags, busy_timeout_ms};
  } catch (const SQLite::Exception& error) {
    throw StoreError(fmt::format("{} cannot be opened: {}", in_quotes(path, 200), error.what()));
  }
}

/// A value as the bytes that the checksum covers.
std::string_view bytes_of(sqlite3_value* value) {
  // The pointer first: asking for it may change the length.
  const void* const bytes = sqlite3_value_blob(value);
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(sqlite3_value_bytes(value))};
}

/// The SQL function event_checksum(room, number, at_us, text): XXH3 of all four. Each length goes in as well, so that
/// nothing can move from one value to the next.
void event_checksum(sqlite3_context* context, int count, sqlite3_value** given) {
  XXH3_state_t state;
  XXH3_INITSTATE(&state);
  XXH3_64bits_reset(&state);
  for (sqlite3_value* const value : std::span(given, static_cast<std::size_t>(count))) {
    const std::string_view bytes = bytes_of(value);
    const std::uint64_t size = bytes.size();
    XXH3_64bits_update(&state, &size, sizeof size);
    if (size > 0) XXH3_64bits_update(&state, bytes.data(), bytes.size());
  }
  sqlite3_result_int64(context, static_cast<sqlite3_int64>(XXH3_64bits_digest(&state)));
}

}  // namespace

Query::Query(Database& database, Prepared& prepared) : database_(database), prepared_(prepared) {
  PAIKA_CHECK(!prepared_.at_work);
  prepared_.at_work = true;
}

Query::~Query() {
  prepared_.at_work = false;
  // A statement that failed gives its error once more here; it was thrown already.
  (void)prepared_.statement.tryReset();
  try {
    prepared_.statement.clearBindings();
  } catch (const SQLite::Exception&) {
    PAIKA_CHECK(false);  // it cannot fail
  }
}

bool Query::next() {
  try {
    return prepared_.statement.executeStep();
  } catch (const SQLite::Exception& error) {
    fail(error);
  }
}

void Query::fail(const SQLite::Exception& error) { throw database_.fault(error); }

Database::Undo::Undo(const SQLite::Database& connection)
    : whole(connection, "ROLLBACK"), part(connection, "ROLLBACK TO part"), release(connection, "RELEASE part") {}

Database::Database(std::string path, Store::Mode mode)
    : path_(std::move(path)), mode_(mode), connection_(connect(path_)) {
  connection_.createFunction("event_checksum", 4, true, nullptr, event_checksum, nullptr, nullptr, nullptr);
}

void Database::run_once(Sql sql) {
  check_not_lost();
  try {
    connection_.exec(sql.text());
  } catch (const SQLite::Exception& error) {
    throw fault(error);
  }
}

Query::Prepared& Database::prepared(Sql sql) {
  check_not_lost();
  try {
    return prepared_.try_emplace(sql.key(), connection_, sql).first->second;
  } catch (const SQLite::Exception& error) {
    throw fault(error);
  }
}

bool Database::is_read_only() const noexcept { return sqlite3_db_readonly(connection_.getHandle(), "main") == 1; }

bool Database::in_transaction() const noexcept { return sqlite3_get_autocommit(connection_.getHandle()) == 0; }

void Database::check_not_lost() const {
  if (!is_stuck_ && (depth_ == 0 || in_transaction())) return;
  throw StoreError(lost_.empty() ? "the storage failed, and what was done with this was undone" : lost_);
}

StoreError Database::fault(const SQLite::Exception& error) {
  if (depth_ > 0 && !in_transaction()) lost_.clear();
  const std::string file = in_quotes(path_, 200);
  std::string message;
  switch (error.getErrorCode()) {
    case SQLITE_NOTADB: message = fmt::format("{} is not a file of this server", file); break;
    case SQLITE_CORRUPT: message = fmt::format("{} is damaged: {}", file, error.what()); break;
    default: message = fmt::format("{} cannot be used: {}", file, error.what());
  }
  if (depth_ > 0 && !in_transaction()) lost_ = message;
  return StoreError(message);
}

void Database::begin_part() {
  if (depth_ == 0) make_undo();
  if (depth_ > 0) {
    run("SAVEPOINT part");
  } else if (mode_ == Store::Mode::owner) {
    run("BEGIN IMMEDIATE");
  } else {
    run("BEGIN");
  }
  ++depth_;
}

void Database::end_part() {
  try {
    if (depth_ > 1) {
      run("RELEASE part");
    } else {
      run("COMMIT");
    }
  } catch (...) {
    undo_part();
    throw;
  }
  --depth_;
}

void Database::make_undo() {
  try {
    undo_.emplace(connection_);
  } catch (const SQLite::Exception& error) {
    throw fault(error);
  }
}

bool Database::try_run(SQLite::Statement& statement) noexcept {
  (void)statement.tryReset();
  const bool is_done = statement.tryExecuteStep() == SQLITE_DONE;
  return statement.tryReset() == SQLITE_OK && is_done;
}

void Database::undo_part() noexcept {
  --depth_;
  if (!in_transaction()) return;
  if (depth_ > 0 && try_run(undo_->part) && try_run(undo_->release)) return;
  // What cannot be undone alone is undone with everything around it, and whoever goes on in that hears so.
  lost_.clear();
  (void)try_run(undo_->whole);
  is_stuck_ = in_transaction();
}

}  // namespace paika::server
