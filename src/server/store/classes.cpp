// Classes in the store: their members, their bots, and the games and ratings of their ladders.
#include "server/store/classes.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>

#include "base/check.hpp"
#include "play/record.hpp"
#include "server/store/impl.hpp"

namespace paika::server {

namespace {

/// A row of classes_shown.
ClassRow class_of(const Query& query) {
  ClassRow row;
  row.id = query.text(0);
  row.name = query.text(1);
  row.teacher = query.number(2);
  row.spec = query.text(3);
  row.turn_ms = static_cast<int>(query.number(4));
  row.memory_mb = static_cast<int>(query.number(5));
  row.uploads_per_day = static_cast<int>(query.number(6));
  row.pairs = static_cast<int>(query.number(7));
  row.deadline = query.number(8);
  row.code = query.text(9);
  row.state = class_state(query.text(10)).value_or(ClassState::archived);
  row.created = query.number(11);
  row.teacher_name = query.text(12);
  return row;
}

MemberRow member_of(const Query& query) { return {query.number(0), query.text(1), query.text(2), query.number(3)}; }

}  // namespace

std::string_view name(ClassState state) noexcept {
  switch (state) {
    case ClassState::open: return "open";
    case ClassState::locked: return "locked";
    case ClassState::archived: return "archived";
  }
  return "";
}

std::optional<ClassState> class_state(std::string_view word) noexcept {
  for (const ClassState state : {ClassState::open, ClassState::locked, ClassState::archived}) {
    if (name(state) == word) return state;
  }
  return std::nullopt;
}

Database& ClassStore::database() { return store_.impl_->database; }

void ClassStore::add_class(const ClassRow& row) {
  database().run(
      "INSERT INTO classes (id, name, teacher, spec, turn_ms, memory_mb, uploads_per_day, pairs, deadline, code, state,"
      " created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      row.id, row.name, row.teacher, row.spec, row.turn_ms, row.memory_mb, row.uploads_per_day, row.pairs, row.deadline,
      row.code, server::name(row.state), row.created);
}

std::optional<ClassRow> ClassStore::find(std::string_view id) {
  return first_row(database().query("SELECT * FROM classes_shown WHERE id = ?", id), class_of);
}

std::optional<ClassRow> ClassStore::find_by_code(std::string_view code) {
  return first_row(database().query("SELECT * FROM classes_shown WHERE code = ?", code), class_of);
}

std::vector<ClassRow> ClassStore::taught_by(PersonId teacher) {
  return all_rows(database().query("SELECT * FROM classes_shown WHERE teacher = ? ORDER BY created DESC, id", teacher),
                  class_of);
}

std::vector<ClassRow> ClassStore::joined_by(PersonId member) {
  return all_rows(database().query("SELECT c.* FROM members m JOIN classes_shown c ON c.id = m.class WHERE m.person = "
                                   "? AND m.name <> '' ORDER BY joined DESC, c.id",
                                   member),
                  class_of);
}

std::vector<ClassRow> ClassStore::alive() {
  return all_rows(database().query("SELECT * FROM classes_shown WHERE state <> 'archived' ORDER BY id"), class_of);
}

void ClassStore::change_class(const ClassRow& row) {
  database().run(
      "UPDATE classes SET name = ?, turn_ms = ?, memory_mb = ?, uploads_per_day = ?, pairs = ?, deadline = ?, code = ?,"
      " state = ? WHERE id = ?",
      row.name, row.turn_ms, row.memory_mb, row.uploads_per_day, row.pairs, row.deadline, row.code,
      server::name(row.state), row.id);
}

void ClassStore::drop_class(std::string_view id) { database().run("DELETE FROM classes WHERE id = ?", id); }

void ClassStore::add_member(std::string_view class_id, PersonId person, std::string_view name, WallTime now) {
  database().run(
      "INSERT INTO members (class, person, name, joined) VALUES (?, ?, ?, ?) ON CONFLICT (class, person) DO UPDATE SET"
      " name = excluded.name, joined = excluded.joined WHERE members.name = ''",
      class_id, person, name, now);
}

std::optional<MemberRow> ClassStore::member(std::string_view class_id, PersonId person) {
  Query query = database().query(
      "SELECT person, p.name, m.name, joined FROM members m JOIN people p ON p.id = person WHERE class = ? AND"
      " person = ? AND m.name <> ''",
      class_id, person);
  return first_row(std::move(query), member_of);
}

std::vector<MemberRow> ClassStore::members(std::string_view class_id) {
  return all_rows(database().query("SELECT person, p.name, m.name, joined FROM members m JOIN people p ON p.id = person"
                                   " WHERE class = ? AND m.name <> '' ORDER BY m.name COLLATE NOCASE, person",
                                   class_id),
                  member_of);
}

bool ClassStore::drop_member(std::string_view class_id, PersonId person) {
  if (!member(class_id, person)) return false;
  store_.atomically([&] {
    database().run("DELETE FROM bots WHERE class = ? AND person = ? AND protocol <> ?", class_id, person,
                   house_protocol);
    // A teacher who leaves leaves the house bots.
    database().run("UPDATE members SET name = '' WHERE class = ? AND person = ?", class_id, person);
    database().run(
        "DELETE FROM members WHERE class = ?1 AND person = ?2 AND NOT EXISTS (SELECT 1 FROM bots WHERE class = ?1 AND"
        " person = ?2)",
        class_id, person);
  });
  return true;
}

std::string ClassStore::board(std::string_view class_id) {
  return first_row(database().query("SELECT state FROM class_boards WHERE class = ?", class_id),
                   [](const Query& row) { return row.text(0); })
      .value_or("");
}

void ClassStore::save_board(std::string_view class_id, std::string_view state) {
  database().run(
      "INSERT INTO class_boards (class, state) VALUES (?1, ?2) ON CONFLICT (class) DO UPDATE SET state = "
      "excluded.state",
      class_id, state);
}

// ---- Bots ----

namespace {

/// A new version of a bot is probably about as good as the one before, but that is not known.
constexpr double deviation_of_new_version = 200;

/// Uploads are counted over a day; what is older than this matters to nobody, even by a clock that was set.
constexpr WallTime max_upload_age = std::chrono::milliseconds(std::chrono::hours(72)).count();

constexpr std::array bot_states = {BotState::waiting,  BotState::building, BotState::checking,
                                   BotState::accepted, BotState::refused,  BotState::replaced};

BotState bot_state(std::string_view word) {
  for (const BotState state : bot_states) {
    if (name(state) == word) return state;
  }
  return BotState::refused;
}

/// A row of bots_shown.
BotRow bot_of(const Query& query) {
  BotRow row;
  row.id = query.number(0);
  row.class_id = query.text(1);
  row.person = query.number(2);
  row.number = static_cast<int>(query.number(3));
  row.name = query.text(4);
  row.protocol = query.text(5);
  row.build = query.text(6);
  row.run = query.text(7);
  row.state = bot_state(query.text(8));
  row.report = query.text(9);
  row.created = query.number(10);
  row.rating = {query.real(11), query.real(12), query.real(13)};
  row.wins = static_cast<int>(query.number(14));
  row.draws = static_cast<int>(query.number(15));
  row.losses = static_cast<int>(query.number(16));
  row.owner = row.house() ? std::string(house_protocol) : query.text(17);
  return row;
}

}  // namespace

std::string_view name(BotState state) noexcept {
  switch (state) {
    case BotState::waiting: return "waiting";
    case BotState::building: return "building";
    case BotState::checking: return "checking";
    case BotState::accepted: return "accepted";
    case BotState::refused: return "refused";
    case BotState::replaced: return "replaced";
  }
  return "";
}

BotRow ClassStore::add_bot(const BotRow& row, std::string_view files) {
  BotId id = 0;
  store_.atomically([&] {
    {
      Query added = database().query(
          "INSERT INTO bots (class, person, number, name, protocol, build, run, files, state, report, created, value,"
          " deviation, volatility) VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM bots WHERE class = ?1 AND"
          " person = ?2), ?3, ?4, ?5, ?6, ?7, 'waiting', '', ?8, ?9, ?10, ?11) RETURNING id",
          row.class_id, row.person, row.name, row.protocol, row.build, row.run, files, row.created, row.rating.value,
          row.rating.deviation, row.rating.volatility);
      PAIKA_CHECK(added.next());
      id = added.number(0);
      PAIKA_CHECK(!added.next());  // at its end, so that it is committed
    }
    database().run("INSERT INTO uploads (class, person, at) VALUES (?, ?, ?)", row.class_id, row.person, row.created);
    database().run("DELETE FROM uploads WHERE class = ? AND person = ? AND at < ?", row.class_id, row.person,
                   row.created - max_upload_age);
    database().run(
        "UPDATE bots SET files = '[]' WHERE class = ?1 AND person = ?2 AND state IN ('refused', 'replaced') AND"
        " number <= (SELECT max(number) FROM bots WHERE class = ?1 AND person = ?2) - ?3",
        row.class_id, row.person, max_kept);
  });
  return *bot(id);
}

void ClassStore::add_house_bot(const ClassRow& in, const BotRow& row) {
  store_.atomically([&] {
    database().run(
        "INSERT INTO members (class, person, name, joined) VALUES (?, ?, '', ?) ON CONFLICT (class, person) DO NOTHING",
        in.id, in.teacher, row.created);
    database().run(
        "INSERT INTO bots (class, person, number, name, protocol, build, run, files, state, report, created, value,"
        " deviation, volatility) VALUES (?1, ?2, (SELECT coalesce(max(number), 0) + 1 FROM bots WHERE class = ?1 AND"
        " person = ?2), ?3, ?4, '', ?5, '[]', 'accepted', '', ?6, ?7, ?8, ?9)",
        in.id, in.teacher, row.name, house_protocol, row.run, row.created, row.rating.value, row.rating.deviation,
        row.rating.volatility);
  });
}

std::optional<BotRow> ClassStore::bot(BotId id) {
  return first_row(database().query("SELECT * FROM bots_shown WHERE id = ?", id), bot_of);
}

std::string ClassStore::bot_files(BotId id) {
  Query query = database().query("SELECT files FROM bots WHERE id = ?", id);
  return query.next() ? query.text(0) : "[]";
}

std::vector<BotRow> ClassStore::bots_of(std::string_view class_id, PersonId person) {
  return all_rows(database().query("SELECT * FROM bots_shown WHERE class = ? AND person = ? AND protocol <> ? ORDER BY"
                                   " number DESC",
                                   class_id, person, house_protocol),
                  bot_of);
}

std::vector<BotRow> ClassStore::ladder(std::string_view class_id) {
  return all_rows(
      database().query("SELECT * FROM bots_shown WHERE class = ? AND state = 'accepted' ORDER BY value DESC, id",
                       class_id),
      bot_of);
}

int ClassStore::uploads_since(std::string_view class_id, PersonId person, WallTime since) {
  Query query = database().query("SELECT count(*) FROM uploads WHERE class = ? AND person = ? AND at >= ?", class_id,
                                 person, since);
  return query.next() ? static_cast<int>(query.number(0)) : 0;
}

std::vector<WaitingBot> ClassStore::waiting() {
  return all_rows(
      database().query("SELECT b.id, class, teacher, person FROM bots b JOIN classes c ON c.id = class"
                       " WHERE b.state IN ('waiting', 'building', 'checking') AND c.state <> 'archived' ORDER BY b.id"),
      [](const Query& row) { return WaitingBot{row.number(0), row.text(1), row.number(2), row.number(3)}; });
}

std::size_t ClassStore::count_waiting() {
  Query query = database().query("SELECT count(*) FROM bots WHERE state IN ('waiting', 'building', 'checking')");
  return query.next() ? static_cast<std::size_t>(query.number(0)) : 0;
}

std::vector<BotId> ClassStore::all_accepted() {
  return all_rows(database().query("SELECT id FROM bots WHERE state = 'accepted' ORDER BY id"), first_column);
}

void ClassStore::set_bot_state(BotId id, BotState state, std::string_view report) {
  store_.atomically([&] {
    const auto row = bot(id);
    if (!row) return;
    database().run("UPDATE bots SET state = ?, report = ? WHERE id = ?", server::name(state), report, id);
    if (state != BotState::accepted || row->state == BotState::accepted) return;
    for (const BotRow& other : bots_of(row->class_id, row->person)) {
      if (other.id == id || other.state != BotState::accepted) continue;
      database().run("UPDATE bots SET state = 'replaced' WHERE id = ?", other.id);
      database().run("UPDATE bots SET value = ?, deviation = ?, volatility = ? WHERE id = ?", other.rating.value,
                     std::max(other.rating.deviation, deviation_of_new_version), other.rating.volatility, id);
    }
  });
}

void ClassStore::mark_pushed(BotId id) { database().run("UPDATE bots SET pushed = 1 WHERE id = ?", id); }

void ClassStore::note_request(BotId id, std::string_view request) {
  database().run("UPDATE bots SET request = ? WHERE id = ?", request, id);
}

std::string ClassStore::request_of(BotId id) {
  return first_row(database().query("SELECT request FROM bots WHERE id = ?", id),
                   [](const Query& row) { return row.text(0); })
      .value_or("");
}

void ClassStore::restart_bots() {
  database().run(
      "UPDATE bots SET state = 'refused', report = 'The server ended before the bot was checked; push again.'"
      " WHERE pushed = 1 AND state IN ('waiting', 'building', 'checking')");
  database().run("UPDATE bots SET state = 'waiting' WHERE state IN ('building', 'checking')");
}

// ---- The ladder's games and ratings ----

namespace {

/// A row of ladder_games_shown.
LadderGameRow game_of(const Query& query) {
  LadderGameRow row;
  row.id = query.number(0);
  row.class_id = query.text(1);
  row.pair = query.number(2);
  row.leg = static_cast<int>(query.number(3));
  row.verdict = query.text(4);
  row.reason = play::read_reason(query.text(5));
  row.failure = query.text(6);
  row.evidence = query.text(7);
  row.turns = static_cast<int>(query.number(8));
  row.ended = query.number(9);
  for (std::size_t side = 0; side < 2; ++side) {
    const int at = 10 + static_cast<int>(side) * 4;
    row.names.at(side) = erased_name;
    if (query.is_null(at)) continue;
    row.bots.at(side) = query.number(at);
    const std::string owner = query.text(at + 2);
    row.names.at(side) = owner.empty() ? query.text(at + 1) : fmt::format("{} ({})", query.text(at + 1), owner);
    row.persons.at(side) = query.number(at + 3);
  }
  return row;
}

}  // namespace

bool ClassStore::add_game(const LadderGameRow& row, double first_score) {
  PAIKA_CHECK(first_score >= 0 && first_score <= 1 && row.bots[0] != row.bots[1]);
  bool kept = false;
  store_.atomically([&] {
    const std::array<std::optional<BotRow>, 2> bots = {bot(row.bots[0]), bot(row.bots[1])};
    for (const auto& one : bots) {
      if (!one || one->state != BotState::accepted || one->class_id != row.class_id) return;
    }
    kept = database().run(
               "INSERT INTO ladder_games (class, first_bot, second_bot, pair, leg, verdict, reason, failure, evidence,"
               " turns, record, first_log, second_log, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
               " ON CONFLICT (class, pair, leg) DO NOTHING",
               row.class_id, row.bots[0], row.bots[1], row.pair, row.leg, row.verdict, row.reason, row.failure,
               row.evidence, row.turns, row.record, row.logs[0], row.logs[1], row.ended) > 0;
    if (!kept) return;
    for (std::size_t side = 0; side < 2; ++side) {
      const double score = side == 0 ? first_score : 1 - first_score;
      const play::Rating after = after_game(bots.at(side)->rating, bots.at(1 - side)->rating, score);
      database().run(
          "UPDATE bots SET value = ?, deviation = ?, volatility = ?, wins = wins + ?, draws = draws + ?,"
          " losses = losses + ? WHERE id = ?",
          after.value, after.deviation, after.volatility, score == 1 ? 1 : 0, score == 0.5 ? 1 : 0, score == 0 ? 1 : 0,
          row.bots.at(side));
    }
    database().run(
        "UPDATE ladder_games SET first_log = '', second_log = '' WHERE id = (SELECT id FROM ladder_games WHERE class ="
        " ? ORDER BY pair DESC, leg DESC LIMIT 1 OFFSET ?)",
        row.class_id, max_logs);
  });
  return kept;
}

std::optional<LadderGameRow> ClassStore::game(std::string_view class_id, LadderGameId id) {
  Query query = database().query(
      "SELECT s.*, record, first_log, second_log FROM ladder_games_shown s JOIN ladder_games g ON g.id = s.id"
      " WHERE s.class = ? AND s.id = ?",
      class_id, id);
  if (!query.next()) return std::nullopt;
  LadderGameRow row = game_of(query);
  row.record = query.text(18);
  row.logs = {query.text(19), query.text(20)};
  return row;
}

std::vector<LadderGameRow> ClassStore::games_of_class(std::string_view class_id, LadderGameId before, int most) {
  return all_rows(database().query("SELECT * FROM ladder_games_shown WHERE class = ?1 AND (?2 = 0 OR id < ?2) ORDER BY "
                                   "pair DESC, leg DESC LIMIT ?3",
                                   class_id, before, most),
                  game_of);
}

std::vector<LadderGameRow> ClassStore::games_of_bot(BotId bot, LadderGameId before, int most) {
  return all_rows(
      database().query("SELECT * FROM ladder_games_shown WHERE id IN (SELECT id FROM ladder_games WHERE first_bot = ?1 "
                       "UNION ALL SELECT id FROM ladder_games WHERE"
                       " second_bot = ?1) AND (?2 = 0 OR id < ?2) ORDER BY id DESC LIMIT ?3",
                       bot, before, most),
      game_of);
}

std::vector<Meeting> ClassStore::meetings(std::string_view class_id) {
  std::vector<Meeting> all;
  Query query = database().query(
      "SELECT least(first_bot, second_bot), greatest(first_bot, second_bot), count(*) FROM ladder_games WHERE class = "
      "? AND"
      " first_bot IN (SELECT id FROM bots WHERE state = 'accepted') AND"
      " second_bot IN (SELECT id FROM bots WHERE state = 'accepted') GROUP BY 1, 2",
      class_id);
  while (query.next()) all.push_back({query.number(0), query.number(1), static_cast<int>(query.number(2))});
  return all;
}

std::vector<HalfPair> ClassStore::half_pairs(std::string_view class_id) {
  return all_rows(database().query("SELECT pair, min(first_bot), min(second_bot) FROM ladder_games WHERE class = ?1 AND"
                                   " first_bot IN (SELECT id FROM bots WHERE class = ?1 AND state = 'accepted') AND"
                                   " second_bot IN (SELECT id FROM bots WHERE class = ?1 AND state = 'accepted')"
                                   " GROUP BY pair HAVING max(leg) = 1 ORDER BY pair",
                                   class_id),
                  [](const Query& row) { return HalfPair{row.number(0), {row.number(1), row.number(2)}}; });
}

std::optional<LadderGameRow> ClassStore::last_game(std::string_view class_id) {
  auto rows = games_of_class(class_id, 0, 1);
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

std::int64_t ClassStore::count_games(std::string_view class_id) {
  return *first_row(database().query("SELECT count(*) FROM ladder_games WHERE class = ?", class_id), first_column);
}

}  // namespace paika::server
