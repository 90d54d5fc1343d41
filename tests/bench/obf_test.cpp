// The positions that endings_bench reads: good lines, and what is said of bad ones.
#include "bench/obf.hpp"

#include <gtest/gtest.h>
#include <sstream>

namespace paika::othello {
namespace {

constexpr std::string_view cells = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------";

std::string line(std::string_view rest) { return std::string(cells) + std::string(rest); }

std::string error_of(const std::string& text) {
  const auto position = parse_obf_line(text);
  return position ? "no error" : position.error().message;
}

TEST(Obf, reads_the_board_the_side_and_the_best_score) {
  const auto position = parse_obf_line(line(" X; B1:+30; A2:+38; c7:36;"));
  ASSERT_TRUE(position) << position.error().message;
  EXPECT_EQ(position->board.to_move, Player::first);
  EXPECT_EQ(position->score, 38);
  EXPECT_FALSE(parse_obf_line(line(" X"))->score);
  EXPECT_EQ(parse_obf_line(line(" X; a2:-4"))->score, -4);
}

TEST(Obf, writes_what_it_reads) {
  const std::string text = line(" X; a2:+38;");
  const auto position = parse_obf_line(text);
  ASSERT_TRUE(position);
  EXPECT_EQ(obf_line(position->board, {{StepKind::place, {0, 1}}}, 38), text);
}

TEST(Obf, says_what_is_wrong) {
  EXPECT_NE(error_of("XO X").find("64"), std::string::npos) << error_of("XO X");
  EXPECT_NE(error_of(std::string(cells)).find("side to move"), std::string::npos);
  EXPECT_NE(error_of(line(" X; a2")).find("a2:+38"), std::string::npos);
  EXPECT_NE(error_of(line(" X; z9:+2")).find("z9"), std::string::npos);
  EXPECT_NE(error_of(line(" X; h8:+2")).find("h8"), std::string::npos) << "not a legal move";
  for (const std::string_view score : {"", "+", "+-2", "3", "66", "two"}) {
    EXPECT_NE(error_of(line(" X; a2:") + std::string(score)).find("even number"), std::string::npos) << score;
  }
}

TEST(Obf, skips_comments_and_names_the_line_of_an_error) {
  std::istringstream good("% a comment\n\n" + line(" X; a2:+38; % forty\n") + line(" O\n"));
  const auto positions = read_obf(good);
  ASSERT_TRUE(positions) << positions.error().message;
  ASSERT_EQ(positions->size(), 2U);
  EXPECT_EQ((*positions)[0].line, 3);
  EXPECT_EQ((*positions)[1].line, 4);
  std::istringstream bad(line(" X\n") + "rubbish\n");
  const auto failed = read_obf(bad);
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().message.starts_with("line 2: ")) << failed.error().message;
}

}  // namespace
}  // namespace paika::othello
