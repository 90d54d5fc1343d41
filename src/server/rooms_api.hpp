// The routes under /api/rooms, and the web socket: two ways to the same hub, and to the lobby.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "server/classes/boards_api.hpp"
#include "server/http/limits.hpp"
#include "server/http/route.hpp"
#include "server/hub.hpp"
#include "server/lobby.hpp"

namespace paika::server {

/// `limiter` counts rematches as rooms that are opened.
[[nodiscard]] std::vector<Route> room_routes(Hub& hub, Lobby& lobby, Limiter& limiter);

/// Opens a room if its opener has not too many already (too_many_rooms); as Hub::open() otherwise.
void open_counted_room(Hub& hub, const RoomPlan& plan, const Identity& opener, const Client& client,
                       const std::function<void(const tl::expected<RoomId, Refused>&)>& done,
                       std::function<void(Store&, const RoomId&)> also = {});

/// Who uses a web socket, asked for every command: sessions end while sockets are open.
using WhoCalls = std::function<std::optional<Person>()>;

/// What a web socket understands (docs/server.md): watch, leave, ping, the lobby, the boards of classes, and the
/// commands of rooms. `limiter` counts its messages together with the commands of requests of the same client.
[[nodiscard]] std::unique_ptr<SocketHandler> room_socket(Hub& hub, Lobby& lobby, std::shared_ptr<ClassBoards> boards,
                                                         Limiter& limiter, Client client, WhoCalls person,
                                                         std::shared_ptr<Subscriber> subscriber);

}  // namespace paika::server
