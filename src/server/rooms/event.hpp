// Events: everything that ever happened in a room, numbered, as it is stored and as clients get it.
//
// A room is nothing but its events: it is rebuilt from them after a restart, and a client that was away is sent
// those it missed. The text of an event is therefore written once and never changed.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace paika::server {

/// Time on the server's own clock. It runs only while the server runs and goes on from where it stood after a
/// restart, so that no player loses time by a crash; clocks of games are read on it and on nothing else.
using ServerTime = std::chrono::microseconds;

/// A room's name in links: letters and digits that cannot be guessed.
using RoomId = std::string;

/// A person's number in the store; 0 is nobody (an engine, or the room itself).
using PersonId = std::int64_t;

struct Event {
  std::uint64_t number = 0;  // from 1, without gaps
  ServerTime at{0};
  std::shared_ptr<const std::string> text;  // a JSON object: {"number":…,"at_us":…,"event":"move",…}
  PersonId person = 0;  // whose act it is; 0: the room's own, the engine's, or of somebody who was erased
  bool brief = false;   // the text has only what a room is rebuilt from (room_snapshot.hpp): nobody is sent it
};

enum class RoomState : unsigned char { open, running, ended };
[[nodiscard]] std::string_view name(RoomState state) noexcept;

}  // namespace paika::server
