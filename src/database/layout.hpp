// The layout of a database: its tables, and how a database of an older version gets them.
//
// A database has a version, the number of steps it has gone. Each step leads to the next version in one transaction,
// so that a crash leaves a database at one version or the next and never between. Steps that were released are not
// changed: a new layout is a new step. A step is one text for both engines (Connection::run_script).
#pragma once

#include <cstdint>
#include <span>

#include "base/result.hpp"
#include "database/database.hpp"

namespace paika {

struct Layout {
  std::int64_t application = 0;  // by which we know our databases
  std::span<const Sql> steps;
};

/// The version of a database; 0 if nothing is in it yet. An error if it is not of this application. Changes nothing.
[[nodiscard]] Result<int> layout_version(Database& database, const Layout& layout);

/// Does the steps that a database has not gone yet. An error if it is not ours, or has gone more than these. Throws
/// StoreError.
[[nodiscard]] Result<void> bring_up_to_date(Database& database, const Layout& layout);

/// An error if the database has not gone exactly these steps.
[[nodiscard]] Result<void> check_up_to_date(Database& database, const Layout& layout);

}  // namespace paika
