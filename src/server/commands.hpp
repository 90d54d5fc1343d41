// Commands as clients write them: {"do": "play", "move": "e6", "id": "7"}, the same over HTTP and web sockets.
#pragma once

#include <span>
#include <string_view>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

/// The clock of a player waits so long for the first move: to find the room, to see that the opponent has come.
inline constexpr Milliseconds first_move_grace{20'000};
inline constexpr Milliseconds max_grace{60'000};  // that may be asked for

/// The words for commands, as they stand in "do" and at the end of /api/rooms/{id}/….
[[nodiscard]] std::span<const std::string_view> command_words() noexcept;

/// Reads the command `word` with the fields of `object` (beside "do", "room" and "ref"). An error names the field.
[[nodiscard]] Result<Command> read_command(std::string_view word, const Json& object);

/// Reads what somebody looks for: {spec, move_ms? | clock_ms?, increment_ms?, rated?}.
[[nodiscard]] Result<RoomPlan> read_seek_plan(const Json& object);

/// Reads the plan of a room: {spec, position?, move_ms? | clock_ms?, increment_ms?, grace_ms?, side?, engine?,
/// rated?, listed?}.
[[nodiscard]] Result<RoomPlan> read_room_plan(const Json& object);

}  // namespace paika::server
