// The connection of SQLite, for the files that implement that engine.
#pragma once

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>
#include <optional>
#include <string>

#include "database/connection.hpp"
#include "database/files.hpp"
#include "database/owner_lock.hpp"

namespace paika {

class SqliteConnection : public Connection {
 public:
  SqliteConnection(std::string path, Access access, std::optional<OwnerLock> lock);

  [[nodiscard]] const std::string& name() const noexcept override { return path_; }
  [[nodiscard]] std::unique_ptr<Statement> prepare(std::string_view text, bool streamed) override;
  void run_script(std::string_view text) override;
  [[nodiscard]] std::string_view begin_text() const noexcept override;
  void prepare_undo() override;
  [[nodiscard]] bool undo(bool whole) noexcept override;
  [[nodiscard]] bool in_transaction() const noexcept override;
  [[nodiscard]] LayoutMark layout_mark() override;
  void set_layout_mark(std::int64_t application, int version) override;
  [[nodiscard]] std::optional<std::string> storage_fault() override;
  [[nodiscard]] std::vector<TableInfo> tables() override;
  [[nodiscard]] std::int64_t bytes() override;
  [[nodiscard]] std::int64_t last_number(std::string_view table) override;
  void set_last_number(std::string_view table, std::int64_t number) override;

  /// SQLite opens a file that may not be written without saying so.
  [[nodiscard]] bool is_read_only() const noexcept;
  /// The error of a statement as it leaves this engine.
  [[nodiscard]] StoreError fault(const SQLite::Exception& error) const;
  [[nodiscard]] SQLite::Database& handle() noexcept { return connection_; }

 private:
  /// What undoes a transaction, prepared: when memory is short it is too late for that.
  struct Undo {
    explicit Undo(const SQLite::Database& connection);
    SQLite::Statement whole;
    SQLite::Statement part;
    SQLite::Statement release;
  };
  [[nodiscard]] std::vector<std::string> texts(const char* text, std::string_view value = {});
  [[nodiscard]] std::int64_t one_number(const char* text, std::string_view value = {});

  std::optional<OwnerLock> lock_;  // first: it is given back after the file was closed
  std::string path_;
  Access access_;
  SQLite::Database connection_;
  FileIdentity file_;  // that was opened
  std::optional<Undo> undo_;
};

}  // namespace paika
