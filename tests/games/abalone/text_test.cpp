// Positions and moves of Abalone as text: accepted forms, and refusals that name the place.
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone {
namespace {

using testing::Game;

void expect_error(const Game& game, const std::string& text, std::string_view part) {
  const std::string error = game.position_error(text);
  EXPECT_NE(error.find(part), std::string::npos) << text.substr(0, 80) << " gave: " << error;
  EXPECT_LT(error.size(), 400U);
}

TEST(AbaloneText, clause_5_1_the_starts) {
  EXPECT_EQ(Game("abalone").start(), "(b bbb- b--w b--w -www)");
  EXPECT_EQ(Game("abalone:3x3").start(), "(b bb- b-w -ww)");
  EXPECT_EQ(Game("abalone:3x5").start(), "(b bbbb- b---w -wwww)");
  EXPECT_EQ(Game("abalone:5x3").start(), "(b bb- b-w b-w b-w -ww)");
}

TEST(AbaloneText, clause_5_1_rows_are_listed_from_the_bottom) {
  const Game game("abalone:3x4,captures=4");
  const Board board = game.board("(w b--- ---- --w-)");
  EXPECT_EQ(board.to_move, Player::second);
  EXPECT_EQ(board.cells[(Square{0, 2})], (Cell{Owner::first, 'o'}));
  EXPECT_EQ(board.cells[(Square{2, 0})], (Cell{Owner::second, 'o'}));
  EXPECT_EQ(board.cells[(Square{0, 0})], Cell{});
  EXPECT_EQ(game.notation().coordinates().name({0, 2}), "a1");
  EXPECT_EQ(game.notation().coordinates().name({2, 0}), "c3");
}

TEST(AbaloneText, blanks_and_capitals_are_tolerated) {
  const Game game("abalone");
  const Board start = game.notation().initial();
  for (const char* text : {"  (b bbb- b--w b--w -www)\n", "( b bbb- b--w b--w -www )", "(B BBB- B--W B--W -WWW)",
                           "(b\tbbb-\r\n b--w   b--w -www)"}) {
    EXPECT_EQ(game.board(text), start) << text;
    EXPECT_EQ(game.notation().position_text(game.board(text)), "(b bbb- b--w b--w -www)");
  }
}

TEST(AbaloneText, malformed_positions_are_refused_with_the_place) {
  const Game game("abalone");
  expect_error(game, "", "empty");
  expect_error(game, " \n ", "empty");
  expect_error(game, "b bbb- b--w b--w -www)", "'b', not with '('");
  expect_error(game, "(b bbb- b--w b--w -www", "'w', not with ')'");
  expect_error(game, "(", "not with ')'");
  expect_error(game, "(b bbb- b--w b--w -www))", "row 4 from the bottom");
  expect_error(game, "(b bbb- b--w b--w -www) x", "not with ')'");
  expect_error(game, "()", "before the side to move");
  expect_error(game, "(x bbb- b--w b--w -www)", "the side to move is \"x\": it must be b or w");
  expect_error(game, "(bbb- b--w b--w -www)", "the side to move is \"bbb-\"");
  expect_error(game, "(b)", "row 1 from the bottom is missing: there must be 4 rows");
  expect_error(game, "(b bbb- b--w b--w)", "row 4 from the bottom is missing");
  expect_error(game, "(b bbb- b--w b--w -www ----)", "\"----\" follows the last row: there must be 4 rows");
  expect_error(game, "(b bbb- b--w b--ww -www)", "row 3 from the bottom, \"b--ww\", has 5 characters: it must have 4");
  expect_error(game, "(b bbb- b-w b--w -www)", "row 2 from the bottom, \"b-w\", has 3 characters");
  expect_error(game, "(b bbb- b--w b.-w -www)", "row 3 from the bottom, column b: '.' must be b, w or -");
  expect_error(game, "(b bbb- b--w b--w -ww)", "row 4 from the bottom");
}

TEST(AbaloneText, rubbish_of_any_length_gets_a_short_answer) {
  const Game game("abalone");
  const std::size_t much = 3'000'000;
  expect_error(game, std::string(much, '('), "not with ')'");
  expect_error(game, "(b " + std::string(much, 'b') + ")", "3000000 characters");
  expect_error(game, "(" + std::string(much, ' ') + ")", "before the side to move");
  expect_error(game, "(b bbb- b--w b--w -www " + std::string(much, '-') + ")", "follows the last row");
  expect_error(game, std::string("(b bb\0- b--w b--w -www)", 23), "row 1 from the bottom, column c");
  expect_error(game, "(b bb\xff- b--w b--w -www)", "row 1 from the bottom, column c");
}

TEST(AbaloneText, clause_6_3_too_many_pieces_are_refused) {
  const Game game("abalone");
  EXPECT_EQ(game.position_error("(b bbbb b--w ---w -www)"), "");
  expect_error(game, "(b bbbb bb-w ---w -www)", "Black has 6 pieces: on 4 rows and 4 columns each side has at most 5");
  expect_error(game, "(b bbb- b--w b-ww -www)", "White has 6 pieces");
}

TEST(AbaloneText, clause_3_1_more_losses_than_the_game_allows_are_refused) {
  const Game game("abalone");
  EXPECT_EQ(game.position_error("(w bbb- ---w ---w -www)"), "");  // over, but possible
  EXPECT_EQ(game.position_error("(b bbb- ---w ---w -www)"), "");
  expect_error(game, "(w bb-- ---w ---w -www)", "Black has 2 pieces, 3 fewer than at the start: the game ends at 2");
  expect_error(game, "(w bbb- b--- b--- --ww)", "White has 2 pieces, 3 fewer");
  expect_error(game, "(w bbb- ---w ---w ---w)", "both sides have lost 2 pieces");
  EXPECT_EQ(Game("abalone:captures=3").position_error("(w bbb- ---w ---w ---w)"), "");
  EXPECT_EQ(Game("abalone:captures=5").position_error("(w ---- ---w ---- ----)"), "");
  expect_error(Game("abalone:captures=5"), "(w ---- ---- ---- ----)", "both sides have lost 5 pieces");
}

TEST(AbaloneText, clause_2_5_moves_are_read_in_every_form) {
  const Game game("abalone:99x26");
  const Board board = game.notation().initial();
  const Turn wanted = {{StepKind::from, {1, 99 - 12}}, {StepKind::to, {2, 99 - 13}}};
  for (const char* text : {"b12c13", " b12c13\n", "B12C13", "b12-c13", "b12 c13", "b12 - c13"}) {
    const auto turn = game.notation().parse_turn(board, text);
    ASSERT_TRUE(turn.has_value()) << text << ": " << turn.error().message.english();
    EXPECT_EQ(*turn, wanted) << text;
    EXPECT_EQ(game.notation().turn_text(board, *turn), "b12c13");
  }
}

TEST(AbaloneText, clause_2_5_malformed_moves_are_refused) {
  const Game game("abalone");
  const std::string form =
      " is not a move: write the chosen piece's square and the square it goes to, such as a1b2 [2.5]";
  EXPECT_EQ(game.refusal_words("start", ""), "\"\"" + form);
  EXPECT_EQ(game.refusal_words("start", "a1"), "\"a1\"" + form);
  EXPECT_EQ(game.refusal_words("start", "1a2b"), "\"1a2b\"" + form);
  EXPECT_EQ(game.refusal_words("start", "a1--b2"), "\"a1--b2\"" + form);
  EXPECT_EQ(game.refusal_words("start", "a01b2"), "\"a01b2\"" + form);
  EXPECT_EQ(game.refusal_words("start", "a1e1"), "e1 is not on the board: squares are a1 to d4 [2.5]");
  EXPECT_EQ(game.refusal_words("start", "A5b4"), "a5 is not on the board: squares are a1 to d4 [2.5]");
  EXPECT_EQ(game.refusal_words("start", "a0a1"), "a0 is not on the board: squares are a1 to d4 [2.5]");
  EXPECT_EQ(game.refusal_words("start", "a1b2c3"),
            "\"c3\" follows the move, which is only the chosen piece's square and the square it goes to [2.5] a1 b2");
  EXPECT_LT(game.refusal_words("start", "a1b2" + std::string(1'000'000, 'x')).size(), 250U);
}

}  // namespace
}  // namespace paika::abalone
