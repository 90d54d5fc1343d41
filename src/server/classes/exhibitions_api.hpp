// The routes under /api/classes/{class}/exhibitions: the teacher, or the engine, against the class (docs/classes.md).
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "engine/json.hpp"
#include "server/classes/class_access.hpp"
#include "server/http/route.hpp"
#include "server/rooms/room.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// What the functions about exhibitions need; all of it outlives them.
struct ExhibitionsDeps {
  Writer& writer;
  /// Opens a room and writes about it in the same transaction; on the network thread, as is `done`: false if it failed.
  std::function<void(const RoomPlan&, const Identity& opener, std::function<void(Store&, const RoomId&)> also,
                     std::function<void(bool)> done)>
      open_room;
  std::function<void(std::string_view, const Json& fields)> log_event;  // to the log
};

[[nodiscard]] std::vector<Route> exhibition_routes(const ExhibitionsDeps& deps);

/// The newest exhibition of a class, for its page: {exhibition, running, mine: my room or null}; null if there is none.
[[nodiscard]] Json current_exhibition(const SeenClass& in, Store& store);

}  // namespace paika::server
