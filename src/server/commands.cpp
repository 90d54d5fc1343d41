#include "server/commands.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/registry.hpp"
#include "play/settings.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

constexpr std::array<std::string_view, 9> words = {"join",   "play",  "offer", "agree",      "decline",
                                                   "resign", "abort", "say",   "conditional"};

Result<void> no_fields_but(const Json& object, std::initializer_list<std::string_view> own) {
  Json rest = object;
  for (const std::string_view common : {"do", "room", "ref"}) rest.erase(std::string(common));
  return only_fields(rest, own);
}

Result<Command> read_play(const Json& object) {
  if (const auto known = no_fields_but(object, {"move", "id", "number"}); !known) return tl::unexpected(known.error());
  const auto turn = text_field(object, "move", "");
  if (!turn) return tl::unexpected(turn.error());
  const auto id = text_field(object, "id", "");
  if (!id) return tl::unexpected(id.error());
  const auto number = number_field(object, "number", 0, 1, 1'000'000);
  if (object.contains("number") && !number) return tl::unexpected(number.error());
  if (turn->empty()) return fail(R"("move" is missing: the move's text, such as "e6")");
  if (turn->size() > max_turn_text) return fail(R"("move" is longer than {} bytes)", max_turn_text);
  if (id->size() > max_turn_id) return fail(R"("id" is longer than {} bytes)", max_turn_id);
  command::Play play{*turn, *id, std::nullopt};
  if (object.contains("number")) play.number = static_cast<int>(*number);
  return play;
}

Result<OfferKind> read_offer(const Json& object) {
  if (const auto known = no_fields_but(object, {"what"}); !known) return tl::unexpected(known.error());
  const auto what = text_field(object, "what", "");
  if (!what) return tl::unexpected(what.error());
  if (const auto kind = offer_named(*what)) return *kind;
  return fail(R"("what" must be "draw", "takeback" or "rematch")");
}

Result<Command> read_say(const Json& object) {
  if (const auto known = no_fields_but(object, {"text", "preset"}); !known) return tl::unexpected(known.error());
  const auto text = text_field(object, "text", "");
  if (!text) return tl::unexpected(text.error());
  const auto preset = text_field(object, "preset", "");
  if (!preset) return tl::unexpected(preset.error());
  if (text->empty() == preset->empty()) return fail(R"(either "text" or "preset" must be given)");
  return command::Say{*text, *preset};
}

Result<Command> read_conditional_command(const Json& object) {
  if (const auto known = no_fields_but(object, {"lines"}); !known) return tl::unexpected(known.error());
  constexpr std::string_view wanted = R"("lines" must be a list of lists of moves, such as [["e6", "f4"]])";
  if (!object.contains("lines") || !object["lines"].is_array()) return fail("{}", wanted);
  command::Conditional conditional;
  for (const Json& line : object["lines"]) {
    if (!line.is_array()) return fail("{}", wanted);
    auto& moves = conditional.lines.emplace_back();
    for (const Json& move : line) {
      if (!move.is_string()) return fail("{}", wanted);
      moves.push_back(move.get<std::string>());
    }
  }
  return conditional;
}

template <class C>
Result<Command> read_bare(const Json& object) {
  if (const auto known = no_fields_but(object, {}); !known) return tl::unexpected(known.error());
  return C{};
}

template <class C>
Result<Command> read_about_offer(const Json& object) {
  return read_offer(object).map([](OfferKind kind) -> Command { return C{kind}; });
}

/// After the clock, which says how long it is if nothing is given: nobody gets more time for the first move than for a
/// whole game.
Result<void> read_grace(const Json& object, RoomPlan& plan) {
  const bool given = object.contains("grace_ms");
  if (!plan.turn_time && !plan.clock) {
    if (given) return fail(R"("grace_ms" needs "move_ms" or "clock_ms")");
    return {};
  }
  const Milliseconds usual = std::min(first_move_grace, plan.turn_time ? *plan.turn_time : plan.clock->left);
  const auto grace = number_field(object, "grace_ms", usual.count(), 0, max_grace.count());
  if (!grace) return tl::unexpected(grace.error());
  plan.grace = Milliseconds(*grace);
  return {};
}

Result<void> read_clock(const Json& object, RoomPlan& plan) {
  constexpr std::int64_t longest = play::max_time.count();
  for (const std::string_view field : {"move_ms", "clock_ms", "increment_ms"}) {
    if (!object.contains(field)) continue;
    if (const auto ms = number_field(object, field, 0, field == "increment_ms" ? 0 : 1, longest); !ms) {
      return tl::unexpected(ms.error());
    }
  }
  const bool turn = object.contains("move_ms");
  const bool game = object.contains("clock_ms");
  if (turn && game) return fail(R"("move_ms" and "clock_ms" cannot both be given)");
  if (!game && object.contains("increment_ms")) return fail(R"("increment_ms" needs "clock_ms")");
  if (turn) plan.turn_time = Milliseconds(object["move_ms"].get<std::int64_t>());
  if (game) {
    const auto increment = number_field(object, "increment_ms", 0, 0, longest);
    plan.clock = GameClock{Milliseconds(object["clock_ms"].get<std::int64_t>()), Milliseconds(increment.value_or(0))};
  }
  return read_grace(object, plan);
}

Result<Side> read_side(const Json& object) {
  const auto side = text_field(object, "side", "random");
  if (!side) return tl::unexpected(side.error());
  if (*side == "first") return Side::first;
  if (*side == "second") return Side::second;
  if (*side == "random") return Side::random;
  return fail(R"("side" must be "first", "second" or "random")");
}

}  // namespace

std::span<const std::string_view> command_words() noexcept { return words; }

Result<Command> read_command(std::string_view word, const Json& object) {
  if (word == "join") return read_bare<command::Join>(object);
  if (word == "play") return read_play(object);
  if (word == "offer") return read_about_offer<command::Offer>(object);
  if (word == "agree") return read_about_offer<command::Agree>(object);
  if (word == "decline") return read_about_offer<command::Decline>(object);
  if (word == "resign") return read_bare<command::Resign>(object);
  if (word == "abort") return read_bare<command::Abort>(object);
  if (word == "say") return read_say(object);
  if (word == "conditional") return read_conditional_command(object);
  return fail("there is no command {}: valid are {}", Json(word).dump(-1, ' ', true, Json::error_handler_t::replace),
              fmt::join(words, ", "));
}

Result<RoomPlan> read_seek_plan(const Json& object) {
  if (const auto known = only_fields(object, {"spec", "move_ms", "clock_ms", "increment_ms", "rated"}); !known) {
    return tl::unexpected(known.error());
  }
  return read_room_plan(object);
}

Result<RoomPlan> read_room_plan(const Json& object) {
  if (const auto known = only_fields(object, {"spec", "position", "move_ms", "clock_ms", "increment_ms", "grace_ms",
                                              "side", "engine", "rated", "listed"});
      !known) {
    return tl::unexpected(known.error());
  }
  RoomPlan plan;
  const auto spec = text_field(object, "spec", "");
  if (!spec) return tl::unexpected(spec.error());
  if (spec->empty()) return fail(R"("spec" is missing: the game, such as "othello")");
  const auto position = text_field(object, "position", "");
  if (!position) return tl::unexpected(position.error());
  auto game = position->empty() ? open_game(*spec) : open_game_for(*spec, *position);
  if (!game) return tl::unexpected(game.error());
  plan.game = std::move(*game);
  plan.start = *position;
  if (const auto clock = read_clock(object, plan); !clock) return tl::unexpected(clock.error());
  const auto side = read_side(object);
  if (!side) return tl::unexpected(side.error());
  plan.side = *side;
  if (object.contains("engine")) {
    const auto level = number_field(object, "engine", full_level, weakest_level, full_level);
    if (!level) return tl::unexpected(level.error());
    plan.engine_level = static_cast<int>(*level);
  }
  const auto rated = flag_field(object, "rated", false);
  if (!rated) return tl::unexpected(rated.error());
  const auto listed = flag_field(object, "listed", false);
  if (!listed) return tl::unexpected(listed.error());
  plan.rated = *rated;
  plan.listed = *listed;
  return plan;
}

}  // namespace paika::server
