// The shapes of people and of rooms in lists.
#include <nlohmann/json.hpp>

#include "server/people.hpp"

namespace paika::server {

Json to_json(const Person& person) {
  return {{"name", person.name}, {"member", person.member}, {"since_ms", person.since}};
}

Json to_json(const RoomRow& row) {
  Json seats = Json::array();
  for (std::size_t i = 0; i < row.names.size(); ++i) {
    Json seat = nullptr;
    if (!row.names.at(i).empty()) {
      seat = {{"name", row.names.at(i)}, {"engine", row.persons.at(i) == 0}};
      if (const auto& rating = row.ratings.at(i))
        seat["rating"] = {{"before", rating->first}, {"after", rating->second}};
    }
    seats.push_back(std::move(seat));
  }
  Json json = {{"room", row.id},           {"spec", row.spec},     {"state", name(row.state)},
               {"seats", seats},           {"rated", row.rated},   {"moves", row.turns},
               {"verdict", row.verdict},   {"reason", row.reason}, {"created_ms", row.created},
               {"changed_ms", row.changed}};
  json["clock"] = Json::parse(row.clock, nullptr, false);
  if (json["clock"].is_discarded()) json["clock"] = nullptr;
  json["to_move"] = row.to_move.empty() ? Json(nullptr) : Json(row.to_move);
  if (row.damaged) json["damaged"] = true;
  return json;
}

Json token_json(const TokenRow& row) {
  return {{"id", row.id}, {"label", row.label}, {"created_ms", row.created}, {"used_ms", row.used}};
}

Json ratings_json(Store& store, PersonId person) {
  Json list = Json::array();
  for (const RatingRow& row : store.ratings(person)) {
    list.push_back(
        {{"game", row.game}, {"rating", row.rating.value}, {"deviation", row.rating.deviation}, {"games", row.games}});
  }
  return list;
}

}  // namespace paika::server
