// RatedPositions: where rated games stand, so that nobody is told the engine's opinion of one while it goes on.
//
// The hub notes them, work queues ask. The first moves are left out: everybody may look at an opening.
#pragma once

#include <fmt/format.h>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/game.hpp"
#include "server/rooms/event.hpp"

namespace paika::server {

/// A position counts from this number of moves on.
inline constexpr int min_rated_moves = 6;

/// From any thread.
class RatedPositions {
 public:
  /// A position, whatever the clocks and counters of its game and the options of its spec say.
  [[nodiscard]] static std::string key_of(const Session& session) {
    return fmt::format("{} {:x}", session.game().info().name, session.key());
  }

  /// The game in the room stands there now; an empty key: it does not count, or no longer.
  void set(const RoomId& room, std::string key) {
    const std::scoped_lock lock(mutex_);
    if (const auto known = rooms_.find(room); known != rooms_.end()) {
      if (--keys_[known->second] == 0) keys_.erase(known->second);
      rooms_.erase(known);
    }
    if (key.empty()) return;
    ++keys_[key];
    rooms_.emplace(room, std::move(key));
  }

  [[nodiscard]] bool contains(const std::string& key) const {
    const std::scoped_lock lock(mutex_);
    return keys_.contains(key);
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<RoomId, std::string> rooms_;
  std::unordered_map<std::string, int> keys_;
};

}  // namespace paika::server
