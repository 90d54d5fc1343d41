// A connection of its own to the store for every thread that reads.
#pragma once

#include <string>

#include "server/store/store.hpp"

namespace paika::server {

/// This thread's reader of a store, opened when it is first needed and kept as long as the thread lives; nullptr if it
/// cannot be opened.
[[nodiscard]] Store* thread_reader(const std::string& database);

}  // namespace paika::server
