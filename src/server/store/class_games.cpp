// The ladder's games and ratings in the store.
#include <algorithm>
#include <fmt/format.h>

#include "base/check.hpp"
#include "server/store/classes.hpp"
#include "server/store/impl.hpp"

namespace paika::server {

namespace {

/// As for people: ratings go on moving.
constexpr double min_deviation = 45;

play::Rating after_game(const play::Rating& rating, const play::Rating& opponent, double score) {
  const std::array<play::RatedGame, 1> games = {play::RatedGame{opponent, score}};
  play::Rating after = play::after_games(rating, games);
  after.deviation = std::max(after.deviation, min_deviation);
  return after;
}

/// A row of ladder_games_shown.
LadderGameRow game_of(const Query& query) {
  LadderGameRow row;
  row.id = query.number(0);
  row.class_id = query.text(1);
  row.pair = query.number(2);
  row.leg = static_cast<int>(query.number(3));
  row.verdict = query.text(4);
  row.reason = query.text(5);
  row.failure = query.text(6);
  row.evidence = query.text(7);
  row.turns = static_cast<int>(query.number(8));
  row.ended = query.number(9);
  for (std::size_t side = 0; side < 2; ++side) {
    const int at = 10 + static_cast<int>(side) * 4;
    row.names.at(side) = erased_name;
    if (query.is_null(at)) continue;
    row.bots.at(side) = query.number(at);
    row.names.at(side) = fmt::format("{} ({})", query.text(at + 1), query.text(at + 2));
    row.persons.at(side) = query.number(at + 3);
  }
  return row;
}

std::vector<LadderGameRow> all_games(Query query) {
  std::vector<LadderGameRow> rows;
  while (query.next()) rows.push_back(game_of(query));
  return rows;
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
  return all_games(database().query(
      "SELECT * FROM ladder_games_shown WHERE class = ?1 AND (?2 = 0 OR id < ?2) ORDER BY pair DESC, leg DESC LIMIT ?3",
      class_id, before, most));
}

std::vector<LadderGameRow> ClassStore::games_of_bot(BotId bot, LadderGameId before, int most) {
  return all_games(
      database().query("SELECT * FROM ladder_games_shown WHERE id IN (SELECT id FROM ladder_games WHERE first_bot = ?1 "
                       "UNION ALL SELECT id FROM ladder_games WHERE"
                       " second_bot = ?1) AND (?2 = 0 OR id < ?2) ORDER BY id DESC LIMIT ?3",
                       bot, before, most));
}

std::vector<Meeting> ClassStore::meetings(std::string_view class_id) {
  std::vector<Meeting> all;
  Query query = database().query(
      "SELECT min(first_bot, second_bot), max(first_bot, second_bot), count(*) FROM ladder_games WHERE class = ? AND"
      " first_bot IN (SELECT id FROM bots WHERE state = 'accepted') AND"
      " second_bot IN (SELECT id FROM bots WHERE state = 'accepted') GROUP BY 1, 2",
      class_id);
  while (query.next()) all.push_back({query.number(0), query.number(1), static_cast<int>(query.number(2))});
  return all;
}

std::optional<LadderGameRow> ClassStore::last_game(std::string_view class_id) {
  auto rows = games_of_class(class_id, 0, 1);
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

std::int64_t ClassStore::count_games(std::string_view class_id) {
  Query query = database().query("SELECT count(*) FROM ladder_games WHERE class = ?", class_id);
  return query.next() ? query.number(0) : 0;
}

}  // namespace paika::server
