#include "server/rooms/room_config.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "base/random.hpp"
#include "engine/diagram.hpp"
#include "engine/registry.hpp"
#include "play/live_game.hpp"
#include "play/settings.hpp"
#include "play/start.hpp"

namespace paika::server {

namespace {

Result<void> check_time(std::string_view what, Milliseconds time, Milliseconds least) {
  if (time >= least && time <= play::max_time) return {};
  return fail("{} must be {} to {} ms, not {}", what, least.count(), play::max_time.count(), time.count());
}

Result<void> check_limits(const SearchLimits& limits) {
  if (limits.move_time && limits.clock) return fail("give a time per move or a clock for the game, not both");
  if (limits.move_time) return check_time("the time per move", *limits.move_time, Milliseconds(1));
  if (!limits.clock) return {};
  if (auto checked = check_time("the clock", limits.clock->left, Milliseconds(1)); !checked) return checked;
  return check_time("the increment of the clock", limits.clock->increment, Milliseconds(0));
}

/// The canonical text of a start; empty for the game's own. An error if no game can begin there.
Result<std::string> canonical_start(const Game& game, const std::string& start) {
  const auto session = play::start_at(game, start);
  if (!session) return fail("bad position for {}: {}", game.notation().spec(), session.error().message);
  if (const Outcome outcome = (*session)->outcome(); outcome.over()) {
    return fail("the game is over where it would begin: {}",
                ending_sentence(game.notation(), (*session)->board(), outcome));
  }
  std::string text = (*session)->position_text();
  if (text == game.notation().position_text(game.notation().initial())) text.clear();
  return text;
}

Result<void> check_level(int level) {
  if (level >= weakest_level && level <= full_level) return {};
  return fail("the engine has levels from {} to {}, not {}", weakest_level, full_level, level);
}

Player side_of(Side side, std::uint64_t seed) {
  if (side == Side::random) return Random(seed).one_in(2) ? Player::first : Player::second;
  return side == Side::first ? Player::first : Player::second;
}

Result<void> seat_both(RoomConfig& config, const std::array<Identity, 2>& seated) {
  if (seated[0].person == 0 || seated[1].person == 0) return fail("a seat is given to nobody");
  if (seated[0].person == seated[1].person) return fail("nobody can play against themselves");
  config.seats = {writable(seated[0]), writable(seated[1])};
  return {};
}

Result<void> seat_opener(RoomConfig& config, const RoomPlan& plan, const Identity& opener, std::uint64_t seed) {
  if (opener.person == 0) return fail("nobody opens the room");
  const Player side = side_of(plan.side, seed);
  config.seats[seat_of(side)] = writable(opener);
  if (!plan.engine_level) return {};
  if (auto checked = check_level(*plan.engine_level); !checked) return checked;
  config.seats[seat_of(other(side))] = Identity{0, engine_name(*plan.engine_level), false};
  config.engines[seat_of(other(side))] = plan.engine_level;
  return {};
}

/// False if somebody sits there who has no rating.
bool may_count(const RoomConfig& config) {
  for (const auto& seat : config.seats) {
    if (seat && !seat->member) return false;
  }
  return config.start.empty();
}

void read_clock(Fields& event, RoomConfig& config) {
  SearchLimits& limits = config.limits;
  const Json& clock = event.any("clock");
  if (clock.is_null()) return;
  Fields fields(clock);
  const auto time = [&](std::string_view key, std::int64_t least) {
    return Milliseconds(fields.number(key, least, play::max_time.count()));
  };
  if (fields.has("move_ms")) {
    limits.move_time = time("move_ms", 1);
  } else {
    limits.clock = GameClock{time("base_ms", 1), time("increment_ms", 0)};
  }
  if (fields.has("grace_ms")) config.grace = time("grace_ms", 0);
  if (fields.fault()) event.complain("in \"clock\": " + *fields.fault());
}

void read_extra(Fields& event, RoomConfig& config) {
  if (!event.has("extra_ms")) return;
  const Json& list = event.any("extra_ms");
  const auto fits = [](const Json& time) {
    return time.is_number_integer() && time.get<std::int64_t>() >= 0 &&
           time.get<std::int64_t>() <= play::max_time.count();
  };
  if (!list.is_array() || list.size() != 2 || !fits(list[0]) || !fits(list[1])) {
    return event.complain("\"extra_ms\" must be a list of two times");
  }
  config.extra = {Milliseconds(list[0].get<std::int64_t>()), Milliseconds(list[1].get<std::int64_t>())};
}

void read_seat(Fields& event, RoomConfig& config, std::size_t seat, const Json& json, PersonId person) {
  if (json.is_null()) return;
  Fields fields(json);
  if (fields.has("engine")) {
    config.engines[seat] = static_cast<int>(fields.number("engine", weakest_level, full_level));
    person = 0;
  }
  config.seats[seat] = read_identity(fields, person);
  if (fields.fault()) event.complain("in \"seats\": " + *fields.fault());
}

}  // namespace

SearchLimits limits_of(const RoomConfig& config, Player player) {
  SearchLimits limits = config.limits;
  if (limits.clock) limits.clock->left += config.extra[seat_of(player)];
  return limits;
}

std::string engine_name(int level) { return fmt::format("Paika, level {}", level); }

Result<RoomConfig> make_config(const RoomPlan& plan, const Identity& opener, std::uint64_t seed) {
  PAIKA_CHECK(plan.game != nullptr);
  RoomConfig config;
  config.game = plan.game;
  config.listed = plan.listed;
  config.takebacks = plan.takebacks;
  config.limits.move_time = plan.turn_time;
  config.limits.clock = plan.clock;
  config.grace = plan.grace;
  config.extra = plan.extra;
  for (const Milliseconds extra : config.extra) {
    if (auto checked = check_time("the extra time", extra, Milliseconds(0)); !checked)
      return tl::unexpected(checked.error());
  }
  if (auto checked = check_limits(config.limits); !checked) return tl::unexpected(checked.error());
  auto start = canonical_start(*plan.game, plan.start);
  if (!start) return tl::unexpected(start.error());
  config.start = std::move(*start);
  if (plan.seated && plan.engine_level) return fail("both seats are taken: the engine has none");
  const auto seated = plan.seated ? seat_both(config, *plan.seated) : seat_opener(config, plan, opener, seed);
  if (!seated) return tl::unexpected(seated.error());
  config.rated = plan.rated && may_count(config);
  return config;
}

void add_config(Json& event, const RoomConfig& config) {
  event["spec"] = config.game->notation().spec();
  event["start"] = config.start.empty() ? Json(nullptr) : Json(config.start);
  event["clock"] = clock_json(config.limits, config.grace);
  if (config.extra[0].count() + config.extra[1].count() > 0) {
    event["extra_ms"] = {config.extra[0].count(), config.extra[1].count()};
  }
  event["rated"] = config.rated;
  event["listed"] = config.listed;
  event["takebacks"] = config.takebacks;
  Json seats = Json::array();
  for (const Player player : {Player::first, Player::second}) {
    const std::size_t seat = seat_of(player);
    const auto& who = config.seats[seat];
    seats.push_back(who ? identity_json(*who, player, config.engines[seat]) : Json(nullptr));
  }
  event["seats"] = std::move(seats);
}

std::optional<RoomConfig> read_config(Fields& event, const std::array<PersonId, 2>& persons) {
  const auto complain = [&](std::string what) {
    event.complain(std::move(what));
    return std::nullopt;
  };
  RoomConfig config;
  const auto game = open_game(event.text("spec"));
  if (!game) return complain(game.error().message);
  config.game = *game;
  auto start = canonical_start(**game, event.text_or_null("start").value_or(""));
  if (!start) return complain(start.error().message);
  config.start = std::move(*start);
  read_clock(event, config);
  read_extra(event, config);
  config.rated = event.flag("rated");
  config.listed = event.flag("listed");
  config.takebacks = !event.has("takebacks") || event.flag("takebacks");  // older rooms do not tell
  const Json& seats = event.any("seats");
  if (!seats.is_array() || seats.size() != 2) return complain("\"seats\" must be a list of two");
  for (std::size_t i = 0; i < 2; ++i) read_seat(event, config, i, seats[i], persons[i]);
  if (!config.seats[0] && !config.seats[1]) return complain("nobody sits there");
  if (event.fault()) return std::nullopt;
  return config;
}

Identity read_identity(Fields& who, PersonId person) {
  Identity read;
  read.person = person;
  read.name = who.text("name");
  read.member = who.flag("member");
  return read;
}

}  // namespace paika::server
