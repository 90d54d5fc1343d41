// Moving a store from one engine to the other: `paika admin copy`.
#pragma once

#include <string>

#include "database/copy.hpp"

namespace paika::server {

/// Puts everything of one store into a new one, of either engine, and compares. Neither may be in use by a server; the
/// first is brought up to date. The error says what is wrong: also that the second one has something in it already.
[[nodiscard]] Result<void> copy_store(const std::string& from, const std::string& to, const CopyProgress& progress);

}  // namespace paika::server
