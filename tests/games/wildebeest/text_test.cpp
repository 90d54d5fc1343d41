// Positions and turns as text (rules 7), good and bad.
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {

constexpr std::string_view start_file =
    "W\nRNZBOKXBCNR\nGPPSPJPPPPG\n...........\n.*.......*.\n...........\n.....#.....\n...........\n"
    ".*.......*.\n...........\ngppspjppppg\nrnzbokxbcnr\n0\n60000\n0\n";
constexpr std::string_view start_line =
    "W RNZBOKXBCNR/GPPSPJPPPPG/.........../.*.......*./.........../.....#...../.........../.*.......*./.........../"
    "gppspjppppg/rnzbokxbcnr 0 60000 0";

/// The start file with line `line` (from 1) replaced.
std::string with_line(int line, std::string_view text) {
  std::string out;
  int number = 0;
  for (const auto here : split(start_file.substr(0, start_file.size() - 1), '\n')) {
    out += std::string(++number == line ? text : here) + "\n";
  }
  return out;
}

std::string file_error(std::string_view text) {
  const auto file = parse_board_file(text);
  return file ? "" : file.error().message;
}
std::string position_error(std::string_view text) { return TestGame(standard).position_error(text); }
std::string position_error(const Board& b) { return position_error(board_line_text(b)); }

/// The start line with `from` replaced by `to`, once.
std::string with(std::string_view from, std::string_view to) {
  std::string text(start_line);
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST(WildebeestText, clause_1_3_initial_board) {
  const auto notation = make_notation(standard);
  EXPECT_EQ(notation->position_text(notation->initial()), start_line);
  EXPECT_EQ(board_file_text(notation->initial(), {"0", "60000", "0"}), start_file);
}

TEST(WildebeestText, clause_7_5_both_forms_are_accepted) {
  const auto notation = make_notation(standard);
  for (const auto text : {start_line, start_file, start_file.substr(0, start_file.size() - 1)}) {
    const auto read = notation->parse_position(text);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(*read, notation->initial());
  }
  EXPECT_TRUE(notation->parse_position("  " + std::string(start_line) + " \n").has_value());
}

TEST(WildebeestText, clause_7_1_integers_are_kept_as_written) {
  const auto file = parse_board_file(with_line(13, "-007"));
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ(file->integers[0], "-007");
  EXPECT_EQ(file->board.counters[0], -7);
  EXPECT_EQ(board_file_text(file->board, file->integers), with_line(13, "-007"));
}

TEST(WildebeestText, clause_1_2_pieces_stand_on_special_squares) {
  const auto b = board("Ze3 Wf5 pb3");
  EXPECT_EQ(parse_board_line(board_line_text(b)).value(), b);
  EXPECT_TRUE(contains(board_line_text(b), "/.p..Z....*./.........../.....W...../"));
}

TEST(WildebeestText, clause_7_4_bad_lines_are_named) {
  EXPECT_EQ(file_error(""), "line 1, column 1: the line is missing; a board file has 15 lines");
  EXPECT_TRUE(contains(file_error("W"), "line 1, column 2: the line does not end with a newline"));
  EXPECT_TRUE(contains(file_error("W\nRNZ"), "line 2, column 4: the line does not end with a newline"));
  EXPECT_TRUE(contains(file_error("W\n"), "line 2, column 1: the line is missing"));
  EXPECT_TRUE(contains(file_error(with_line(1, "X")), "line 1, column 1: the side to move must be W or B, not \"X\""));
  EXPECT_TRUE(contains(file_error(with_line(1, "w")), "line 1, column 1"));
  EXPECT_TRUE(contains(file_error(with_line(1, "WW")), "line 1, column 2"));
  EXPECT_TRUE(contains(file_error(with_line(1, "")), "line 1, column 1"));
  EXPECT_TRUE(
      contains(file_error(with_line(4, "......?....")), "line 4, column 7: '?' is neither a piece nor a sign; use"));
  EXPECT_TRUE(contains(file_error(with_line(4, "..........")), "line 4, column 11: the row has 10 characters"));
  EXPECT_TRUE(contains(file_error(with_line(4, "............")), "line 4, column 12: the row has 12 characters"));
  EXPECT_TRUE(contains(file_error(with_line(4, "")), "line 4, column 1: the row has 0 characters"));
  EXPECT_TRUE(contains(file_error(with_line(4, "...........\r")), "line 4, column 12"));
}

TEST(WildebeestText, clause_7_4_signs_on_wrong_squares) {
  EXPECT_EQ(file_error(with_line(5, "..........*")),
            "line 5, column 2: this square is a transporter pad: write '*' when it is empty, not '.'");
  EXPECT_TRUE(contains(file_error(with_line(7, "...........")), "line 7, column 6: this square is the Jet Pack"));
  EXPECT_TRUE(
      contains(file_error(with_line(4, "*..........")), "line 4, column 1: '*' is the sign of the transporter"));
  EXPECT_TRUE(contains(file_error(with_line(4, "..#........")), "line 4, column 3: '#' is the sign of the Jet Pack"));
  EXPECT_TRUE(
      contains(file_error(with_line(7, ".....*.....")), "line 7, column 6: '*' is the sign of the transporter"));
  EXPECT_TRUE(contains(file_error(with_line(5, ".#.......*.")), "line 5, column 2: '#' is the sign of the Jet Pack"));
}

TEST(WildebeestText, clause_7_4_bad_integers) {
  EXPECT_TRUE(contains(file_error(with_line(13, "1x")), "line 13, column 2: an integer is expected"));
  EXPECT_TRUE(contains(file_error(with_line(14, "")), "line 14, column 1: an integer is expected"));
  EXPECT_TRUE(contains(file_error(with_line(14, "-")), "line 14, column 2: an integer is expected"));
  EXPECT_TRUE(contains(file_error(with_line(14, "+5")), "line 14, column 1"));
  EXPECT_TRUE(contains(file_error(with_line(14, " 5")), "line 14, column 1"));
  EXPECT_TRUE(contains(file_error(with_line(14, "5 ")), "line 14, column 2"));
  EXPECT_TRUE(contains(file_error(with_line(15, "1.5")), "line 15, column 2"));
  EXPECT_EQ(file_error(with_line(15, "9223372036854775807")), "");
  EXPECT_EQ(file_error(with_line(15, "-9223372036854775808")), "");
  EXPECT_TRUE(contains(file_error(with_line(15, "9223372036854775808")), "line 15, column 1: the integer"));
  EXPECT_LT(file_error(with_line(15, std::string(1'000'000, '9'))).size(), 300U);
}

TEST(WildebeestText, clause_7_4_trailing_garbage) {
  EXPECT_TRUE(contains(file_error(std::string(start_file) + "x"), "line 16, column 1: nothing may follow line 15"));
  EXPECT_TRUE(contains(file_error(std::string(start_file) + "\n"), "line 16, column 1"));
  EXPECT_TRUE(contains(file_error(start_file.substr(0, start_file.size() - 1)), "line 15, column 2"));
  std::string rubbish(10'000'000, '\n');
  EXPECT_LT(file_error(start_file.data() + rubbish).size(), 300U);
  EXPECT_TRUE(contains(file_error(rubbish), "line 1, column 1"));
}

TEST(WildebeestText, clause_7_5_bad_one_line_forms) {
  EXPECT_TRUE(contains(position_error(""), "must be W or B"));
  EXPECT_TRUE(contains(position_error("W"), "row 0, column 0 (a0): the row has 0 characters"));
  EXPECT_TRUE(contains(position_error(with("W ", "w ")), "must be W or B, not \"w\""));
  EXPECT_TRUE(
      contains(position_error(with("/gpp", "/g?p")), "row 9, column 1 (b9): '?' is neither a piece nor a sign"));
  EXPECT_TRUE(contains(position_error(with(".*.......*./", "...........")), "row 3, column 1 (b3)"));
  EXPECT_TRUE(contains(position_error(with("/rnzbokxbcnr", "")), "row 10 is missing"));
  EXPECT_TRUE(contains(position_error(with("rnzbokxbcnr", "rnzbokxbcn")), "row 10, column 10 (k10)"));
  EXPECT_TRUE(contains(position_error(with("rnzbokxbcnr", "rnzbokxbcnrr")), "row 10, column 11: the row has 12"));
  EXPECT_TRUE(contains(position_error(with("rnzbokxbcnr", "rnzbokxbcnr/")), "nothing may follow row 10"));
  EXPECT_TRUE(contains(position_error(with(" 0 60000 0", " 0 60000")), "the move number is missing"));
  EXPECT_TRUE(contains(position_error(with(" 0 60000 0", "")), "the time used is missing"));
  EXPECT_TRUE(contains(position_error(with("60000", "6e4")), "the time allowed \"6e4\": an integer is expected"));
  EXPECT_TRUE(contains(position_error(std::string(start_line) + " 1"), "nothing may follow the move number"));
  EXPECT_LT(position_error("W " + std::string(10'000'000, '/')).size(), 300U);
  EXPECT_LT(position_error(std::string(10'000'000, ' ')).size(), 300U);
  EXPECT_LT(position_error(std::string(10'000'000, '\xff')).size(), 300U);
}

TEST(WildebeestText, clause_1_3_too_many_pieces_are_impossible) {
  EXPECT_TRUE(contains(position_error(board("Ka0 Kb0 ka10")), "White has 2 of the letters KW, but a side never"));
  EXPECT_TRUE(contains(position_error(board("Ka0 ka10 wf5")), "Black has 2 of the letters KW"));
  EXPECT_TRUE(
      contains(position_error(board("Ka0 ka10 Pa1 Pb1 Pc1 Pd1 Pe1 Pf1 Pg1 Hh1")), "White has 8 of the letters PH"));
  EXPECT_EQ(position_error(board("Ka0 ka10 Pa1 Pb1 Pc1 Pd1 Pe1 Pf1 Hh1")), "");
  for (const char kind : std::string("SJCXZ")) {
    const std::string two = std::string("Ka0 ka10 ") + kind + "a5 " + kind + "c5";
    EXPECT_TRUE(contains(position_error(board(two)), "never has more than one")) << kind;
  }
  for (const char kind : std::string("BNRG")) {
    const std::string two = std::string("Ka0 ka10 ") + kind + "a5 " + kind + "c5";
    EXPECT_EQ(position_error(board(two)), "") << kind;
    EXPECT_TRUE(contains(position_error(board(two + " " + kind + "e5")), "never has more than two")) << kind;
  }
  EXPECT_TRUE(contains(position_error(board("oa0 ea3")), "Black has 2 of the letters OE"));
}

TEST(WildebeestText, clause_2_unpromoted_pieces_are_impossible) {
  EXPECT_TRUE(contains(position_error(board("Ka0 ka8 Pc10")), "row 10, column 2 (c10): a White Pawn here"));
  EXPECT_TRUE(contains(position_error(board("Ka0 ka8 pc0")), "row 0, column 2 (c0): a Black Pawn here"));
  EXPECT_EQ(position_error(board("Ka0 ka8 Pc0 pd10")), "");
  EXPECT_TRUE(contains(position_error(board("Kf5 ka8")), "(f5): a King here would have become"));
  EXPECT_EQ(position_error(board("Wf5 ka8")), "");
}

TEST(WildebeestText, clause_6_2_board_files_need_not_be_possible) {
  const auto b = board("Ka0 Kb0 Kc0 Kf5 Pa10 pa0 Xa3 Xb3 Xc3");
  EXPECT_TRUE(parse_board_file(board_file_text(b, {"0", "0", "0"})).has_value());
  EXPECT_EQ(position_error(board("")), "") << "a finished game may lack kings";
}

TEST(WildebeestText, clause_7_6_turns_both_ways) {
  const auto notation = make_notation(standard);
  const auto b = notation->initial();
  const auto reads = [&](std::string_view text, const Turn& t) {
    const auto read = notation->parse_turn(b, text);
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(*read, t) << text;
  };
  const Turn move = {{StepKind::from, {4, 1}}, {StepKind::to, {4, 3}}};
  reads("e1e3", move);
  reads(" E1E3\n", move);
  EXPECT_EQ(notation->turn_text(b, move), "e1e3");
  const Turn fling = {{StepKind::from, {7, 1}}, {StepKind::fling, {}}, {StepKind::to, {9, 3}}};
  reads("Fh1j3", fling);
  reads("fh1j3", fling);
  EXPECT_EQ(notation->turn_text(b, fling), "Fh1j3");
  const Turn from_f = {{StepKind::from, {5, 0}}, {StepKind::to, {5, 10}}};
  reads("f0f10", from_f);
  reads("F0F10", from_f);
  const Turn fling_from_f = {{StepKind::from, {5, 1}}, {StepKind::fling, {}}, {StepKind::to, {5, 10}}};
  reads("ff1f10", fling_from_f);
  EXPECT_EQ(notation->turn_text(b, fling_from_f), "Ff1f10");
}

TEST(WildebeestText, clause_7_6_bad_turns) {
  const auto notation = make_notation(standard);
  const auto b = notation->initial();
  const auto message = [&](std::string_view text) {
    const auto read = notation->parse_turn(b, text);
    if (read) return std::string("accepted");
    EXPECT_EQ(read.error().clause, "7.6");
    return read.error().message.english();
  };
  for (const std::string_view text :
       {"", "e1", "e1e", "e1e3x", "e1 e3", "F", "Fe1", "ee1e3", "e01e3", "11", "FFe1e3", "f"}) {
    EXPECT_TRUE(contains(message(text), "a move is written like e1e3")) << text;
  }
  EXPECT_TRUE(contains(message("e1e11"), "off the board: the squares are a0 to k10"));
  EXPECT_TRUE(contains(message("l1e3"), "off the board"));
  EXPECT_LT(message(std::string(10'000'000, 'e')).size(), 300U);
}

}  // namespace paika::wildebeest::testing
