// The rooms in the store: their rows for lists, and their events.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/text.hpp"
#include "database/checksum.hpp"
#include "server/store/impl.hpp"

// The columns of a RoomRow, for row_of(). A literal and no function: see Sql.
#define PAIKA_ROOM_COLUMNS                                                                                        \
  "id, spec, state, first_person, second_person, first_name, second_name, rated, listed, turns, verdict, reason," \
  " first_before, first_after, second_before, second_after, created, changed, damaged, clock, to_move, due_us"

namespace paika::server {

namespace {

/// How many events one statement reads.
constexpr std::size_t events_per_page = 256;

constexpr std::array<RoomState, 3> all_states = {RoomState::open, RoomState::running, RoomState::ended};

RoomState state_named(const Database& database, const std::string& word) {
  for (const RoomState state : all_states) {
    if (name(state) == word) return state;
  }
  throw StoreError(
      fmt::format("{} is damaged: a room has the state {}", in_quotes(database.name(), 200), in_quotes(word)));
}

/// NULL for nobody, so that a reference to people can stand there.
std::optional<PersonId> number_or_null(PersonId person) { return person == 0 ? std::nullopt : std::optional(person); }

bool is_known(Database& database, PersonId person) {
  return database.query("SELECT 1 FROM people WHERE id = ?", person).next();
}

/// A person as a row keeps him. A room may still know somebody who was erased a moment ago: he stays erased.
struct Seat {
  std::optional<PersonId> person;
  std::string_view name;
};

Seat seat_of(Database& database, PersonId person, std::string_view name) {
  if (person != 0 && !is_known(database, person)) return {std::nullopt, erased_name};
  return {number_or_null(person), name};
}

std::array<Seat, 2> seats_of(Database& database, const RoomRow& row) {
  return {seat_of(database, row.persons[0], row.names[0]), seat_of(database, row.persons[1], row.names[1])};
}

std::optional<double> before(const RoomRow& row, std::size_t seat) {
  return row.ratings[seat] ? std::optional(row.ratings[seat]->first) : std::nullopt;
}

std::optional<double> after(const RoomRow& row, std::size_t seat) {
  return row.ratings[seat] ? std::optional(row.ratings[seat]->second) : std::nullopt;
}

/// Of a statement that selects PAIKA_ROOM_COLUMNS.
RoomRow row_of(const Database& database, const Query& query) {
  RoomRow row;
  row.id = query.text(0);
  row.spec = query.text(1);
  row.state = state_named(database, query.text(2));
  row.persons = {query.number(3), query.number(4)};
  row.names = {query.text(5), query.text(6)};
  row.rated = query.number(7) != 0;
  row.listed = query.number(8) != 0;
  row.turns = static_cast<int>(query.number(9));
  row.verdict = query.text(10);
  row.reason = query.text(11);
  for (std::size_t seat = 0; seat < 2; ++seat) {
    const int column = seat == 0 ? 12 : 14;
    if (!query.is_null(column)) row.ratings[seat] = {query.real(column), query.real(column + 1)};
  }
  row.created = query.number(16);
  row.changed = query.number(17);
  row.damaged = query.number(18) != 0;
  row.clock = query.text(19);
  row.to_move = query.text(20);
  row.due = ServerTime(query.number(21));
  return row;
}

std::vector<RoomRow> rows_of(const Database& database, Query query) {
  return all_rows(std::move(query), [&](const Query& row) { return row_of(database, row); });
}

std::vector<RoomId> ids_of(Query query) {
  return all_rows(std::move(query), [](const Query& row) { return row.text(0); });
}

StoreError no_room(const Database& database, const RoomId& id) {
  return StoreError(fmt::format("{} has no room {}", in_quotes(database.name(), 200), in_quotes(id)));
}

DamagedRoom damaged(const Database& database, const RoomId& room, std::string_view what) {
  return DamagedRoom(
      fmt::format("room {} in {} is damaged: {}", in_quotes(room), in_quotes(database.name(), 200), what));
}

bool has_room(Database& database, const RoomId& id) {
  return database.query("SELECT 1 FROM rooms WHERE id = ?", id).next();
}

/// The number of the last event of a room; 0 if it has none yet.
std::uint64_t last_number(Database& database, const RoomId& room) {
  Query query = database.query("SELECT max(number) FROM events WHERE room = ?", room);
  return query.next() ? static_cast<std::uint64_t>(query.number(0)) : 0;
}

/// Notes that a person without a seat did something in a room, so that erase_person() finds it.
void note_visitor(Database& database, const RoomId& room, PersonId person) {
  database.run(
      "INSERT INTO visitors (room, person) SELECT id, ?2 FROM rooms"
      " WHERE id = ?1 AND first_person IS DISTINCT FROM ?2 AND second_person IS DISTINCT FROM ?2"
      " ON CONFLICT DO NOTHING",
      room, person);
}

/// Some events after a number, compared with their checksums.
std::vector<Event> events_after(Database& database, const RoomId& room, std::uint64_t after) {
  constexpr std::uint64_t top = std::uint64_t{1} << 62U;  // numbers are signed in the database
  std::vector<Event> events;
  Query query = database.query(
      "SELECT number, at_us, text, person, checksum FROM events WHERE room = ? AND number > ? ORDER BY number LIMIT ?",
      room, std::min(after, top), events_per_page);
  while (query.next()) {
    const auto number = static_cast<std::uint64_t>(query.number(0));
    if (number != ++after) throw damaged(database, room, fmt::format("event {} is missing", after));
    auto text = std::make_shared<const std::string>(query.text(2));
    if (query.number(4) != event_checksum(room, query.number(0), query.number(1), *text)) {
      throw damaged(database, room, fmt::format("event {} does not have its checksum", number));
    }
    events.push_back({number, ServerTime(query.number(1)), std::move(text), query.number(3)});
  }
  return events;
}

void add_event(Database& database, const RoomId& room, const Event& event) {
  const bool is_erased = event.person != 0 && !is_known(database, event.person);
  const std::string text = is_erased ? without_person(*event.text, {}, true) : *event.text;
  const PersonId person = is_erased ? 0 : event.person;
  const std::int64_t at_us = event.at.count();
  database.run("INSERT INTO events (room, number, at_us, person, text, checksum, epoch) VALUES (?, ?, ?, ?, ?, ?, ?)",
               room, event.number, at_us, number_or_null(person), text,
               event_checksum(room, static_cast<std::int64_t>(event.number), at_us, text),
               database.connection().epoch());
  if (person != 0) note_visitor(database, room, person);
}

}  // namespace

std::int64_t event_checksum(std::string_view room, std::int64_t number, std::int64_t at_us, std::string_view text) {
  const std::string number_text = std::to_string(number);
  const std::string time_text = std::to_string(at_us);
  return row_checksum(std::array<std::string_view, 4>{room, number_text, time_text, text});
}

void Store::add_room(const RoomRow& row) {
  Database& database = impl_->database;
  const auto seats = seats_of(database, row);
  database.run("INSERT INTO rooms (" PAIKA_ROOM_COLUMNS
               ")"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               row.id, row.spec, name(row.state), seats[0].person, seats[1].person, seats[0].name, seats[1].name,
               row.rated, row.listed, row.turns, row.verdict, row.reason, before(row, 0), after(row, 0), before(row, 1),
               after(row, 1), row.created, row.changed, row.damaged, row.clock, row.to_move, row.due.count());
}

void Store::change_room(const RoomRow& row) {
  Database& database = impl_->database;
  const auto seats = seats_of(database, row);
  // Ratings that were counted stay: they must never be counted again.
  const int changes = database.run(
      "UPDATE rooms SET state = ?2, first_person = ?3, second_person = ?4, first_name = ?5, second_name = ?6,"
      " turns = ?7, verdict = ?8, reason = ?9, first_before = coalesce(?10, first_before),"
      " first_after = coalesce(?11, first_after), second_before = coalesce(?12, second_before),"
      " second_after = coalesce(?13, second_after),"
      " rating_told = CASE WHEN ?10 IS NOT NULL THEN 1 ELSE rating_told END, changed = ?14,"
      " to_move = ?15, due_us = ?16"
      " WHERE id = ?1",
      row.id, name(row.state), seats[0].person, seats[1].person, seats[0].name, seats[1].name, row.turns, row.verdict,
      row.reason, before(row, 0), after(row, 0), before(row, 1), after(row, 1), row.changed, row.to_move,
      row.due.count());
  if (changes == 0) throw no_room(database, row.id);
}

std::optional<RoomRow> Store::room(const RoomId& id) {
  return first_row(impl_->database.query("SELECT " PAIKA_ROOM_COLUMNS " FROM rooms WHERE id = ?", id),
                   [this](const Query& row) { return row_of(impl_->database, row); });
}

void Store::add_events(const RoomId& room, std::span<const Event> events) {
  if (events.empty()) return;
  Database& database = impl_->database;
  in_transaction([&] {
    std::uint64_t last = last_number(database, room);
    if (last == 0 && !has_room(database, room)) throw no_room(database, room);
    for (const Event& event : events) {
      PAIKA_CHECK(event.text != nullptr);
      if (event.number != last + 1) {
        throw StoreError(
            fmt::format("event {} of room {} cannot follow event {}", event.number, in_quotes(room), last));
      }
      add_event(database, room, event);
      last = event.number;
    }
  });
}

std::vector<Event> Store::events(const RoomId& room, std::uint64_t after, std::size_t max_bytes) {
  std::vector<Event> events;
  // PostgreSQL gives all rows of a statement at once: what is not wanted must not be asked for.
  for (std::size_t bytes = 0; bytes < max_bytes;) {
    const auto page = events_after(impl_->database, room, after);
    for (const Event& event : page) {
      if (bytes >= max_bytes) break;
      events.push_back(event);
      bytes += event.text->size();
    }
    if (page.size() < events_per_page) break;
    after += page.size();
  }
  return events;
}

void Store::set_damaged(const RoomId& room, bool damaged) {
  impl_->database.run("UPDATE rooms SET damaged = ?2 WHERE id = ?1 AND damaged <> ?2", room, damaged);
}

SnapshotRow Store::snapshot(const RoomId& room) {
  Query query = impl_->database.query("SELECT number, text, checksum FROM snapshots WHERE room = ?", room);
  if (!query.next()) return {};
  SnapshotRow found{static_cast<std::uint64_t>(query.number(0)), query.text(1)};
  if (query.number(2) != event_checksum(room, query.number(0), 0, found.text)) return {};
  return found;
}

void Store::save_snapshot(const RoomId& room, const SnapshotRow& snapshot, std::int64_t erasures_before) {
  atomically([&] {
    if (erasures() != erasures_before || !has_room(impl_->database, room)) return;
    if (snapshot.number <= this->snapshot(room).number) return;
    impl_->database.run(
        "INSERT INTO snapshots (room, number, text, checksum) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (room) DO UPDATE SET number = excluded.number, text = excluded.text,"
        " checksum = excluded.checksum",
        room, snapshot.number, snapshot.text,
        event_checksum(room, static_cast<std::int64_t>(snapshot.number), 0, snapshot.text));
  });
}

std::int64_t Store::erasures() {
  Query query = impl_->database.query("SELECT value FROM meta WHERE key = 'erasures'");
  return query.next() ? query.number(0) : 0;
}

std::vector<RoomId> Store::unfinished_rooms() {
  // The condition is that of the index rooms_unfinished, to the letter.
  return ids_of(impl_->database.query(
      "SELECT id FROM rooms"
      " WHERE state <> 'ended' OR (rated = 1 AND verdict <> 'ongoing' AND rating_told = 0) ORDER BY id"));
}

std::vector<RoomId> Store::unfinished_rooms_of(PersonId person) {
  return ids_of(
      impl_->database.query("SELECT id FROM rooms WHERE first_person = ?1 AND state <> 'ended'"
                            " UNION SELECT id FROM rooms WHERE second_person = ?1 AND state <> 'ended'",
                            person));
}

std::vector<RoomRow> Store::running_games_of(PersonId person, std::size_t most) {
  // The conditions are those of the indices rooms_first_running and rooms_second_running.
  return rows_of(impl_->database, impl_->database.query(
                                      "SELECT " PAIKA_ROOM_COLUMNS " FROM rooms WHERE id IN ("
                                      "SELECT id FROM rooms WHERE state = 'running' AND first_person = ?1 AND"
                                      " second_person IS NOT NULL"
                                      " UNION SELECT id FROM rooms WHERE state = 'running' AND second_person = ?1 AND"
                                      " first_person IS NOT NULL)"
                                      " ORDER BY to_move <> CASE WHEN first_person = ?1 THEN 'first' ELSE 'second' END,"
                                      " due_us = 0, due_us, changed DESC, id LIMIT ?2",
                                      person, limit_of(most)));
}

std::string Store::conditional_moves(const RoomId& room, std::string_view seat) {
  Query query = impl_->database.query("SELECT lines FROM conditional_moves WHERE room = ? AND seat = ?", room, seat);
  return query.next() ? query.text(0) : "";
}

void Store::save_conditional_moves(const RoomId& room, std::string_view seat, std::string_view lines) {
  if (lines.empty()) {
    impl_->database.run("DELETE FROM conditional_moves WHERE room = ? AND seat = ?", room, seat);
    return;
  }
  impl_->database.run(
      "INSERT INTO conditional_moves (room, seat, lines) VALUES (?1, ?2, ?3)"
      " ON CONFLICT (room, seat) DO UPDATE SET lines = excluded.lines",
      room, seat, lines);
}

std::vector<RoomRow> Store::listed_rooms(RoomState state, std::size_t most) {
  return rows_of(impl_->database,
                 impl_->database.query("SELECT " PAIKA_ROOM_COLUMNS
                                       " FROM rooms WHERE listed = 1 AND state = ? ORDER BY created DESC, id LIMIT ?",
                                       name(state), limit_of(most)));
}

std::vector<RoomRow> Store::rooms_of(PersonId person, const std::optional<RoomPlace>& after, std::size_t most) {
  const RoomPlace place = after.value_or(RoomPlace{std::numeric_limits<WallTime>::max(), ""});
  // Each half is read from its index in the right order and no further than is needed.
  return rows_of(impl_->database,
                 impl_->database.query(
                     "SELECT " PAIKA_ROOM_COLUMNS " FROM rooms WHERE id IN ("
                     "SELECT id FROM (SELECT id FROM rooms WHERE first_person = ?1 AND (changed, id) < (?2, ?4)"
                     " ORDER BY changed DESC, id DESC LIMIT ?3) AS firsts"
                     " UNION SELECT id FROM (SELECT id FROM rooms WHERE second_person = ?1 AND (changed, id) < (?2, ?4)"
                     " ORDER BY changed DESC, id DESC LIMIT ?3) AS seconds) ORDER BY changed DESC, id DESC LIMIT ?3",
                     person, place.changed, limit_of(most), place.id));
}

std::vector<RoomRow> Store::ended_rooms(const RoomPlace& after, WallTime before, std::size_t most) {
  return rows_of(impl_->database,
                 impl_->database.query("SELECT " PAIKA_ROOM_COLUMNS
                                       " FROM rooms WHERE state = 'ended' AND (changed, id) > (?, ?) AND changed < ?"
                                       " ORDER BY changed, id LIMIT ?",
                                       after.changed, after.id, before, limit_of(most)));
}

std::vector<RoomId> Store::drop_open_rooms(WallTime before) {
  return ids_of(impl_->database.query("DELETE FROM rooms WHERE state = 'open' AND changed < ? RETURNING id", before));
}

}  // namespace paika::server
