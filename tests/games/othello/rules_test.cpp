// Each clause of play and ending on hand-made positions, and the refusals that cite them.
#include "helpers.hpp"
#include "rules/effect.hpp"

namespace paika::othello {
namespace {

Drawn start(int size) { return {size, "start"}; }

void expect_refused(const Drawn& drawn, const std::string& turn, const std::string& clause, const std::string& message,
                    const std::string& squares) {
  const Refusal refusal = drawn.refusal(turn);
  EXPECT_EQ(refusal.message.english(), message);
  EXPECT_EQ(refusal.clause, clause);
  EXPECT_EQ(drawn.names(refusal.squares), squares);
}

TEST(OthelloRules, clauses_1_2_and_1_3_black_has_four_first_moves) {
  EXPECT_EQ(start(8).turns(), (Texts{"d3", "c4", "f5", "e6"}));
  EXPECT_EQ(start(6).turns(), (Texts{"c2", "b3", "e4", "d5"}));
  EXPECT_EQ(start(26).turns(), (Texts{"m12", "l13", "o14", "n15"}));
  EXPECT_EQ(start(8).notation().player_name(Player::first), "Black");
  EXPECT_EQ(start(8).notation().player_name(Player::second), "White");
}

TEST(OthelloRules, clause_2_1_one_run_is_turned_over) {
  EXPECT_EQ(start(6).after("c2"), text_of({"------", "--X---", "--XX--", "--XO--", "------", "------"}, 'O'));
}

TEST(OthelloRules, clause_2_1_all_eight_directions_at_once) {
  const Drawn star(
      {
          "X-X-X---",  //
          "-OOO----",  //
          "XO-OX---",  //
          "-OOOX---",  //
          "X-XXX---",  //
          "--------",  //
          "--------",  //
          "--------",
      },
      'X');
  EXPECT_EQ(
      star.after("c3"),
      text_of({"X-X-X---", "-XXX----", "XXXXX---", "-XXXX---", "X-XXX---", "--------", "--------", "--------"}, 'O'));
  std::vector<Square> flipped;
  for (const Effect& e : star.notation().effects(star.board(), star.turn("c3"))) {
    if (e.kind == EffectKind::flipped) flipped.push_back(*e.to);
  }
  EXPECT_EQ(star.names(flipped), "c2 d2 d3 d4 c4 b4 b3 b2");
}

TEST(OthelloRules, clause_2_1_turned_pawns_enclose_nothing_further) {
  const Drawn drawn({"------", "------", "XOOO--", "-OOO--", "-X----", "------"}, 'X');
  // b3 turns black, and then b4 stands between b3 and b5: it stays white all the same.
  EXPECT_EQ(drawn.after("e3"), text_of({"------", "------", "XXXXX-", "-OOO--", "-X----", "------"}, 'O'));
}

TEST(OthelloRules, clause_2_1_runs_do_not_go_round_the_edge) {
  // f3 and a4 are neighbours in the text only: Black on a4 encloses nothing with e3, White on b3 does.
  const std::vector<std::string> rows = {"------", "------", "--XXXO", "--XX--", "------", "------"};
  EXPECT_EQ(Drawn(rows, 'X').turns(), (Texts{"pass"}));
  EXPECT_EQ(Drawn(rows, 'O').turns(), (Texts{"b3"}));
}

TEST(OthelloRules, clause_2_1_long_runs_on_a_large_board) {
  std::vector<std::string> rows(26, std::string(26, '-'));
  rows[12] = fmt::format("X{}-", std::string(24, 'O'));
  rows[13].replace(12, 2, "XX");
  const Drawn drawn(rows, 'X');
  rows[12] = std::string(26, 'X');
  EXPECT_EQ(drawn.after("z13"), text_of(rows, 'O'));
}

TEST(OthelloRules, clause_2_2_a_player_who_cannot_place_passes) {
  const Drawn white(white_must_pass, 'O');
  EXPECT_EQ(white.turns(), (Texts{"pass"}));
  EXPECT_EQ(white.refusal("pass").message.english(), "");
  EXPECT_EQ(white.after("pass"), text_of(white_must_pass, 'X'));
  EXPECT_EQ(Drawn(white_must_pass, 'X').turns(), (Texts{"a2", "a3"}));
  expect_refused(white, "a3", "2.2", "White cannot place a pawn anywhere and must pass", "");
}

TEST(OthelloRules, clause_2_2_no_pass_while_a_pawn_can_be_placed) {
  expect_refused(start(8), "pass", "2.2", "Black may not pass: a pawn can be placed on d3 (one of 4 squares)",
                 "d3 c4 f5 e6");
  const Drawn one({"------", "------", "XOXXXX", "--XX--", "------", "------"}, 'O');
  EXPECT_EQ(one.turns(), (Texts{"d5"}));
  expect_refused(one, "--", "2.2", "White may not pass: a pawn can be placed on d5", "d5");
}

TEST(OthelloRules, clause_2_1_an_occupied_square_is_refused) {
  expect_refused(start(8), "d4", "2.1", "d4 is occupied by a white pawn", "d4");
  expect_refused(start(8), "e4", "2.1", "e4 is occupied by a black pawn", "e4");
}

TEST(OthelloRules, clause_2_1_without_an_opposing_neighbour) {
  expect_refused(start(8), "a1", "2.1", "a1 encloses nothing: no white pawn is next to it", "a1");
}

TEST(OthelloRules, clause_2_1_a_run_that_is_not_closed) {
  expect_refused(start(8), "e3", "2.1",
                 "e3 encloses nothing: no run of white pawns from it ends at a black pawn (d4 ends at the empty c5)",
                 "e3 d4");
  const Drawn edge({"------", "------", "--XO--", "--XX--", "OO----", "------"}, 'X');
  expect_refused(edge, "c5", "2.1",
                 "c5 encloses nothing: no run of white pawns from it ends at a black pawn (b5-a5 ends at the edge of "
                 "the board)",
                 "c5 b5 a5");
  expect_refused(edge, "a4", "2.1",
                 "a4 encloses nothing: no run of white pawns from it ends at a black pawn (b5 ends at the empty c6 and "
                 "a5 ends at the empty a6)",
                 "a4 b5 a5");
}

TEST(OthelloRules, turns_that_no_text_gives_are_refused_too) {
  const Drawn drawn = start(8);
  const auto clause = [&](const Turn& turn) { return drawn.refusal(turn).clause; };
  EXPECT_EQ(clause({{StepKind::place, {3, 2}}}), "");
  EXPECT_EQ(clause({}), "2.1");
  EXPECT_EQ(clause({{StepKind::place, {3, 2}}, {StepKind::place, {3, 2}}}), "2.1");
  EXPECT_EQ(clause({{StepKind::from, {3, 2}}}), "2.1");
  EXPECT_EQ(clause({{StepKind::place, {8, 0}}}), "1.1");
  EXPECT_EQ(clause({{StepKind::place, {-1, -1}}}), "1.1");
  EXPECT_EQ(clause({{StepKind::place, {1'000'000'000, 2}}}), "1.1");
  const Drawn over(nobody_can_place, 'X');
  EXPECT_EQ(over.refusal("pass").clause, "3.1");
}

TEST(OthelloEffects, clause_2_1_placed_then_flipped_by_distance) {
  const Drawn drawn({"------", "---X--", "XOOO--", "-OOO--", "-X-X--", "------"}, 'X');
  const auto effects = drawn.notation().effects(drawn.board(), drawn.turn("e3"));
  ASSERT_EQ(effects.size(), 4U);
  EXPECT_EQ(effects[0].kind, EffectKind::placed);
  EXPECT_EQ(effects[0].stage, 0);
  EXPECT_EQ(effects[0].to, (Square{4, 2}));
  EXPECT_EQ(effects[0].piece, (Cell{Owner::first, 'o'}));
  std::vector<Square> flipped;
  for (std::size_t i = 1; i < effects.size(); ++i) {
    EXPECT_EQ(effects[i].kind, EffectKind::flipped);
    EXPECT_EQ(effects[i].stage, 1);
    EXPECT_EQ(effects[i].cause, (Square{4, 2}));
    EXPECT_EQ(effects[i].piece, (Cell{Owner::first, 'o'}));
    EXPECT_EQ(effects[i].clause, "2.1");
    EXPECT_FALSE(effects[i].from);
    flipped.push_back(*effects[i].to);
  }
  EXPECT_EQ(drawn.names(flipped), "d3 c3 b3");
}

TEST(OthelloEffects, nearer_pawns_of_all_runs_come_first) {
  const Drawn drawn({"------", "------", "-XOO--", "--XO--", "--O---", "-X----"}, 'X');
  std::vector<Square> flipped;
  for (const Effect& e : drawn.notation().effects(drawn.board(), drawn.turn("e3"))) {
    if (e.kind == EffectKind::flipped) flipped.push_back(*e.to);
  }
  EXPECT_EQ(drawn.names(flipped), "d4 d3 c5 c3");
}

TEST(OthelloEffects, clause_2_2_a_pass_changes_nothing) {
  const Drawn white(white_must_pass, 'O');
  const auto effects = white.notation().effects(white.board(), white.turn("pass"));
  ASSERT_EQ(effects.size(), 1U);
  EXPECT_EQ(effects[0].kind, EffectKind::passed);
  EXPECT_EQ(effects[0].clause, "2.2");
  EXPECT_FALSE(effects[0].to);
}

void expect_end(const Drawn& drawn, Outcome outcome, const std::string& sentence) {
  EXPECT_EQ(drawn.outcome(), outcome);
  EXPECT_TRUE(drawn.turns().empty());
  EXPECT_EQ(drawn.ending(), sentence + " [3.1]");
}

TEST(OthelloEnd, clause_3_1_mutual_blocking) {
  for (const char side : {'X', 'O'}) {
    expect_end({nobody_can_place, side}, Outcome::win(Player::first, EndReason::blocked),
               "Black wins 7 to 1: neither side can place a pawn");
  }
}

TEST(OthelloEnd, clause_3_1_elimination) {
  for (const char side : {'X', 'O'}) {
    expect_end({{"------", "------", "--OO--", "--OO--", "------", "------"}, side},
               Outcome::win(Player::second, EndReason::eliminated), "White wins 4 to 0: Black has no pawn left");
    const std::string full(36, 'X');
    expect_end({6, fmt::format("{} {}", full, side)}, Outcome::win(Player::first, EndReason::eliminated),
               "Black wins 36 to 0: White has no pawn left");
  }
}

TEST(OthelloEnd, clauses_3_1_and_3_2_full_board) {
  expect_end({6, std::string(20, 'O') + std::string(16, 'X') + " X"},
             Outcome::win(Player::second, EndReason::board_full), "White wins 20 to 16: the board is full");
  expect_end({6, std::string(18, 'O') + std::string(18, 'X') + " O"}, Outcome::draw(EndReason::board_full),
             "Draw, 18 to 18: the board is full");
}

TEST(OthelloEnd, clause_3_2_a_draw_by_blocking) {
  for (const char side : {'X', 'O'}) {
    expect_end({{"OO----", "O-----", "OOXXXX", "O-XX--", "O--X--", "O---X-"}, side}, Outcome::draw(EndReason::blocked),
               "Draw, 8 to 8: neither side can place a pawn");
  }
}

TEST(OthelloEnd, clause_3_1_a_pass_does_not_end_the_game) {
  EXPECT_EQ(Drawn(white_must_pass, 'O').outcome(), Outcome{});
  EXPECT_EQ(start(8).outcome(), Outcome{});
}

TEST(OthelloNotation, sixteen_symmetries_the_identity_first_and_no_repetition) {
  const auto notation = make_notation(Options{8});
  const auto maps = notation->symmetries();
  ASSERT_EQ(maps.size(), 16U);
  EXPECT_EQ(maps[0], Symmetry{});
  for (std::size_t i = 0; i < maps.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(maps[i], maps[j]);
  EXPECT_FALSE(notation->repetition_draws());
}

}  // namespace
}  // namespace paika::othello
