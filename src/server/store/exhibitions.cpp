#include "server/store/exhibitions.hpp"

#include "server/store/impl.hpp"

namespace paika::server {

namespace {

ExhibitionRow exhibition_of(const Query& query) {
  return {query.text(0), query.text(1), query.text(2), static_cast<int>(query.number(3)), query.number(4)};
}

RoomState exhibition_state(const std::string& word) {
  for (const RoomState state : {RoomState::open, RoomState::running}) {
    if (name(state) == word) return state;
  }
  return RoomState::ended;
}

ExhibitionGame exhibition_game_of(const Query& query) {
  ExhibitionGame game;
  game.person = query.number(0);
  game.name = query.text(1);
  game.room = query.text(2);
  game.state = exhibition_state(query.text(3));
  game.is_first = query.number(4) != 0;
  game.verdict = query.text(5);
  game.reason = query.text(6);
  game.turns = static_cast<int>(query.number(7));
  game.to_move = query.text(8);
  return game;
}

}  // namespace

Database& ExhibitionStore::database() { return store_.impl_->database; }

void ExhibitionStore::add(const ExhibitionRow& row) {
  database().run("INSERT INTO exhibitions (id, class, spec, level, created) VALUES (?, ?, ?, ?, ?)", row.id,
                 row.class_id, row.spec, row.level, row.created);
}

void ExhibitionStore::add_game(std::string_view id, const RoomId& room, PersonId person) {
  database().run(
      "INSERT INTO exhibition_games (exhibition, room, person)"
      " SELECT ?1, ?2, ?3 FROM exhibitions, people WHERE exhibitions.id = ?1 AND people.id = ?3 ON CONFLICT DO NOTHING",
      id, room, person);
}

std::optional<ExhibitionRow> ExhibitionStore::find(std::string_view class_id, std::string_view id) {
  return first_row(
      database().query("SELECT id, class, spec, level, created FROM exhibitions WHERE id = ? AND class = ?", id,
                       class_id),
      exhibition_of);
}

std::vector<ExhibitionRow> ExhibitionStore::of_class(std::string_view class_id) {
  return all_rows(database().query("SELECT id, class, spec, level, created FROM exhibitions WHERE class = ?"
                                   " ORDER BY created DESC, id",
                                   class_id),
                  exhibition_of);
}

std::vector<ExhibitionGame> ExhibitionStore::games(const ExhibitionRow& row) {
  return all_rows(
      database().query("SELECT g.person, coalesce(nullif(m.name, ''), p.name), g.room, r.state,"
                       " r.first_person IS NOT DISTINCT FROM g.person, r.verdict, r.reason, r.turns, r.to_move"
                       " FROM exhibition_games g JOIN rooms r ON r.id = g.room JOIN people p ON p.id = g.person"
                       " LEFT JOIN members m ON m.class = ?2 AND m.person = g.person"
                       " WHERE g.exhibition = ?1 ORDER BY coalesce(nullif(m.name, ''), p.name)"
                       " COLLATE NOCASE, g.person",
                       row.id, row.class_id),
      exhibition_game_of);
}

std::int64_t ExhibitionStore::count_running(std::string_view class_id) {
  return *first_row(database().query("SELECT count(*) FROM exhibitions e JOIN exhibition_games g ON g.exhibition = e.id"
                                     " JOIN rooms r ON r.id = g.room WHERE e.class = ? AND r.state <> 'ended'",
                                     class_id),
                    first_column);
}

void ExhibitionStore::drop(std::string_view id) { database().run("DELETE FROM exhibitions WHERE id = ?", id); }

}  // namespace paika::server
