#include "database/open.hpp"

#include "database/postgresql.hpp"
#include "database/sqlite.hpp"

namespace paika {

Result<Database> open_database(const std::string& where, Access access, const Layout& layout, const OwnerTerms& terms) {
  return is_postgresql_url(where) ? open_postgresql(where, access, layout, terms) : open_sqlite(where, access, layout);
}

Result<Database> open_shared_database(const std::string& where, const Layout& layout) {
  return is_postgresql_url(where) ? open_shared_postgresql(where, layout) : open_shared_sqlite(where, layout);
}

std::unique_ptr<Connection> connect_to_database(const std::string& where, Access access) {
  return is_postgresql_url(where) ? connect_postgresql(where, access) : connect_sqlite(where, access);
}

}  // namespace paika
