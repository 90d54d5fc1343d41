// Game records from and to JSON: our own form and, for Othello, GGF.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/json.hpp"
#include "engine/registry.hpp"
#include "engine/scene.hpp"
#include "play/ggf.hpp"
#include "play/record.hpp"
#include "play/start.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_records = 100;
constexpr std::size_t max_squares = 600'000;  // of all positions of an answer together
constexpr std::size_t max_name = 200;         // bytes

Response bad_record(std::string_view message) { return error_response(422, "bad_record", message); }

// ---- Reading ----

/// Texts that would take long are refused before a game is played: lines cost little, turns and specs do not.
Result<void> check_length(std::string_view text) {
  std::size_t records = 0;
  std::size_t moves = 0;
  for (std::string_view line : split(text, '\n')) {
    const std::string_view word = take_word(line);
    records += word == "paika-record" ? 1 : 0;
    moves += word == "move" || word == "turn" ? 1 : 0;
  }
  if (records > max_records) return fail("there are {} records; {} can be read at once", records, max_records);
  if (moves > max_moves) return fail("there are {} moves; {} can be read at once", moves, max_moves);
  return {};
}

Json clock_json(const SearchLimits& limits) {
  Json json = Json::object();
  if (limits.move_time) json["move_ms"] = limits.move_time->count();
  if (limits.clock) {
    json["base_ms"] = limits.clock->left.count();
    json["increment_ms"] = limits.clock->increment.count();
  }
  if (limits.depth) json["depth"] = *limits.depth;
  if (limits.nodes) json["nodes"] = *limits.nodes;
  return json;
}

/// Plays a turn of a record that was read.
Json turn_record_json(Session& session, const play::RecordedTurn& recorded) {
  const Notation& notation = session.notation();
  const Board before = session.board();
  const auto turn = session.try_play(recorded.text);
  PAIKA_CHECK(turn.has_value());  // reading the record has played it
  Json json{{"move", recorded.text}, {"mover", player_id(before.to_move)}};
  if (recorded.time) json["time_us"] = recorded.time->count();
  if (recorded.score) json.update(score_json(*recorded.score));
  if (recorded.depth > 0) json["depth"] = recorded.depth;
  json["steps"] = turn_json(notation, *turn);
  json["effects"] = effects_json(notation, notation.effects(before, *turn));
  json["position"] = session.position_text();
  return json;
}

Json record_json(const play::GameRecord& record, const Game& game) {
  const auto session = play::known_start(game, record.start);
  Json json{{"spec", record.spec}, {"game", game.info().name}, {"players", record.players}};
  json["clocks"] = {clock_json(record.limits[0]), clock_json(record.limits[1])};
  json["notes"] = record.notes;
  json["start"] = session->position_text();
  json["opening"] = record.opening;
  Json& turns = json["moves"] = Json::array();
  for (const play::RecordedTurn& turn : record.turns) turns.push_back(turn_record_json(*session, turn));
  json["result"] = {
      {"verdict", name(record.result.verdict)}, {"reason", record.result.reason}, {"remark", record.result.remark}};
  return json;
}

Result<std::vector<play::GameRecord>> parse(std::string_view text, bool ggf) {
  if (!ggf) {
    if (const auto good = check_length(text); !good) return tl::unexpected(good.error());
    return play::parse_records(text);
  }
  return play::record_of_ggf(text).map([](play::GameRecord record) { return std::vector{std::move(record)}; });
}

Response read(const Call& call) {
  if (const auto known = only_fields(call.body, {"text"}); !known) return bad_request(known.error());
  const auto text = read_text(call.body, "text", "", max_record_bytes);
  if (!text) return text.error();
  const bool ggf = trimmed(*text).starts_with("(;");
  const auto records = parse(*text, ggf);
  if (!records) return bad_record(records.error().message);
  Json list = Json::array();
  std::size_t squares = 0;
  for (const play::GameRecord& record : *records) {
    const auto game = open_game(record.spec);
    PAIKA_CHECK(game.has_value());
    const Coordinates& names = (*game)->notation().coordinates();
    squares += record.turns.size() * static_cast<std::size_t>(names.cols() * names.rows());
    if (squares > max_squares) return bad_record("the games are too long for boards of this size: send fewer at once");
    list.push_back(record_json(record, **game));
  }
  return json_response({{"format", ggf ? "ggf" : "paika"}, {"records", list}});
}

// ---- Writing ----

Answer<std::array<std::string, 2>> read_players(const Json& body) {
  std::array<std::string, 2> players;
  const auto names = read_texts(body, "players", players.size());
  if (!names) return tl::unexpected(names.error());
  for (std::size_t i = 0; i < names->size(); ++i) {
    players[i] = (*names)[i];
    if (players[i].size() > max_name) return bad(Error{fmt::format("a name has more than {} bytes", max_name)});
  }
  return players;
}

/// The game that was sent, as a record; whether its result can be is not looked at.
Answer<play::GameRecord> read_record(const Json& body) {
  auto played = read_played(body, "start");
  if (!played) return tl::unexpected(played.error());
  auto players = read_players(body);
  if (!players) return tl::unexpected(players.error());
  const Outcome outcome = played->session->outcome();
  auto result = read_result(body, {outcome.verdict, std::string(name(outcome.reason)), ""});
  if (!result) return tl::unexpected(result.error());
  const Notation& notation = played->session->notation();
  play::GameRecord record;
  record.spec = notation.spec();
  record.players = std::move(*players);
  if (played->start != notation.initial()) record.start = notation.position_text(played->start);
  for (std::string& turn : played->turns) record.turns.push_back({std::move(turn), {}, {}, 0});
  record.result = std::move(*result);
  return record;
}

Response write(const Call& call) {
  const Json& body = call.body;
  const auto known = only_fields(body, {"spec", "start", "moves", "players", "result", "format"});
  if (!known) return bad_request(known.error());
  const auto format = read_text(body, "format", "paika");
  if (!format) return format.error();
  if (*format != "paika" && *format != "ggf") {
    return bad_request(Error{fmt::format("there is no format {}; there are paika and ggf", in_quotes(*format))});
  }
  const auto record = read_record(body);
  if (!record) return record.error();
  // What cannot be read again is no record: a result that the game does not have, for example.
  std::string text = play::record_text(*record);
  if (const auto good = play::parse_records(text); !good) return bad_record(good.error().message);
  if (*format == "ggf") {
    auto ggf = play::ggf_text(*record);
    if (!ggf) return bad_record(ggf.error().message);
    text = std::move(*ggf);
  }
  return json_response({{"format", *format}, {"text", text}});
}

}  // namespace

std::vector<Route> record_routes() {
  const auto route = [](std::string pattern, Response (*handler)(const Call&)) {
    return Route{"POST", std::move(pattern), Rate::position, Need::nobody, PureHandler{handler}};
  };
  return {route("/api/records/read", read), route("/api/records/write", write)};
}

}  // namespace paika::server
