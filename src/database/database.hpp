// Database: a connection as the parts of a store use it: prepared statements, parts that happen whole, errors that name
// the database. Each statement is prepared once and used again.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "database/connection.hpp"

namespace paika {

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

  [[nodiscard]] std::int64_t number(int column) const { return prepared_.statement->number(column); }
  [[nodiscard]] double real(int column) const { return prepared_.statement->real(column); }
  /// Also of bytes.
  [[nodiscard]] std::string text(int column) const { return prepared_.statement->text(column); }
  [[nodiscard]] bool is_null(int column) const { return prepared_.statement->is_null(column); }

 private:
  friend class Database;

  struct Prepared {
    std::unique_ptr<Statement> statement;
    bool at_work = false;
  };

  Query(Database& database, Prepared& prepared);
  template <class... Values>
    requires(sizeof...(Values) > 0)
  Query(Database& database, Prepared& prepared, const Values&... values) : Query(database, prepared) {
    int index = 0;
    (bind(++index, values), ...);
  }

  void bind(int index, std::integral auto value) { prepared_.statement->bind(index, static_cast<std::int64_t>(value)); }
  void bind(int index, double value) { prepared_.statement->bind(index, value); }
  void bind(int index, std::string_view value) { prepared_.statement->bind(index, value); }
  void bind(int index, const Blob& value) { prepared_.statement->bind(index, value); }
  template <class Value>
  void bind(int index, const std::optional<Value>& value) {
    if (value) return bind(index, *value);
    prepared_.statement->bind_null(index, type_of<Value>());
  }
  template <class Value>
  [[nodiscard]] static constexpr ValueType type_of() {
    if (std::integral<Value>) return ValueType::integer;
    if (std::floating_point<Value>) return ValueType::real;
    return std::same_as<Value, Blob> ? ValueType::blob : ValueType::text;
  }

  Database& database_;
  Prepared& prepared_;
};

class Database {
 public:
  explicit Database(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
  Database(Database&&) = default;

  /// Begins a statement with values in the places of its question marks. Throws StoreError.
  template <class... Values>
  [[nodiscard]] Query query(Sql sql, const Values&... values) {
    return {*this, prepared(sql.text()), values...};
  }
  /// Does a statement to its end; how many rows it changed. Throws StoreError.
  template <class... Values>
  int run(Sql sql, const Values&... values) {
    return run_to_end(query(sql, values...));
  }
  /// Does statements that are needed only once and give nothing back.
  void run_once(Sql sql);

  // ---- Parts: transactions, and savepoints within them ----
  //
  // A fault of the machine can undo the whole transaction in the middle: SQLite does that when the disk is full, and
  // PostgreSQL when the connection is lost. Then everything that is still done in it fails with the first fault, until
  // its outermost part has ended.

  void begin_part();
  /// Keeps the part; if that fails it is undone, and the failure thrown.
  void end_part();
  /// Takes no memory.
  void undo_part() noexcept;
  /// How many parts have begun and not ended.
  [[nodiscard]] int depth() const noexcept { return depth_; }

  [[nodiscard]] const std::string& name() const noexcept { return connection_->name(); }
  [[nodiscard]] Connection& connection() noexcept { return *connection_; }

 private:
  friend class Query;

  /// The statement, ready to be bound. Throws StoreError if the transaction was lost.
  Query::Prepared& prepared(std::string_view text);
  static int run_to_end(Query&& query);
  /// Does `work`, and notes why if it loses the transaction.
  template <class Work>
  auto guarded(Work work);
  void run_text(std::string_view text);
  void check_not_lost() const;

  std::unique_ptr<Connection> connection_;
  std::unordered_map<std::string_view, Query::Prepared> prepared_;  // its keys are literals
  int depth_ = 0;                                                   // of parts
  std::string lost_;                                                // what made the engine undo a transaction
  bool is_stuck_ = false;  // a transaction could not even be undone: it ends with the connection
};

/// A transaction, or a part of one, that is undone unless it is finished.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(&database) { database.begin_part(); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (database_ != nullptr) database_->undo_part();
  }
  void finish() { std::exchange(database_, nullptr)->end_part(); }

 private:
  Database* database_;
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

}  // namespace paika
