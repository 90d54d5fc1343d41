// Ratings in the store: Glicko-2, each game a rating period of its own.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/text.hpp"
#include "server/store/impl.hpp"

namespace paika::server {

namespace {

/// A rating never becomes surer than this, so that it goes on moving for those who play much and get better: with
/// periods of one game the deviation would sink further than with the periods of many games that Glicko-2 is made for.
constexpr double min_deviation = 45;
/// A rating that is less sure than this is not shown in lists of the best.
constexpr double sure_deviation = 110;

using BeforeAfter = std::array<std::pair<double, double>, 2>;

/// Of a statement that selects value, deviation, volatility.
play::Rating rating_of(const Query& query, int column = 0) {
  return {query.real(column), query.real(column + 1), query.real(column + 2)};
}

/// What a room has done to the ratings already. Throws StoreError if there is no such room.
std::optional<BeforeAfter> rated_before(Database& database, const RoomId& room) {
  Query query =
      database.query("SELECT first_before, first_after, second_before, second_after FROM rooms WHERE id = ?", room);
  if (!query.next()) {
    throw StoreError(fmt::format("{} has no room {}", in_quotes(database.name(), 200), in_quotes(room)));
  }
  if (query.is_null(0)) return std::nullopt;
  return BeforeAfter{std::pair{query.real(0), query.real(1)}, std::pair{query.real(2), query.real(3)}};
}

void save_rating(Database& database, PersonId person, std::string_view game, const play::Rating& rating) {
  // Nothing happens for a person who was erased since the game.
  database.run(
      "INSERT INTO ratings (person, game, value, deviation, volatility, games)"
      " SELECT id, ?2, ?3, ?4, ?5, 1 FROM people WHERE id = ?1"
      " ON CONFLICT (person, game) DO UPDATE SET value = ?3, deviation = ?4, volatility = ?5,"
      " games = ratings.games + 1",
      person, game, rating.value, rating.deviation, rating.volatility);
}

}  // namespace

play::Rating after_game(const play::Rating& rating, const play::Rating& opponent, double score) {
  const std::array<play::RatedGame, 1> games = {play::RatedGame{opponent, score}};
  play::Rating after = play::after_games(rating, games);
  after.deviation = std::max(after.deviation, min_deviation);
  return after;
}

play::Rating Store::rating(PersonId person, std::string_view game) {
  Query query = impl_->database.query("SELECT value, deviation, volatility FROM ratings WHERE person = ? AND game = ?",
                                      person, game);
  return query.next() ? rating_of(query) : play::Rating{};
}

std::vector<RatingRow> Store::ratings(PersonId person) {
  return all_rows(
      impl_->database.query(
          "SELECT value, deviation, volatility, game, games FROM ratings WHERE person = ? ORDER BY game", person),
      [](const Query& row) { return RatingRow{row.text(3), rating_of(row), static_cast<int>(row.number(4))}; });
}

std::vector<std::pair<Person, RatingRow>> Store::best_rated(std::string_view game, std::size_t most) {
  std::vector<std::pair<Person, RatingRow>> rows;
  Query query = impl_->database.query(
      "SELECT value, deviation, volatility, games, people.id, name, password_hash IS NOT NULL, since"
      " FROM ratings JOIN people ON people.id = person WHERE game = ? AND deviation < ?"
      " ORDER BY value DESC, person LIMIT ?",
      game, sure_deviation, limit_of(most));
  while (query.next()) {
    rows.emplace_back(
        Person{.id = query.number(4), .name = query.text(5), .member = query.number(6) != 0, .since = query.number(7)},
        RatingRow{std::string(game), rating_of(query), static_cast<int>(query.number(3))});
  }
  return rows;
}

BeforeAfter Store::rate(const RoomId& room, std::string_view game, const std::array<PersonId, 2>& persons,
                        double score) {
  PAIKA_CHECK(score >= 0 && score <= 1);
  PAIKA_CHECK(persons[0] != persons[1] || persons[0] == 0);
  Database& database = impl_->database;
  BeforeAfter told;
  atomically([&] {
    if (const auto known = rated_before(database, room)) {
      told = *known;
      return;
    }
    const std::array<play::Rating, 2> before = {rating(persons[0], game), rating(persons[1], game)};
    const std::array<play::Rating, 2> after = {after_game(before[0], before[1], score),
                                               after_game(before[1], before[0], 1 - score)};
    for (std::size_t seat = 0; seat < 2; ++seat) {
      save_rating(database, persons[seat], game, after[seat]);
      told[seat] = {before[seat].value, after[seat].value};
    }
    database.run(
        "UPDATE rooms SET first_before = ?2, first_after = ?3, second_before = ?4, second_after = ?5 WHERE id = ?1",
        room, told[0].first, told[0].second, told[1].first, told[1].second);
  });
  return told;
}

// ---- Puzzles ----

namespace {

/// Of a statement that selects value, deviation, volatility, game, puzzles, solved.
PuzzleRating puzzle_rating_of(const Query& row) {
  return {row.text(3), rating_of(row), static_cast<int>(row.number(4)), static_cast<int>(row.number(5))};
}

}  // namespace

PuzzleRating Store::puzzle_rating(PersonId person, std::string_view game) {
  Query query = impl_->database.query(
      "SELECT value, deviation, volatility, game, puzzles, solved FROM puzzle_ratings WHERE person = ? AND game = ?",
      person, game);
  return query.next() ? puzzle_rating_of(query) : PuzzleRating{.game = std::string(game), .rating = {}};
}

std::vector<PuzzleRating> Store::puzzle_ratings(PersonId person) {
  return all_rows(impl_->database.query("SELECT value, deviation, volatility, game, puzzles, solved FROM puzzle_ratings"
                                        " WHERE person = ? ORDER BY game",
                                        person),
                  puzzle_rating_of);
}

std::set<std::string> Store::puzzles_tried(PersonId person, std::string_view game) {
  std::set<std::string> tried;
  Query query = impl_->database.query("SELECT puzzle FROM puzzle_tries WHERE person = ? AND game = ?", person, game);
  while (query.next()) tried.insert(query.text(0));
  return tried;
}

bool Store::rate_puzzle(PersonId person, std::string_view game, std::string_view puzzle, const play::Rating& difficulty,
                        bool solved) {
  Database& database = impl_->database;
  bool counted = false;
  atomically([&] {
    Query known = database.query(
        "SELECT 1 FROM puzzle_tries WHERE person = ?1 AND puzzle = ?2"
        " UNION ALL SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM people WHERE id = ?1)",
        person, puzzle);
    if (known.next()) return;
    const play::Rating after = after_game(puzzle_rating(person, game).rating, difficulty, solved ? 1 : 0);
    database.run("INSERT INTO puzzle_tries (person, puzzle, game, solved) VALUES (?, ?, ?, ?)", person, puzzle, game,
                 solved ? 1 : 0);
    database.run(
        "INSERT INTO puzzle_ratings (person, game, value, deviation, volatility, puzzles, solved)"
        " VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6) ON CONFLICT (person, game) DO UPDATE SET"
        " value = ?3, deviation = ?4, volatility = ?5, puzzles = puzzle_ratings.puzzles + 1,"
        " solved = puzzle_ratings.solved + ?6",
        person, game, after.value, after.deviation, after.volatility, solved ? 1 : 0);
    counted = true;
  });
  return counted;
}

}  // namespace paika::server
