// Opening a store, its transactions and its clock. The other parts of Store are in files of their own.
#include "server/store/store.hpp"

#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include "base/check.hpp"
#include "base/text.hpp"
#include "server/store/files.hpp"
#include "server/store/impl.hpp"
#include "server/store/layout.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;

/// Files up to this size are looked through for damage when the owner opens them; that takes some seconds for each
/// gigabyte, which a larger store does not wait for. Damage that is met later is a StoreError.
constexpr std::uintmax_t max_bytes_checked = 256'000'000;

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
  if (fs::file_size(database.path(), error) > max_bytes_checked || error) return {};
  Query found = database.query("PRAGMA quick_check(1)");
  if (!found.next()) return is_damaged(database.path(), "nothing is known of it");
  if (found.text(0) != "ok") return is_damaged(database.path(), found.text(0));
  return {};
}

/// Write-ahead logging, and every commit on the disk before it is told. The log is put into the file every 16 MB:
/// commits wait for that, so it is done seldom. What is deleted is overwritten: erased means erased.
Result<void> prepare_owner(Database& database, bool was_cut) {
  if (database.is_read_only())
    return fail("{} is read-only: the server must write to it", in_quotes(database.path(), 200));
  if (auto done = layout_version(database); !done) return tl::unexpected(done.error());
  if (was_cut) return is_damaged(database.path(), "its end is missing");
  {
    Query mode = database.query("PRAGMA journal_mode = WAL");
    if (!mode.next() || mode.text(0) != "wal") {
      return fail("{} is on a file system without write-ahead logging: a store must be on a local disk",
                  in_quotes(database.path(), 200));
    }
  }
  database.run_once(
      "PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;"
      "PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 67108864");
  if (auto done = bring_up_to_date(database, layout_steps()); !done) return done;
  // After the steps: one that makes a table anew must be able to drop the old one.
  database.run_once("PRAGMA foreign_keys = ON");
  return look_for_damage(database);
}

Result<void> prepare_reader(Database& database) {
  const auto version = layout_version(database);
  if (!version) return tl::unexpected(version.error());
  if (*version != store_version) {
    return fail("{} has the layout version {}, this program reads version {}; the server brings older ones up to date",
                in_quotes(database.path(), 200), *version, store_version);
  }
  database.run_once("PRAGMA query_only = ON");
  return {};
}

/// Makes a new store under another name, which then becomes its own: a crash leaves nothing half made.
Result<void> make_store(const std::string& path) {
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
    Database database(unfinished, Store::Mode::owner);
    if (auto done = bring_up_to_date(database, layout_steps()); !done) return done;
  }
  fs::rename(unfinished, path, error);
  if (error) return fail("{} cannot be created: {}", in_quotes(path, 200), error.message());
  return sync_folder_of(path);
}

/// Sees to it that there is a file with something in it.
Result<void> make_or_look_at(const std::string& path) {
  std::error_code error;
  if (!fs::exists(path, error)) return make_store(path);
  if (fs::file_size(path, error) == 0 && !error) {
    return fail("{} is empty, which a store never is: restore a backup (paika restore), or delete it for a new one",
                in_quotes(path, 200));
  }
  return {};
}

}  // namespace

// With a folder before its name, which keeps SQLite from seeing anything but a file in it.
Result<std::string> store_file(const std::string& path) {
  if (path.empty()) return fail("the path of the store's file is empty");
  std::error_code error;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return fail("{} is not a path: {}", in_quotes(path, 200), error.message());
  if (fs::is_directory(real, error)) return fail("{} is a folder, not a file", in_quotes(path, 200));
  return real.string();
}

Result<std::unique_ptr<Store>> Store::open(const std::string& path, Mode mode) {
  const auto real = store_file(path);
  if (!real) return tl::unexpected(real.error());
  std::optional<OwnerLock> lock;
  if (mode == Mode::owner) {
    if (auto made = make_folders_for(*real); !made) return tl::unexpected(made.error());
    auto taken = OwnerLock::take(*real);
    if (!taken) return tl::unexpected(taken.error());
    lock.emplace(std::move(*taken));
  } else if (std::error_code error; !fs::exists(*real, error)) {
    return fail("there is no file {}", in_quotes(path, 200));
  }
  try {
    if (auto there = mode == Mode::owner ? make_or_look_at(*real) : Result<void>(); !there) {
      return tl::unexpected(there.error());
    }
    const bool was_cut = is_cut(*real);
    auto impl = std::make_unique<Impl>(path, *real, mode, std::move(lock));
    auto prepared = mode == Mode::owner ? prepare_owner(impl->database, was_cut) : prepare_reader(impl->database);
    if (!prepared) return tl::unexpected(prepared.error());
    auto store = std::unique_ptr<Store>(new Store(std::move(impl)));
    std::optional<std::string> fault;
    if (mode == Mode::owner) store->atomically([&] { fault = store->storage_fault(); });
    if (fault) return fail("{} cannot be used: {}", in_quotes(path, 200), *fault);
    return store;
  } catch (const StoreError& error) {
    return tl::unexpected(Error{error.what()});
  }
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

const std::string& Store::path() const noexcept { return impl_->name; }
const std::string& Store::file() const noexcept { return impl_->database.path(); }

std::optional<std::string> Store::storage_fault() {
  constexpr std::uintmax_t min_free = std::uintmax_t{1} << 20U;
  const std::string& path = impl_->database.path();
  const FileIdentity now = file_identity(path);
  if (now == FileIdentity())
    return "the database file has been deleted: what is saved now is lost when the server ends";
  if (now != impl_->file) return "the database file has been replaced by another one: the server must be restarted";
  std::error_code error;
  if (!fs::exists(path + "-wal", error)) return "the log of the database (-wal) has been deleted";
  if (::access(path.c_str(), W_OK) != 0) return "the database file is read-only";
  const fs::space_info space = fs::space(path, error);
  if (!error && space.available < min_free) return fmt::format("the disk is full: {} bytes are left", space.available);
  // SQLite writes nothing where nothing changes.
  impl_->database.run(
      "INSERT INTO meta (key, value) VALUES ('probe', 1) ON CONFLICT (key) DO UPDATE SET value = value + 1");
  return std::nullopt;
}

void Store::begin_part() { impl_->database.begin_part(); }
void Store::end_part() { impl_->database.end_part(); }
void Store::undo_part() { impl_->database.undo_part(); }

ServerTime Store::server_time() {
  Query query = impl_->database.query("SELECT value FROM meta WHERE key = 'server_time_us'");
  return ServerTime(query.next() ? query.number(0) : 0);
}

void Store::save_server_time(ServerTime now) {
  impl_->database.run("UPDATE meta SET value = max(value, ?) WHERE key = 'server_time_us'", now.count());
}

}  // namespace paika::server
