// The layout of the store: its tables, and the steps by which an older store gets them (database/layout.hpp).
#pragma once

#include <array>
#include <string_view>

#include "database/layout.hpp"

namespace paika::server {

/// The steps of this program; store_version of them.
[[nodiscard]] Layout store_layout();

}  // namespace paika::server
