// The connection of PostgreSQL, for the files that implement that engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/connection.hpp"
#include "database/postgresql.hpp"

namespace paika {

struct FinishPostgresql {
  void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};
struct ClearPostgresql {
  void operator()(PGresult* result) const noexcept { PQclear(result); }
};
using PostgresqlHandle = std::unique_ptr<PGconn, FinishPostgresql>;
using PostgresqlRows = std::unique_ptr<PGresult, ClearPostgresql>;

/// The first line of what the library says, without the word "ERROR:".
[[nodiscard]] std::string first_line(std::string_view message);

class PostgresqlConnection : public Connection {
 public:
  PostgresqlConnection(std::string url, Access access, std::chrono::milliseconds limit = {});

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
  /// The owner's lock; false if another one has it after that time. It goes with the connection.
  [[nodiscard]] bool wait_for_lock(std::chrono::milliseconds patience);
  /// From now on uses the schema beside that of the URL, made if there is none.
  void use_shared_schema();
  /// Others wait here while the layout is made.
  void lock_layout(bool locked) {
    run(fmt::format("SELECT pg_advisory_{}(1348561259, 0)", locked ? "lock" : "unlock"));
  }
  /// After the lock: the last owner cannot go on from now on, and this one must not lose its connection before its
  /// epoch begins: another one may have the lock then.
  void begin_taking_over(bool is_replaceable);
  /// From now on this is the last owner. Ends what begin_taking_over() began.
  void begin_epoch();
  /// From now on a statement that has no answer by then fails, and the connection with it.
  void set_limit(std::chrono::milliseconds limit) noexcept { limit_ = limit; }
  /// The last result of what was sent (PQsend…), waited for as long as it may take. Throws StoreError.
  [[nodiscard]] PostgresqlRows receive_all();
  [[nodiscard]] std::int64_t epoch() const noexcept override { return epoch_; }
  void say_owner(std::string_view owner) override;
  [[nodiscard]] bool is_deposed() const noexcept override { return is_deposed_; }

 private:
  PostgresqlRows run(const std::string& text);
  [[nodiscard]] bool has_owner_columns();
  [[nodiscard]] std::int64_t one_number(const std::string& text);
  [[nodiscard]] std::string one_text(const std::string& text);
  /// On which of its timelines the database is: a standby that is promoted begins a new one.
  [[nodiscard]] std::string timeline() { return one_text("SELECT left(pg_walfile_name(pg_current_wal_lsn()), 8)"); }
  void note_session();
  /// Checks a new connection and sets it up.
  void begin_session();
  void go_on_as_owner();
  [[noreturn]] void give_up(std::string_view why);

  std::string url_;
  std::string name_;
  Access access_;
  std::chrono::milliseconds limit_;  // of a statement; 0: none
  PostgresqlHandle handle_;
  int generation_ = 0;
  int statements_ = 0;
  std::int64_t epoch_ = 0;  // of this owner; 0: it is not one yet
  std::string starting_;    // what it says of itself until it says more
  std::string timeline_;    // on which its epoch began
  std::string session_;     // the condition by which the database finds the owner's last connection
  std::string deposed_by_;
  bool is_taking_over_ = false;
  bool is_deposed_ = false;
  bool is_shared_ = false;  // in the schema beside that of the URL
};

}  // namespace paika
