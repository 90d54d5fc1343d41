// Grading: successors, readings of open rules, boards by chance, and what is made of a program's answers.
#include "grading/grade.hpp"

#include <fstream>
#include <gtest/gtest.h>

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
  EXPECT_NE(readings_of("wildebeest", {"pad"}).error().message.find("pads and swarm"), std::string::npos);
}

TEST(RandomBoards, the_seed_decides) {
  const auto game = paika_tests::must_open("wildebeest");
  const auto texts = [&](std::uint64_t seed) {
    std::vector<std::string> all;
    for (const GradeBoard& board : random_boards(*game, 10, seed)) {
      EXPECT_TRUE(successors_of(*game, board.text)) << board.text;
      all.push_back(board.text);
    }
    return all;
  };
  EXPECT_EQ(texts(1), texts(1));
  EXPECT_NE(texts(1), texts(2));
  EXPECT_EQ(random_boards(*paika_tests::must_open("fanorona:3x3"), 5, 1).size(), 5U);
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
  auto grade = grade_board(plan, {"start", plan.readings[0]->start()->position_text()}, {});
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

}  // namespace
}  // namespace paika::grading
