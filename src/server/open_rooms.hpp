// OpenRooms: who has opened which rooms that go on, so that nobody has too many, and addresses share the engine.
//
// It is memory only: after a restart counting begins anew. A room counts until it has ended, a day at most: games that
// people leave behind must not shut out a school for ever.
#pragma once

#include <chrono>
#include <deque>
#include <unordered_map>

#include "server/http/limits.hpp"

namespace paika::server {

/// To be used by one thread.
class OpenRooms {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit OpenRooms(const Caps& caps = room_caps) : caps_(caps) {}
  void set_caps(const Caps& caps) { caps_ = caps; }

  /// True if the client may have one more room.
  [[nodiscard]] bool has_room(const Client& client, Time now) {
    forget_old(now);
    return rooms_.size() < caps_.total && count(addresses_, client.address) < caps_.per_address &&
           (client.person == 0 || count(persons_, client.person) < caps_.per_person);
  }
  void add(const RoomId& room, const Client& client, Time now) {
    if (!rooms_.emplace(room, client).second) return;
    order_.emplace_back(now, room);
    ++addresses_[client.address];
    ++persons_[client.person];
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
  static constexpr std::chrono::hours max_age_{24};

  template <class Counts, class Key>
  static std::size_t count(const Counts& counts, const Key& key) {
    const auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
  }
  template <class Counts, class Key>
  static void take_one(Counts& counts, const Key& key) {
    const auto found = counts.find(key);
    if (--found->second == 0) counts.erase(found);
  }
  void forget_old(Time now) {
    while (!order_.empty() && now - order_.front().first > max_age_) {
      drop(order_.front().second);
      order_.pop_front();
    }
  }

  Caps caps_;
  std::unordered_map<RoomId, Client> rooms_;
  std::deque<std::pair<Time, RoomId>> order_;  // the oldest first; ended ones too
  std::unordered_map<std::string, std::size_t> addresses_;
  std::unordered_map<PersonId, std::size_t> persons_;
};

}  // namespace paika::server
