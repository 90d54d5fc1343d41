#include "server/room_reader.hpp"

#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "server/rooms/room_json.hpp"
#include "server/rooms/room_snapshot.hpp"

namespace paika::server {

namespace {

/// The events of the room's snapshot, and their number; none if there is no good one.
std::vector<Event> first_events(Store& store, const RoomId& id) {
  const SnapshotRow snapshot = store.snapshot(id);
  auto events = snapshot_events(snapshot.text);
  if (!events || events->size() != snapshot.number) return {};
  return std::move(*events);
}

Result<std::unique_ptr<Room>> restore(Store& store, const RoomRow& row, std::vector<Event> first) {
  auto rest = store.events(row.id, first.size());
  first.insert(first.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
  return Room::restore(row.id, first, row.persons);
}

}  // namespace

Refused no_room(const RoomId& id) {
  return {"no_room", fmt::format("there is no room {}", Json(id).dump(-1, ' ', false, Json::error_handler_t::replace)),
          Json::object()};
}

Refused damaged_room(const RoomId& id) {
  return {"damaged",
          fmt::format("what is stored of room {} is damaged; the operator of the server has to restore it", id),
          {{"room", id}}};
}

Refused storage_failed() {
  return {"storage", "the server could not save this; nothing has changed, try again later", Json::object()};
}

Refused too_busy() { return {"busy", "the server has too much to do; try again in a moment", Json::object()}; }

Refused too_many_rooms() {
  return {"too_many_rooms",
          "you, or your address, have too many games that have not ended: end some first",
          {{"retry_after_ms", 60'000}}};
}

tl::expected<StoredRoom, Refused> read_room(Store& store, const RoomId& id, std::string& fault) {
  tl::expected<StoredRoom, Refused> read = tl::unexpected(no_room(id));
  // All of it as it stood at one time.
  store.atomically([&] {
    const auto row = store.room(id);
    if (!row) return;
    read = tl::unexpected(damaged_room(id));
    try {
      auto first = first_events(store, id);
      std::uint64_t number = first.size();
      auto room = restore(store, *row, std::move(first));
      if (!room && number > 0) {  // made by another version of the rules
        number = 0;
        room = restore(store, *row, {});
      }
      if (room) {
        for (const Player player : {Player::first, Player::second}) {
          (*room)->restore_conditional(player, read_conditional(store.conditional_moves(id, seat_word(player))));
        }
        read = StoredRoom{*row, std::move(*room), number};
      } else {
        fault = room.error().message;
      }
    } catch (const DamagedRoom& error) {
      fault = error.what();
    }
  });
  return read;
}

NewSnapshot make_snapshot(Store& store, const RoomId& id) {
  NewSnapshot made;
  store.atomically([&] {
    made.erasures = store.erasures();
    const SnapshotRow before = store.snapshot(id);
    const auto later = store.events(id, before.number);
    auto text = extended_snapshot(before.text, later);
    made.row.number = before.number + later.size();
    if (!text) {
      const auto all = store.events(id);
      text = extended_snapshot("", all);
      made.row.number = all.size();
    }
    made.row.text = text.value_or("");
  });
  return made;
}

}  // namespace paika::server
