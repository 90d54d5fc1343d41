// Copying a database from one engine to the other, or to another place of the same one.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "base/result.hpp"
#include "database/database.hpp"

namespace paika {

/// Called after each table with how many rows it has.
using CopyProgress = std::function<void(std::string_view table, std::int64_t rows)>;

/// Puts all rows into a database of the same layout, in one transaction and in the place of what is there, and
/// compares: every value of every row, and the numbers from which tables go on. The error: something differs, and
/// nothing was copied. Throws StoreError.
[[nodiscard]] Result<void> copy_tables(Database& from, Database& to, const CopyProgress& progress);

}  // namespace paika
