// SQLite as an engine: one file, no service to run.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "database/layout.hpp"

namespace paika {

/// A connection to a file that exists, as it is: nothing is made, locked, set or looked at. Throws StoreError.
[[nodiscard]] std::unique_ptr<Connection> connect_sqlite(const std::string& path, Access access);

/// Opens a database that must not lose anything. The owner makes the file, readable by this user alone, if there is
/// none, and brings it up to date; while it lives a second one is refused, also in another process. A reader needs a
/// file that exists and is up to date. An error says what is wrong: also that the file is damaged, empty, or that
/// nothing can be written to it.
[[nodiscard]] Result<Database> open_sqlite(const std::string& path, Access access, const Layout& layout);

/// Opens a database that several processes write to at once, or makes it. A commit may be lost with the machine's
/// power, but never half of one.
[[nodiscard]] Result<Database> open_shared_sqlite(const std::string& path, const Layout& layout);

/// Where a file lies when links are followed, so that it has one lock by whatever path it is opened. An error if the
/// path cannot be one.
[[nodiscard]] Result<std::string> real_database_file(const std::string& path);

}  // namespace paika
