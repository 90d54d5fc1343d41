// A database by what a person calls it: the path of a file, or the URL of a PostgreSQL database.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "database/layout.hpp"

namespace paika {

/// Opens a database that must not lose anything (open_sqlite, open_postgresql): its owner makes it if there is none.
[[nodiscard]] Result<Database> open_database(const std::string& where, Access access, const Layout& layout);

/// A connection to a database as it is. Throws StoreError.
[[nodiscard]] std::unique_ptr<Connection> connect_to_database(const std::string& where, Access access);

}  // namespace paika
