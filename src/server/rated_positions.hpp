// RatedPositions: where rated games stand and who plays them, so that nobody is told the engine's opinion of one while
// it goes on, and who plays it gets no table of its board.
//
// The hub notes them, work queues ask. The first moves are left out: everybody may look at an opening.
#pragma once

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/game.hpp"
#include "server/rooms/event.hpp"

namespace paika::server {

/// A position counts from this number of moves on.
inline constexpr int min_rated_moves = 6;

/// A rated game that goes on.
struct RatedGame {
  std::string spec;
  std::array<PersonId, 2> players{};
  std::string key{};  // of the position where it stands; empty: that does not count
};

/// From any thread.
class RatedPositions {
 public:
  /// A position, whatever the clocks and counters of its game and the options of its spec say.
  [[nodiscard]] static std::string key_of(const Session& session) {
    return fmt::format("{} {:x}", session.game().info().name, session.key());
  }

  /// The game in the room stands there now.
  void set(const RoomId& room, RatedGame game) {
    const std::scoped_lock lock(mutex_);
    remove(room);
    if (!game.key.empty()) ++keys_[game.key];
    rooms_.emplace(room, std::move(game));
  }
  /// The room has no rated game that goes on.
  void clear(const RoomId& room) {
    const std::scoped_lock lock(mutex_);
    remove(room);
  }

  [[nodiscard]] bool contains(const std::string& key) const {
    const std::scoped_lock lock(mutex_);
    return keys_.contains(key);
  }
  /// The specs of the rated games that a person plays now.
  [[nodiscard]] std::vector<std::string> played_by(PersonId person) const {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> specs;
    for (const auto& [room, game] : rooms_) {
      if (std::ranges::find(game.players, person) != game.players.end()) specs.push_back(game.spec);
    }
    return specs;
  }

 private:
  void remove(const RoomId& room) {
    const auto known = rooms_.find(room);
    if (known == rooms_.end()) return;
    const std::string& key = known->second.key;
    if (!key.empty() && --keys_[key] == 0) keys_.erase(key);
    rooms_.erase(known);
  }

  mutable std::mutex mutex_;
  std::unordered_map<RoomId, RatedGame> rooms_;
  std::unordered_map<std::string, int> keys_;
};

}  // namespace paika::server
