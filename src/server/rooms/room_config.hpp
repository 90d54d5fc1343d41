// RoomConfig: what a room is created with and never changes: from a plan, into its first event, and out of it again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "server/rooms/room.hpp"
#include "server/rooms/room_json.hpp"

namespace paika::server {

struct RoomConfig {
  GamePtr game;
  std::string start;                    // canonical; empty: the game's own
  SearchLimits limits;                  // of both players: move_time or clock or neither
  std::array<Milliseconds, 2> extra{};  // by seats: so much more there is at the start of a clock for the game
  Milliseconds grace{0};                // the clock stands still so long before each player's first turn
  bool rated = false;                   // as far as is known before both have come
  bool listed = false;
  bool takebacks = true;
  std::array<std::optional<Identity>, 2> seats;
  std::array<std::optional<int>, 2> engines;  // their levels
};

[[nodiscard]] std::string engine_name(int level);
/// The limits of the player on a seat.
[[nodiscard]] SearchLimits limits_of(const RoomConfig& config, Player player);
[[nodiscard]] inline bool has_clock(const SearchLimits& limits) { return limits.move_time || limits.clock; }

/// The error is that of a bad plan. `seed` decides who begins if that is left open.
[[nodiscard]] Result<RoomConfig> make_config(const RoomPlan& plan, const Identity& opener, std::uint64_t seed);

/// Adds the configuration to the fields of the event "created".
void add_config(Json& event, const RoomConfig& config);
/// Reads it again; a fault of the event is complained of there. `persons` sit on the seats that people have.
[[nodiscard]] std::optional<RoomConfig> read_config(Fields& event, const std::array<PersonId, 2>& persons);
/// Reads a identity_json().
[[nodiscard]] Identity read_identity(Fields& who, PersonId person);

}  // namespace paika::server
