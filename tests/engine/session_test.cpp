// Game and Session: what every layer above relies on, over all games.
#include "tests/support/session.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "engine/diagram.hpp"
#include "engine/json.hpp"
#include "engine/registry.hpp"

namespace paika {
namespace {

using paika_tests::must_open;
using paika_tests::session_at;

TEST(Registry, opens_every_example_and_its_canonical_spec) {
  ASSERT_EQ(all_games().size(), 4U);
  for (const GameInfo* info : all_games()) {
    EXPECT_FALSE(info->examples.empty());
    for (const std::string& example : info->examples) {
      const GamePtr game = must_open(example);
      const std::string spec = game->notation().spec();
      EXPECT_EQ(must_open(spec)->notation().spec(), spec);
    }
    for (const std::string& alias : info->aliases) EXPECT_EQ(&must_open(alias)->info(), info);
  }
}

TEST(Registry, names_are_taken_in_any_case_and_slips_are_guessed) {
  EXPECT_EQ(must_open("OTHELLO")->notation().spec(), "othello:8x8");
  EXPECT_EQ(must_open(" othello:6x6 \n")->notation().spec(), "othello:6x6");
  const auto slip = open_game("otello:8x8");
  ASSERT_FALSE(slip);
  EXPECT_EQ(slip.error().message,
            "there is no game \"otello\" (did you mean othello?); the games are fanorona, abalone, othello and "
            "wildebeest");
  EXPECT_FALSE(open_game(""));
  EXPECT_FALSE(open_game(std::string(10'000'000, 'q')));
}

TEST(Session, undo_restores_position_and_key) {
  for (const GameInfo* info : all_games()) {
    const auto session = must_open(info->name)->start();
    Random random(3);
    std::vector<std::pair<std::string, std::uint64_t>> seen;
    for (int ply = 0; ply < 12; ++ply) {
      std::vector<ListedTurn> turns;
      session->for_each_turn([&](const ListedTurn& t) {
        turns.push_back(t);
        return true;
      });
      EXPECT_EQ(turns.size(), session->count_turns());
      if (turns.empty()) break;
      seen.emplace_back(session->position_text(), session->key());
      const ListedTurn& turn = turns[random.index(turns.size())];
      ASSERT_TRUE(session->try_play(turn.text));
      EXPECT_EQ(session->position_text(), turn.position_after);
    }
    EXPECT_EQ(session->turns_played(), static_cast<int>(seen.size()));
    while (!seen.empty()) {
      ASSERT_TRUE(session->undo());
      EXPECT_EQ(session->position_text(), seen.back().first);
      EXPECT_EQ(session->key(), seen.back().second);
      seen.pop_back();
    }
    EXPECT_FALSE(session->undo());
  }
}

TEST(Session, a_refused_turn_changes_nothing) {
  for (const GameInfo* info : all_games()) {
    const auto session = must_open(info->name)->start();
    const std::string before = session->position_text();
    for (const std::string_view text : {"", "rubbish", "a1a1", "z99", "pass", "\xff\xfe"}) {
      const auto played = session->try_play(text);
      ASSERT_FALSE(played) << info->name << " " << text;
      EXPECT_FALSE(played.error().message.english().empty());
      EXPECT_FALSE(played.error().clause.empty());
    }
    EXPECT_EQ(session->position_text(), before);
    EXPECT_EQ(session->turns_played(), 0);
  }
}

/// Plays four turns that lead back to where they began, twice: the position comes for the third time.
void shuffle_twice(Session& session, const std::vector<std::string>& four_turns) {
  for (int round = 0; round < 2; ++round) {
    for (const std::string& turn : four_turns) {
      EXPECT_FALSE(session.outcome().over()) << "before " << turn << " of round " << round + 1;
      paika_tests::must(session.try_play(turn), turn);
    }
  }
}

void expect_repetition_draw(Session& session, const std::vector<std::string>& four_turns, const std::string& clause) {
  const std::uint64_t key = session.key();
  shuffle_twice(session, four_turns);
  EXPECT_EQ(session.key(), key);
  EXPECT_EQ(session.outcome(), Outcome::draw(EndReason::repetition));
  EXPECT_EQ(session.count_turns(), 0U);
  const Ending ending = session.notation().ending(session.board(), session.outcome());
  const std::string sentence = ending.sentence.english();
  EXPECT_NE(sentence.find("third time"), std::string::npos) << sentence;
  EXPECT_EQ(ending.clause, clause);
  const auto more = session.try_play(four_turns[0]);
  ASSERT_FALSE(more);
  EXPECT_NE(more.error().message.english().find("the game is over"), std::string::npos);
  EXPECT_EQ(more.error().clause, clause);
  ASSERT_TRUE(session.undo());
  EXPECT_FALSE(session.outcome().over());
  EXPECT_GT(session.count_turns(), 0U);
}

TEST(Repetition, the_third_occurrence_is_a_draw_in_abalone_3_3) {
  expect_repetition_draw(*session_at("abalone:4x4"), {"b1b2", "d3c3", "b2b1", "c3d3"}, "3.3");
}

TEST(Repetition, a_clone_remembers_the_game_and_goes_its_own_way) {
  const std::vector<std::string> four_turns = {"b1b2", "d3c3", "b2b1", "c3d3"};
  const auto session = session_at("abalone:4x4");
  for (const std::string& turn : four_turns) paika_tests::must(session->try_play(turn), turn);
  const auto clone = session->clone();
  for (const std::string& turn : four_turns) paika_tests::must(clone->try_play(turn), turn);
  EXPECT_EQ(clone->outcome(), Outcome::draw(EndReason::repetition));
  EXPECT_EQ(clone->turns_played(), 8);
  EXPECT_EQ(&clone->game(), &session->game());
  EXPECT_EQ(session->turns_played(), 4);
  EXPECT_FALSE(session->outcome().over());
}

constexpr std::string_view two_stones = "b..../...../...../...../....w w 3";
const std::vector<std::string> two_stones_shuffle = {"e1d1", "a5b5", "d1e1", "b5a5"};

TEST(Repetition, in_fanorona_without_a_limit_the_move_count_does_not_matter_3_4) {
  for (const std::string spec : {"fanorona:5x5,limit=0", "fanorona:5x5,classic"}) {
    const auto session = session_at(spec, two_stones);
    shuffle_twice(*session, two_stones_shuffle);
    EXPECT_EQ(session->position_text(), "b..../...../...../...../....w w 11");
    expect_repetition_draw(*session_at(spec, two_stones), two_stones_shuffle, "3.4");
  }
}

TEST(Repetition, is_no_draw_in_fanorona_with_a_limit_3_4) {
  const auto session = session_at("fanorona:5x5", two_stones);
  for (int i = 0; i < 3; ++i) shuffle_twice(*session, two_stones_shuffle);
  EXPECT_EQ(session->position_text(), "b..../...../...../...../....w w 27");
  EXPECT_FALSE(session->outcome().over());
}

TEST(Repetition, the_third_occurrence_is_a_draw_in_wildebeest_6_1) {
  const auto session = session_at("wildebeest",
                                  "W K........../.........../.........../.*.......*./.........../.....#...../"
                                  ".........../.*.......*./.........../.........../..........k 7 60000 3");
  expect_repetition_draw(*session, {"a0a1", "k10k9", "a1a0", "k9k10"}, "6.1");
}

TEST(Repetition, another_side_to_move_is_another_position) {
  // White loses a turn on the way: the stones stand where they stood, but Black is to move.
  const auto session = session_at("fanorona:5x5,limit=0", two_stones);
  for (const char* turn : {"e1d1", "a5b5", "d1d2", "b5a5", "d2e1"}) paika_tests::must(session->try_play(turn), turn);
  EXPECT_EQ(session->position_text(), "b..../...../...../...../....w b 8");
  shuffle_twice(*session, {"a5b5", "e1d1", "b5a5", "d1e1"});
  EXPECT_EQ(session->outcome(), Outcome::draw(EndReason::repetition)) << "three times with Black, four times in all";
}

TEST(Perft, threads_and_divide_give_the_same_numbers) {
  for (const std::string spec : {"fanorona:5x5", "abalone", "othello:6x6", "wildebeest"}) {
    const auto session = must_open(spec)->start();
    const auto run = [&](int depth, int threads, bool divide) {
      PerftRequest request;
      request.depth = depth;
      request.threads = threads;
      request.divide = divide;
      return session->perft(request);
    };
    for (int depth = 0; depth <= 3; ++depth) {
      const auto one = run(depth, 1, false);
      const auto four = run(depth, 4, true);
      EXPECT_EQ(one.nodes, four.nodes) << spec << " " << depth;
      std::uint64_t sum = 0;
      for (const auto& [turn, nodes] : four.divide) sum += nodes;
      EXPECT_EQ(sum, depth > 0 ? four.nodes : 0);
    }
  }
}

TEST(Perft, too_many_tasks_are_streamed_with_the_same_numbers) {
  const auto session = must_open("othello:6x6")->start();
  PerftRequest request;
  request.depth = 4;
  request.threads = 2;
  request.divide = true;
  request.finished = true;
  const auto spread = session->perft(request);
  for (const std::size_t most : {3U, 6U}) {  // fewer than the first ply has, and than the second has
    request.max_tasks = most;
    const auto streamed = session->perft(request);
    EXPECT_EQ(streamed.nodes, 244U);
    EXPECT_EQ(streamed.divide, spread.divide);
    EXPECT_EQ(streamed.finished, spread.finished);
  }
}

TEST(Perft, finished_games_of_othello_6_1) {
  const auto session = must_open("othello:8x8")->start();
  PerftRequest request;
  request.depth = 10;
  request.finished = true;
  request.threads = 2;
  const auto ten = session->perft(request);
  EXPECT_EQ(ten.nodes, 24571056U);
  EXPECT_EQ(ten.finished, 228U);
}

TEST(Perft, finished_games_are_counted_below_the_root_too) {
  const auto game = must_open("fanorona:3x3,sacrifice=off,limit=2");
  PerftRequest request;
  request.depth = 5;
  request.finished = true;
  const auto result = game->start()->perft(request);
  EXPECT_EQ(result.nodes, 0U);
  request.depth = 2;
  EXPECT_EQ(result.finished, game->start()->perft(request).nodes);
}

TEST(Diagram, shows_letters_numbers_and_pieces) {
  const auto session = must_open("othello:6x6")->start();
  EXPECT_EQ(diagram(session->notation(), session->board()),
            "   a b c d e f\n"
            "1  - - - - - -\n"
            "2  - - - - - -\n"
            "3  - - O X - -\n"
            "4  - - X O - -\n"
            "5  - - - - - -\n"
            "6  - - - - - -\n");
}

TEST(JsonForm, session_tells_position_and_outcome) {
  const auto session = must_open("abalone")->start();
  const Json json = session_json(*session);
  EXPECT_EQ(json["spec"], "abalone:4x4");
  EXPECT_EQ(json["position"], "(b bbb- b--w b--w -www)");
  EXPECT_EQ(json["to_move"], "Black");
  EXPECT_EQ(json["legal_moves"], 15);
  EXPECT_EQ(json["outcome"]["verdict"], "ongoing");
  EXPECT_EQ(json["grid"].size(), 4U);
}

}  // namespace
}  // namespace paika
