// Reviews: grades and what mistakes cost, by turns and by discs.
#include "play/review.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

#include "base/random.hpp"
#include "engine/solver.hpp"
#include "engine/tables.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::must;
using paika_tests::must_open;

/// A judge who says of the turns in their order what the test wants, in the position after so many turns; of the others
/// he knows nothing.
Oracle oracle_with(std::vector<std::vector<MoveValue>> values) {
  return [values = std::move(values)](const Session& session) -> Result<std::vector<OracleTurn>> {
    std::vector<OracleTurn> turns;
    const auto played = static_cast<std::size_t>(session.turns_played());
    if (played >= values.size()) return turns;
    session.for_each_turn([&](const ListedTurn& turn) {
      if (turns.size() < values[played].size()) turns.push_back({turn.text, values[played][turns.size()]});
      return true;
    });
    return turns;
  };
}

ReviewRequest judged_by(std::vector<std::vector<MoveValue>> values) {
  ReviewRequest request;
  request.oracle = oracle_with(std::move(values));
  return request;
}

GameRecord record_with(const std::vector<std::string>& turns) {
  GameRecord record;
  record.spec = "othello:6x6";
  for (const std::string& text : turns) {
    RecordedTurn turn;
    turn.text = text;
    record.turns.push_back(turn);
  }
  return record;
}

TEST(Review, discs_that_a_mistake_cost) {
  // The turns of the start, in the order of the rules: c2 b3 e4 d5.
  const auto values = std::vector<MoveValue>{value_of_margin(6), value_of_margin(2), value_of_margin(-4)};
  const GamePtr game = must_open("othello:6x6");
  const auto best = must(review(*game, record_with({"c2"}), judged_by({values})), "review");
  EXPECT_EQ(review_words(best.turns[0]), "best: a win by 6");
  EXPECT_EQ(best.players[0].discs_lost, 0);
  const auto weaker = must(review(*game, record_with({"b3"}), judged_by({values})), "review");
  EXPECT_EQ(weaker.turns[0].grade, TurnGrade::weaker);
  EXPECT_EQ(review_words(weaker.turns[0]), "a win by 2 instead of a win by 6, 4 discs lost");
  EXPECT_EQ(weaker.players[0].per_cent(), 100);
  const auto mistake = must(review(*game, record_with({"e4"}), judged_by({values})), "review");
  EXPECT_EQ(mistake.turns[0].grade, TurnGrade::mistake);
  EXPECT_EQ(mistake.turns[0].better, std::vector<std::string>{"c2"});
  EXPECT_EQ(review_words(mistake.turns[0]), "threw away a win by 6: now a loss by 4, 10 discs lost");
  EXPECT_EQ(mistake.players[0].discs_lost, 10);
  EXPECT_EQ(mistake.players[0].per_cent(), 0);
}

TEST(Review, by_turns_no_discs_count) {
  const auto values =
      std::vector<MoveValue>{move_value(Value::win(3)), move_value(Value::win(5)), move_value(Value::draw())};
  const GamePtr game = must_open("othello:6x6");
  const auto slower = must(review(*game, record_with({"b3"}), judged_by({values})), "review");
  EXPECT_EQ(review_words(slower.turns[0]), "a win in 5 instead of a win in 3");
  EXPECT_EQ(slower.players[0].discs_lost, 0);
  const auto mistake = must(review(*game, record_with({"e4"}), judged_by({values})), "review");
  EXPECT_EQ(review_words(mistake.turns[0]), "threw away a win in 3: now a draw");
}

TEST(Review, what_nobody_judged_does_not_count) {
  const GamePtr game = must_open("othello:6x6");
  const auto none = must(review(*game, record_with({"c2", "b2"}), judged_by({})), "review");
  EXPECT_EQ(none.turns.size(), 2U);
  EXPECT_EQ(none.players[0].turns + none.players[1].turns, 0);
  EXPECT_EQ(review_words(none.turns[0]), "not judged");
}

TEST(Review, the_scale) {
  EXPECT_NEAR(accuracy_of(0), 100, 0.01);
  EXPECT_NEAR(accuracy_of(50), 8.5, 0.1);
  EXPECT_EQ(accuracy_of(100), 0);
  EXPECT_EQ(chances_of(0), 50);
  EXPECT_NEAR(chances_of(100), 59.1, 0.1);
  EXPECT_NEAR(chances_of(-100), 40.9, 0.1);
}

/// A game of 4x4 that the engine plays against itself with so many positions a move, after a few moves by chance.
GameRecord engine_game(const Game& game, Random& random, std::uint64_t nodes) {
  GameRecord record;
  record.spec = game.notation().spec();
  const auto session = game.start();
  SearchSettings settings;
  settings.hash_mb = 1;
  settings.threads = 0;
  const auto engine = game.engine(settings);
  SearchLimits limits;
  limits.nodes = nodes;
  while (!session->outcome().over() && record.turns.size() < 60) {
    std::vector<std::string> all;
    session->for_each_turn([&](const ListedTurn& turn) {
      all.push_back(turn.text);
      return true;
    });
    const bool by_chance = record.turns.size() < 4 || random.one_in(4);
    const std::string text = by_chance ? all[random.index(all.size())] : engine->think(*session, limits).text;
    EXPECT_TRUE(session->try_play(text));
    record.turns.push_back({text, {}, {}, 0});
  }
  return record;
}

std::size_t rounds_of_games() {
  const char* const text = std::getenv("PAIKA_REVIEW_GAMES");
  return text == nullptr ? 2 : static_cast<std::size_t>(std::atoi(text));
}

/// Reviews games of the engine by the search of endings, and searches every ending again.
void expect_exact_endings(const char* spec, int max_empty, std::size_t games, std::uint64_t seed) {
  const GamePtr game = must_open(spec);
  Random random(seed);
  const std::shared_ptr<ExactSearch> search = must(ExactSearch::open(*game, 1, 16), "search");
  for (std::size_t i = 0; i < games; ++i) {
    const GameRecord record = engine_game(*game, random, 200);
    ReviewRequest request;
    request.oracle = search_oracle(search, max_empty);
    const GameReview reviewed = must(review(*game, record, request), "review");
    const auto session = game->start();
    for (std::size_t turn = 0; turn < record.turns.size(); ++turn) {
      const bool near = empty_squares(session->board()) <= max_empty;
      ASSERT_EQ(reviewed.turns[turn].did.has_value(), near);
      const int could = near ? must(search->best(*session), "best").margin : 0;
      EXPECT_TRUE(session->try_play(record.turns[turn].text));
      if (!near || session->outcome().over()) continue;
      const int did = -must(search->best(*session), "best").margin;
      ASSERT_EQ(margin_of(*reviewed.turns[turn].could), could);
      ASSERT_EQ(margin_of(*reviewed.turns[turn].did), did);
      ASSERT_EQ(reviewed.turns[turn].grade == TurnGrade::best, could == did);
    }
  }
}

TEST(Review, agrees_with_the_exact_ending_of_othello) { expect_exact_endings("othello:6x6", 9, rounds_of_games(), 17); }

TEST(Review, agrees_with_the_exact_ending_of_othello_8x8) {
  // From 12 empty squares on; in the slow tier from 14 to 16, by turns.
  const std::size_t games = rounds_of_games();
  if (games <= 2) return expect_exact_endings("othello", 12, games, 18);
  for (std::size_t i = 0; i < games; ++i) expect_exact_endings("othello", 14 + static_cast<int>(i % 3), 1, 100 + i);
}

/// What a position that its mover values so is worth for the other player, one turn earlier.
MoveValue one_turn_earlier(MoveValue value) {
  if (value.kind == ValueKind::draw) return value;
  value.kind = value.kind == ValueKind::win ? ValueKind::loss : ValueKind::win;
  ++value.amount;
  return value;
}

/// The grade and the chances that follow from the values before and after a turn.
void expect_graded(const ReviewedTurn& turn, const MoveValue& could, const MoveValue& did) {
  ASSERT_EQ(turn.could, could);
  ASSERT_EQ(turn.did, did);
  const TurnGrade grade = could.kind != did.kind ? TurnGrade::mistake
                          : could == did         ? TurnGrade::best
                                                 : TurnGrade::weaker;
  EXPECT_EQ(turn.grade, grade);
  EXPECT_EQ(turn.cost() > 0, grade == TurnGrade::mistake);
  EXPECT_EQ(turn.better.empty(), grade == TurnGrade::best);
}

TEST(Review, agrees_with_the_table_on_every_turn_of_abalone_4x4) {
  const char* const spec = "abalone:4x4";
  const paika_tests::TemporaryFolder folder;
  SearchSettings settings;
  settings.tables = folder.path().string();
  SolveSettings solving;
  solving.memory = std::uint64_t{256} << 20;
  const auto solver = must(open_solver(spec), spec);
  solving.table = table_path(settings.tables, solver->label());
  ASSERT_TRUE(solver->solve(solving));
  const GamePtr game = must_open(spec);
  const auto book = must(TableBook::open(game->notation().spec(), settings.tables), "book");
  ASSERT_NE(book, nullptr);
  ReviewRequest request;
  request.oracle = must(certain_oracle(*game, settings, 0), "oracle");
  Random random(29);
  int mistakes = 0;
  for (std::size_t i = 0; i < rounds_of_games(); ++i) {
    const GameRecord record = engine_game(*game, random, 100);
    const GameReview reviewed = must(review(*game, record, request), "review");
    ASSERT_EQ(reviewed.turns.size(), record.turns.size());
    const auto session = game->start();
    for (const ReviewedTurn& turn : reviewed.turns) {
      const auto before = must(book->value(*session), "value");
      ASSERT_TRUE(before);
      ASSERT_TRUE(session->try_play(turn.text));
      mistakes += turn.grade == TurnGrade::mistake ? 1 : 0;
      if (session->outcome().over()) continue;
      const auto after = must(book->value(*session), "value");
      ASSERT_TRUE(after);
      expect_graded(turn, move_value(*before), one_turn_earlier(move_value(*after)));
    }
  }
  EXPECT_GT(mistakes, 0);
}

TEST(Review, a_blunder_is_the_turning_point) {
  // Black could win in 1 and loses in 2 instead. The engine alone judges.
  const GamePtr game = must_open("abalone:3x3,captures=1");
  GameRecord record;
  record.spec = game->notation().spec();
  for (const char* text : {"b1b2", "c3c2", "b2c3"}) record.turns.push_back({text, {}, {}, 0});
  SearchSettings settings;
  settings.threads = 0;
  settings.hash_mb = 1;
  const auto engine = game->engine(settings);
  ReviewRequest request;
  request.engine = engine.get();
  request.time = Milliseconds(400);
  double progress = 0;
  request.on_progress = [&](double part) { progress = part; };
  const GameReview reviewed = must(review(*game, record, request), "review");
  EXPECT_EQ(progress, 1);
  ASSERT_FALSE(reviewed.turning_points.empty());
  EXPECT_EQ(reviewed.turning_points.front(), 2U);
  EXPECT_EQ(reviewed.turns[2].grade, TurnGrade::mistake);
  EXPECT_EQ(reviewed.turns[2].better, std::vector<std::string>{"a2b2"});
  EXPECT_EQ(reviewed.chances.size(), 4U);
  EXPECT_LT(reviewed.players[0].per_cent(), reviewed.players[1].per_cent());
}

/// A game that the engine plays against itself, but that from the sixth turn on it takes the worst move once: the first
/// one by which, to its own mind, at least 35 of 100 chances are lost. Where that was; nothing if there was none.
std::optional<std::size_t> plant_blunder(const Game& game, std::uint64_t seed, GameRecord& record) {
  constexpr std::size_t turns = 20;
  constexpr std::size_t first = 6;
  constexpr double min_cost = 35;
  Random random(seed);
  record.spec = game.notation().spec();
  const auto session = game.start();
  SearchSettings settings;
  settings.hash_mb = 4;
  settings.threads = 0;
  settings.lines = max_lines;
  const auto engine = game.engine(settings);
  SearchLimits limits;
  limits.nodes = 20'000;
  std::optional<std::size_t> planted;
  const auto chances = [](int score) { return is_won(score) ? 100.0 : is_lost(score) ? 0.0 : chances_of(score); };
  while (!session->outcome().over() && record.turns.size() < turns) {
    const auto lines = engine->think(*session, limits).info.lines;
    std::string text = lines.front().texts.front();
    if (record.turns.size() < 2) {
      text = lines[random.index(std::min<std::size_t>(lines.size(), 4))].texts.front();
    } else if (!planted && record.turns.size() >= first &&
               chances(lines.front().score) - chances(lines.back().score) >= min_cost) {
      text = lines.back().texts.front();
      planted = record.turns.size();
    }
    EXPECT_TRUE(session->try_play(text));
    record.turns.push_back({text, {}, {}, 0});
  }
  return planted;
}

TEST(Review, a_blunder_in_an_ordinary_game_is_the_turning_point) {
  const bool all_games = std::getenv("PAIKA_REVIEW_GAMES") != nullptr;  // each takes eighty searches
  for (const char* spec : {"othello", "abalone:5x5", "fanorona:5x5,classic", "wildebeest"}) {
    SCOPED_TRACE(spec);
    const GamePtr game = must_open(spec);
    GameRecord record;
    const auto planted = plant_blunder(*game, 5, record);
    ASSERT_TRUE(planted);
    SearchSettings settings;
    settings.threads = 0;
    settings.hash_mb = 4;
    const auto engine = game->engine(settings);
    ReviewRequest request;
    request.engine = engine.get();
    request.time = Milliseconds(2'000);
    const GameReview reviewed = must(review(*game, record, request), "review");
    // On a busy machine the engine sees little in its time, and may think as badly of another move.
    const auto& points = reviewed.turning_points;
    EXPECT_NE(std::find(points.begin(), points.end(), *planted), points.end()) << *planted;
    EXPECT_EQ(reviewed.turns[*planted].grade, TurnGrade::mistake);
    if (!all_games) break;
  }
}

TEST(Review, the_oracle_is_asked_from_the_end_until_its_time_is_over) {
  const GamePtr game = must_open("othello:6x6");
  const GameRecord record = record_with({"c2", "b2"});
  std::vector<int> asked;  // by how many turns had been played
  ReviewRequest request;
  request.oracle = [&](const Session& session) -> Result<std::vector<OracleTurn>> {
    asked.push_back(session.turns_played());
    std::vector<OracleTurn> turns;
    session.for_each_turn([&](const ListedTurn& turn) {
      turns.push_back({turn.text, value_of_margin(2)});
      return true;
    });
    return turns;
  };
  EXPECT_TRUE(must(review(*game, record, request), "review").turns[0].judged());
  EXPECT_EQ(asked, (std::vector<int>{2, 1, 0}));
  asked.clear();
  request.oracle_time = Milliseconds(-1);
  EXPECT_FALSE(must(review(*game, record, request), "review").turns[1].judged());
  EXPECT_TRUE(asked.empty());
  // One that takes a long time is not asked for what would take three times as long.
  request.oracle_time = Milliseconds(40);
  const Oracle quick = request.oracle;
  request.oracle = [&](const Session& session) {
    std::this_thread::sleep_for(Milliseconds(20));
    return quick(session);
  };
  const GameReview part = must(review(*game, record, request), "review");
  EXPECT_EQ(asked, std::vector<int>{2});
  EXPECT_FALSE(part.turns[0].judged());
}

TEST(Review, agrees_with_a_table_of_few_stones) {
  const char* const spec = "fanorona:7x3,sacrifice=off,limit=0";
  const paika_tests::TemporaryFolder folder;
  SearchSettings settings;
  settings.tables = folder.path().string();
  const auto solver = must(open_solver(spec, 4), spec);
  SolveSettings solving;
  solving.table = table_path(settings.tables, solver->label());
  solving.distances = false;
  ASSERT_TRUE(solver->solve(solving));
  const GamePtr game = must_open(spec);
  const auto book = must(TableBook::open(spec, settings.tables), "book");
  ASSERT_NE(book, nullptr);
  Random random(31);
  int mistakes = 0;
  for (int i = 0; i < 10; ++i) {
    GameRecord record;
    record.spec = game->notation().spec();
    record.start = "w...b../......./.w....b w 0";
    const auto session = must(game->start_from_text(record.start), "start");
    std::vector<std::optional<Value>> values;
    while (!session->outcome().over() && record.turns.size() < 12) {
      values.push_back(must(book->value(*session), "value"));
      std::vector<std::string> all;
      session->for_each_turn([&](const ListedTurn& turn) {
        all.push_back(turn.text);
        return true;
      });
      record.turns.push_back({all[random.index(all.size())], {}, {}, 0});
      ASSERT_TRUE(session->try_play(record.turns.back().text));
    }
    ReviewRequest request;
    request.oracle = must(certain_oracle(*game, settings, 0), "oracle");
    const GameReview reviewed = must(review(*game, record, request), "review");
    for (std::size_t turn = 0; turn < values.size(); ++turn) {
      ASSERT_TRUE(values[turn] && reviewed.turns[turn].could);
      ASSERT_EQ(reviewed.turns[turn].could->kind, values[turn]->kind());
      mistakes += reviewed.turns[turn].grade == TurnGrade::mistake ? 1 : 0;
      if (turn + 1 == values.size()) continue;
      const MoveValue did = one_turn_earlier(move_value(*values[turn + 1]));
      ASSERT_EQ(reviewed.turns[turn].did->kind, did.kind);
    }
  }
  EXPECT_GT(mistakes, 0);
}

}  // namespace
}  // namespace paika::play
