// A database by what a person calls it: the path of a file, or the URL of a PostgreSQL database.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "database/layout.hpp"

namespace paika {

/// Opens a database that must not lose anything (open_sqlite, open_postgresql): its owner makes it if there is none.
[[nodiscard]] Result<Database> open_database(const std::string& where, Access access, const Layout& layout,
                                             const OwnerTerms& terms = {});

/// Opens a database that several processes write to at once, each with its own connection. In PostgreSQL it is a schema
/// beside that of the URL, "public_queue" beside "public".
[[nodiscard]] Result<Database> open_shared_database(const std::string& where, const Layout& layout);

/// A connection to a database as it is. Throws StoreError.
[[nodiscard]] std::unique_ptr<Connection> connect_to_database(const std::string& where, Access access);

}  // namespace paika
