// The games of the server's rooms as a database of games takes them.
#pragma once

#include <optional>

#include "server/explorer/game_database.hpp"
#include "server/store/store.hpp"

namespace paika::server {

/// Whether players are called by their names, or by their numbers: names are a person's own and can be erased, so a
/// file that is kept in step with the store has numbers alone.
enum class PlayerNames : unsigned char { names, numbers };

/// What a person is called by number: "#17".
[[nodiscard]] std::string number_name(PersonId person);
/// The person again; nothing if it is no such name.
[[nodiscard]] std::optional<PersonId> person_of_name(std::string_view name);

/// The game of a room that has ended; nothing if no move was played there, or if the room is damaged. Its source is the
/// room's id. Throws StoreError.
[[nodiscard]] std::optional<NewGame> game_of_room(Store& store, const RoomRow& row, PlayerNames names);

}  // namespace paika::server
