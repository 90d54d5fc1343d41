// Connection and Statement: what Paika needs of a database engine. There are two engines: SQLite (sqlite.hpp), a file
// of this machine, and PostgreSQL (postgresql.hpp), a server. Everybody above uses them through Database
// (database.hpp).
//
// Both run the same statements, written in the part of SQL that both understand (docs/decisions/0016): a statement's
// values stand for question marks, "?" or "?1", and a number, a text or bytes come back as they went in.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace paika {

class Database;  // database.hpp

/// The storage failed; the message says what and in which database.
struct StoreError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The text of one or more statements; only a literal can become one: what people send can be bound to a statement but
/// never get into its text.
class Sql {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): so that a literal can stand where a statement is wanted
  consteval Sql(const char* text) : text_(text) {}
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

 private:
  std::string_view text_;
};

/// Bytes that are stored as they are.
struct Blob {
  std::string_view bytes;
};

enum class Access : unsigned char {
  owner,   // reads and writes; one at a time
  reader,  // reads, beside the owner and other readers
};

/// What an owner promises to those who wait to be the next one; for PostgreSQL alone.
struct OwnerTerms {
  bool is_replaceable = false;         // it says again and again that it is there (Connection::say_owner)
  std::chrono::milliseconds limit{0};  // for the answer to a statement, once the layout is up to date; 0: none
};

/// The types of columns and of bound values.
enum class ValueType : unsigned char { integer, real, text, blob };

/// A prepared statement. What fails throws StoreError.
class Statement {
 public:
  Statement() = default;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  virtual ~Statement() = default;

  // ---- Its values, from 1. Those that are not bound are NULL. ----

  virtual void bind(int index, std::int64_t value) = 0;
  virtual void bind(int index, double value) = 0;
  virtual void bind(int index, std::string_view value) = 0;
  virtual void bind(int index, const Blob& value) = 0;
  virtual void bind_null(int index, ValueType type) = 0;

  /// Goes to the next row, if there is one; the first call carries the statement out.
  [[nodiscard]] virtual bool step() = 0;
  /// How many rows it has changed, when there are no more rows.
  [[nodiscard]] virtual int changes() const = 0;
  /// Ready for the next use, without values.
  virtual void reset() noexcept = 0;

  // ---- The columns of the row, from 0. NULL is 0 and "". A condition is 0 or 1. ----

  [[nodiscard]] virtual std::int64_t number(int column) const = 0;
  [[nodiscard]] virtual double real(int column) const = 0;
  /// Also of bytes.
  [[nodiscard]] virtual std::string text(int column) const = 0;
  [[nodiscard]] virtual bool is_null(int column) const = 0;
};

struct Column {
  std::string name;
  ValueType type = ValueType::text;
};

struct TableInfo {
  std::string name;
  std::vector<Column> columns;
  std::vector<std::string> references;  // the tables that its rows refer to
};

/// What a database says of its layout (layout.hpp).
struct LayoutMark {
  std::int64_t application = 0;  // which program's database it is; 0: nobody has said
  int version = 0;
  bool is_empty = false;  // there is nothing in it at all
};

/// One connection, for one thread. What fails throws StoreError.
class Connection {
 public:
  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  virtual ~Connection() = default;

  /// The database as errors name it; without a password.
  [[nodiscard]] virtual const std::string& name() const noexcept = 0;

  /// `text` is our own; lines after "-- only sqlite" and "-- only postgresql" are for that engine, until "-- both". A
  /// statement whose rows are `streamed` may be the only one at work, and its rows are not all in
  /// memory at once.
  [[nodiscard]] virtual std::unique_ptr<Statement> prepare(std::string_view text, bool streamed = false) = 0;
  /// Does statements that are needed only once and give nothing back; their lines as above.
  virtual void run_script(std::string_view text) = 0;

  // ---- Transactions. COMMIT, SAVEPOINT and RELEASE are the same statements in both. ----

  [[nodiscard]] virtual std::string_view begin_text() const noexcept = 0;
  /// Makes sure that undo() needs no memory.
  virtual void prepare_undo() = 0;
  /// Undoes the whole transaction, or what was done since `SAVEPOINT part`; false if that fails.
  [[nodiscard]] virtual bool undo(bool whole) noexcept = 0;
  /// False also if the engine has undone the transaction, or is gone.
  [[nodiscard]] virtual bool in_transaction() const noexcept = 0;

  // ---- What each engine does in its own way ----

  [[nodiscard]] virtual LayoutMark layout_mark() = 0;
  virtual void set_layout_mark(std::int64_t application, int version) = 0;
  /// Why what is written now would not last, where that can be seen without writing.
  [[nodiscard]] virtual std::optional<std::string> storage_fault() = 0;
  /// The tables of the layout, by name.
  [[nodiscard]] virtual std::vector<TableInfo> tables() = 0;
  /// The size of the database.
  [[nodiscard]] virtual std::int64_t bytes() = 0;
  /// The highest number that a table has given out by itself, also to a row that is gone.
  [[nodiscard]] virtual std::int64_t last_number(std::string_view table) = 0;
  virtual void set_last_number(std::string_view table, std::int64_t number) = 0;
  /// The number of this owner, higher than that of every owner before it; 0 if the engine does not count them.
  [[nodiscard]] virtual std::int64_t epoch() const noexcept { return 0; }
  /// The owner says who it is, and that it is there (owner_watch.hpp).
  virtual void say_owner(std::string_view /*owner*/) {}
  /// True if this was the owner and cannot go on: there has been another one, or what it wrote is gone.
  [[nodiscard]] virtual bool is_deposed() const noexcept { return false; }
};

}  // namespace paika
