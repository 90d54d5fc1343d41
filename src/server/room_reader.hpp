// Rooms out of the store: read and played again, and their snapshots made. For any thread with a store of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "server/rooms/room.hpp"
#include "server/store/store.hpp"

namespace paika::server {

/// A room as it was read.
struct StoredRoom {
  RoomRow row;
  std::unique_ptr<Room> room;
  std::uint64_t snapshot_number = 0;  // of the last event that its snapshot covers; 0: it has none
};

/// The refusals of rooms that are not there, of those whose events are damaged, and of a storage that fails.
[[nodiscard]] Refused no_room(const RoomId& id);
[[nodiscard]] Refused damaged_room(const RoomId& id);
[[nodiscard]] Refused storage_failed();
/// Too much waits to be read.
[[nodiscard]] Refused too_busy();
/// Somebody has too many games that go on.
[[nodiscard]] Refused too_many_rooms();

/// Reads a room: its snapshot, if there is a good one, and the events after it. Refused as no_room or damaged; `fault`
/// then says what is damaged. Throws StoreError.
[[nodiscard]] tl::expected<StoredRoom, Refused> read_room(Store& store, const RoomId& id, std::string& fault);

/// A snapshot that is to be kept by Store::save_snapshot().
struct NewSnapshot {
  SnapshotRow row;
  std::int64_t erasures = 0;  // before it was made
};
/// The snapshot of all that is stored of a room. Throws StoreError.
[[nodiscard]] NewSnapshot make_snapshot(Store& store, const RoomId& id);

}  // namespace paika::server
