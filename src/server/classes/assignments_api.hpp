// The routes under /api/classes/{class}/assignments: what a teacher sets, and what students try (docs/classes.md).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json.hpp"
#include "server/http/limits.hpp"
#include "server/http/route.hpp"
#include "server/rooms/room.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// Opens a room for somebody, and writes about it in the same transaction. Called on the network thread, as is `done`.
using OpenRoom = std::function<void(const RoomPlan&, const Identity& opener, const Client&,
                                    std::function<void(Store&, const RoomId&)> also,
                                    std::function<void(const tl::expected<RoomId, Refused>&)> done)>;

/// What the functions about assignments need; all of it outlives them.
struct AssignmentsDeps {
  Writer& writer;
  std::function<void(std::function<void()>)> post;  // to the network thread, from any
  QueueWork queue_work;
  ReadStore read;
  OpenRoom open_room;
  std::function<void(std::string_view, const Json& fields)> log_event;  // to the log
  std::string tables;                                                   // the folder of perfect play; empty: none
};

[[nodiscard]] std::vector<Route> assignment_routes(const AssignmentsDeps& deps);

}  // namespace paika::server
