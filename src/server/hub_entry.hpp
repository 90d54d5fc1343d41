// What the hub knows of a room in memory and of those who watch it; for the hub's own sources.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/hub.hpp"

namespace paika::server {

struct Hub::Watcher {
  std::shared_ptr<Subscriber> subscriber;
  Client client;
  std::uint64_t sent = 0;  // the number of the last event it has
  bool behind = false;     // it lacks events and will be sent them: a page is being read, or it still takes one
  bool left = false;
};

struct Hub::RoomEntry {
  std::unique_ptr<Room> room;
  RoomRow row;
  bool stored = false;          // the store has its row
  bool dropped = false;         // the store failed: this is no longer the truth
  std::uint64_t committed = 0;  // events up to this number are on the disk
  std::vector<std::pair<std::uint64_t, std::function<void(bool)>>> waiting;  // for that number to be committed
  std::uint64_t snapshot_number = 0;  // of the last event that the stored snapshot covers
  bool snapshot_under_way = false;
  std::uint64_t conditional_version = 0;  // of the conditional moves that the store has, or will have
  std::vector<std::shared_ptr<Watcher>> watchers;
  std::optional<std::multimap<ServerTime, RoomEntryPtr>::iterator> scheduled;  // its place among the deadlines
  ServerTime used{0};  // when somebody last wanted something of it
  // Who is here.
  std::optional<ServerTime> presence_sent;              // when it was last told
  std::shared_ptr<const std::string> presence_message;  // as it was
  bool presence_due = false;                            // it has changed since, and is among those to be told
  // The engine.
  Client player;                       // who did something here last, and pays for what the engine does then
  std::uint64_t question = 0;          // counts what it was asked
  std::optional<std::uint64_t> asked;  // it thinks about the position that this event led to
  std::shared_ptr<std::stop_source> stop;
  bool awaits_engine = false;  // there was no place in its queue: it is to be asked again
  bool rating = false;         // the ratings are being counted
  bool no_rematch = false;     // it was agreed on and cannot be
  RoomId rematch;              // that was agreed on and is counted already, but not open; empty: there is none
};

/// Makes the row that lists show say what the room says.
void bring_up_to_date(RoomRow& row, const Room& room);
/// Writes new events of a room, and the row that goes with them; `stored`: the store has a row of it already.
void write_room(Store& store, const RoomRow& row, bool stored, const std::vector<Event>& events);

/// A message about a room: {"room": …, key: json}.
[[nodiscard]] std::shared_ptr<const std::string> room_message(const RoomId& room, std::string_view key,
                                                              std::string_view json);

}  // namespace paika::server
