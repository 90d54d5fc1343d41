// Segments: the postings of a game database as rows of SQLite: written once, merged as they become many, looked up.
#pragma once

#include <cstdint>
#include <vector>

#include "base/function_ref.hpp"
#include "database/database.hpp"
#include "server/explorer/postings.hpp"

namespace paika::server {

/// Writes postings as a new segment, then merges segments where there are many of a size. Within a transaction.
void add_segment(Database& database, std::vector<Posting> postings);

/// Visits all postings of a position. Throws StoreError if the file is damaged.
void visit_postings(Database& database, std::uint64_t key, FunctionRef<void(const Posting&)> visit);

}  // namespace paika::server
