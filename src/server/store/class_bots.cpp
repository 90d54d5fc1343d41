// Bots of classes in the store.
#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "server/store/classes.hpp"
#include "server/store/impl.hpp"

namespace paika::server {

namespace {

/// A new version of a bot is probably about as good as the one before, but that is not known.
constexpr double deviation_of_new_version = 200;

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
  row.owner = query.text(17);
  return row;
}

std::optional<BotRow> one_bot(Query query) {
  if (!query.next()) return std::nullopt;
  return bot_of(query);
}

std::vector<BotRow> all_bots(Query query) {
  std::vector<BotRow> rows;
  while (query.next()) rows.push_back(bot_of(query));
  return rows;
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
    database().run(
        "UPDATE bots SET files = '[]' WHERE class = ?1 AND person = ?2 AND state IN ('refused', 'replaced') AND"
        " number <= (SELECT max(number) FROM bots WHERE class = ?1 AND person = ?2) - ?3",
        row.class_id, row.person, max_kept);
  });
  return *bot(id);
}

std::optional<BotRow> ClassStore::bot(BotId id) {
  return one_bot(database().query("SELECT * FROM bots_shown WHERE id = ?", id));
}

std::string ClassStore::bot_files(BotId id) {
  Query query = database().query("SELECT files FROM bots WHERE id = ?", id);
  return query.next() ? query.text(0) : "[]";
}

std::vector<BotRow> ClassStore::bots_of(std::string_view class_id, PersonId person) {
  return all_bots(database().query("SELECT * FROM bots_shown WHERE class = ? AND person = ? ORDER BY number DESC",
                                   class_id, person));
}

std::vector<BotRow> ClassStore::ladder(std::string_view class_id) {
  return all_bots(database().query(
      "SELECT * FROM bots_shown WHERE class = ? AND state = 'accepted' ORDER BY value DESC, id", class_id));
}

int ClassStore::uploads_since(std::string_view class_id, PersonId person, WallTime since) {
  Query query = database().query("SELECT count(*) FROM bots WHERE class = ? AND person = ? AND created >= ?", class_id,
                                 person, since);
  return query.next() ? static_cast<int>(query.number(0)) : 0;
}

std::optional<BotRow> ClassStore::next_waiting() {
  return one_bot(
      database().query("SELECT * FROM bots_shown WHERE state IN ('waiting', 'building', 'checking') AND"
                       " (SELECT state FROM classes WHERE id = class) <> 'archived' ORDER BY id LIMIT 1"));
}

std::size_t ClassStore::count_waiting() {
  Query query = database().query("SELECT count(*) FROM bots WHERE state IN ('waiting', 'building', 'checking')");
  return query.next() ? static_cast<std::size_t>(query.number(0)) : 0;
}

std::vector<BotId> ClassStore::all_accepted() {
  std::vector<BotId> ids;
  Query query = database().query("SELECT id FROM bots WHERE state = 'accepted' ORDER BY id");
  while (query.next()) ids.push_back(query.number(0));
  return ids;
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

void ClassStore::restart_bots() {
  database().run("UPDATE bots SET state = 'waiting' WHERE state IN ('building', 'checking')");
}

}  // namespace paika::server
