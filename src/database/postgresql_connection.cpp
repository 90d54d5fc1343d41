#include "database/postgresql_connection.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/text.hpp"
#include "database/dialect.hpp"
#include "database/owner_watch.hpp"

namespace paika {

namespace {

constexpr int min_server_version = 150000;
constexpr auto own_lock_patience = std::chrono::seconds(2);  // for the lock of one's own last connection
constexpr auto lock_interval = std::chrono::milliseconds(50);
constexpr auto connect_limit = std::chrono::seconds(3);

/// Defaults of a connection, which a URL can override. One whose other side is silent is given up after seconds.
constexpr std::array<std::pair<const char*, const char*>, 5> defaults = {{{"fallback_application_name", "paika"},
                                                                          {"keepalives_idle", "2"},
                                                                          {"keepalives_interval", "1"},
                                                                          {"keepalives_count", "3"},
                                                                          {"tcp_user_timeout", "3000"}}};

/// The server, too, gives a silent connection up soon, so that the next owner does not wait for its lock.
constexpr const char* session_settings =
    "SET client_min_messages = warning; SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1;"
    "SET tcp_keepalives_count = 3; SET tcp_user_timeout = 5000";

// Types of values, by the numbers that PostgreSQL's catalogue gives them for ever.
constexpr Oid type_bool = 16;
constexpr Oid type_bytea = 17;
constexpr Oid type_int8 = 20;
constexpr Oid type_text = 25;
constexpr Oid type_float8 = 701;

using Handle = PostgresqlHandle;
using Rows = PostgresqlRows;

bool is_good(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_SINGLE_TUPLE;
}

// ---- Statements ----

class PostgresqlStatement : public Statement {
 public:
  PostgresqlStatement(PostgresqlConnection& connection, std::string text, std::string id, bool streamed)
      : connection_(connection), text_(std::move(text)), id_(std::move(id)), streamed_(streamed) {}

  void bind(int index, std::int64_t value) override { set(index, {type_int8, 0, false, fmt::format("{}", value)}); }
  void bind(int index, double value) override { set(index, {type_float8, 0, false, fmt::format("{}", value)}); }
  void bind(int index, std::string_view value) override { set(index, {type_text, 1, false, std::string(value)}); }
  void bind(int index, const Blob& value) override { set(index, {type_bytea, 1, false, std::string(value.bytes)}); }
  void bind_null(int index, ValueType type) override {
    constexpr std::array<Oid, 4> types = {type_int8, type_float8, type_text, type_bytea};
    set(index, {types.at(static_cast<std::size_t>(type)), 0, true, ""});
  }

  bool step() override {
    if (rows_ == nullptr) {
      execute();
    } else if (!streamed_) {
      ++row_;
    } else {
      receive();
    }
    return row_ < PQntuples(rows_.get());
  }
  [[nodiscard]] int changes() const override {
    return static_cast<int>(parse_int(PQcmdTuples(rows_.get())).value_or(0));
  }
  void reset() noexcept override {
    if (rows_ != nullptr && streamed_) drain();
    rows_.reset();
    row_ = 0;
    for (Value& value : values_) value.is_null = true;
  }

  [[nodiscard]] std::int64_t number(int column) const override {
    const std::string_view value = raw(column);
    if (PQftype(rows_.get(), column) == type_bool) return value == "t" ? 1 : 0;
    std::int64_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
  }
  [[nodiscard]] double real(int column) const override {
    const std::string_view value = raw(column);
    double number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
  }
  [[nodiscard]] std::string text(int column) const override {
    const std::string_view value = raw(column);
    return PQftype(rows_.get(), column) == type_bytea ? from_hex(value) : std::string(value);
  }
  [[nodiscard]] bool is_null(int column) const override { return PQgetisnull(rows_.get(), row_, column) == 1; }

 private:
  struct Value {
    Oid type = 0;
    int format = 0;  // 0: as text, 1: bytes
    bool is_null = true;
    std::string bytes;
  };

  void set(int index, Value value) {
    const auto at = static_cast<std::size_t>(index - 1);
    if (at >= values_.size()) values_.resize(at + 1);
    values_[at] = std::move(value);
  }
  [[nodiscard]] std::string_view raw(int column) const {
    return {PQgetvalue(rows_.get(), row_, column), static_cast<std::size_t>(PQgetlength(rows_.get(), row_, column))};
  }
  /// "\x00ff" as bytes.
  [[nodiscard]] static std::string from_hex(std::string_view digits) {
    std::string bytes;
    for (std::size_t i = 2; i + 1 < digits.size(); i += 2) {
      unsigned byte = 0;
      std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
      bytes += static_cast<char>(byte);
    }
    return bytes;
  }

  /// Carries it out. What a lost connection cannot have done is tried once more: reading, and beginning.
  void execute() {
    const bool is_free = !connection_.in_transaction();
    if (is_free && connection_.is_lost()) connection_.connect();
    Rows rows = try_execute();
    const bool can_repeat = is_free && (connection_.is_reader() || text_ == connection_.begin_text());
    if (!is_good(rows.get()) && connection_.is_lost() && can_repeat) {
      connection_.connect();
      rows = try_execute();
    }
    take(std::move(rows));
    // A transaction in which something failed is not committed, and PostgreSQL says so only in passing.
    if (text_ == "COMMIT" && std::string_view(PQcmdStatus(rows_.get())) != "COMMIT") {
      throw StoreError(fmt::format("{} has undone a transaction in which a statement failed", connection_.name()));
    }
  }

  Rows try_execute() {
    if (Rows failed = try_prepare()) return failed;
    std::vector<const char*> bytes;
    std::vector<int> lengths;
    std::vector<int> formats;
    for (const Value& value : values_) {
      bytes.push_back(value.is_null ? nullptr : value.bytes.c_str());
      lengths.push_back(static_cast<int>(value.bytes.size()));
      formats.push_back(value.format);
    }
    const auto count = static_cast<int>(values_.size());
    PGconn* const handle = connection_.handle();
    PQsendQueryPrepared(handle, id_.c_str(), count, bytes.data(), lengths.data(), formats.data(), 0);
    if (!streamed_) return connection_.receive_all();
    PQsetSingleRowMode(handle);
    return Rows(PQgetResult(handle));
  }

  /// Prepares the statement on this connection; the failure, if there is one. Types are those of the values: the
  /// database does not have to guess.
  Rows try_prepare() {
    if (prepared_in_ == connection_.generation()) return nullptr;
    std::vector<Oid> types;
    for (const Value& value : values_) types.push_back(value.type);
    PGconn* const handle = connection_.handle();
    PQsendPrepare(handle, id_.c_str(), text_.c_str(), static_cast<int>(types.size()), types.data());
    if (Rows prepared = connection_.receive_all(); !is_good(prepared.get())) return prepared;
    PQsendDescribePrepared(handle, id_.c_str());
    const Rows described = connection_.receive_all();
    values_.resize(std::max(values_.size(), static_cast<std::size_t>(PQnparams(described.get()))));
    prepared_in_ = connection_.generation();
    return nullptr;
  }

  void receive() { take(Rows(PQgetResult(connection_.handle()))); }

  void take(Rows rows) {
    if (!is_good(rows.get())) {
      StoreError error = connection_.fault(rows.get());
      if (streamed_) drain();
      throw error;
    }
    rows_ = std::move(rows);
    row_ = 0;
  }

  /// Reads to the end what nobody wants any more.
  void drain() noexcept {
    while (const Rows rest = Rows(PQgetResult(connection_.handle()))) {
    }
  }

  PostgresqlConnection& connection_;
  std::string text_;
  std::string id_;
  bool streamed_;
  std::vector<Value> values_;
  int prepared_in_ = 0;  // the connection's generation
  Rows rows_;
  int row_ = 0;
};

// ---- The connection ----

ValueType postgresql_type(std::string_view word) {
  if (word == "bigint") return ValueType::integer;
  if (word == "double precision") return ValueType::real;
  return word == "bytea" ? ValueType::blob : ValueType::text;
}

/// libpq waits two seconds at least.
Handle connect_to(const std::string& url, std::chrono::milliseconds limit) {
  const auto within = limit.count() > 0 ? std::min<std::chrono::milliseconds>(limit, connect_limit) : connect_limit;
  const std::string seconds = std::to_string(std::chrono::floor<std::chrono::seconds>(within).count());
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : defaults) {
    keys.push_back(key);
    values.push_back(value);
  }
  for (const auto& [key, value] :
       {std::pair{"connect_timeout", seconds.c_str()}, {"dbname", url.c_str()}, {"client_encoding", "UTF8"}}) {
    keys.push_back(key);
    values.push_back(value);
  }
  keys.push_back(nullptr);
  values.push_back(nullptr);
  return Handle(PQconnectdbParams(keys.data(), values.data(), 1));
}

}  // namespace

std::string first_line(std::string_view message) {
  message = trimmed(message.substr(0, trimmed(message).find('\n')));
  for (const std::string_view word : {"ERROR:", "FATAL:"}) {
    if (message.starts_with(word)) message = trimmed(message.substr(word.size()));
  }
  return std::string(message);
}

PostgresqlConnection::PostgresqlConnection(std::string url, Access access, std::chrono::milliseconds limit)
    : url_(std::move(url)), access_(access), limit_(limit) {
  const auto shown = shown_postgresql_url(url_);
  if (!shown) throw StoreError(shown.error().message);
  name_ = *shown;
  connect();
}

StoreError PostgresqlConnection::fault(const PGresult* result) const {
  const char* const said = result != nullptr ? PQresultErrorMessage(result) : "";
  const std::string why = first_line(*said != '\0' ? said : PQerrorMessage(handle_.get()));
  return StoreError(fmt::format("{} cannot be used: {}", in_quotes(name_, 200), why));
}

void PostgresqlConnection::connect() {
  if (is_deposed_) give_up("");
  if (is_taking_over_) {
    throw StoreError(
        fmt::format("{} was lost while it was brought up to date: another server may have it", in_quotes(name_, 200)));
  }
  handle_ = connect_to(url_, limit_);
  ++generation_;
  if (handle_ == nullptr) throw std::bad_alloc();
  try {
    begin_session();
  } catch (...) {
    handle_.reset();  // nobody may use one that has not passed every check
    throw;
  }
}

void PostgresqlConnection::begin_session() {
  if (is_lost()) {
    throw StoreError(
        fmt::format("{} cannot be reached: {}", in_quotes(name_, 200), first_line(PQerrorMessage(handle_.get()))));
  }
  if (PQserverVersion(handle_.get()) < min_server_version) {
    throw StoreError(fmt::format("{} is PostgreSQL {}: version 15 or newer is needed", in_quotes(name_, 200),
                                 PQserverVersion(handle_.get()) / 10000));
  }
  if (std::string_view(PQparameterStatus(handle_.get(), "server_encoding")) != "UTF8") {
    throw StoreError(fmt::format("{} does not hold UTF-8: make it with createdb --encoding=UTF8 --template=template0",
                                 in_quotes(name_, 200)));
  }
  // What does not fit into the system's buffers must not be waited for without end (receive_all).
  if (PQsetnonblocking(handle_.get(), 1) != 0) throw fault(nullptr);
  run(session_settings);
  if (is_shared_) use_shared_schema();
  if (is_reader()) {
    run("SET default_transaction_read_only = on");
  } else if (epoch_ != 0) {
    go_on_as_owner();
  }
}

/// After the connection was lost. The database may not have noticed that yet: then the old connection has the lock.
void PostgresqlConnection::go_on_as_owner() {
  run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE " + session_);
  const bool has_lock = wait_for_lock(own_lock_patience);
  if (one_number("SELECT epoch FROM paika_layout") != epoch_) give_up("another owner by now");
  if (!has_lock) {
    throw StoreError(fmt::format("{} cannot be used: another connection has the lock", in_quotes(name_, 200)));
  }
  if (timeline() != timeline_) give_up("failed over, and what was committed last may be gone");
  note_session();
}

void PostgresqlConnection::give_up(std::string_view why) {
  if (!is_deposed_) deposed_by_ = why;
  is_deposed_ = true;
  handle_.reset();
  throw StoreError(fmt::format("{} has {}: this server must be restarted", in_quotes(name_, 200), deposed_by_));
}

void PostgresqlConnection::note_session() {
  session_ = one_text(
      "SELECT format('pid = %s AND backend_start = %L', pid, backend_start) FROM pg_stat_activity"
      " WHERE pid = pg_backend_pid()");
}

bool PostgresqlConnection::has_owner_columns() { return one_number(count_owner_columns) == 2; }

void PostgresqlConnection::begin_taking_over(bool is_replaceable) {
  is_taking_over_ = true;
  starting_ = is_replaceable ? starting_owner : "";
  if (has_owner_columns()) {
    run(fmt::format("UPDATE paika_layout SET epoch = epoch + 1, owner = '{}', beat = now()", starting_));
  }
}

void PostgresqlConnection::begin_epoch() {
  // Only where they are missing: even without effect it would wait for a pg_dump, and everybody for it.
  if (!has_owner_columns()) {
    run("ALTER TABLE paika_layout ADD COLUMN owner TEXT NOT NULL DEFAULT '', ADD COLUMN beat TIMESTAMPTZ");
  }
  const std::int64_t epoch = one_number(
      fmt::format("UPDATE paika_layout SET epoch = epoch + 1, owner = '{}', beat = now() RETURNING epoch", starting_));
  timeline_ = timeline();
  note_session();
  epoch_ = epoch;
  is_taking_over_ = false;
}

void PostgresqlConnection::say_owner(std::string_view owner) {
  const std::unique_ptr<char, void (*)(void*)> quoted(PQescapeLiteral(handle_.get(), owner.data(), owner.size()),
                                                      PQfreemem);
  if (quoted == nullptr) throw fault(nullptr);
  run(fmt::format("UPDATE paika_layout SET owner = {}, beat = now() WHERE epoch = {}", quoted.get(), epoch_));
}

void PostgresqlConnection::use_shared_schema() {
  is_shared_ = true;
  const Rows schema = run("SELECT quote_ident(current_schema() || '_queue')");
  const std::string name = PQgetvalue(schema.get(), 0, 0);
  run(fmt::format("CREATE SCHEMA IF NOT EXISTS {0}; SET search_path = {0}", name));
}

bool PostgresqlConnection::wait_for_lock(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  // In a database several schemas can each hold a store.
  while (one_number("SELECT pg_try_advisory_lock(1348561259, hashtext(current_schema()))") != 1) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(lock_interval);
  }
  return true;
}

std::unique_ptr<Statement> PostgresqlConnection::prepare(std::string_view text, bool streamed) {
  return std::make_unique<PostgresqlStatement>(*this, to_postgresql(only_for(Engine::postgresql, text)),
                                               fmt::format("s{}", ++statements_), streamed);
}

Rows PostgresqlConnection::receive_all() {
  const auto deadline = std::chrono::steady_clock::now() + limit_;
  Rows last;
  while (true) {
    while (limit_.count() > 0 && PQisBusy(handle_.get()) == 1) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
      const bool is_sent = PQflush(handle_.get()) == 0;
      pollfd waiting{PQsocket(handle_.get()), static_cast<std::int16_t>(is_sent ? POLLIN : POLLIN | POLLOUT), 0};
      if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0) {
        handle_.reset();
        throw StoreError(fmt::format("{} does not answer", in_quotes(name_, 200)));
      }
      if (PQconsumeInput(handle_.get()) == 0) break;
    }
    Rows next(PQgetResult(handle_.get()));
    if (next == nullptr) return last;
    last = std::move(next);
  }
}

Rows PostgresqlConnection::run(const std::string& text) {
  PQsendQuery(handle_.get(), text.c_str());
  Rows rows = receive_all();
  if (!is_good(rows.get())) throw fault(rows.get());
  return rows;
}

void PostgresqlConnection::run_script(std::string_view text) { run(to_postgresql(only_for(Engine::postgresql, text))); }

std::int64_t PostgresqlConnection::one_number(const std::string& text) {
  const Rows rows = run(text);
  if (PQntuples(rows.get()) == 0) return 0;
  const std::string_view value = PQgetvalue(rows.get(), 0, 0);
  return value == "t" ? 1 : parse_int(value).value_or(0);
}

std::string PostgresqlConnection::one_text(const std::string& text) {
  const Rows rows = run(text);
  return PQntuples(rows.get()) == 0 ? "" : PQgetvalue(rows.get(), 0, 0);
}

bool PostgresqlConnection::undo(bool whole) noexcept {
  try {
    PQsendQuery(handle_.get(), whole ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part");
    return is_good(receive_all().get());
  } catch (const std::exception&) {
    return false;
  }
}

std::vector<TableInfo> PostgresqlConnection::tables() {
  std::vector<TableInfo> tables;
  const Rows columns = run(
      "SELECT c.relname, a.attname, format_type(a.atttypid, NULL) FROM pg_class c JOIN pg_attribute a ON"
      " a.attrelid = c.oid WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0"
      " AND NOT a.attisdropped AND c.relname <> 'paika_layout' ORDER BY c.relname COLLATE \"C\", a.attnum");
  for (int row = 0; row < PQntuples(columns.get()); ++row) {
    const std::string name = PQgetvalue(columns.get(), row, 0);
    if (tables.empty() || tables.back().name != name) tables.push_back({name, {}, {}});
    tables.back().columns.push_back(
        {PQgetvalue(columns.get(), row, 1), postgresql_type(PQgetvalue(columns.get(), row, 2))});
  }
  for (TableInfo& table : tables) {
    const Rows others = run(fmt::format(
        "SELECT DISTINCT confrelid::regclass FROM pg_constraint WHERE conrelid = '{}'::regclass AND contype = 'f'",
        table.name));
    for (int row = 0; row < PQntuples(others.get()); ++row)
      table.references.emplace_back(PQgetvalue(others.get(), row, 0));
  }
  return tables;
}

LayoutMark PostgresqlConnection::layout_mark() {
  LayoutMark mark;
  mark.is_empty = one_number("SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace") == 0;
  if (one_number("SELECT to_regclass('paika_layout') IS NOT NULL") == 0) return mark;
  const Rows found = run("SELECT application, version FROM paika_layout");
  if (PQntuples(found.get()) != 1) return mark;
  mark.application = parse_int(PQgetvalue(found.get(), 0, 0)).value_or(0);
  mark.version = static_cast<int>(parse_int(PQgetvalue(found.get(), 0, 1)).value_or(0));
  return mark;
}

void PostgresqlConnection::set_layout_mark(std::int64_t application, int version) {
  run(
      fmt::format("CREATE TABLE IF NOT EXISTS paika_layout (single BOOLEAN PRIMARY KEY DEFAULT true CHECK (single),"
                  " application BIGINT NOT NULL, version BIGINT NOT NULL, epoch BIGINT NOT NULL DEFAULT 0);"
                  "INSERT INTO paika_layout (application, version) VALUES ({}, {}) ON CONFLICT (single) DO UPDATE SET"
                  " application = excluded.application, version = excluded.version",
                  application, version));
}

std::int64_t PostgresqlConnection::last_number(std::string_view table) {
  return one_number(
      fmt::format("SELECT last_value FROM pg_sequences WHERE schemaname = current_schema()"
                  " AND sequencename = '{}_id_seq'",
                  table));
}

void PostgresqlConnection::set_last_number(std::string_view table, std::int64_t number) {
  if (number > last_number(table)) run(fmt::format("SELECT setval('{}_id_seq', {})", table, number));
}

}  // namespace paika
