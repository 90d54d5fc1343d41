// Database: one SQLite file as the parts of the store use it: prepared statements, parts that happen whole, errors
// that name the file.
//
// The text of a statement is a literal, and the compiler sees to it: what people send can be bound to a statement
// but never get into its text. Each text is prepared once and used again.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/store/store.hpp"

namespace paika::server {

/// The text of one or more statements; only a literal can become one.
class Sql {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): so that a literal can stand where a statement is wanted
  consteval Sql(const char* text) : text_(text) {}
  [[nodiscard]] constexpr const char* text() const noexcept { return text_.data(); }
  [[nodiscard]] constexpr std::string_view key() const noexcept { return text_; }

 private:
  std::string_view text_;
};

/// Bytes that are stored as they are.
struct Blob {
  std::string_view bytes;
};

class Database;

/// A statement at work: its values are bound, its rows come one by one. Ready for the next use when it is destroyed;
/// until then the same statement must not be asked for again.
class Query {
 public:
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query();

  /// Goes to the next row, if there is one. Throws StoreError.
  [[nodiscard]] bool next();

  // ---- The columns of the row, from 0 ----

  [[nodiscard]] std::int64_t number(int column) const { return prepared_.statement.getColumn(column).getInt64(); }
  [[nodiscard]] double real(int column) const { return prepared_.statement.getColumn(column).getDouble(); }
  /// Also of bytes.
  [[nodiscard]] std::string text(int column) const { return prepared_.statement.getColumn(column).getString(); }
  [[nodiscard]] bool is_null(int column) const { return prepared_.statement.isColumnNull(column); }

 private:
  friend class Database;

  struct Prepared {
    Prepared(const SQLite::Database& connection, Sql sql) : statement(connection, sql.text()) {}
    SQLite::Statement statement;
    bool at_work = false;
  };

  Query(Database& database, Prepared& prepared);
  template <class... Values>
    requires(sizeof...(Values) > 0)
  Query(Database& database, Prepared& prepared, const Values&... values) : Query(database, prepared) {
    int index = 0;
    try {
      (bind(++index, values), ...);
    } catch (const SQLite::Exception& error) {
      fail(error);
    }
  }
  /// Throws the error of a statement as a StoreError.
  [[noreturn]] void fail(const SQLite::Exception& error);

  void bind(int index, std::integral auto value) { prepared_.statement.bind(index, static_cast<std::int64_t>(value)); }
  void bind(int index, double value) { prepared_.statement.bind(index, value); }
  void bind(int index, const std::string& value) { prepared_.statement.bind(index, value); }
  void bind(int index, std::string_view value) { prepared_.statement.bind(index, std::string(value)); }
  void bind(int index, const Blob& value) {
    prepared_.statement.bind(index, value.bytes.data(), static_cast<int>(value.bytes.size()));
  }
  template <class Value>
  void bind(int index, const std::optional<Value>& value) {
    if (value) bind(index, *value);  // else it is NULL, as it was left
  }

  Database& database_;
  Prepared& prepared_;
};

/// One connection, for one thread.
class Database {
 public:
  /// Opens a file that exists and changes nothing in it. Throws StoreError.
  Database(std::string path, Store::Mode mode);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  /// Begins a statement with values in the places of its question marks.
  template <class... Values>
  [[nodiscard]] Query query(Sql sql, const Values&... values) {
    return {*this, prepared(sql), values...};
  }
  /// Does a statement to its end; how many rows it changed. Throws StoreError.
  template <class... Values>
  int run(Sql sql, const Values&... values) {
    Query query = this->query(sql, values...);
    while (query.next()) {
    }
    return connection_.getChanges();
  }
  /// Does statements that are needed only once and give nothing back.
  void run_once(Sql sql);

  // ---- Parts: transactions, and savepoints within them ----
  //
  // A fault of the machine can make SQLite undo the whole transaction in the middle. Then everything that is still
  // done in it fails with the first fault, until its outermost part has ended.

  void begin_part();
  /// Keeps the part; if that fails it is undone, and the failure thrown.
  void end_part();
  /// Takes no memory: its statements are prepared when the transaction begins.
  void undo_part() noexcept;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// SQLite opens a file that may not be written without saying so.
  [[nodiscard]] bool is_read_only() const noexcept;

 private:
  friend class Query;

  /// The statement, ready to be bound. Throws StoreError if the transaction was lost.
  Query::Prepared& prepared(Sql sql);
  [[nodiscard]] bool in_transaction() const noexcept;
  /// What undoes a transaction, prepared: when memory is short it is too late for that.
  struct Undo {
    explicit Undo(const SQLite::Database& connection);
    SQLite::Statement whole;
    SQLite::Statement part;
    SQLite::Statement release;
  };
  void make_undo();
  /// Does a prepared statement without values; false if it failed.
  static bool try_run(SQLite::Statement& statement) noexcept;
  void check_not_lost() const;
  /// The error of a statement as it leaves this file.
  [[nodiscard]] StoreError fault(const SQLite::Exception& error);

  std::string path_;
  Store::Mode mode_;
  SQLite::Database connection_;
  std::unordered_map<std::string_view, Query::Prepared> prepared_;  // its keys are the literals themselves
  std::optional<Undo> undo_;
  int depth_ = 0;          // of parts
  std::string lost_;       // what made SQLite undo a transaction
  bool is_stuck_ = false;  // a transaction could not even be undone: it ends with the connection
};

[[nodiscard]] inline std::int64_t first_column(const Query& row) { return row.number(0); }

/// What `read` makes of every row, or of the first if there is one.
template <class Read>
[[nodiscard]] auto all_rows(Query&& query, Read read) {
  std::vector<decltype(read(query))> rows;
  while (query.next()) rows.push_back(read(query));
  return rows;
}
template <class Read>
[[nodiscard]] auto first_row(Query&& query, Read read) {
  return query.next() ? std::optional(read(query)) : std::nullopt;
}

}  // namespace paika::server
