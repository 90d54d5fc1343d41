#include "server/store/backup.hpp"

#include <SQLiteCpp/Backup.h>
#include <SQLiteCpp/Database.h>
#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <fmt/chrono.h>
#include <unistd.h>

#include "base/text.hpp"
#include "database/files.hpp"
#include "database/owner_lock.hpp"
#include "database/postgresql.hpp"
#include "database/sqlite.hpp"
#include "server/store/layout.hpp"
#include "server/store/store.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 3> side_files = {"-wal", "-shm", "-journal"};

/// A file of ours that is removed unless it gets its own name, with what SQLite puts beside it.
class Unfinished {
 public:
  explicit Unfinished(std::string path) : path_(std::move(path)) { remove(); }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() { remove(); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void remove() const {
    std::error_code error;
    fs::remove(path_, error);
    for (const char* ending : side_files) fs::remove(path_ + ending, error);
    fs::remove(path_ + ".lock", error);
  }
  std::string path_;
};

/// Copies at one moment: one step holds one read transaction, which other connections' writes do not disturb.
Result<void> copy_store(const std::string& from, const std::string& to) {
  try {
    SQLite::Database source(from, SQLite::OPEN_READWRITE, 5000);
    SQLite::Database target(to, SQLite::OPEN_READWRITE);
    SQLite::Backup(target, source).executeStep(-1);
    target.exec("PRAGMA journal_mode = DELETE");  // one file
  } catch (const SQLite::Exception& error) {
    return fail("{} cannot be copied: {}", in_quotes(from, 200), error.what());
  }
  return {};
}

/// An error if the file is not a store that this program can use, or is damaged anywhere.
Result<BackupContents> check_store(const std::string& path, const std::string& shown) {
  const auto damaged = [&](const std::string& what) { return fail("{} is damaged: {}", in_quotes(shown, 200), what); };
  try {
    Database database(connect_sqlite(path, Access::reader));
    const auto version = layout_version(database, store_layout());
    if (!version || *version == 0) return fail("{} is not a store of this server", in_quotes(shown, 200));
    if (*version > store_version) {
      return fail("{} has the layout version {}, of a newer program; this one knows versions up to {}",
                  in_quotes(shown, 200), *version, store_version);
    }
    {
      Query found = database.query("PRAGMA integrity_check(1)");
      if (!found.next() || found.text(0) != "ok") return damaged(found.text(0));
    }
    {
      Query found = database.query("PRAGMA foreign_key_check");
      if (found.next()) return damaged(fmt::format("the table {} refers to rows that are not there", found.text(0)));
    }
    Query counts = database.query(
        "SELECT (SELECT count(*) FROM people), (SELECT count(*) FROM rooms),"
        " (SELECT count(*) FROM events), (SELECT count(*) FROM classes)");
    if (!counts.next()) return damaged("nothing can be counted");
    return BackupContents{counts.number(0), counts.number(1), counts.number(2), counts.number(3)};
  } catch (const StoreError& error) {
    return damaged(error.what());
  } catch (const SQLite::Exception& error) {
    return damaged(error.what());
  }
}

/// Brings the copy up to date and reads every event of every room, as the server will.
Result<void> read_everything(const std::string& path, const std::string& shown) {
  const auto store = Store::open(path, Store::Mode::owner);
  if (!store) return tl::unexpected(store.error());
  try {
    Database database(connect_sqlite(path, Access::reader));
    Query rooms = database.query("SELECT id FROM rooms");
    while (rooms.next()) {
      std::uint64_t expected = 1;
      for (const Event& event : (*store)->events(rooms.text(0))) {
        if (event.number != expected++) {
          return fail("{} is damaged: the room {} lacks the event {}", in_quotes(shown, 200), rooms.text(0),
                      expected - 1);
        }
      }
    }
  } catch (const std::exception& error) {
    return fail("{} is damaged: {}", in_quotes(shown, 200), error.what());
  }
  return {};
}

/// Gives the file its own name, which another one has only with `replace`.
Result<void> put_in_place(const std::string& from, const std::string& to, bool replace) {
  if (auto synced = sync_file(from); !synced) return synced;
  const unsigned flags = replace ? 0 : RENAME_NOREPLACE;
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) != 0) return system_failure("write", to);
  return sync_folder_of(to);
}

/// A free name for the store that is replaced: "games.db.2026-11-17T14-05-00".
std::string name_for_old(const std::string& database) {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  const std::string base = fmt::format("{}.{:%Y-%m-%dT%H-%M-%S}", database, fmt::gmtime(now));
  std::string name = base;
  for (int i = 2; file_identity(name) != FileIdentity(); ++i) name = fmt::format("{}.{}", base, i);
  return name;
}

/// Puts what is only in the log of a store into its file; false if that fails.
bool put_log_into(const std::string& database) {
  try {
    return SQLite::Database(database, SQLite::OPEN_READWRITE).tryExec("PRAGMA wal_checkpoint(TRUNCATE)") == SQLite::OK;
  } catch (const SQLite::Exception&) {
    return false;
  }
}

/// Keeps the store that is there under another name. It stays in its place too until the new one takes it, so that at
/// no moment there is none. Its log is put into it first; if that fails, because it is damaged, the log goes along.
Result<std::string> keep_old(const std::string& database) {
  if (file_identity(database) == FileIdentity()) return std::string();
  static_cast<void>(put_log_into(database));
  std::string kept = name_for_old(database);
  if (::link(database.c_str(), kept.c_str()) != 0) return system_failure("keep the old store as", kept);
  std::error_code error;
  for (const char* ending : side_files) {
    if (fs::exists(database + ending, error)) fs::rename(database + ending, kept + ending, error);
  }
  // What was built of the bots belongs to the old store: other bots may have the same numbers.
  if (fs::exists(database + ".bots", error)) fs::rename(database + ".bots", kept + ".bots", error);
  return kept;
}

}  // namespace

Result<BackupContents> back_up(const std::string& database, const std::string& file, bool replace) {
  if (is_postgresql_url(database)) return fail("a PostgreSQL database is backed up by pg_dump (docs/operations.md)");
  const auto real = real_database_file(database);
  if (!real) return tl::unexpected(real.error());
  const auto target = real_database_file(file);
  if (!target) return tl::unexpected(target.error());
  if (file_identity(*real) == FileIdentity()) return fail("there is no file {}", in_quotes(database, 200));
  if (file_identity(*real) == file_identity(*target)) return fail("a store cannot be its own backup");
  if (!replace && file_identity(*target) != FileIdentity()) {
    return fail("{} exists already: choose another name, or replace it with --force", in_quotes(file, 200));
  }
  if (std::error_code error; !fs::is_directory(fs::path(*target).parent_path(), error)) {
    return fail("{} cannot be written: there is no such folder", in_quotes(file, 200));
  }
  const Unfinished unfinished(*target + ".unfinished");
  if (auto made = make_private_file(unfinished.path()); !made) return tl::unexpected(made.error());
  if (auto copied = copy_store(*real, unfinished.path()); !copied) return tl::unexpected(copied.error());
  auto contents = check_store(unfinished.path(), database);
  if (!contents) return contents;
  if (auto placed = put_in_place(unfinished.path(), *target, replace); !placed) return tl::unexpected(placed.error());
  return contents;
}

Result<Restored> restore(const std::string& file, const std::string& database) {
  if (is_postgresql_url(database)) {
    return fail(
        "a PostgreSQL database is restored by pg_restore (docs/operations.md); `paika admin copy` puts what is"
        " in a file into one");
  }
  const auto from = real_database_file(file);
  if (!from) return tl::unexpected(from.error());
  const auto real = real_database_file(database);
  if (!real) return tl::unexpected(real.error());
  if (file_identity(*from) == FileIdentity()) return fail("there is no file {}", in_quotes(file, 200));
  if (file_identity(*from) == file_identity(*real)) return fail("a store cannot be restored from itself");
  std::error_code error;
  if (fs::file_size(*from, error) == 0) return fail("{} is empty: it is no backup", in_quotes(file, 200));
  const auto lock = OwnerLock::take(*real);
  if (!lock) return tl::unexpected(lock.error());
  const Unfinished unfinished(*real + ".restoring");
  if (auto made = make_private_file(unfinished.path()); !made) return tl::unexpected(made.error());
  if (auto copied = copy_store(*from, unfinished.path()); !copied) return tl::unexpected(copied.error());
  const auto contents = check_store(unfinished.path(), file);
  if (!contents) return tl::unexpected(contents.error());
  if (auto read = read_everything(unfinished.path(), file); !read) return tl::unexpected(read.error());
  const auto kept = keep_old(*real);
  if (!kept) return tl::unexpected(kept.error());
  if (auto placed = put_in_place(unfinished.path(), *real, true); !placed) return tl::unexpected(placed.error());
  return Restored{*contents, *kept};
}

}  // namespace paika::server
