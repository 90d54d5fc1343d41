// The layout of the store's file: its tables, and how a file of an older version gets them.
//
// A file has a version, the number of steps it has gone. Each step leads to the next version in one transaction, so
// that a crash leaves a file at one version or the next and never between. Steps that were released are not changed:
// a new layout is a new step.
#pragma once

#include <span>

#include "base/result.hpp"
#include "server/store/database.hpp"

namespace paika::server {

/// The steps of this program; store_version of them. A step's text ends by setting user_version to the version it
/// leads to; the first one also sets application_id, by which we know our files.
[[nodiscard]] std::span<const Sql> layout_steps();

/// The version of a file; 0 if nothing is in it yet. An error if it is not ours. Changes nothing.
[[nodiscard]] Result<int> layout_version(Database& database);

/// Does the steps that a file has not gone yet. An error if it is not ours, or has gone more than these. Throws
/// StoreError.
[[nodiscard]] Result<void> bring_up_to_date(Database& database, std::span<const Sql> steps);

}  // namespace paika::server
