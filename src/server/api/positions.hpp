// The part of the API that needs no room: games, rules, demonstrations, positions, analysis, pictures, records.
//
// Everything here is a function of the request (and of the tables of perfect play that lie in a folder).
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "engine/game.hpp"
#include "server/http/route.hpp"

namespace paika::server {

struct PositionApi {
  std::string tables;        // the folder of tables; empty: none
  int analysis_threads = 1;  // of one analysis; 0 where there are no threads (search/types.hpp)
  int analysis_hash_mb = 16;
  std::chrono::milliseconds max_analysis{30'000};
  /// Whether a rated game stands at a position now: then neither engine nor tables say anything about it.
  std::function<bool(const Session&)> in_rated_play;
  bool write_now = true;  // the pages that never change are written with the routes, else when they are first asked for
};

[[nodiscard]] std::vector<Route> position_routes(const PositionApi& api);

}  // namespace paika::server
