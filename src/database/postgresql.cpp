#include "database/postgresql.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/text.hpp"
#include "database/dialect.hpp"

namespace paika {

namespace {

constexpr int min_server_version = 150000;
/// A server that was killed is forgotten by the database a moment later.
constexpr auto lock_patience = std::chrono::seconds(5);
constexpr auto lock_interval = std::chrono::milliseconds(50);

/// Defaults of a connection, which a URL can override. One whose other side is silent is given up after seconds.
constexpr std::array<std::pair<const char*, const char*>, 6> defaults = {{{"fallback_application_name", "paika"},
                                                                          {"connect_timeout", "3"},
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

struct Finish {
  void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};
struct Clear {
  void operator()(PGresult* result) const noexcept { PQclear(result); }
};
using Handle = std::unique_ptr<PGconn, Finish>;
using Rows = std::unique_ptr<PGresult, Clear>;

/// The first line of what the library says, without the word "ERROR:".
std::string first_line(std::string_view message) {
  message = trimmed(message.substr(0, trimmed(message).find('\n')));
  for (const std::string_view word : {"ERROR:", "FATAL:"}) {
    if (message.starts_with(word)) message = trimmed(message.substr(word.size()));
  }
  return std::string(message);
}

bool is_good(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_SINGLE_TUPLE;
}

class PostgresqlConnection : public Connection {
 public:
  PostgresqlConnection(std::string url, Access access);

  [[nodiscard]] const std::string& name() const noexcept override { return name_; }
  [[nodiscard]] std::unique_ptr<Statement> prepare(std::string_view text, bool streamed) override;
  void run_script(std::string_view text) override;
  [[nodiscard]] std::string_view begin_text() const noexcept override {
    return is_reader() ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN";
  }
  void prepare_undo() override {}
  [[nodiscard]] bool undo(bool whole) noexcept override;
  [[nodiscard]] bool in_transaction() const noexcept override {
    const PGTransactionStatusType status = PQtransactionStatus(handle_.get());
    return status != PQTRANS_IDLE && status != PQTRANS_UNKNOWN;
  }
  [[nodiscard]] LayoutMark layout_mark() override;
  void set_layout_mark(std::int64_t application, int version) override;
  [[nodiscard]] std::optional<std::string> storage_fault() override { return std::nullopt; }
  [[nodiscard]] std::vector<TableInfo> tables() override;
  [[nodiscard]] std::int64_t bytes() override { return one_number("SELECT pg_database_size(current_database())"); }
  [[nodiscard]] std::int64_t last_number(std::string_view table) override;
  void set_last_number(std::string_view table, std::int64_t number) override;

  [[nodiscard]] bool is_reader() const noexcept { return access_ == Access::reader; }
  [[nodiscard]] PGconn* handle() const noexcept { return handle_.get(); }
  [[nodiscard]] bool is_lost() const noexcept { return PQstatus(handle_.get()) != CONNECTION_OK; }
  /// Grows with each new connection: statements must be prepared again.
  [[nodiscard]] int generation() const noexcept { return generation_; }
  /// Throws StoreError.
  void connect();
  [[nodiscard]] StoreError fault(const PGresult* result) const;
  /// The owner's lock; false if another one has it. It goes with the connection.
  [[nodiscard]] bool take_lock();
  /// From now on uses the schema beside that of the URL, made if there is none.
  void use_shared_schema();
  /// Others wait here while the layout is made.
  void lock_layout(bool locked) {
    run(fmt::format("SELECT pg_advisory_{}(1348561259, 0)", locked ? "lock" : "unlock"));
  }
  /// From now on this is the last owner.
  void begin_epoch() { epoch_ = one_number("UPDATE paika_layout SET epoch = epoch + 1 RETURNING epoch"); }

 private:
  Rows run(const std::string& text);
  [[nodiscard]] std::int64_t one_number(const std::string& text);
  void go_on_as_owner();

  std::string url_;
  std::string name_;
  Access access_;
  Handle handle_;
  int generation_ = 0;
  int statements_ = 0;
  std::int64_t epoch_ = 0;  // of this owner; 0: it is not one yet
  bool is_shared_ = false;  // in the schema beside that of the URL
};

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
    if (!streamed_) {
      return Rows(PQexecPrepared(handle, id_.c_str(), count, bytes.data(), lengths.data(), formats.data(), 0));
    }
    PQsendQueryPrepared(handle, id_.c_str(), count, bytes.data(), lengths.data(), formats.data(), 0);
    PQsetSingleRowMode(handle);
    return Rows(PQgetResult(handle));
  }

  /// Prepares the statement on this connection; the failure, if there is one. Types are those of the values: the
  /// database does not have to guess.
  Rows try_prepare() {
    if (prepared_in_ == connection_.generation()) return nullptr;
    std::vector<Oid> types;
    for (const Value& value : values_) types.push_back(value.type);
    Rows prepared(
        PQprepare(connection_.handle(), id_.c_str(), text_.c_str(), static_cast<int>(types.size()), types.data()));
    if (!is_good(prepared.get())) return prepared;
    const Rows described(PQdescribePrepared(connection_.handle(), id_.c_str()));
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

Handle connect_to(const std::string& url) {
  std::vector<const char*> keys;
  std::vector<const char*> values;
  for (const auto& [key, value] : defaults) {
    keys.push_back(key);
    values.push_back(value);
  }
  for (const auto& [key, value] : {std::pair{"dbname", url.c_str()}, {"client_encoding", "UTF8"}}) {
    keys.push_back(key);
    values.push_back(value);
  }
  keys.push_back(nullptr);
  values.push_back(nullptr);
  return Handle(PQconnectdbParams(keys.data(), values.data(), 1));
}

PostgresqlConnection::PostgresqlConnection(std::string url, Access access) : url_(std::move(url)), access_(access) {
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
  handle_ = connect_to(url_);
  ++generation_;
  if (handle_ == nullptr) throw std::bad_alloc();
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
  run(session_settings);
  if (is_shared_) use_shared_schema();
  if (is_reader()) {
    run("SET default_transaction_read_only = on");
  } else if (epoch_ != 0) {
    go_on_as_owner();
  }
}

/// After the connection was lost.
void PostgresqlConnection::go_on_as_owner() {
  const bool is_ours = take_lock() && one_number("SELECT epoch FROM paika_layout") == epoch_;
  if (is_ours) return;
  handle_.reset();
  throw StoreError(fmt::format("{} has another owner by now: this server must be restarted", in_quotes(name_, 200)));
}

void PostgresqlConnection::use_shared_schema() {
  is_shared_ = true;
  const Rows schema = run("SELECT quote_ident(current_schema() || '_queue')");
  const std::string name = PQgetvalue(schema.get(), 0, 0);
  run(fmt::format("CREATE SCHEMA IF NOT EXISTS {0}; SET search_path = {0}", name));
}

bool PostgresqlConnection::take_lock() {
  // In a database several schemas can each hold a store.
  return one_number("SELECT pg_try_advisory_lock(1348561259, hashtext(current_schema()))") == 1;
}

std::unique_ptr<Statement> PostgresqlConnection::prepare(std::string_view text, bool streamed) {
  return std::make_unique<PostgresqlStatement>(*this, to_postgresql(only_for(Engine::postgresql, text)),
                                               fmt::format("s{}", ++statements_), streamed);
}

Rows PostgresqlConnection::run(const std::string& text) {
  Rows rows(PQexec(handle_.get(), text.c_str()));
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

bool PostgresqlConnection::undo(bool whole) noexcept {
  const Rows done(PQexec(handle_.get(), whole ? "ROLLBACK" : "ROLLBACK TO part; RELEASE part"));
  return is_good(done.get());
}

ValueType postgresql_type(std::string_view word) {
  if (word == "bigint") return ValueType::integer;
  if (word == "double precision") return ValueType::real;
  return word == "bytea" ? ValueType::blob : ValueType::text;
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

bool wait_for_lock(PostgresqlConnection& connection) {
  const auto deadline = std::chrono::steady_clock::now() + lock_patience;
  while (!connection.take_lock()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(lock_interval);
  }
  return true;
}

Result<Database> open_checked(const std::string& url, Access access, const Layout& layout) {
  auto opened = std::make_unique<PostgresqlConnection>(url, access);
  PostgresqlConnection& connection = *opened;
  if (access == Access::owner && !wait_for_lock(connection)) {
    return fail("{} is in use by another server", in_quotes(connection.name(), 200));
  }
  Database database(std::move(opened));
  auto prepared = access == Access::owner ? bring_up_to_date(database, layout) : check_up_to_date(database, layout);
  if (!prepared) return tl::unexpected(prepared.error());
  if (access == Access::owner) connection.begin_epoch();
  return database;
}

Result<Database> open_shared_checked(const std::string& url, const Layout& layout) {
  auto opened = std::make_unique<PostgresqlConnection>(url, Access::owner);
  PostgresqlConnection& connection = *opened;
  connection.lock_layout(true);
  connection.use_shared_schema();
  Database database(std::move(opened));
  auto prepared = bring_up_to_date(database, layout);
  connection.lock_layout(false);
  if (!prepared) return tl::unexpected(prepared.error());
  return database;
}

/// What `open` gives, with what it throws as an error.
template <class Open>
Result<Database> as_result(Open open) {
  try {
    return open();
  } catch (const StoreError& error) {
    return tl::unexpected(Error{error.what()});
  }
}

}  // namespace

bool is_postgresql_url(std::string_view where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

Result<std::string> shown_postgresql_url(const std::string& url) {
  struct Free {
    void operator()(PQconninfoOption* options) const noexcept { PQconninfoFree(options); }
    void operator()(char* text) const noexcept { PQfreemem(text); }
  };
  char* why = nullptr;
  const std::unique_ptr<PQconninfoOption, Free> options(PQconninfoParse(url.c_str(), &why));
  const std::unique_ptr<char, Free> said(why);
  if (options == nullptr) {
    return fail("a PostgreSQL URL is postgresql://USER@HOST/DATABASE: {}", first_line(why != nullptr ? why : ""));
  }
  std::string user;
  std::string host;
  std::string port;
  std::string name;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const std::string_view key = option->keyword;
    if (key == "user") user = std::string(option->val) + "@";
    if (key == "host") host = option->val;
    if (key == "port") port = std::string(":") + option->val;
    if (key == "dbname") name = option->val;
  }
  return fmt::format("postgresql://{}{}{}/{}", user, host, port, name);
}

std::unique_ptr<Connection> connect_postgresql(const std::string& url, Access access) {
  return std::make_unique<PostgresqlConnection>(url, access);
}

Result<Database> open_postgresql(const std::string& url, Access access, const Layout& layout) {
  return as_result([&] { return open_checked(url, access, layout); });
}

Result<Database> open_shared_postgresql(const std::string& url, const Layout& layout) {
  return as_result([&] { return open_shared_checked(url, layout); });
}

}  // namespace paika
