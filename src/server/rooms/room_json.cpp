#include "server/rooms/room_json.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/utf8.hpp"

namespace paika::server {

namespace {

const Json nothing;

Json milliseconds_json(const std::optional<play::Microseconds>& time) {
  if (!time) return nullptr;
  return std::max<std::int64_t>(std::chrono::floor<Milliseconds>(*time).count(), 0);
}

}  // namespace

std::string_view name(OfferKind kind) noexcept {
  switch (kind) {
    case OfferKind::draw: return "draw";
    case OfferKind::takeback: return "takeback";
    case OfferKind::rematch: return "rematch";
  }
  return "";
}

std::optional<OfferKind> offer_named(std::string_view word) noexcept {
  for (const OfferKind kind : all_offers) {
    if (word == name(kind)) return kind;
  }
  return std::nullopt;
}

std::string_view name(RoomState state) noexcept {
  switch (state) {
    case RoomState::open: return "open";
    case RoomState::running: return "running";
    case RoomState::ended: return "ended";
  }
  return "";
}

std::string_view seat_word(Player player) noexcept { return player == Player::first ? "first" : "second"; }

std::optional<Player> seat_named(std::string_view word) noexcept {
  for (const Player player : {Player::first, Player::second}) {
    if (word == seat_word(player)) return player;
  }
  return std::nullopt;
}

Json identity_json(const Identity& who, std::optional<Player> seat, std::optional<int> engine) {
  Json json{{"name", who.name}, {"member", who.member}};
  json["seat"] = seat ? Json(seat_word(*seat)) : Json(nullptr);
  if (engine) json["engine"] = *engine;
  return json;
}

Json time_left_json(const play::TimeLeft& left) {
  return {{"move_ms", milliseconds_json(left.turn)}, {"game_ms", milliseconds_json(left.game)}};
}

Json clock_json(const SearchLimits& limits, Milliseconds grace) {
  Json json;
  if (limits.move_time) json["move_ms"] = limits.move_time->count();
  if (limits.clock) {
    json["base_ms"] = limits.clock->left.count();
    json["increment_ms"] = limits.clock->increment.count();
  }
  if (!json.is_null() && grace.count() > 0) json["grace_ms"] = grace.count();
  return json;
}

std::string json_text(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.shrink_to_fit();  // it is kept as long as the room; dump() leaves room for as much again
  return text;
}

Identity writable(Identity who) {
  std::string name;
  for (std::string_view rest = who.name; !rest.empty();) {
    const std::string_view character = take_character(rest);
    name += code_of(character) ? character : "?";
  }
  who.name = std::move(name);
  return who;
}

// ---- Fields ----

Fields::Fields(const Json& object) : object_(object) {
  if (!object.is_object()) fault_ = "it is not a JSON object";
}

void Fields::complain(std::string what) {
  if (!fault_) fault_ = std::move(what);
}

void Fields::wrong(std::string_view key, std::string_view wanted) {
  complain(fmt::format("\"{}\" must be {}", key, wanted));
}

bool Fields::has(std::string_view key) const { return object_.is_object() && object_.contains(key); }

const Json& Fields::any(std::string_view key) {
  if (object_.is_object()) {
    if (const auto found = object_.find(key); found != object_.end()) return *found;
  }
  complain(fmt::format("\"{}\" is missing", key));
  return nothing;
}

std::string Fields::text(std::string_view key) {
  const Json& json = any(key);
  if (json.is_string()) return json.get<std::string>();
  wrong(key, "a text");
  return {};
}

std::optional<std::string> Fields::text_or_null(std::string_view key) {
  if (any(key).is_null()) return std::nullopt;
  return text(key);
}

std::int64_t Fields::number(std::string_view key, std::int64_t least, std::int64_t most) {
  const Json& json = any(key);
  // An unsigned number beyond the signed ones would turn negative.
  const bool fits =
      json.is_number_unsigned() ? json.get<std::uint64_t>() <= std::uint64_t{INT64_MAX} : json.is_number_integer();
  if (fits && json.get<std::int64_t>() >= least && json.get<std::int64_t>() <= most) return json.get<std::int64_t>();
  wrong(key, fmt::format("a whole number from {} to {}", least, most));
  return least;
}

double Fields::real(std::string_view key) {
  const Json& json = any(key);
  if (json.is_number() && std::isfinite(json.get<double>())) return json.get<double>();
  wrong(key, "a number");
  return 0;
}

bool Fields::flag(std::string_view key) {
  const Json& json = any(key);
  if (json.is_boolean()) return json.get<bool>();
  wrong(key, "true or false");
  return false;
}

Player Fields::seat(std::string_view key) {
  const std::string word = text(key);
  if (const auto player = seat_named(word)) return *player;
  wrong(key, "first or second");
  return Player::first;
}

OfferKind Fields::offer(std::string_view key) {
  const std::string word = text(key);
  if (const auto kind = offer_named(word)) return *kind;
  wrong(key, "draw, takeback or rematch");
  return OfferKind::draw;
}

}  // namespace paika::server
