// Snapshots of rooms: what the first events of a long game come to, without what only a watcher needs.
//
// To play a game again a room needs of a move its text and its time; the position after it, the effects and the steps
// are there for those who watch and make up nearly all of an event. A snapshot is the list of a room's events with each
// cut down to what Room::restore() reads. The history is complete, so repetitions, takebacks and repeated commands
// work as in a room that was never read from a snapshot. What is still shown stays whole: the last move, the last
// chats, the result.
//
// The text has one line per event, the first for event 1: "w" (whole) or "b" (brief), the event's time in microseconds,
// and its JSON, with a blank between them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "server/rooms/event.hpp"

namespace paika::server {

/// A room gets a new snapshot when it has so many events more than its last one covers.
inline constexpr std::uint64_t snapshot_interval = 128;

/// The snapshot of all events so far: of those of the snapshot `before` (empty: none), and of `events`, whose texts are
/// whole and which follow them. An error names what is wrong with `before`.
[[nodiscard]] Result<std::string> extended_snapshot(std::string_view before, std::span<const Event> events);

/// The events of a snapshot, for Room::restore(). An error names the line that is wrong.
[[nodiscard]] Result<std::vector<Event>> snapshot_events(std::string_view text);

}  // namespace paika::server
