// Records: written and read back, and refused with the line that is wrong.
#include "play/record.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "play/settings.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::must;
using paika_tests::must_open;

/// A random game of `spec`, stopped after `most` turns.
GameRecord random_record(const std::string& spec, int most, std::uint64_t seed) {
  const GamePtr game = must_open(spec);
  const auto session = game->start();
  Random random(seed);
  GameRecord record;
  record.spec = game->notation().spec();
  record.players = {"engine:time=100ms", "bot:python3 'my bot.py'"};
  record.limits[0].move_time = Milliseconds(100);
  record.limits[1].clock = GameClock{Milliseconds(60'000), Milliseconds(500)};
  record.notes = {"a note", "another"};
  while (!session->outcome().over() && static_cast<int>(record.turns.size()) < most) {
    std::vector<std::string> turns;
    session->for_each_turn([&](const ListedTurn& t) {
      turns.push_back(t.text);
      return turns.size() < 100;
    });
    RecordedTurn turn{turns[random.index(turns.size())], {}, {}, 0};
    if (random.one_in(2)) turn.time = std::chrono::microseconds(random.below(1'000'000));
    if (random.one_in(2)) turn.score = static_cast<int>(random.below(2000)) - 1000;
    if (random.one_in(2)) turn.depth = static_cast<int>(random.below(20));
    EXPECT_TRUE(session->try_play(turn.text));
    record.turns.push_back(turn);
  }
  record.opening = std::min(2, static_cast<int>(record.turns.size()));
  const Outcome outcome = session->outcome();
  if (outcome.over()) {
    record.result = {outcome.verdict, std::string(name(outcome.reason)), ""};
  } else {
    record.result = {Verdict::first_wins, "time", "it took 200 ms of 100 ms"};
  }
  return record;
}

void expect_same(const GameRecord& a, const GameRecord& b) {
  EXPECT_EQ(a.spec, b.spec);
  EXPECT_EQ(a.players, b.players);
  EXPECT_EQ(limits_text(a.limits[0]), limits_text(b.limits[0]));
  EXPECT_EQ(limits_text(a.limits[1]), limits_text(b.limits[1]));
  EXPECT_EQ(a.since, b.since);
  EXPECT_EQ(a.pending, b.pending);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.start, b.start);
  EXPECT_EQ(a.opening, b.opening);
  EXPECT_TRUE(a.turns == b.turns);
  EXPECT_TRUE(a.result == b.result);
}

TEST(Record, what_is_written_is_read) {
  for (const std::string spec : {"fanorona:5x5", "abalone", "othello:6x6", "wildebeest"}) {
    const GameRecord finished = random_record(spec, 1000, 1);
    const GameRecord cut = random_record(spec, 9, 2);
    const auto read = must(parse_records(record_text(finished) + "\n# a remark\n" + record_text(cut)), spec);
    ASSERT_EQ(read.size(), 2U);
    expect_same(read[0], finished);
    expect_same(read[1], cut);
  }
}

TEST(Record, a_start_position_and_other_forms_of_turns) {
  const auto read = must(parse_records("paika-record 1\r\nspec OTHELLO\r\n"
                                       "start -------------------X-------XX------XO--------------------------- o\r\n"
                                       "move C3\r\nresult ongoing none\r\nend\r\n"),
                         "record");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].spec, "othello:8x8");
  EXPECT_EQ(read[0].turns[0].text, "c3");
  EXPECT_EQ(read[0].start, "-------------------X-------XX------XO--------------------------- O");
  expect_same(must(parse_records(record_text(read[0])), "again")[0], read[0]);
}

TEST(Record, moves_of_older_records_are_called_turns) {
  const auto read =
      must(parse_records("paika-record 1\nspec othello\nturn e6\nturn f4\nresult ongoing none\nend\n"), "record");
  ASSERT_EQ(read.at(0).turns.size(), 2U);
  EXPECT_EQ(record_text(read[0]), "paika-record 1\nspec othello:8x8\nmove e6\nmove f4\nresult ongoing none\nend\n");
}

TEST(Record, games_that_older_records_end_by_max_turns_end_by_max_moves) {
  const auto read =
      must(parse_records("paika-record 1\nspec othello\nmove e6\nresult draw max_turns\nend\n"), "record");
  EXPECT_EQ(read.at(0).result.reason, too_long_reason);
  EXPECT_EQ(record_text(read[0]), "paika-record 1\nspec othello:8x8\nmove e6\nresult draw max_moves\nend\n");
}

TEST(Record, limits_that_changed_and_a_turn_that_is_thought_about) {
  GameRecord record = random_record("othello", 6, 3);
  record.result = {};
  record.since = {4, 6};
  record.pending = std::chrono::microseconds(1'234'567);
  expect_same(must(parse_records(record_text(record)), "record").at(0), record);
}

TEST(Record, names_cannot_break_out_of_their_line) {
  GameRecord record;
  record.spec = "abalone:4x4";
  record.players[0] = "bot:a\nend\nspec x";
  const auto read = must(parse_records(record_text(record)), "record");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].players[0], "bot:a?end?spec x");
}

std::string record_error(const std::string& text) {
  const auto read = parse_records(text);
  return read ? "" : read.error().message;
}

TEST(Record, errors_name_the_line) {
  EXPECT_EQ(record_error("hello\n"), "line 1: a record begins with \"paika-record 1\", not \"hello\"");
  EXPECT_EQ(record_error("\n\npaika-record 2\n"), "line 3: the record has version \"2\"; this program reads version 1");
  const std::string head = "paika-record 1\nspec othello\n";
  EXPECT_EQ(record_error(head + "move a1\n").substr(0, 27), "line 3: move 1, \"a1\": a1 en");
  EXPECT_EQ(record_error(head), "line 2: the last record has no end");
  EXPECT_EQ(record_error(head + "end\n"), "line 3: the record has no result");
  EXPECT_EQ(record_error(head + "remark x\nend\n"), "line 4: the record has no result");
  EXPECT_EQ(record_error(head + "mvoe d3\n").substr(0, 52), "line 3: there is no keyword \"mvoe\" (did you mean mov");
  EXPECT_EQ(record_error(head + "who x\n"),
            "line 3: there is no keyword \"who\"; the keywords are spec, first, second, first-limits, second-limits, "
            "first-since, second-since, note, start, opening, move, pending, result, remark and end");
  EXPECT_EQ(record_error(head + "move d3\nfirst x\n"), "line 4: first cannot come after move");
  EXPECT_EQ(record_error(head + "first x\nfirst x\n"), "line 4: first cannot come after first");
  EXPECT_EQ(record_error("paika-record 1\nfirst x\n"), "line 2: a record begins with its spec, not with first");
  EXPECT_EQ(record_error(head + "move d3 speed=9\n"),
            "line 3: \"speed=9\" is none of time=NUMBERus, score=NUMBER and depth=NUMBER");
  EXPECT_EQ(record_error(head + "opening 3\nmove d3\nresult ongoing none\nend\n"),
            "line 5: the opening has 3 moves, but the game only 1");
  EXPECT_EQ(record_error(head + "first-since 0\n"),
            "line 3: first-since must be a whole number from 1 to 1000000, not \"0\"");
  EXPECT_EQ(record_error(head + "second-since 2\nmove d3\nresult ongoing none\nend\n"),
            "line 5: limits cannot begin at move 2 of a game of 1");
  EXPECT_EQ(record_error(head + "pending score=3\n"), "line 3: pending must be time=NUMBERus, not \"score=3\"");
  EXPECT_EQ(record_error(head + "result won by_magic\n"),
            "line 3: a result is ongoing, first_wins, second_wins or draw, and the reason");
}

TEST(Record, the_rules_decide_the_result) {
  const std::string head = "paika-record 1\nspec othello\n";
  EXPECT_NE(record_error(head + "result first_wins eliminated\nend\n"), "");
  EXPECT_NE(record_error(head + "result draw time\nend\n"), "");
  EXPECT_EQ(record_error(head + "result draw max_moves\nend\n"), "");
  EXPECT_EQ(record_error(head + "result draw agreed\nend\n"), "");
  EXPECT_EQ(record_error(head + "result first_wins resigned\nend\n"), "");
  EXPECT_EQ(record_error(head + "result ongoing abandoned\nend\n"), "");
  EXPECT_NE(record_error(head + "result draw resigned\nend\n"), "");
  EXPECT_NE(record_error(head + "result first_wins agreed\nend\n"), "");
  EXPECT_NE(record_error(head + "result second_wins abandoned\nend\n"), "");
  EXPECT_EQ(record_error(head + "result second_wins crash\nremark it has ended\nend\n"), "");
  GameRecord finished = random_record("othello:6x6", 1000, 5);
  finished.result.verdict = Verdict::ongoing;
  finished.result.reason = "none";
  EXPECT_NE(record_error(record_text(finished)), "");
}

}  // namespace
}  // namespace paika::play
