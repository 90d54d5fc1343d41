#include "server/explorer_api.hpp"

#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"
#include "server/explorer/exploration_json.hpp"
#include "server/http/answers.hpp"
#include "server/room_games.hpp"

namespace paika::server {

namespace {

/// A room that changes in this very moment may be followed by one with an earlier place.
constexpr WallTime settling_ms = 1'000;
constexpr std::size_t rooms_at_once = 100;
constexpr std::chrono::milliseconds catching_up{200};

std::string place_text(const RoomPlace& place) { return fmt::format("{} {}", place.changed, place.id); }

RoomPlace place_of(std::string_view text) {
  const std::string_view changed = take_word(text);
  return {parse_int(changed).value_or(0), std::string(trimmed(text))};
}

}  // namespace

Result<std::shared_ptr<Explorer>> Explorer::open(const std::string& own, const std::string& games) {
  auto opened = GameDatabase::open(own, GameDatabase::Mode::writer);
  if (!opened) return tl::unexpected(opened.error());
  std::unique_ptr<GameDatabase> beside;
  if (!games.empty()) {
    auto found = GameDatabase::open(games, GameDatabase::Mode::reader);
    if (!found) return fail("--games: {}", found.error().message);
    beside = std::move(*found);
  }
  return std::shared_ptr<Explorer>(new Explorer(std::move(*opened), std::move(beside)));
}

bool Explorer::catch_up(Store& store) {
  const std::scoped_lock lock(own_mutex_);
  const auto until = std::chrono::steady_clock::now() + catching_up;
  do {
    const auto rows = store.ended_rooms(place_of(own_->mark()), wall_now() - settling_ms, rooms_at_once);
    if (rows.empty()) return true;
    std::vector<NewGame> games;
    for (const RoomRow& row : rows) {
      if (auto game = game_of_room(store, row, PlayerNames::numbers)) games.push_back(std::move(*game));
    }
    own_->add(games, place_text({rows.back().changed, rows.back().id}));
    if (rows.size() < rooms_at_once) return true;
  } while (std::chrono::steady_clock::now() < until);
  return false;
}

Exploration Explorer::explore_own(const Session& session, const GameFilter& filter) {
  const std::scoped_lock lock(own_mutex_);
  return own_->explore(session, filter);
}

Exploration Explorer::explore_games(const Session& session, const GameFilter& filter) {
  const std::scoped_lock lock(games_mutex_);
  return games_->explore(session, filter);
}

namespace {

/// What a request asks for beside the position.
struct ExplorerRequest {
  std::string source;  // server, mine or games
  GameFilter filter;
};

Answer<Day> read_day_field(const Json& object, std::string_view field) {
  const auto text = read_text(object, field);
  if (!text) return tl::unexpected(text.error());
  if (text->empty()) return Day{0};
  const auto day = read_day(*text);
  if (day) return *day;
  return bad(Error{fmt::format("{} must be a day such as 2026-11-18, not {}", field, in_quotes(*text))});
}

Answer<std::optional<Player>> read_colour(const Json& object) {
  const auto text = read_text(object, "colour");
  if (!text) return tl::unexpected(text.error());
  if (text->empty()) return std::optional<Player>();
  if (*text == "first") return std::optional(Player::first);
  if (*text == "second") return std::optional(Player::second);
  return bad(Error{fmt::format("colour must be first or second, not {}", in_quotes(*text))});
}

Answer<ExplorerRequest> read_explorer_request(const Explorer& explorer, const Json& object, const Call& call,
                                              Store& store) {
  const auto source = read_text(object, "source", "server");
  const auto player = read_text(object, "player");
  const auto colour = read_colour(object);
  const auto since = read_day_field(object, "since");
  const auto until = read_day_field(object, "until");
  if (!source) return tl::unexpected(source.error());
  if (!player) return tl::unexpected(player.error());
  if (!colour) return tl::unexpected(colour.error());
  if (!since) return tl::unexpected(since.error());
  if (!until) return tl::unexpected(until.error());
  ExplorerRequest request{*source, {*player, *colour, *since, *until, true}};
  if (*source == "games") {
    if (!explorer.has_games()) return tl::unexpected(not_found(Error{"this server shows no database of games"}));
  } else if (*source == "mine") {
    if (!call.person) return refuse(401, "no_session", "log in to explore your own games");
    request.filter.player = number_name(call.person->id);
    request.filter.listed_only = false;
  } else if (*source != "server") {
    return bad(Error{fmt::format("source must be server, mine or games, not {}", in_quotes(*source))});
  } else if (!player->empty()) {
    const auto person = store.person_named(*player);
    if (!person) return tl::unexpected(not_found(Error{fmt::format("there is no player {}", in_quotes(*player))}));
    request.filter.player = number_name(person->id);
  }
  return request;
}

/// The names of people in the place of their numbers.
void name_players(Json& answer, Store& store) {
  for (Json& game : answer["recent"]) {
    for (Json& player : game["players"]) {
      const auto id = player.is_string() ? person_of_name(player.get_ref<const std::string&>()) : std::nullopt;
      if (!id) continue;
      const auto person = store.person(*id);
      player = person ? Json(person->name) : Json();
    }
  }
}

Response explore(Explorer& explorer, const std::function<bool(const Session&)>& is_rated, const Call& call,
                 Store& store) {
  Json object = query_object(call);
  const auto known = only_fields(object, {"spec", "position", "moves", "source", "player", "colour", "since", "until"});
  if (!known) return bad_request(known.error());
  if (const auto moves = object.find("moves"); moves != object.end()) {
    const std::string text = moves->get<std::string>();
    Json list = Json::array();
    std::string_view rest = text;
    for (std::string_view move = take_word(rest); !move.empty(); move = take_word(rest)) list.push_back(move);
    *moves = std::move(list);
  }
  const auto session = read_session(object);
  if (!session) return session.error();
  const auto request = read_explorer_request(explorer, object, call, store);
  if (!request) return request.error();
  if (is_rated && is_rated(**session)) return in_rated_play();
  const bool of_games = request->source == "games";
  const bool complete = of_games || explorer.catch_up(store);
  Json answer = exploration_json(**session, of_games ? explorer.explore_games(**session, request->filter)
                                                     : explorer.explore_own(**session, request->filter));
  if (!of_games) name_players(answer, store);
  answer["source"] = request->source;
  answer["complete"] = complete;
  answer["sources"] = explorer.has_games() ? Json{"server", "mine", "games"} : Json{"server", "mine"};
  return json_response(answer);
}

}  // namespace

std::vector<Route> explorer_routes(std::shared_ptr<Explorer> explorer, std::function<bool(const Session&)> is_rated) {
  return {{"GET", "/api/explorer", Rate::position, Need::nobody,
           SlowHandler{[explorer = std::move(explorer), is_rated = std::move(is_rated)](
                           const Call& call, Store& store) { return explore(*explorer, is_rated, call, store); }}}};
}

}  // namespace paika::server
