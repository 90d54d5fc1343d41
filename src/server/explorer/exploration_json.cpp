#include "server/explorer/exploration_json.hpp"

#include <nlohmann/json.hpp>

namespace paika::server {

namespace {

Json text_or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json rating_or_null(int rating) { return rating == 0 ? Json() : Json(rating); }

Json game_json(const GameRow& game) {
  return {{"players", {text_or_null(game.players[0]), text_or_null(game.players[1])}},
          {"ratings", {rating_or_null(game.ratings[0]), rating_or_null(game.ratings[1])}},
          {"verdict", name(game.verdict)},
          {"date", text_or_null(day_text(game.day))},
          {"source", game.source}};
}

}  // namespace

Json results_json(const ResultCounts& results) {
  return {{"first_wins", results.first_wins},
          {"draws", results.draws},
          {"second_wins", results.second_wins},
          {"unfinished", results.unfinished}};
}

Json exploration_json(const Session& session, const Exploration& found) {
  Json json{{"spec", session.notation().spec()},
            {"position", session.position_text()},
            {"games", found.results.games()},
            {"results", results_json(found.results)},
            {"moves", Json::array()},
            {"recent", Json::array()}};
  for (const ExploredMove& move : found.moves) {
    json["moves"].push_back({{"move", text_or_null(move.move)},
                             {"same", move.same},
                             {"games", move.results.games()},
                             {"results", results_json(move.results)},
                             {"rating", rating_or_null(move.rating)},
                             {"last", text_or_null(day_text(move.last))}});
  }
  for (const GameRow& game : found.recent) json["recent"].push_back(game_json(game));
  return json;
}

}  // namespace paika::server
