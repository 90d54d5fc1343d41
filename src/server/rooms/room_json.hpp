// The words and shapes that a room's events are made of, written and read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "play/clock.hpp"
#include "server/rooms/room.hpp"

namespace paika::server {

/// "first" and "second".
[[nodiscard]] std::string_view seat_word(Player player) noexcept;
[[nodiscard]] std::optional<Player> seat_named(std::string_view word) noexcept;

[[nodiscard]] Json identity_json(const Identity& who, std::optional<Player> seat, std::optional<int> engine);
/// {move_ms, game_ms}: whole milliseconds that are left, never below zero, and null where there is no limit.
[[nodiscard]] Json time_left_json(const play::TimeLeft& left);
/// null, {move_ms, grace_ms} or {base_ms, increment_ms, grace_ms}; no grace_ms where there is none.
[[nodiscard]] Json clock_json(const SearchLimits& limits, Milliseconds grace);

/// The text of an event. Bytes that are no UTF-8 are replaced: a name must not be able to stop a game.
[[nodiscard]] std::string json_text(const Json& json);
/// Somebody with a name that JSON can hold, so that the one in the room and the one in the event are the same.
[[nodiscard]] Identity writable(Identity who);

/// Reads the fields of an object that may be anything. The first fault is kept; what is read after it is meaningless.
class Fields {
 public:
  explicit Fields(const Json& object);

  [[nodiscard]] std::string text(std::string_view key);
  /// The same where null means nothing.
  [[nodiscard]] std::optional<std::string> text_or_null(std::string_view key);
  [[nodiscard]] std::int64_t number(std::string_view key, std::int64_t least, std::int64_t most);
  [[nodiscard]] double real(std::string_view key);
  [[nodiscard]] bool flag(std::string_view key);
  [[nodiscard]] Player seat(std::string_view key);
  [[nodiscard]] OfferKind offer(std::string_view key);
  /// What lies there, whatever it is; null if it is missing, and that is a fault.
  [[nodiscard]] const Json& any(std::string_view key);
  [[nodiscard]] bool has(std::string_view key) const;

  /// Says what is wrong, if nothing was wrong before.
  void complain(std::string what);
  /// What was wrong; nothing if all is well.
  [[nodiscard]] const std::optional<std::string>& fault() const noexcept { return fault_; }

 private:
  void wrong(std::string_view key, std::string_view wanted);

  const Json& object_;
  std::optional<std::string> fault_;
};

}  // namespace paika::server
