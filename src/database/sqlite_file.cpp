// Opening a file of SQLite: made whole or not at all, held by one owner, looked through for damage.
#include <filesystem>
#include <system_error>

#include "base/text.hpp"
#include "database/sqlite.hpp"
#include "database/sqlite_connection.hpp"

namespace paika {

namespace {

namespace fs = std::filesystem;

/// Files up to this size are looked through for damage when the owner opens them; that takes some seconds for each
/// gigabyte, which a larger database does not wait for. Damage that is met later is a StoreError.
constexpr std::uintmax_t max_bytes_checked = 256'000'000;

/// Whoever opens a file for several holds its lock for some milliseconds.
constexpr std::chrono::seconds opening_patience(10);

tl::unexpected<Error> is_damaged(const std::string& path, const std::string& what) {
  return fail("{} is damaged: {}", in_quotes(path, 200), what);
}

/// True of a file that was closed well but does not end with a page: somebody has cut it. After a crash, when the log
/// is still there, the last page may be half written; the log has it whole.
bool is_cut(const std::string& path) {
  constexpr std::uintmax_t min_page = 512;
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return !error && size % min_page != 0 && !fs::exists(path + "-wal", error);
}

Result<void> look_for_damage(Database& database) {
  std::error_code error;
  if (fs::file_size(database.name(), error) > max_bytes_checked || error) return {};
  Query found = database.query("PRAGMA quick_check(1)");
  if (!found.next()) return is_damaged(database.name(), "nothing is known of it");
  if (found.text(0) != "ok") return is_damaged(database.name(), found.text(0));
  return {};
}

/// Write-ahead logging, and every commit on the disk before it is told. The log is put into the file every 16 MB:
/// commits wait for that, so it is done seldom. What is deleted is overwritten: erased means erased.
Result<void> prepare_owner(Database& database, const Layout& layout, bool was_cut) {
  if (auto done = layout_version(database, layout); !done) return tl::unexpected(done.error());
  if (was_cut) return is_damaged(database.name(), "its end is missing");
  {
    Query mode = database.query("PRAGMA journal_mode = WAL");
    if (!mode.next() || mode.text(0) != "wal") {
      return fail("{} is on a file system without write-ahead logging: a store must be on a local disk",
                  in_quotes(database.name(), 200));
    }
  }
  database.run_once(
      "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;"
      "PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 67108864");
  if (auto done = bring_up_to_date(database, layout); !done) return done;
  // After the steps: one that makes a table anew must be able to drop the old one.
  database.run_once("PRAGMA foreign_keys = ON");
  return look_for_damage(database);
}

Result<void> prepare_reader(Database& database, const Layout& layout) {
  if (auto done = check_up_to_date(database, layout); !done) return done;
  database.run_once("PRAGMA query_only = ON");
  return {};
}

/// Makes a new database under another name, which then becomes its own: a crash leaves nothing half made.
Result<void> make_file(const std::string& path, const Layout& layout) {
  std::error_code error;
  const auto log = fs::file_size(path + "-wal", error);
  if (!error && log > 0) {
    return fail(
        "there is no {}, but {} is there: the file was deleted or moved; put it back, restore a backup, or "
        "delete the second one too",
        in_quotes(path, 200), in_quotes(path + "-wal", 200));
  }
  const std::string unfinished = path + ".new";
  for (const char* ending : {"", "-journal"}) fs::remove(unfinished + ending, error);
  if (auto made = make_private_file(unfinished); !made) return made;
  {
    Database database(connect_sqlite(unfinished, Access::owner));
    if (auto done = bring_up_to_date(database, layout); !done) return done;
  }
  fs::rename(unfinished, path, error);
  if (error) return fail("{} cannot be created: {}", in_quotes(path, 200), error.message());
  return sync_folder_of(path);
}

/// Sees to it that there is a file with something in it.
Result<void> make_or_look_at(const std::string& path, const Layout& layout) {
  std::error_code error;
  if (!fs::exists(path, error)) return make_file(path, layout);
  if (fs::file_size(path, error) == 0 && !error) {
    return fail("{} is empty, which a store never is: restore a backup (paika restore), or delete it for a new one",
                in_quotes(path, 200));
  }
  return {};
}

Result<Database> open_owner(const std::string& path, const Layout& layout) {
  if (auto made = make_folders_for(path); !made) return tl::unexpected(made.error());
  auto lock = OwnerLock::take(path);
  if (!lock) return tl::unexpected(lock.error());
  if (auto there = make_or_look_at(path, layout); !there) return tl::unexpected(there.error());
  const bool was_cut = is_cut(path);
  auto connection = std::make_unique<SqliteConnection>(path, Access::owner, std::move(*lock));
  if (connection->is_read_only()) {
    return fail("{} is read-only: the server must write to it", in_quotes(path, 200));
  }
  Database database(std::move(connection));
  if (auto prepared = prepare_owner(database, layout, was_cut); !prepared) return tl::unexpected(prepared.error());
  return database;
}

Result<Database> open_reader(const std::string& path, const Layout& layout) {
  std::error_code error;
  if (!fs::exists(path, error)) return fail("there is no file {}", in_quotes(path, 200));
  Database database(connect_sqlite(path, Access::reader));
  if (auto prepared = prepare_reader(database, layout); !prepared) return tl::unexpected(prepared.error());
  return database;
}

}  // namespace

// With a folder before its name, which keeps SQLite from seeing anything but a file in it.
Result<std::string> real_database_file(const std::string& path) {
  if (path.empty()) return fail("the path of the store's file is empty");
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return fail("{} is not a path: {}", in_quotes(path, 200), error.message());
  if (fs::is_directory(real, error)) return fail("{} is a folder, not a file", in_quotes(path, 200));
  return real.string();
}

Result<Database> open_shared_sqlite(const std::string& path, const Layout& layout) {
  const auto real = real_database_file(path);
  if (!real) return tl::unexpected(real.error());
  try {
    if (auto made = make_folders_for(*real); !made) return tl::unexpected(made.error());
    // One at a time: SQLite waits for nobody while it changes to write-ahead logging.
    const auto lock = OwnerLock::take(*real, opening_patience);
    if (!lock) return tl::unexpected(lock.error());
    if (auto made = make_private_file(*real); !made) return tl::unexpected(made.error());
    Database database(connect_sqlite(*real, Access::owner));
    if (auto known = layout_version(database, layout); !known) return tl::unexpected(known.error());
    database.run_once("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    if (auto done = bring_up_to_date(database, layout); !done) return tl::unexpected(done.error());
    return database;
  } catch (const StoreError& error) {
    return tl::unexpected(Error{error.what()});
  }
}

Result<Database> open_sqlite(const std::string& path, Access access, const Layout& layout) {
  const auto real = real_database_file(path);
  if (!real) return tl::unexpected(real.error());
  try {
    return access == Access::owner ? open_owner(*real, layout) : open_reader(*real, layout);
  } catch (const StoreError& error) {
    return tl::unexpected(Error{error.what()});
  }
}

}  // namespace paika
