// How each piece moves and captures (rules 2), and why other moves are refused.
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {

void expect_refusal(const Refusal& refused, std::string_view clause, std::string_view part,
                    const std::vector<Square>& squares) {
  EXPECT_EQ(refused.clause, clause) << refused.message.english();
  EXPECT_TRUE(contains(refused.message.english(), part)) << refused.message.english();
  EXPECT_EQ(refused.squares, squares) << refused.message.english();
}

}  // namespace

TEST(WildebeestMoves, clause_2_steppers) {
  for (const char kind : std::string("KOJZ")) {
    const auto b = board(std::string(1, kind) + "a0 Pb0 nb1");
    EXPECT_EQ(targets(b, "a0"), "a1 b1") << kind << ": one step, not onto a friend, onto a foe";
    EXPECT_EQ(targets(board(std::string(1, kind) + "f6"), "f6"), "e5 e6 e7 f5 f7 g5 g6 g7") << kind;
    expect_refusal(refusal(b, "a0c2"), "2", "moves one square in any direction; c2 is further away", {{0, 0}, {2, 2}});
    expect_refusal(refusal(b, "a0b0"), "2", "White's Pawn on b0 is in the way", {{0, 0}, {1, 0}});
  }
}

TEST(WildebeestMoves, clause_2_nobody_captures_a_gorilla) {
  for (const char kind : std::string("KOJZR")) {
    const auto b = board(std::string(1, kind) + "a0 ga1");
    expect_refusal(refusal(b, "a0a1"), "2", "Black's Gorilla on a1 cannot be captured", {{0, 0}, {0, 1}});
  }
  EXPECT_EQ(targets(board("Nf5 ge7 bg7"), "f5"), "d4 d6 e3 g3 g7 h4 h6");
}

TEST(WildebeestMoves, clause_2_king_with_a_jet_pack_moves_as_a_bishop) {
  const auto b = board("Wc2 Pe4 nb3");
  EXPECT_EQ(targets(b, "c2"), "a0 b1 b3 d1 d3 e0");
  expect_refusal(refusal(b, "c2f5"), "2", "blocked by White's Pawn on e4", {{2, 2}, {4, 4}});
  expect_refusal(refusal(b, "c2c3"), "2", "moves like a Bishop, diagonally; it cannot reach c3", {{2, 2}, {2, 3}});
}

TEST(WildebeestMoves, clause_2_king_on_the_jet_pack_becomes_w) {
  EXPECT_EQ(after(board("Ke4 ka10"), "e4f5"), pieces("Wf5 ka10"));
  EXPECT_EQ(after(board("Ke4 nf5"), "e4f5"), pieces("Wf5")) << "by capturing";
  EXPECT_EQ(after(board("kf6 Kf5", black), "f6g7"), pieces("Kf5 kg7")) << "only who comes to rest there";
  EXPECT_EQ(after(board("Rf0"), "f0f5"), pieces("Rf5")) << "nobody else changes";
}

TEST(WildebeestMoves, clause_2_pawns_move_forward) {
  EXPECT_EQ(targets(board("Pe1"), "e1"), "e2 e3");
  EXPECT_EQ(targets(board("Pe2"), "e2"), "e3");
  EXPECT_EQ(targets(board("Pe0"), "e0"), "e1") << "a pawn flung back to row 0 has one step";
  EXPECT_EQ(targets(board("pe9", black), "e9"), "e7 e8");
  EXPECT_EQ(targets(board("pe1", black), "e1"), "e0");
  EXPECT_EQ(targets(board("Pe1 ne3"), "e1"), "e2");
  EXPECT_EQ(targets(board("Pe1 ne2"), "e1"), "");
  EXPECT_EQ(targets(board("Pe9 Pe10"), "e10"), "") << "6.2: a pawn may stand on the far row of a given board";
}

TEST(WildebeestMoves, clause_2_pawns_capture_diagonally_forward) {
  EXPECT_EQ(targets(board("Pa1 na2 nb2 nk1"), "a1"), "b2");
  EXPECT_EQ(targets(board("Pk1 nk2 nj2 na3"), "k1"), "j2");
  EXPECT_EQ(targets(board("pa9 Nb8 Nk9 Nk7", black), "a9"), "a7 a8 b8");
  EXPECT_EQ(targets(board("pk9 Nj8 Na8 Na9", black), "k9"), "j8 k7 k8");
  EXPECT_EQ(targets(board("Pe4 gd5 Nf5"), "e4"), "e5") << "neither a Gorilla nor a friend";
}

TEST(WildebeestMoves, clause_2_pawn_refusals) {
  const auto b = board("Pe2 ne4 nc2 Pc1 Pg1 ng3 Pi1 ki2");
  expect_refusal(refusal(b, "e2e4"), "2", "two squares only from row 1", {{4, 2}, {4, 4}});
  expect_refusal(refusal(b, "e2d3"), "2", "only to capture, and d3 is empty", {{4, 2}, {3, 3}});
  expect_refusal(refusal(b, "e2e1"), "2", "a White Pawn moves one square down (two from row 1)", {{4, 2}, {4, 1}});
  expect_refusal(refusal(b, "e2e5"), "2", "a White Pawn moves one square down", {{4, 2}, {4, 5}});
  expect_refusal(refusal(b, "c1c2"), "2", "Black's Knight on c2 is there", {{2, 1}, {2, 2}});
  expect_refusal(refusal(b, "c1c3"), "2", "Black's Knight on c2 is there", {{2, 1}, {2, 2}});
  expect_refusal(refusal(b, "g1g3"), "2", "Black's Knight on g3 is there", {{6, 1}, {6, 3}});
  expect_refusal(refusal(board("pe9", black), "e9e10"), "2", "a Black Pawn moves one square up (two from row 9)",
                 {{4, 9}, {4, 10}});
}

TEST(WildebeestMoves, clause_2_pawn_becomes_a_time_machine) {
  EXPECT_EQ(after(board("Pa9"), "a9a10"), pieces("Ha10"));
  EXPECT_EQ(after(board("Pa9 nb10"), "a9b10"), pieces("Hb10"));
  EXPECT_EQ(after(board("pa1", black), "a1a0"), pieces("ha0"));
  EXPECT_EQ(after(board("Pa9 sb9"), "a9a10"), pieces("Ha10 sb9")) << "before the poison";
}

TEST(WildebeestMoves, clause_2_sliders_are_blocked_by_any_piece) {
  EXPECT_EQ(targets(board("Ra0 Pa2 gd0"), "a0"), "a1 b0 c0");
  EXPECT_EQ(targets(board("Bk10 nh7 Pj9"), "k10"), "");
  EXPECT_EQ(targets(board("Ba0 nc2"), "a0"), "b1 c2");
  EXPECT_EQ(targets(board("Rk10 nk8 Gj10"), "k10"), "k8 k9");
  const auto b = board("Ra0 Pa2 ge0 Bc3 Pd4");
  expect_refusal(refusal(b, "a0a5"), "2", "the way from a0 to a5 is blocked by White's Pawn on a2", {{0, 0}, {0, 2}});
  expect_refusal(refusal(b, "a0h0"), "2", "blocked by Black's Gorilla on e0", {{0, 0}, {4, 0}});
  expect_refusal(refusal(b, "a0b1"), "2", "a Rook moves along its row or column", {{0, 0}, {1, 1}});
  expect_refusal(refusal(b, "c3c5"), "2", "a Bishop moves diagonally", {{2, 3}, {2, 5}});
  expect_refusal(refusal(b, "c3e5"), "2", "blocked by White's Pawn on d4", {{2, 3}, {3, 4}});
  expect_refusal(refusal(b, "c3d8"), "2", "a Bishop moves diagonally", {{2, 3}, {3, 8}});
}

TEST(WildebeestMoves, clause_2_sliders_see_to_the_edge) {
  EXPECT_EQ(turns(board("Rf6")).size(), 20U);
  EXPECT_EQ(turns(board("Bf5")).size(), 20U);
  EXPECT_EQ(turns(board("Ef5")).size(), 48U) << "20 straight, 20 diagonally, 8 leaps";
  EXPECT_EQ(turns(board("Ek0")).size(), 32U);
}

TEST(WildebeestMoves, clause_2_knight) {
  EXPECT_EQ(targets(board("Na0 Pb2 nc1"), "a0"), "c1");
  expect_refusal(refusal(board("Na0"), "a0a2"), "2", "a Knight leaps", {{0, 0}, {0, 2}});
}

TEST(WildebeestMoves, clause_2_empress_moves_as_queen_and_knight) {
  const auto b = board("Ea0 Pa1 Pb1 Pb0 Pc2 gb2 nc1");
  EXPECT_EQ(targets(b, "a0"), "c1") << "leaps over what blocks her";
  expect_refusal(refusal(b, "a0b2"), "2", "Black's Gorilla on b2 cannot be captured", {{0, 0}, {1, 2}});
  expect_refusal(refusal(b, "a0d1"), "2", "like a Queen or a Knight", {{0, 0}, {3, 1}});
  expect_refusal(refusal(b, "a0c2"), "2", "blocked by White's Pawn on b1", {{0, 0}, {1, 1}});
}

TEST(WildebeestMoves, clause_2_serpent_and_catapult_never_capture_by_moving) {
  for (const char kind : std::string("SC")) {
    const auto b = board(std::string(1, kind) + "a0 xb1 ha1");
    EXPECT_EQ(targets(b, "a0"), "b0") << kind;
    expect_refusal(refusal(b, "a0b1"), "2", "steps onto empty squares only: Black's Golf Cart on b1", {{0, 0}, {1, 1}});
  }
}

TEST(WildebeestMoves, clause_2_cart_drives_on_rows_0_and_10) {
  EXPECT_EQ(targets(board("Xf0 ne0 Pg0"), "f0"), "e0");
  EXPECT_EQ(targets(board("Xa10"), "a10"), "b10");
  EXPECT_EQ(targets(board("Xf4"), "f4"), "");
  const auto b = board("Xf4 Xa0 ge0 Xd0");
  expect_refusal(refusal(b, "f4g4"), "2", "drives on rows 0 and 10 only; f4 is on row 4", {{5, 4}});
  expect_refusal(refusal(b, "a0a1"), "2", "one square left or right", {{0, 0}, {0, 1}});
  expect_refusal(refusal(b, "a0c0"), "2", "one square left or right", {{0, 0}, {2, 0}});
  expect_refusal(refusal(b, "d0e0"), "2", "Gorilla on e0 cannot be captured", {{3, 0}, {4, 0}});
}

TEST(WildebeestMoves, clause_2_time_machine_never_moves) {
  EXPECT_EQ(targets(board("Ha10"), "a10"), "");
  expect_refusal(refusal(board("Ha10"), "a10a9"), "2", "the Time Machine on a10 never moves", {{0, 10}});
  EXPECT_EQ(after(board("Ra0 ha5"), "a0a5"), pieces("Ra5")) << "but it can be captured";
}

TEST(WildebeestMoves, clause_2_whose_piece) {
  const auto b = board("Ka0 kc2");
  expect_refusal(refusal(b, "e5e6"), "2", "e5 is empty", {{4, 5}});
  expect_refusal(refusal(b, "c2c3"), "2", "it is White's move, but the piece is Black's King on c2", {{2, 2}});
  expect_refusal(refusal(b, "a0a0"), "2", "would stay on a0", {{0, 0}});
}

TEST(WildebeestMoves, clause_7_6_turns_of_no_form) {
  const auto b = board("Ka0 kc2");
  for (const Turn& t : std::vector<Turn>{{},
                                         {{StepKind::pass, {}}},
                                         {{StepKind::from, {0, 0}}},
                                         {{StepKind::to, {0, 0}}, {StepKind::from, {0, 1}}},
                                         {{StepKind::from, {0, 0}}, {StepKind::approach, {}}, {StepKind::to, {0, 1}}},
                                         {{StepKind::from, {0, 0}}, {StepKind::to, {0, 1}}, {StepKind::to, {0, 2}}}}) {
    const auto refused = make_notation(standard)->refuse(b, t);
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->clause, "7.6");
  }
  EXPECT_EQ(make_notation(standard)->refuse(b, {{StepKind::from, {0, 0}}, {StepKind::to, {-1, 0}}})->clause, "1.1");
  EXPECT_EQ(make_notation(standard)->refuse(b, {{StepKind::from, {11, 99}}, {StepKind::to, {0, 0}}})->clause, "1.1");
}

}  // namespace paika::wildebeest::testing
