// What is inside a Store, for the files that implement its parts.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "database/database.hpp"
#include "play/glicko.hpp"
#include "server/store/store.hpp"

namespace paika::server {

class Store::Impl {
 public:
  explicit Impl(Database opened) : database(std::move(opened)) {}

  Database database;
  /// Writes the time that a transaction has to save.
  void write_time() {
    const ServerTime time = std::exchange(time_to_save, ServerTime(0));
    if (time.count() == 0) return;
    database.run("UPDATE meta SET value = greatest(value, ?) WHERE key = 'server_time_us'", time.count());
  }

  PersonId looked_at = 0;      // the guest where drop_idle_guests() goes on
  ServerTime time_to_save{0};  // at the end of the transaction
};

/// A number of rows as a statement takes it.
[[nodiscard]] inline std::int64_t limit_of(std::size_t most) {
  constexpr std::size_t top = std::size_t{1} << 40U;  // SQLite takes a negative limit for none
  return static_cast<std::int64_t>(std::min(most, top));
}

/// The name of a person who was erased.
inline constexpr std::string_view erased_name = "deleted";

/// The checksum of an event, or of a snapshot at the time 0.
[[nodiscard]] std::int64_t event_checksum(std::string_view room, std::int64_t number, std::int64_t at_us,
                                          std::string_view text);

/// A rating after one game. It never becomes so sure that it stops moving.
[[nodiscard]] play::Rating after_game(const play::Rating& rating, const play::Rating& opponent, double score);

/// An event's text without a person: his names become "deleted", what he said is gone. `is_own`: the event is an act
/// of this person. The same text if there is nothing to change.
[[nodiscard]] std::string without_person(const std::string& text, std::span<const std::string> names, bool is_own);

}  // namespace paika::server
