// The rules of Fanorona clause by clause on hand-made positions, by the bitboard rules.
#include "helpers.hpp"

namespace paika::fanorona::testing {
namespace {

/// The legal turns that capture.
Texts captures(const Game& game, const std::string& position) {
  Texts texts = game.turns(position);
  std::erase_if(texts, [](const std::string& t) { return t.back() != 'A' && t.back() != 'W'; });
  return texts;
}

TEST(FanoronaRules, clause_1_3_weak_points_have_no_diagonals) {
  const Game game("fanorona:5x5,classic");
  EXPECT_EQ(game.turns("b..../...../..w../...../..... w 3"), (Texts{"c3b4A"}));
  // A lone stone far from its enemy: eight ways from a strong point, four from a weak one.
  EXPECT_EQ(game.turns("....b/...../...../.w.../..... w 3").size(), 8U);
  EXPECT_EQ(game.turns("....b/...../...../..w../..... w 3"), (Texts{"c2b2", "c2c1", "c2c3", "c2d2"}));
}

TEST(FanoronaRules, clause_1_3_corners_may_be_weak) {
  // 7x5: the centre is d3, so that a1 (2) and d3 (7) differ in parity.
  EXPECT_EQ(Game("fanorona:7x5,classic").turns("......b/......./......./......./w...... w 3"), (Texts{"a1a2", "a1b1"}));
  EXPECT_EQ(Game("fanorona:5x5,classic").turns("....b/...../...../...../w.... b 3"), (Texts{"e5d4", "e5d5", "e5e4"}));
}

TEST(FanoronaRules, clause_1_4_white_begins) {
  EXPECT_EQ(Game("fanorona").notation().initial().to_move, Player::first);
}

TEST(FanoronaRules, clause_2_1_approach_takes_the_unbroken_run) {
  const Game game("fanorona:9x5,classic");
  const std::string position = "........./........./w.bbb.b../........./........b w 8";
  EXPECT_EQ(game.after(position, "a3b3A"), "........./........./.w....b../........./........b b 9");
}

TEST(FanoronaRules, clause_2_1_withdrawal_takes_the_run_behind) {
  const Game game("fanorona:9x5,classic");
  const std::string position = "........./........./..bbw..../........./........b w 8";
  EXPECT_TRUE(game.is_legal(position, "e3f3W"));
  EXPECT_EQ(game.after(position, "e3f3W"), "........./........./.....w.../........./........b b 9");
}

TEST(FanoronaRules, clause_2_1_own_stones_and_edges_end_the_run) {
  const Game game("fanorona:9x5,classic");
  EXPECT_EQ(game.after("........./........./w.bbwb.../........./........b w 8", "a3b3A"),
            "........./........./.w..wb.../........./........b b 9");
  EXPECT_EQ(game.after("........./........./w.....bbb/........./........b w 8", "a3b3"),
            "........./........./.w....bbb/........./........b b 9");
  EXPECT_EQ(game.after("........./........./....w.bbb/........./........b w 8", "e3f3A"),
            "........./........./.....w.../........./........b b 9");
}

TEST(FanoronaRules, clause_2_2_approach_or_withdrawal_by_choice) {
  const Game game("fanorona:9x5,classic");
  const std::string position = "........./........./..bw.b.../........./........b w 8";
  EXPECT_EQ(game.after(position, "d3e3A"), "........./........./..b.w..../........./........b b 9");
  EXPECT_EQ(game.after(position, "d3e3W"), "........./........./....wb.../........./........b b 9");
}

TEST(FanoronaRules, clause_2_3_paika_only_without_captures) {
  const Game game("fanorona:5x5,classic");
  EXPECT_EQ(game.turns("b..../...../w.w../...../..... w 3"), (Texts{"a3a4A", "c3b4A"}));
  EXPECT_EQ(game.turns("b..../...../...../...../....w w 3"), (Texts{"e1d1", "e1d2", "e1e2"}));
}

TEST(FanoronaRules, clause_2_4_a_chain_may_go_on_or_stop) {
  const Game game("fanorona:5x5,classic");
  const std::string position = "....b/...../b..../..b../w.... w 3";
  EXPECT_EQ(game.turns(position), (Texts{"a1a2A", "a1a2A,b2A"}));
  EXPECT_EQ(game.after(position, "a1a2A"), "....b/...../...../w.b../..... b 4");
  EXPECT_EQ(game.after(position, "a1a2A,b2A"), "....b/...../...../.w.../..... b 4");
}

TEST(FanoronaRules, clause_2_4_no_point_twice_and_the_start_counts) {
  const Game game("fanorona:5x5,classic");
  // From b2 or a2 a step back to a1 would take c3 or a3 by withdrawal, but the chain began there.
  EXPECT_EQ(game.turns("....b/...../b.b../..b../w.... w 3"),
            (Texts{"a1a2A", "a1a2A,b2A", "a1b2A", "a1b2A,a2W", "a1b2A,c1W"}));
}

TEST(FanoronaRules, clause_2_4_never_twice_running_in_one_direction) {
  const Game game("fanorona:5x5,classic");
  // c1d1 would take e1.
  EXPECT_EQ(game.turns("....b/...../...../...../bw..b w 3"), (Texts{"b1c1W"}));
}

TEST(FanoronaRules, clause_2_5_example_5_2) {
  const Game game("fanorona:5x5");
  const std::string before = "...b./.b.../.b.ww/b.bww/...ww w 10";
  const std::string blocked = "...b./.b.../.b.ww/b.bxw/...ww b 11";
  EXPECT_EQ(game.after(before, "Sd2"), blocked);
  EXPECT_EQ(captures(game, blocked), (Texts{"b3c3A", "d5d4A", "d5d4A,c5W"}));
  EXPECT_EQ(captures(game, "...b./.b.../.b.ww/b.bww/...ww b 11"),
            (Texts{"b3c3A", "b4c3A", "c2b2W", "d5d4A", "d5d4A,c5W"}));
  // The run of d5d4A stops at the block, which then goes.
  EXPECT_EQ(game.after(blocked, "d5d4A"), "...../.b.b./.b..w/b.b.w/...ww w 12");
  EXPECT_EQ(game.after(blocked, "d5d4A,c5W"), "..b../.b.../.b.../b.b.w/...ww w 12");
}

TEST(FanoronaRules, clause_2_5_sacrifice_is_allowed_beside_captures_and_replaces_the_block) {
  const Game game("fanorona:5x5");
  const std::string blocked = "...b./.b.../.b.ww/b.bxw/...ww b 11";
  const auto turns = game.turns(blocked);
  EXPECT_EQ(turns.size(), 3U + 5U);
  EXPECT_EQ(game.after(blocked, "Sa2"), "...b./.b.../.b.ww/x.b.w/...ww w 12");
  EXPECT_EQ(Game("fanorona:5x5,sacrifice=off").turns("....b/...../...../...../w.... w 3").size(), 3U);
}

TEST(FanoronaRules, clause_2_5_nobody_enters_a_blocked_point) {
  const Game game("fanorona:3x3");
  const auto turns = game.turns("b../.x./..w b 3");
  EXPECT_EQ(turns, (Texts{"Sa3", "a3a2", "a3b3"}));
}

TEST(FanoronaOutcome, clause_3_1_a_side_without_stones_has_lost) {
  const Game game("fanorona:3x3");
  EXPECT_EQ(game.outcome("b../.../... w 4"), Outcome::win(Player::second, EndReason::eliminated));
  EXPECT_EQ(game.outcome("w../.../... b 4"), Outcome::win(Player::first, EndReason::eliminated));
  EXPECT_EQ(game.outcome("w../.../... w 4"), Outcome::win(Player::first, EndReason::eliminated));
  EXPECT_TRUE(game.turns("b../.../... w 4").empty());
  EXPECT_TRUE(game.turns("w../.../... w 4").empty());
}

TEST(FanoronaOutcome, clause_3_1_sacrificing_the_last_stone_loses) {
  const Game game("fanorona:3x3");
  const std::string lost = game.after("b../.../..w w 4", "Sc1");
  EXPECT_EQ(lost, "b../.../..x b 5");
  EXPECT_EQ(game.outcome(lost), Outcome::win(Player::second, EndReason::eliminated));
  EXPECT_TRUE(game.turns(lost).empty());
}

TEST(FanoronaOutcome, clause_3_1_one_point_is_a_draw) {
  EXPECT_EQ(Game("fanorona:1x1").outcome(". w 0"), Outcome::draw(EndReason::empty_board));
  EXPECT_EQ(Game("fanorona:1x1,classic").outcome(". w 0"), Outcome::draw(EndReason::empty_board));
}

TEST(FanoronaOutcome, clause_3_2_limit_and_win_on_the_last_move) {
  const Game game("fanorona:3x3");
  EXPECT_FALSE(game.outcome("b../.../..w w 29").over());
  EXPECT_EQ(game.outcome("b../.../..w w 30"), Outcome::draw(EndReason::move_limit));
  EXPECT_TRUE(game.turns("b../.../..w w 30").empty());
  const std::string won = game.after("b../.../w.. w 29", "a1a2A");
  EXPECT_EQ(won, ".../w../... b 30");
  EXPECT_EQ(game.outcome(won), Outcome::win(Player::first, EndReason::eliminated));
  EXPECT_FALSE(Game("fanorona:3x3,limit=0").outcome("b../.../..w w 1000000").over());
}

TEST(FanoronaOutcome, clause_3_2_counting_stops_at_the_largest_count) {
  const Game game("fanorona:3x3,limit=0");
  EXPECT_EQ(game.after(".b./.../..w w 1000000000", "c1c2"), ".b./..w/... b 1000000000");
}

TEST(FanoronaOutcome, clause_3_3_trapped_without_sacrifice) {
  const std::string position = "b../bb./wb. w 4";
  EXPECT_EQ(Game("fanorona:3x3,sacrifice=off").outcome(position), Outcome::win(Player::second, EndReason::trapped));
  EXPECT_TRUE(Game("fanorona:3x3,sacrifice=off").turns(position).empty());
  EXPECT_FALSE(Game("fanorona:3x3").outcome(position).over());
  EXPECT_EQ(Game("fanorona:3x3").turns(position), (Texts{"Sa1"}));
}

TEST(FanoronaOutcome, clause_3_2_comes_before_3_3) {
  EXPECT_EQ(Game("fanorona:3x3,sacrifice=off").outcome("b../bb./wb. w 30"), Outcome::draw(EndReason::move_limit));
}

TEST(FanoronaOutcome, clause_3_4_repetition_draws_without_limit_only) {
  EXPECT_TRUE(Game("fanorona:classic").notation().repetition_draws());
  EXPECT_TRUE(Game("fanorona:limit=0").notation().repetition_draws());
  EXPECT_FALSE(Game("fanorona").notation().repetition_draws());
}

TEST(FanoronaOutcome, endings_in_words) {
  const Game game("fanorona:3x3");
  const std::string any = "b../.../..w w 30";
  EXPECT_EQ(game.ending("b../.../... w 4"), "Black wins: White has no stone left [3.1]");
  EXPECT_EQ(game.ending("b../.../..x b 5"), "Black wins: White has sacrificed its last stone [3.1]");
  EXPECT_EQ(game.ending(any), "Draw: 30 moves have been played [3.2]");
  EXPECT_EQ(game.ending(any, Outcome::win(Player::first, EndReason::trapped)), "White wins: Black cannot move [3.3]");
  EXPECT_EQ(game.ending(any, Outcome::draw(EndReason::repetition)),
            "Draw: the position has occurred for the third time [3.4]");
  EXPECT_EQ(game.ending(any, Outcome::draw(EndReason::empty_board)), "Draw: there is no stone to play with [3.1]");
}

TEST(FanoronaRules, key_ignores_the_move_count_and_knows_side_and_block) {
  const Game game("fanorona:3x3");
  with_rules(options_of("fanorona:3x3"), [&](const auto& rules) {
    const auto key = [&](const std::string& text) { return rules.key(rules.from_board(game.board(text))); };
    EXPECT_EQ(key("b../.../..w w 4"), key("b../.../..w w 9"));
    EXPECT_NE(key("b../.../..w w 4"), key("b../.../..w b 4"));
    EXPECT_NE(key("b../.x./..w w 4"), key("b../.../..w w 4"));
    EXPECT_NE(key("b../.x./..w w 4"), key("b../.b./..w w 4"));
    EXPECT_NE(key("b../.../..w w 4"), key("w../.../..b w 4"));
  });
}

TEST(FanoronaRules, symmetries_by_shape) {
  EXPECT_EQ(Game("fanorona").notation().symmetries().size(), 8U);
  EXPECT_EQ(Game("fanorona:5x5").notation().symmetries().size(), 16U);
  EXPECT_EQ(Game("fanorona").notation().symmetries().front(), Symmetry{});
}

TEST(FanoronaEffects, clause_2_4_chain_in_stages) {
  const Game game("fanorona:5x5");
  const Board board = game.board("...b./.b.../.b.ww/b.bxw/...ww b 11");
  const auto effects = game.notation().effects(board, game.turn("d5d4A,c5W"));
  std::string told;
  const auto add = [&](const char* sign, std::optional<Square> s) {
    if (s) told.append(sign).append(game.notation().coordinates().name(*s));
  };
  for (const Effect& e : effects) {
    told.append(std::to_string(e.stage)).append(name(e.kind));
    add(" ", e.from);
    add(">", e.to);
    add("!", e.cause);
    told += ' ';
  }
  EXPECT_EQ(told, "0moved d5>d4 1captured d3!d4 2moved d4>c5 3captured e3!c5 4removed d2 ");
  EXPECT_EQ(effects[1].piece, (Cell{Owner::first, 'o'}));
}

TEST(FanoronaEffects, clause_2_5_sacrifice_and_removal) {
  const Game game("fanorona:5x5");
  const auto effects = game.notation().effects(game.board("...b./.b.../.b.ww/b.bxw/...ww b 11"), game.turn("Sa2"));
  ASSERT_EQ(effects.size(), 2U);
  EXPECT_EQ(effects[0].kind, EffectKind::sacrificed);
  EXPECT_EQ(effects[0].to, (Square{0, 3}));
  EXPECT_EQ(effects[0].clause, "2.5");
  EXPECT_EQ(effects[1].kind, EffectKind::removed);
  EXPECT_EQ(effects[1].from, (Square{3, 3}));
}

}  // namespace
}  // namespace paika::fanorona::testing
