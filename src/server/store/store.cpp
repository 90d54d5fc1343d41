// Opening a store, its transactions and its clock. The other parts of Store are in files of their own.
#include "server/store/store.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.hpp"
#include "database/open.hpp"
#include "database/postgresql.hpp"
#include "database/sqlite.hpp"
#include "engine/user_folder.hpp"
#include "server/store/impl.hpp"
#include "server/store/layout.hpp"

namespace paika::server {

Result<std::string> files_beside(const std::string& where) {
  if (!is_postgresql_url(where)) return real_database_file(where);
  const auto shown = shown_postgresql_url(where);
  if (!shown) return tl::unexpected(shown.error());
  std::string name = shown->substr(std::string_view("postgresql://").size());
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '/' || c == ':' || c == '@'; }, '-');
  return fmt::format("{}/{}", user_data_folder("server"), name);
}

Result<std::unique_ptr<Store>> Store::open(const std::string& where, Mode mode, const OwnerTerms& terms) {
  auto database = open_database(where, mode, store_layout(), terms);
  if (!database) return tl::unexpected(database.error());
  try {
    auto store = std::unique_ptr<Store>(new Store(std::make_unique<Impl>(std::move(*database))));
    std::optional<std::string> fault;
    if (mode == Mode::owner) store->atomically([&] { fault = store->storage_fault(); });
    if (fault) return fail("{} cannot be used: {}", in_quotes(store->impl_->database.name(), 200), *fault);
    return store;
  } catch (const StoreError& error) {
    return tl::unexpected(Error{error.what()});
  }
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Store::~Store() = default;

std::optional<std::string> Store::storage_fault() {
  if (auto fault = impl_->database.connection().storage_fault()) return fault;
  // Nothing is written where nothing changes.
  impl_->database.run(
      "INSERT INTO meta (key, value) VALUES ('probe', 1) ON CONFLICT (key) DO UPDATE SET value = meta.value + 1");
  return std::nullopt;
}

void Store::begin_part() { impl_->database.begin_part(); }
void Store::end_part() {
  try {
    if (impl_->database.depth() == 1) impl_->write_time();
  } catch (...) {
    undo_part();
    throw;
  }
  impl_->database.end_part();
}
void Store::undo_part() {
  if (impl_->database.depth() == 1) impl_->time_to_save = {};
  impl_->database.undo_part();
}
bool Store::is_in_part() const noexcept { return impl_->database.depth() > 0; }

std::int64_t Store::epoch() const noexcept { return impl_->database.connection().epoch(); }
void Store::say_owner(const std::string& owner) { impl_->database.connection().say_owner(owner); }
bool Store::is_deposed() const noexcept { return impl_->database.connection().is_deposed(); }

ServerTime Store::server_time() {
  Query query = impl_->database.query("SELECT value FROM meta WHERE key = 'server_time_us'");
  return ServerTime(query.next() ? query.number(0) : 0);
}

void Store::save_server_time(ServerTime now) {
  impl_->time_to_save = std::max(impl_->time_to_save, now);
  if (!is_in_part()) impl_->write_time();
}

}  // namespace paika::server
