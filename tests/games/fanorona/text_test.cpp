// Text of positions and turns, both ways: accepted forms, malformed and impossible ones.
#include "helpers.hpp"

namespace paika::fanorona::testing {
namespace {

const std::string start_5x5 = "bbbbb/bbbbb/bw.bw/wwwww/wwwww w 0";

std::string text_of_start(const std::string& spec) { return Game(spec).start(); }

TEST(FanoronaPositionText, clause_1_2_starts) {
  EXPECT_EQ(text_of_start("fanorona:5x5"), start_5x5);
  EXPECT_EQ(text_of_start("fanorona:3x3"), "bbb/b.w/www w 0");
  EXPECT_EQ(text_of_start("fanorona:7x3"), "bbbbbbb/bwb.wbw/wwwwwww w 0");
  EXPECT_EQ(text_of_start("fanorona"), "bbbbbbbbb/bbbbbbbbb/bwbw.bwbw/wwwwwwwww/wwwwwwwww w 0");
  EXPECT_EQ(text_of_start("fanorona:1x1"), ". w 0");
  EXPECT_EQ(text_of_start("fanorona:3x1"), "b.w w 0");
  EXPECT_EQ(text_of_start("fanorona:1x5"), "b/b/./w/w w 0");
}

TEST(FanoronaPositionText, clause_4_1_tolerant_reading_one_writing) {
  const Game game("fanorona:5x5");
  EXPECT_EQ(game.text(game.board("  BBBBB/bbbbb/bW.bw/wwwww/wwwww  W\t0 \n")), start_5x5);
  const std::string with_block = "...b./.b.../.b.ww/b.bxw/...ww b 11";
  const Board board = game.board(with_block);
  EXPECT_EQ(game.text(board), with_block);
  EXPECT_EQ(board.to_move, Player::second);
  EXPECT_EQ(board.counters[0], 11);
  EXPECT_EQ((board.cells[{3, 3}]), (Cell{Owner::nobody, 'x'}));
  EXPECT_EQ((board.cells[{0, 3}]), (Cell{Owner::second, 'o'}));
}

TEST(FanoronaPositionText, clause_4_1_malformed) {
  const Game game("fanorona:3x3");
  const auto refused = [&](const std::string& text, const std::string& part) {
    EXPECT_TRUE(contains(game.position_error(text), part)) << text;
  };
  refused("", "empty");
  refused("   ", "empty");
  refused("bbb/b.w w 0", "2 rows instead of 3");
  refused("bbb/b.w/www/www w 0", "more than 3 rows");
  refused("bbb/b.ww/www w 0", "row 2 (2 from the top) has 4 points instead of 3");
  refused("bb/b.w/www w 0", "row 3 (1 from the top) has 2 points");
  refused("bbb/b.w/ w 0", "row 1 (3 from the top) has 0 points");
  refused("bbb/bqw/www w 0", "'q' at b2: a point is w, b, x or .");
  refused("bbb/b\x01w/www w 0", "byte 1 at b2");
  refused("bbb/b.w/www", "side to move is missing");
  refused("bbb/b.w/www x 0", "\"x\": it must be w or b");
  refused("bbb/b.w/www white 0", "\"white\"");
  refused("bbb/b.w/www w", "number of moves played is missing");
  refused("bbb/b.w/www w -1", "\"-1\"");
  refused("bbb/b.w/www w 1e3", "\"1e3\"");
  refused("bbb/b.w/www w 99999999999999999999", "0 to 1000000000");
  refused("bbb/b.w/www w 0 0", "\"0\" follows");
}

TEST(FanoronaPositionText, impossible_positions_are_refused_with_the_reason) {
  const Game game("fanorona:3x3");
  const Game no_sacrifice("fanorona:3x3,classic");
  EXPECT_TRUE(contains(game.position_error("bbb/bb./www w 0"), "Black has 5 stones"));
  EXPECT_TRUE(contains(game.position_error("bbb/bx./www w 1"), "with the sacrificed one"));
  EXPECT_TRUE(contains(game.position_error("bbb/bx./www w 1"), "Black has 5 stones"));
  EXPECT_EQ(game.position_error("bbb/bx./www b 1"), "");
  EXPECT_TRUE(contains(game.position_error("bbx/..x/www b 3"), "c3 and c2"));
  EXPECT_TRUE(contains(game.position_error("bb./..x/www b 0"), "before the first move"));
  EXPECT_TRUE(contains(no_sacrifice.position_error("bb./..x/www b 3"), "no sacrifice"));
  EXPECT_TRUE(contains(game.position_error("bbb/b.w/www w 31"), "draw after 30"));
  EXPECT_EQ(game.position_error("bbb/b.w/www w 30"), "");
  EXPECT_EQ(no_sacrifice.position_error("bbb/b.w/www w 1000000000"), "");
  EXPECT_TRUE(contains(game.position_error(".../.../... w 4"), "no live stone"));
  EXPECT_TRUE(contains(game.position_error(".../.x./... b 4"), "no live stone"));
  EXPECT_TRUE(contains(game.position_error("b../.x./... w 4"), "White has no stone left although Black"));
  EXPECT_EQ(game.position_error("b../.x./... b 4"), "");  // White sacrificed its last stone
  EXPECT_EQ(game.position_error("b../.../... w 4"), "");
  EXPECT_EQ(Game("fanorona:1x1").position_error(". w 0"), "");
  EXPECT_TRUE(contains(Game("fanorona:1x1").position_error("w w 0"), "White has 1 stones"));
}

TEST(FanoronaPositionText, no_parity_and_no_start_is_demanded) {
  const Game game("fanorona:5x5");
  EXPECT_EQ(game.position_error("b..../...../..w../...../..... b 0"), "");
  EXPECT_EQ(game.position_error("b..../...../..w../...../..... b 4"), "");
}

TEST(FanoronaPositionText, rubbish_is_refused_in_a_short_sentence) {
  const Game game("fanorona");
  for (const char c : {'/', 'w', ' ', '\0', '\xff', '9'}) {
    const std::string error = game.position_error("w" + std::string(10'000'000, c) + "w");
    EXPECT_FALSE(error.empty());
    EXPECT_LT(error.size(), 400U);
  }
}

TEST(FanoronaTurnText, clause_4_2_forms_and_their_steps) {
  const Game game("fanorona:5x5");
  using K = StepKind;
  EXPECT_EQ(game.turn("c2c3"), (Turn{{K::from, {2, 3}}, {K::to, {2, 2}}}));
  EXPECT_EQ(game.turn("c2c3A"), (Turn{{K::from, {2, 3}}, {K::to, {2, 2}}, {K::approach, {}}}));
  EXPECT_EQ(game.turn("Sc2"), (Turn{{K::from, {2, 3}}, {K::sacrifice, {}}}));
  EXPECT_EQ(game.turn("c2c3A,d3W,d4A"), (Turn{{K::from, {2, 3}},
                                              {K::to, {2, 2}},
                                              {K::approach, {}},
                                              {K::to, {3, 2}},
                                              {K::withdraw, {}},
                                              {K::to, {3, 1}},
                                              {K::approach, {}}}));
  for (const char* text : {"c2c3", "c2c3A", "c2c3W", "a1a2A,a3W", "c2c3A,d3W,d4A", "Sc2"}) {
    EXPECT_EQ(game.notation().turn_text(game.notation().initial(), game.turn(text)), text);
  }
}

TEST(FanoronaTurnText, case_and_blanks_do_not_matter) {
  const Game game("fanorona:5x5");
  EXPECT_EQ(game.turn(" C2C3a,D3w\n"), game.turn("c2c3A,d3W"));
  EXPECT_EQ(game.turn("c2 c3 A , d3 W"), game.turn("c2c3A,d3W"));
  EXPECT_EQ(game.turn("sc2"), game.turn("Sc2"));
  EXPECT_EQ(game.turn("S c2"), game.turn("Sc2"));
  EXPECT_EQ(game.turn("a1a2a"), game.turn("a1a2A"));
}

TEST(FanoronaTurnText, clause_4_3_class_protocol_form) {
  const Game game("fanorona:5x5");
  EXPECT_EQ(game.turn("A 3 2 3 3 + W 3 3 4 3"), game.turn("c2c3A,d3W"));
  // 6.4: R for W, with numbers only.
  EXPECT_EQ(game.turn("R 3 2 3 3"), game.turn("c2c3W"));
  EXPECT_EQ(game.turn("a 3 2 3 3 + r 3 3 4 3"), game.turn("c2c3A,d3W"));
  EXPECT_EQ(game.turn_error("c2c3R").clause, "4.2");
  EXPECT_EQ(game.turn("  a 3  2 3\t3+w 3 3   4 3 "), game.turn("c2c3A,d3W"));
  EXPECT_EQ(game.turn("P 3 2 3 3"), game.turn("c2c3"));
  EXPECT_EQ(game.turn("p 5 5 4 4"), game.turn("e5d4"));
  EXPECT_EQ(game.turn("S 3 2"), game.turn("Sc2"));
  EXPECT_EQ(Game("fanorona:13x13").turn("W 13 12 12 13"), Game("fanorona:13x13").turn("m12l13W"));
}

TEST(FanoronaTurnText, clause_6_2_malformed_class_protocol_form) {
  const Game game("fanorona:5x5");
  const auto refused = [&](const std::string& text, const std::string& part) {
    const Refusal refusal = game.turn_error(text);
    EXPECT_TRUE(contains(refusal.message.english(), part)) << text;
    EXPECT_EQ(refusal.clause, "6.2") << text;
  };
  refused("A 3 2 3 3 + W 4 3 4 4", "starts at d3, but the step before it ended at c3");
  refused("A 3 2 3", "expected a row from 1 to 5, found the end");
  refused("A 3 2 6 3", "\"6 3\" at character 7: the column must be 1 to 5");
  refused("A 3 2 3 0", "the row must be 1 to 5");
  refused("A 3 2 3 99999999999999999999999", "the row must be 1 to 5");
  refused("A 3 2 3 3 4", "found \"4\" at character 11");
  refused("A 3 2 3 3 +", "expected A (approach) or W (withdrawal)");
  refused("A 3 2 3 3 + P 3 3 3 4", "\"P 3 3 3 4\"");
  refused("P 3 2 3 3 + A 3 3 3 4", "after a paika");
  refused("S 3 2 3 3", "after a sacrifice");
  refused("A -3 2 3 3", "\"-3 2 3 3\"");
}

TEST(FanoronaTurnText, clause_4_2_malformed) {
  const Game game("fanorona:5x5");
  const auto refused = [&](const std::string& text, const std::string& part) {
    const Refusal refusal = game.turn_error(text);
    EXPECT_TRUE(contains(refusal.message.english(), part)) << text;
    EXPECT_EQ(refusal.clause, "4.2") << text;
  };
  refused("", "no move was given");
  refused("c2", "found the end");
  refused("S", "expected a point such as a1, found the end");
  refused("A", "expected a point");
  refused("c2c6", "\"c6\" at character 3 is off the board: points are a1 to e5");
  refused("f2c3", "off the board");
  refused("c0c1", "off the board");
  refused("c2c3Q", "found \"Q\" at character 5");
  refused("c2c3A,", "found the end");
  refused("c2c3A,d3", "expected A (approach) or W (withdrawal)");
  refused("c2c3,d3A", "found \",d3A\" at character 5");
  refused("c2c3A d3W", "joined by commas");
  refused("c2c3AW", "joined by commas");
  refused("Sc2c3", "after a sacrifice");
  refused("c02c3", "expected a point");
  refused("c2-c3", "\"-c3\" at character 3");
  refused(std::string("c2c3\0", 5), "at character 5");
  refused("\xff\xfe", "\\xff");
  refused(std::string("c2c3\0", 5), "at character 5");
}

TEST(FanoronaTurnText, rubbish_is_refused_in_a_short_sentence) {
  const Game game("fanorona");
  std::string chain = "c2c3A";
  for (int i = 0; i < 1'000'000; ++i) chain += ",c3A";
  std::string numbers = "A 1 1 1 1";
  for (int i = 0; i < 500'000; ++i) numbers += " + A 1 1 1 1";
  for (const std::string& text : {chain, numbers, "A " + std::string(10'000'000, '1'), std::string(10'000'000, 'S'),
                                  "c2c3" + std::string(10'000'000, '\0')}) {
    const Refusal refusal = game.turn_error(text);
    EXPECT_FALSE(refusal.message.english().empty());
    EXPECT_LT(refusal.message.english().size(), 400U);
  }
}

TEST(FanoronaTurnText, any_turn_has_some_text) {
  const Game game("fanorona");
  const Board board = game.notation().initial();
  EXPECT_EQ(game.notation().turn_text(board, {}), "");
  EXPECT_EQ(game.notation().turn_text(board, {{StepKind::to, {2, 2}}}), "c3");
}

}  // namespace
}  // namespace paika::fanorona::testing
