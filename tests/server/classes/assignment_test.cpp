// Assignments without a server: tasks that are read, stored and judged, and how far somebody is.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/classes/assignment_pages.hpp"
#include "server/classes/assignment_tasks.hpp"
#include "server/classes/class_board.hpp"

namespace paika::server {
namespace {

Result<std::vector<Task>> tasks_of(const char* json, std::span<const Task> known = {}) {
  return read_tasks(Json::parse(json), known, {"", 7});
}

TEST(AssignmentTasks, are_the_same_after_being_stored) {
  const auto tasks = tasks_of(R"([{"kind": "position", "note": "Well?", "spec": "othello:6x6", "moves": ["B3", "c2"]},
    {"kind": "puzzles", "game": "abalone", "count": 2, "max_level": 3},
    {"kind": "game", "spec": "fanorona:5x5", "level": 3, "games": 2, "goal": "draw", "side": "second", "clock_ms": 9000}])");
  ASSERT_TRUE(tasks) << tasks.error().message;
  ASSERT_EQ(tasks->size(), 4U);
  EXPECT_EQ(tasks->front().accepted, (std::vector<std::string>{"b3", "c2"}));
  const Json whole = tasks_json(*tasks, true);
  EXPECT_EQ(tasks_json(stored_tasks(whole.dump()), true), whole);
  for (const Json& shown : tasks_json(*tasks, false)) {
    EXPECT_FALSE(shown.contains("accepted") || shown.contains("puzzle")) << shown.dump();
  }
}

TEST(AssignmentTasks, a_forced_win_is_proven) {
  // Black takes the last stone of White: the search needs no table for that.
  const auto tasks = tasks_of(R"([{"kind": "position", "spec": "othello:6x6",
    "position": "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X"}])");
  ASSERT_TRUE(tasks) << tasks.error().message;
  EXPECT_EQ(tasks->front().accepted, std::vector<std::string>{"f6"});
  EXPECT_TRUE(judge_move(tasks->front(), "F6")->solved);
  EXPECT_EQ(judge_move(tasks->front(), "a1").error().status, 422);
}

TEST(AssignmentTasks, what_a_search_has_proven_is_to_win_in_so_many_moves) {
  // In the last one Black pushes a stone off at once; no table is needed for that.
  const auto tasks = tasks_of(R"json([{"kind": "puzzles", "game": "wildebeest", "count": 2, "theme": "two-moves"},
    {"kind": "puzzles", "game": "othello", "count": 1},
    {"kind": "position", "spec": "abalone:3x3,captures=1", "position": "(b b-w bbw -w-)"}])json");
  ASSERT_TRUE(tasks) << tasks.error().message;
  ASSERT_EQ(tasks->size(), 4U);
  const Json shown = tasks_json(*tasks, false);
  EXPECT_EQ(shown[0].at("moves"), 2);
  EXPECT_EQ(shown[1].at("moves"), 2);
  EXPECT_FALSE(shown[2].contains("moves"));
  EXPECT_EQ(shown[3].at("proof"), "proof");
  EXPECT_GE(shown[3].at("moves"), 1);
  EXPECT_EQ(stored_tasks(shown.dump())[0].moves, 2);
}

TEST(AssignmentTasks, a_search_for_wins_does_not_say_which_moves_do_not_lose) {
  const auto tasks = tasks_of(R"json([{"kind": "position", "spec": "abalone:3x3,captures=1",
    "position": "(b b-w bbw -w-)", "goal": "draw"}])json");
  ASSERT_FALSE(tasks);
  EXPECT_NE(tasks.error().message.find("proves which moves do not lose"), std::string::npos) << tasks.error().message;
}

TEST(AssignmentTasks, those_that_stay_keep_their_numbers) {
  const auto first = tasks_of(R"([{"kind": "game", "spec": "othello"}, {"kind": "game", "spec": "abalone"}])");
  ASSERT_TRUE(first);
  const auto second = tasks_of(R"([{"kind": "game", "spec": "wildebeest"}, {"task": 2}])", *first);
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ((*second)[0].number, 3);
  EXPECT_EQ((*second)[1].number, 2);
  EXPECT_EQ((*second)[1].spec, (*first)[1].spec);
}

TEST(AssignmentProgress, counts_until_the_goal_was_reached_often_enough) {
  Task task;
  task.number = 2;
  task.kind = TaskKind::game;
  task.games = 2;
  const std::vector<AttemptRow> attempts = {{1, 2, 10, 20, "", "r1", true},  {1, 1, 11, 12, "b3", "", true},
                                            {1, 2, 21, 30, "", "r2", false}, {1, 2, 31, 40, "", "r3", true},
                                            {1, 2, 41, 50, "", "r4", true},  {1, 2, 51, 0, "", "r5", false}};
  const TaskProgress late = progress_of(task, 35, attempts);
  EXPECT_EQ(late.attempts, 5);
  EXPECT_EQ(late.reached, 3);
  EXPECT_EQ(late.solved, 40);
  EXPECT_TRUE(late.late);
  EXPECT_EQ(late.running, "r5");
  EXPECT_FALSE(progress_of(task, 40, attempts).late) << "in time to the millisecond";
  EXPECT_FALSE(progress_of(task, 0, attempts).late) << "there is no deadline";
  EXPECT_EQ(progress_of(task, 0, std::span(attempts).first(3)).solved, 0);
}

TEST(ClassBoards, are_the_same_after_being_stored) {
  const auto nobody = [](const std::string&) { return std::optional<MemberRow>(); };
  const BoardCaller teacher{1, "Miss", true};
  const BoardCaller student{2, "Sue", false};
  const auto apply = [&](ClassBoard board, const char* command, const BoardCaller& caller) {
    auto next = apply_to_board(std::move(board), Json::parse(command), caller, nobody);
    EXPECT_TRUE(next) << command;
    return next ? *next : ClassBoard{};
  };
  ClassBoard board = apply({}, R"({"do": "open", "spec": "othello:6x6"})", teacher);
  board = apply(board, R"({"do": "move", "move": "b3"})", teacher);
  board = apply(board, R"({"do": "allow", "may_point": true})", teacher);
  board = apply(board, R"({"do": "point", "from": "a1", "to": "b2"})", student);
  board = apply(board, R"({"do": "mark", "marks": [{"from": "a1", "to": "a1"}]})", teacher);
  EXPECT_EQ(board.version, 5U);
  EXPECT_EQ(board_json(stored_board(board_text(board))), board_json(board));
  EXPECT_FALSE(stored_board("{").open) << "rubbish is no board";
  EXPECT_FALSE(stored_board(R"({"open": true, "positions": [], "moves": ["b3"]})").open);
}

}  // namespace
}  // namespace paika::server
