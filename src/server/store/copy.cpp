#include "server/store/copy.hpp"

#include <filesystem>

#include "base/text.hpp"
#include "database/open.hpp"
#include "database/postgresql.hpp"
#include "server/store/layout.hpp"

namespace paika::server {

Result<void> copy_store(const std::string& from, const std::string& to, const CopyProgress& progress) {
  std::error_code error;
  if (!is_postgresql_url(from) && !std::filesystem::exists(from, error)) {
    return fail("there is no file {}", in_quotes(from, 200));
  }
  auto source = open_database(from, Access::owner, store_layout());
  if (!source) return tl::unexpected(source.error());
  auto target = open_database(to, Access::owner, store_layout());
  if (!target) return tl::unexpected(target.error());
  try {
    // Whoever has used it has been a guest at least.
    if (target->connection().last_number("people") > 0) {
      return fail("{} is in use already: copy into a new database", in_quotes(target->name(), 200));
    }
    return copy_tables(*source, *target, progress);
  } catch (const StoreError& failure) {
    return fail("{}", failure.what());
  }
}

}  // namespace paika::server
