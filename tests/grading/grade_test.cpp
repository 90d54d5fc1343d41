// Grading: successors, readings of open rules, boards by chance, and what is made of a program's answers.
#include "grading/grade.hpp"

#include <fstream>
#include <gtest/gtest.h>

#include "engine/module.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/session.hpp"

namespace paika::grading {
namespace {

constexpr std::string_view othello_start = "othello:6x6";

TEST(Successors, of_boards_and_positions) {
  const auto wildebeest = paika_tests::must_open("wildebeest");
  const std::string start = wildebeest->start()->position_text();
  EXPECT_EQ(successors_of(*wildebeest, start)->size(), 29U) << "30 moves, two lead to the same board (7.3)";
  const std::string no_kings =
      "W .........../.........../.........../.*.......*./....R....../.....#...../.........../"
      ".*.......*./.........../.........../........... 0 60000 0";
  EXPECT_EQ(successors_of(*wildebeest, no_kings)->size(), 20U) << "also without kings (6.2)";
  EXPECT_FALSE(successors_of(*paika_tests::must_open(othello_start), "nonsense"));
}

TEST(Readings, every_combination_once) {
  const auto specs = [](std::string_view spec, const std::vector<std::string>& options) {
    std::vector<std::string> out;
    const auto readings = readings_of(spec, options);
    EXPECT_TRUE(readings) << readings.error().message;
    for (const GamePtr& game : *readings) out.push_back(game->notation().spec());
    return out;
  };
  EXPECT_EQ(specs("wildebeest", {}), (std::vector<std::string>{"wildebeest"}));
  EXPECT_EQ(specs("wildebeest", {"pads"}), (std::vector<std::string>{"wildebeest", "wildebeest:pads=cycle"}));
  EXPECT_EQ(specs("wildebeest:pads=cycle", {"pads"}),
            (std::vector<std::string>{"wildebeest:pads=cycle", "wildebeest"}));
  const auto both = specs("wildebeest", {"pads", "swarm"});
  EXPECT_EQ(std::set<std::string>(both.begin(), both.end()).size(), 4U);
  EXPECT_FALSE(readings_of("wildebeest", {"pad"}));
  EXPECT_NE(readings_of("wildebeest", {"pad"}).error().message.find("pads, swarm, poison and serpent"),
            std::string::npos);
  EXPECT_EQ(specs("wildebeest", {"pads", "swarm", "poison", "serpent"}).size(), 16U);
}

std::vector<GradeBoard> drawn(std::string_view spec, std::vector<BoardKind> kinds, int count, std::uint64_t seed) {
  auto boards = draw_boards(*paika_tests::must_open(spec), kinds, count, seed);
  EXPECT_TRUE(boards) << spec << ": " << boards.error().message;
  return boards ? std::move(*boards) : std::vector<GradeBoard>{};
}

std::vector<std::string> texts_of(const std::vector<GradeBoard>& boards) {
  std::vector<std::string> all;
  for (const GradeBoard& board : boards) all.push_back(board.text);
  return all;
}

const std::vector<BoardKind> usual(default_kinds.begin(), default_kinds.end());

TEST(DrawnBoards, the_seed_decides) {
  EXPECT_EQ(texts_of(drawn("wildebeest", usual, 8, 1)), texts_of(drawn("wildebeest", usual, 8, 1)));
  EXPECT_NE(texts_of(drawn("wildebeest", usual, 8, 1)), texts_of(drawn("wildebeest", usual, 8, 2)));
  EXPECT_EQ(drawn("fanorona:3x3", {BoardKind::game}, 5, 1).size(), 5U);
}

TEST(DrawnBoards, how_disputed_rules_are_read_changes_none) {
  const auto standard = texts_of(drawn("wildebeest", usual, 8, 3));
  for (const auto* reading :
       {"pads=cycle", "swarm=forbid", "poison=once", "serpent=survives", "pads=cycle,poison=once"}) {
    EXPECT_EQ(texts_of(drawn(std::string("wildebeest:") + reading, usual, 8, 3)), standard) << reading;
  }
}

TEST(DrawnBoards, come_from_games_that_are_not_over) {
  for (const auto* spec : {"wildebeest", "fanorona:5x5", "abalone:5x5,captures=3", "othello:6x6"}) {
    const auto game = paika_tests::must_open(spec);
    for (const GradeBoard& board : drawn(spec, usual, 24, 7)) {
      const auto session = game->start_from_text(board.text);
      ASSERT_TRUE(session) << spec << " " << board.text << ": " << session.error().message;
      EXPECT_FALSE((*session)->outcome().over()) << spec << " " << board.text;
    }
  }
}

/// How often the boards put each topic to the test, by label.
std::map<std::string, int> cases_of(std::string_view spec, const std::vector<GradeBoard>& boards) {
  const auto game = paika_tests::must_open(spec);
  const RuleTopics& topics = *module_of(*game).topics;
  std::map<std::string, int> cases;
  for (const RuleTopic& topic : topics.topics) cases[topic_label(topic)] = 0;
  for (const GradeBoard& board : boards) {
    const auto session = *game->start_from_text(board.text);
    session->for_each_turn([&](const ListedTurn& turn) {
      for (const auto topic : topics.exercised(game->notation(), session->board(), turn.steps)) {
        ++cases[topic_label(topics.topics[topic])];
      }
      return true;
    });
    for (const auto& turn : topics.forbidden(game->notation(), session->board())) {
      EXPECT_TRUE(session->refuse(turn.turn)) << spec << " " << board.text;
      ++cases[topic_label(topics.topics[turn.topic])];
    }
  }
  return cases;
}

TEST(DrawnBoards, put_every_rule_to_the_test) {
  for (const auto* spec : {"wildebeest", "fanorona:9x5", "abalone:5x5,captures=3,freeze,must", "othello:8x8"}) {
    for (const auto& [rule, cases] : cases_of(spec, drawn(spec, usual, 40, 3700))) {
      EXPECT_GT(cases, 0) << spec << " " << rule;
    }
  }
}

TEST(DrawnBoards, strewn_ones_are_on_request_and_not_for_every_game) {
  for (const GradeBoard& board : drawn("wildebeest", usual, 10, 1)) EXPECT_NE(board.kind, BoardKind::strewn);
  const auto strewn = drawn("wildebeest", {BoardKind::strewn}, 3, 1);
  ASSERT_EQ(strewn.size(), 3U);
  EXPECT_EQ(strewn[0].name, "strewn-00");
  const auto none = draw_boards(*paika_tests::must_open("othello"), std::vector{BoardKind::strewn}, 3, 1);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no strewn boards"), std::string::npos);
  EXPECT_EQ(read_kinds({"strewn,game", "game"}).value(), (std::vector{BoardKind::strewn, BoardKind::game}));
  EXPECT_FALSE(read_kinds({"gmae"}));
}

/// Grades a program that answers the start of 6x6 Othello with these lines.
BoardGrade graded(const std::vector<std::string>& lines) {
  const paika_tests::TemporaryFolder folder;
  const std::string path = folder.path() / "answer";
  std::ofstream file(path);
  for (const std::string& line : lines) file << line << "\n";
  file.close();
  GradePlan plan;
  plan.readings = {paika_tests::must_open(othello_start)};
  plan.launch = [&](const std::string& /*folder*/) { return play::shell_launch("cat " + path); };
  auto grade = grade_board(plan, {"start", plan.readings[0]->start()->position_text(), BoardKind::given}, {});
  EXPECT_TRUE(grade);
  return std::move(*grade);
}

TEST(Grade, correct_missing_extra_and_repeated) {
  const auto game = paika_tests::must_open(othello_start);
  const auto right = successors_of(*game, game->start()->position_text());
  ASSERT_EQ(right->size(), 4U);
  std::vector<std::string> lines;
  for (const auto& [position, turn] : *right) lines.push_back(position);
  EXPECT_TRUE(graded(lines).right());
  lines.push_back(lines[0]);
  EXPECT_TRUE(graded(lines).right()) << "twice is no mistake";
  EXPECT_EQ(graded(lines).repeated, 1);
  lines[0] = game->start()->position_text();
  lines[4] = "nonsense";
  const BoardGrade grade = graded(lines);
  EXPECT_FALSE(grade.right());
  EXPECT_EQ(grade.correct, 3);
  EXPECT_EQ(grade.missing, (std::vector<std::string>{right->begin()->second}));
  ASSERT_EQ(grade.extra.size(), 2U);
  EXPECT_EQ(grade.extra[0].where, "line 1");
  EXPECT_EQ(grade.extra[0].position, lines[0]);
  EXPECT_FALSE(grade.extra[1].complaint.empty());
  GradeTotals totals;
  totals.add(grade);
  EXPECT_DOUBLE_EQ(totals.percent(), 25) << "three correct less two wrong, of four";
}

TEST(Grade, counts_cases_of_each_rule_and_names_the_nearest_board) {
  const auto game = paika_tests::must_open(othello_start);
  const auto right = successors_of(*game, game->start()->position_text());
  std::vector<std::string> lines;
  for (const auto& [position, turn] : *right) lines.push_back(position);
  const std::string start = game->start()->position_text();
  std::string passed = start;
  passed.back() = 'O';
  lines[0] = passed;  // a pass, which 2.2 forbids, instead of the first placing
  const BoardGrade grade = graded(lines);
  const auto count = [&](std::string_view rule) {
    for (std::size_t i = 0; i < grade.topics.size(); ++i) {
      if (topic_label(module_of(*game).topics->topics[i]) == rule) return grade.topics[i];
    }
    return TopicCount{};
  };
  EXPECT_EQ(count("2.1 one run turned over").cases, 4);
  EXPECT_EQ(count("2.1 one run turned over").right, 3);
  EXPECT_EQ(count("2.2 pass").cases, 1);
  EXPECT_EQ(count("2.2 pass").right, 0);
  ASSERT_EQ(grade.extra.size(), 1U);
  EXPECT_EQ(grade.extra[0].complaint, "pass is forbidden by 2.2 pass");
  EXPECT_EQ(grade.extra[0].nearest, right->begin()->second) << "of equally near ones, the one that is missing";
  EXPECT_EQ(grade.extra[0].differences.size(), 2U) << "the pawn that is placed and the one that turns over";
}

TEST(GradeSummary, the_groups_sum_up) {
  GradeSummary summary;
  for (const BoardKind kind : {BoardKind::game, BoardKind::rules, BoardKind::game}) {
    BoardGrade grade;
    grade.kind = kind;
    grade.expected = 4;
    grade.correct = 3;
    grade.missing = {"a1"};
    grade.topics = {{4, 3}, {0, 0}};
    summary.add(grade);
  }
  EXPECT_EQ(summary.all.boards, 3);
  EXPECT_EQ(summary.groups[BoardKind::game].expected + summary.groups[BoardKind::rules].expected, summary.all.expected);
  EXPECT_EQ(summary.groups[BoardKind::game].missing + summary.groups[BoardKind::rules].missing, summary.all.missing);
  EXPECT_EQ(summary.topics[0].cases, 12);
  EXPECT_EQ(summary.topics[0].right, 9);
}

}  // namespace
}  // namespace paika::grading
