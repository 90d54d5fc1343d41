// Erasing a person: everything goes, but for the games of others, in which he becomes "deleted".
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/json.hpp"
#include "server/store/impl.hpp"

namespace paika::server {

namespace {

using Names = std::vector<std::string>;

bool contains(std::span<const std::string> names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Replaces every "name" that is one of these, at any depth.
void replace_names(Json& json, std::span<const std::string> names) {
  if (!json.is_structured()) return;
  for (auto& [key, value] : json.items()) {
    if (json.is_object() && key == "name" && value.is_string() && contains(names, value.get<std::string>())) {
      value = erased_name;
    } else {
      replace_names(value, names);
    }
  }
}

/// The name under "who" of an event, if there is one.
std::string identity_of(const Json& event) {
  const auto who = event.find("who");
  if (who == event.end() || !who->is_object()) return "";
  const auto name = who->find("name");
  return name != who->end() && name->is_string() ? name->get<std::string>() : "";
}

/// A text that came from an event; nothing if it is not one, which then names nobody.
std::optional<Json> event_json(const std::string& text) {
  Json event = Json::parse(text, nullptr, false);
  return event.is_object() ? std::optional(std::move(event)) : std::nullopt;
}

struct Told {
  std::int64_t number = 0;
  std::int64_t at_us = 0;
  std::int64_t checksum = 0;
  bool is_own = false;
  std::string text;
};

/// The events of a room that a person did or that name anybody.
std::vector<Told> events_naming(Database& database, const RoomId& room, PersonId person) {
  std::vector<Told> told;
  Query query = database.query(
      "SELECT number, at_us, checksum, person IS NOT DISTINCT FROM ?2, text FROM events"
      " WHERE room = ?1 AND (person = ?2 OR text LIKE '%\"name\"%')",
      room, person);
  while (query.next()) {
    told.push_back({query.number(0), query.number(1), query.number(2), query.number(3) != 0, query.text(4)});
  }
  return told;
}

/// What a person was called in a room: a guest who became a member had another name before.
Names names_in(Database& database, const RoomId& room, PersonId person, const std::string& name_now,
               const std::vector<Told>& told) {
  Names names = {name_now};
  Query query = database.query(
      "SELECT first_name FROM rooms WHERE id = ?1 AND first_person = ?2"
      " UNION ALL SELECT second_name FROM rooms WHERE id = ?1 AND second_person = ?2",
      room, person);
  while (query.next()) names.push_back(query.text(0));
  for (const Told& event : told) {
    const auto json = event.is_own ? event_json(event.text) : std::nullopt;
    if (json) names.push_back(identity_of(*json));
  }
  std::erase(names, "");
  return names;
}

void erase_in_room(Database& database, const RoomId& room, PersonId person, const std::string& name_now) {
  const auto told = events_naming(database, room, person);
  const Names names = names_in(database, room, person, name_now, told);
  for (const Told& event : told) {
    const std::string text = without_person(event.text, names, event.is_own);
    if (!event.is_own && text == event.text) continue;
    // What was damaged before stays known as damaged.
    const bool was_good = event.checksum == event_checksum(room, event.number, event.at_us, event.text);
    const std::int64_t checksum = event_checksum(room, event.number, event.at_us, text);
    database.run(
        "UPDATE events SET text = ?3, person = CASE WHEN ?4 = 1 THEN NULL ELSE person END, checksum = ?5"
        " WHERE room = ?1 AND number = ?2",
        room, event.number, text, event.is_own, was_good ? checksum : ~checksum);
  }
  database.run("DELETE FROM snapshots WHERE room = ?", room);
  database.run(
      "DELETE FROM conditional_moves WHERE room = ?1 AND seat = (SELECT CASE WHEN first_person = ?2 THEN 'first'"
      " ELSE 'second' END FROM rooms WHERE id = ?1 AND (first_person = ?2 OR second_person = ?2))",
      room, person);
  database.run("UPDATE rooms SET first_person = NULL, first_name = ?3 WHERE id = ?1 AND first_person = ?2", room,
               person, erased_name);
  database.run("UPDATE rooms SET second_person = NULL, second_name = ?3 WHERE id = ?1 AND second_person = ?2", room,
               person, erased_name);
}

std::vector<RoomId> rooms_with(Database& database, PersonId person) {
  return all_rows(
      database.query("SELECT id FROM rooms WHERE first_person = ?1 UNION SELECT id FROM rooms WHERE second_person = ?1"
                     " UNION SELECT room FROM visitors WHERE person = ?1",
                     person),
      [](const Query& row) { return row.text(0); });
}

}  // namespace

std::string without_person(const std::string& text, std::span<const std::string> names, bool is_own) {
  auto event = event_json(text);
  if (!event) return text;
  Names all(names.begin(), names.end());
  if (is_own) {
    all.push_back(identity_of(*event));
    std::erase(all, "");
    const bool is_chat = event->value("event", Json()) == "chat";
    if (is_chat && event->contains("text")) (*event)["text"] = "";
  }
  replace_names(*event, all);
  return event->dump();
}

void Store::erase_person(PersonId id) {
  Database& database = impl_->database;
  atomically([&] {
    const auto person = this->person(id);
    if (!person) return;
    for (const RoomId& room : rooms_with(database, id)) erase_in_room(database, room, id, person->name);
    database.run("UPDATE meta SET value = value + 1 WHERE key = 'erasures'");
    // Sessions, tokens, ratings and visits go with the person.
    database.run("DELETE FROM people WHERE id = ?", id);
  });
}

}  // namespace paika::server
