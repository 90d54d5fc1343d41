// The text form of positions (4.1): what is read, what is written, what is refused and how.
#include "base/text.hpp"
#include "helpers.hpp"

namespace paika::othello {
namespace {

const std::string start8 =
    text_of({"--------", "--------", "--------", "---OX---", "---XO---", "--------", "--------", "--------"}, 'X');
const std::string start6 = text_of({"------", "------", "--OX--", "--XO--", "------", "------"}, 'X');

std::string error_of(int size, std::string_view text) { return TestGame(Options{size}).position_error(text); }

void expect_error(int size, const std::string& text, std::string_view part) {
  EXPECT_TRUE(contains(error_of(size, text), part)) << in_quotes(text, 80);
}

TEST(OthelloPosition, clauses_1_2_1_3_and_4_1_the_start) {
  EXPECT_EQ(TestGame(Options{8}).start(), start8);
  EXPECT_EQ(TestGame(Options{6}).start(), start6);
  for (int n = 6; n <= 26; n += 2) {
    const auto notation = make_notation(Options{n});
    const auto read = notation->parse_position(notation->position_text(notation->initial()));
    ASSERT_TRUE(read) << n;
    EXPECT_EQ(*read, notation->initial());
  }
}

TEST(OthelloPosition, clause_4_1_rows_run_from_the_top) {
  const Drawn drawn({"X-----", "-X----", "--OX--", "--XO--", "------", "------"}, 'O');
  EXPECT_TRUE(drawn.board().cells[(Square{0, 0})].belongs_to(Player::first));
  EXPECT_EQ(drawn.notation().coordinates().name({0, 0}), "a1");
  EXPECT_EQ(drawn.board().to_move, Player::second);
  EXPECT_EQ(drawn.notation().glyph(drawn.board().cells[(Square{0, 0})]), 'X');
}

TEST(OthelloPosition, clause_4_1_other_accepted_forms) {
  const auto notation = make_notation(Options{8});
  std::string lower = lowered(start8);
  std::string dots = start8;
  std::string stars = start8;
  for (char& c : dots) c = c == '-' ? '.' : c;
  for (char& c : stars) c = c == 'X' ? '*' : c;
  for (const std::string& text : {lower, dots, stars, "  " + start8 + " \r\n", start8 + ";", start8 + " ; best d3",
                                  start8 + ";X O X;;", start8 + ";\xff\n\n"}) {
    const auto read = notation->parse_position(text);
    ASSERT_TRUE(read) << text << ": " << read.error().message;
    EXPECT_EQ(notation->position_text(*read), start8);
  }
  const auto wide = notation->parse_position(start8.substr(0, 64) + " \t  O");
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->to_move, Player::second);
}

TEST(OthelloPosition, a_wrong_length_names_both_sizes) {
  expect_error(8, start6, "36 cells (a 6x6 board), but othello:8x8 has 64");
  expect_error(6, start8, "64 cells (a 8x8 board), but othello:6x6 has 36");
  expect_error(8, start8.substr(1), "63 cells, but othello:8x8 has 64");
  expect_error(8, "-" + start8, "65 cells, but othello:8x8 has 64");
  expect_error(8, "hello X", "5 cells");
}

TEST(OthelloPosition, a_wrong_character_is_named_with_its_place) {
  std::string text = start8;
  text[19] = '0';
  expect_error(8, text, "cell 20 (d3): '0' is not a cell; X is a black pawn, O a white one, - an empty square");
  text[19] = '\x01';
  expect_error(8, text, "cell 20 (d3): byte 1");
}

TEST(OthelloPosition, the_side_to_move_is_needed_and_checked) {
  expect_error(8, start8.substr(0, 64), "the side to move is missing: after the 64 cells come a space and X");
  expect_error(8, start8.substr(0, 64) + " ;", "the side to move is missing");
  for (const char* side : {" -", " .", " B", " XX", " X O", " 1"}) {
    expect_error(8, start8.substr(0, 64) + side, "the side to move must be X (Black) or O (White), not");
  }
}

TEST(OthelloPosition, nothing_is_not_a_position) {
  for (const char* text : {"", " ", ";", " ; X", "\n\n"}) expect_error(8, text, "the position is empty: 64 cells");
}

TEST(OthelloPosition, clause_1_2_the_centre_is_never_empty) {
  expect_error(6, text_of({"------", "------", "---X--", "--XO--", "------", "------"}, 'X'),
               "impossible position: c3 is empty");
  expect_error(6, text_of({"------", "------", "--OXO-", "--X-O-", "------", "------"}, 'X'),
               "impossible position: d4 is empty");
  expect_error(6, std::string(36, '-') + " X", "impossible position: c3 is empty");
}

TEST(OthelloPosition, clause_2_1_every_pawn_is_joined_to_the_centre) {
  expect_error(6, text_of({"O-----", "------", "--OX--", "--XO--", "------", "------"}, 'X'),
               "impossible position: the pawn on a1 is not joined to the centre");
  // f3 is next to a4 in the text, but not on the board.
  expect_error(6, text_of({"------", "------", "--OXXX", "O-XO--", "------", "------"}, 'X'), "the pawn on a4");
  EXPECT_EQ(error_of(6, text_of({"O-----", "-O----", "--OX--", "--XO--", "------", "------"}, 'X')), "");
}

TEST(OthelloPosition, unusual_but_possible_positions_are_accepted) {
  EXPECT_EQ(error_of(6, std::string(36, 'X') + " O"), "");
  EXPECT_EQ(error_of(6, text_of({"------", "------", "--XX--", "--XX--", "------", "------"}, 'O')), "");
  EXPECT_EQ(error_of(6, text_of(white_must_pass, 'O')), "");
  EXPECT_EQ(error_of(6, text_of(nobody_can_place, 'O')), "");
}

TEST(OthelloPosition, ten_megabytes_of_rubbish_are_refused_in_few_words) {
  for (const char c : {'X', '-', '\0', '\xff', ' ', ';', '\n'}) {
    const std::string error = error_of(8, std::string(10'000'000, c));
    EXPECT_NE(error, "");
    EXPECT_LT(error.size(), 300U);
  }
  EXPECT_LT(error_of(8, start8.substr(0, 64) + " " + std::string(10'000'000, 'X')).size(), 300U);
}

}  // namespace
}  // namespace paika::othello
