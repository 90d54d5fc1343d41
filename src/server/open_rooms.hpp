// OpenRooms: who has opened which rooms that go on, so that nobody has too many, and addresses share the engine.
//
// It is memory only. After a restart the rooms of the last day are counted anew, first for their persons alone, for
// addresses are not stored; each address is counted again as soon as its person does something in the room. Rooms of
// two people are not: which of them opened one is not stored. A room counts until it has ended, a day at most: games
// that people leave behind must not shut out a school for ever.
#pragma once

#include <chrono>
#include <map>
#include <unordered_map>

#include "server/http/limits.hpp"

namespace paika::server {

/// To be used by one thread.
class OpenRooms {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::hours max_age{24};

  explicit OpenRooms(const Caps& caps = room_caps) : caps_(caps) {}
  void set_caps(const Caps& caps) { caps_ = caps; }

  /// True if the client may have one more room.
  [[nodiscard]] bool has_room(const Client& client, Time now) {
    forget_old(now);
    return rooms_.size() < caps_.total && count(addresses_, client.address) < caps_.per_address &&
           (client.person == 0 || count(persons_, client.person) < caps_.per_person);
  }
  /// Counts a room that was opened then. What the server opens for itself is nobody's.
  void add(const RoomId& room, const Client& client, Time opened) {
    if (client.address.empty() && client.person == 0) return;
    if (!rooms_.emplace(room, client).second) return;
    order_.emplace(opened, room);
    if (!client.address.empty()) ++addresses_[client.address];
    if (client.person != 0) ++persons_[client.person];
  }
  /// Somebody does something in a room: if it is theirs, and from before the last start, their address is known now.
  void locate(const RoomId& room, const Client& client) {
    const auto found = rooms_.find(room);
    if (found == rooms_.end() || found->second.person != client.person || !found->second.address.empty()) return;
    found->second.address = client.address;
    if (!client.address.empty()) ++addresses_[client.address];
  }
  /// The room has ended, or is no more.
  void drop(const RoomId& room) {
    const auto found = rooms_.find(room);
    if (found == rooms_.end()) return;
    take_one(addresses_, found->second.address);
    take_one(persons_, found->second.person);
    rooms_.erase(found);
  }
  /// Who opened it; nobody if that is not known.
  [[nodiscard]] Client opener(const RoomId& room) const {
    const auto found = rooms_.find(room);
    return found == rooms_.end() ? Client{} : found->second;
  }

 private:
  template <class Counts, class Key>
  static std::size_t count(const Counts& counts, const Key& key) {
    const auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
  }
  template <class Counts, class Key>
  static void take_one(Counts& counts, const Key& key) {
    const auto found = counts.find(key);
    if (found != counts.end() && --found->second == 0) counts.erase(found);
  }
  void forget_old(Time now) {
    while (!order_.empty() && now - order_.begin()->first > max_age) {
      drop(order_.begin()->second);
      order_.erase(order_.begin());
    }
  }

  Caps caps_;
  std::unordered_map<RoomId, Client> rooms_;
  std::multimap<Time, RoomId> order_;  // the oldest first; ended ones too
  std::unordered_map<std::string, std::size_t> addresses_;
  std::unordered_map<PersonId, std::size_t> persons_;
};

}  // namespace paika::server
