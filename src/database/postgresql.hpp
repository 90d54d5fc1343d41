// PostgreSQL as an engine: a server, for those who have outgrown one machine.
//
// The one owner holds an advisory lock of the database. Its connection is made anew when it was lost, but only goes on
// if nobody else has owned the database meanwhile: each owner has a number of its own, the epoch, and the database
// knows the last one.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "database/layout.hpp"

namespace paika {

/// True of "postgresql://…" and "postgres://…".
[[nodiscard]] bool is_postgresql_url(std::string_view where);

/// What a URL says without its password, for people: "postgresql://ann@db.example.org:5432/paika". An error says what
/// is wrong with the URL.
[[nodiscard]] Result<std::string> shown_postgresql_url(const std::string& url);

/// A connection to a database as it is: nothing is locked or looked at. Throws StoreError.
[[nodiscard]] std::unique_ptr<Connection> connect_postgresql(const std::string& url, Access access);

/// Opens a database: the owner brings it up to date, from an empty one on, and is refused while there is another one;
/// a reader needs one that is up to date.
[[nodiscard]] Result<Database> open_postgresql(const std::string& url, Access access, const Layout& layout);

/// Opens a schema that several write to at once (database/open.hpp).
[[nodiscard]] Result<Database> open_shared_postgresql(const std::string& url, const Layout& layout);

}  // namespace paika
