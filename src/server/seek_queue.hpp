// SeekQueue: those who look for an opponent, and who of them play each other.
//
// Two are paired if they want the same game with the same clock, both rated or both not, and their ratings are near
// enough. How near that is grows while somebody waits, until anybody will do. A person looks for one game at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/http/limits.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

/// Those who wait at the same time.
inline constexpr Caps seek_caps{10'000, 100, 1};

using SeekId = std::uint64_t;

struct Seek {
  SeekId id = 0;
  Identity who;
  Client client;
  RoomPlan plan;                 // the game, the clock, whether it is rated
  std::optional<double> rating;  // of a member in this game; nothing: a guest, with whom anybody may be paired
  ServerTime since{0};
};

/// How far ratings may differ when one of the two has waited so long; nothing: they do not matter any more.
[[nodiscard]] std::optional<double> rating_window(ServerTime waited) noexcept;

/// To be used by one thread.
class SeekQueue {
 public:
  explicit SeekQueue(const Caps& caps = seek_caps) : caps_(caps) {}
  void set_caps(const Caps& caps) { caps_ = caps; }

  /// True if the client may look for a game; one that this person looks for already counts no more.
  [[nodiscard]] bool has_room(const Client& client) const;
  /// Adds somebody in the place of what the same person looked for before, and says how it is called.
  SeekId add(Seek seek);
  /// False if there is no such one.
  bool remove(SeekId id);
  void remove_person(PersonId person);
  [[nodiscard]] const Seek* find(SeekId id) const;
  /// Takes out two that play each other now; nothing if nobody fits. Who has waited longest is served first, with the
  /// nearest rating.
  [[nodiscard]] std::optional<std::pair<Seek, Seek>> next_pair(ServerTime now);
  /// Everybody, who has waited longest first.
  [[nodiscard]] const std::vector<Seek>& all() const noexcept { return seeks_; }

 private:
  Caps caps_;
  std::vector<Seek> seeks_;
  SeekId last_id_ = 0;
};

}  // namespace paika::server
