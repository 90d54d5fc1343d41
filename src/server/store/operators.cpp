#include "server/store/operators.hpp"

#include "base/check.hpp"
#include "server/store/impl.hpp"

namespace paika::server {

namespace {

constexpr std::size_t shown_digits = 12;  // of a hash: enough to tell sessions apart, and of no use to anybody

bool is_hex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

SessionRow session_of(const Query& row) {
  return {row.text(0).substr(0, shown_digits),
          row.text(1),
          row.number(2),
          row.text(3),
          row.number(4),
          row.number(5),
          row.number(6)};
}

}  // namespace

std::string_view name(Mark mark) noexcept {
  switch (mark) {
    case Mark::approved: return "approved";
    case Mark::muted: return "muted";
    case Mark::banned: return "banned";
  }
  return "";
}

Database& OperatorStore::database() { return store_.impl_->database; }

std::vector<SessionRow> OperatorStore::sessions(std::optional<PersonId> person, WallTime now, int most) {
  return all_rows(
      database().query("SELECT secret_hash, 'session', person, name, created, until, 0 FROM sessions"
                       " JOIN people ON id = person WHERE until > ?1 AND (?2 IS NULL OR person = ?2)"
                       " UNION ALL SELECT secret_hash, 'token', person, name, created, 0, used FROM tokens t"
                       " JOIN people p ON p.id = person WHERE ?2 IS NULL OR person = ?2"
                       " ORDER BY created DESC LIMIT ?3",
                       now, person, most),
      session_of);
}

int OperatorStore::end_session(std::string_view id) {
  constexpr std::size_t min_digits = 6;
  if (id.size() < min_digits || !is_hex(id)) return 0;
  const std::string end = std::string(id) + "g";  // after all that begin so: hashes are hexadecimal
  const auto found =
      *first_row(database().query("SELECT (SELECT count(*) FROM sessions WHERE secret_hash >= ?1 AND secret_hash < ?2)"
                                  " + (SELECT count(*) FROM tokens WHERE secret_hash >= ?1 AND secret_hash < ?2)",
                                  id, end),
                 first_column);
  if (found == 1) {
    database().run("DELETE FROM sessions WHERE secret_hash >= ? AND secret_hash < ?", id, end);
    database().run("DELETE FROM tokens WHERE secret_hash >= ? AND secret_hash < ?", id, end);
  }
  return static_cast<int>(found);
}

int OperatorStore::end_all(PersonId person) {
  const int sessions = database().run("DELETE FROM sessions WHERE person = ?", person);
  return sessions + database().run("DELETE FROM tokens WHERE person = ?", person);
}

void OperatorStore::set_mark(PersonId person, Mark mark, WallTime since) {
  switch (mark) {
    case Mark::approved: database().run("UPDATE people SET approved = ? WHERE id = ?", since, person); break;
    case Mark::muted: database().run("UPDATE people SET muted = ? WHERE id = ?", since, person); break;
    case Mark::banned:
      database().run("UPDATE people SET banned = ? WHERE id = ?", since, person);
      if (since != 0) end_all(person);
      break;
  }
}

std::vector<Person> OperatorStore::marked() {
  const auto ids = all_rows(database().query("SELECT id FROM people WHERE approved <> 0 OR muted <> 0 OR banned <> 0"
                                             " ORDER BY name"),
                            first_column);
  std::vector<Person> people;
  for (const PersonId id : ids) people.push_back(*store_.person(id));
  return people;
}

bool OperatorStore::ban_address(std::string_view client, WallTime now) {
  return database().run("INSERT INTO banned_addresses (client, since) VALUES (?, ?) ON CONFLICT (client) DO NOTHING",
                        client, now) > 0;
}

bool OperatorStore::unban_address(std::string_view client) {
  return database().run("DELETE FROM banned_addresses WHERE client = ?", client) > 0;
}

std::vector<std::string> OperatorStore::banned_addresses() {
  return all_rows(database().query("SELECT client FROM banned_addresses ORDER BY client"),
                  [](const Query& row) { return row.text(0); });
}

bool OperatorStore::drop_room(const RoomId& room) { return database().run("DELETE FROM rooms WHERE id = ?", room) > 0; }

void OperatorStore::add_act(const OperatorAct& act) {
  database().run(
      "INSERT INTO operator_log (at, operator, action, person, subject, reason)"
      " VALUES (?, ?, ?, nullif(?, 0), ?, ?)",
      act.at, act.by, act.action, act.person, act.subject, act.reason);
}

std::vector<OperatorAct> OperatorStore::acts(int most) {
  return all_rows(database().query("SELECT at, operator, action, coalesce(person, 0), subject, reason FROM operator_log"
                                   " ORDER BY id DESC LIMIT ?",
                                   most),
                  [](const Query& row) {
                    return OperatorAct{row.number(0), row.text(1), row.text(2),
                                       row.number(3), row.text(4), row.text(5)};
                  });
}

StoreCounts OperatorStore::counts(WallTime now) {
  Query row = database().query(
      "SELECT (SELECT count(*) FROM people WHERE password_hash IS NOT NULL),"
      " (SELECT count(*) FROM people WHERE password_hash IS NULL), (SELECT count(*) FROM sessions WHERE until > ?),"
      " (SELECT count(*) FROM tokens), (SELECT count(*) FROM people WHERE approved <> 0),"
      " (SELECT count(*) FROM people WHERE muted <> 0), (SELECT count(*) FROM people WHERE banned <> 0),"
      " (SELECT count(*) FROM banned_addresses), (SELECT count(*) FROM rooms WHERE state = 'open'),"
      " (SELECT count(*) FROM rooms WHERE state = 'running'), (SELECT count(*) FROM rooms WHERE state = 'ended'),"
      " (SELECT count(*) FROM classes), (SELECT count(*) FROM bots),"
      " (SELECT count(*) FROM bots WHERE state IN ('waiting', 'building', 'checking')),"
      " (SELECT count(*) FROM ladder_games)",
      now);
  PAIKA_CHECK(row.next());
  StoreCounts counts;
  int column = 0;
  for (std::int64_t* number :
       {&counts.members, &counts.guests, &counts.sessions, &counts.tokens, &counts.approved, &counts.muted,
        &counts.banned, &counts.banned_addresses, &counts.open_rooms, &counts.running_rooms, &counts.ended_rooms,
        &counts.classes, &counts.bots, &counts.bots_waiting, &counts.ladder_games}) {
    *number = row.number(column++);
  }
  counts.bytes = database().connection().bytes();
  return counts;
}

std::vector<ClassSummary> OperatorStore::classes(int most) {
  return all_rows(
      database().query(
          "SELECT id, name, teacher_name, state, (SELECT count(*) FROM members m WHERE class = c.id AND m.name <> ''),"
          " (SELECT count(*) FROM bots WHERE class = c.id AND state IN ('waiting', 'building', 'checking'))"
          " AS bots_waiting, (SELECT count(*) FROM ladder_games WHERE class = c.id) FROM classes_shown c"
          " ORDER BY bots_waiting DESC, created DESC LIMIT ?",
          most),
      [](const Query& row) {
        return ClassSummary{row.text(0),   row.text(1),   row.text(2),  row.text(3),
                            row.number(4), row.number(5), row.number(6)};
      });
}

}  // namespace paika::server
