// PostgreSQL as an engine: a server, for those who have outgrown one machine.
//
// The one owner holds an advisory lock of the database. Its connection is made anew when it was lost, but only goes on
// if nobody else has owned the database meanwhile and nothing that was committed is gone: each owner has a number of
// its own, the epoch, of which the database knows the last one, and a standby that was promoted begins a new timeline.
// Whoever waits to be the next owner watches with an OwnerWatch (database/owner_watch.hpp).
#pragma once

#include <chrono>
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

/// A connection to a database as it is: nothing is locked or looked at. Throws StoreError. With a limit, a statement
/// that the server has not answered by then fails, and the connection with it.
[[nodiscard]] std::unique_ptr<Connection> connect_postgresql(const std::string& url, Access access,
                                                             std::chrono::milliseconds limit = {});

/// Opens a database: the owner brings it up to date, from an empty one on, and is refused while there is another one;
/// a reader needs one that is up to date, and waits only for some seconds for an answer.
[[nodiscard]] Result<Database> open_postgresql(const std::string& url, Access access, const Layout& layout,
                                               const OwnerTerms& terms = {});

/// Opens a schema that several write to at once (database/open.hpp).
[[nodiscard]] Result<Database> open_shared_postgresql(const std::string& url, const Layout& layout);

/// Counts 2 if the database keeps what an owner says of itself (database/owner_watch.hpp).
inline constexpr const char* count_owner_columns =
    "SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema()"
    " AND table_name = 'paika_layout' AND column_name IN ('owner', 'beat')";

}  // namespace paika
