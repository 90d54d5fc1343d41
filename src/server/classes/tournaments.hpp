// The pages of tournaments: what `paika tournament` writes into a folder, shown and never changed.
#pragma once

#include <string>
#include <vector>

#include "server/http/route.hpp"

namespace paika::server {

/// The routes under /api/tournaments for the tournaments (NAME.toml) of a folder; without one ("") there are none to
/// see.
[[nodiscard]] std::vector<Route> tournament_routes(const std::string& folder);

}  // namespace paika::server
