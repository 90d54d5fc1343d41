// Flings, pushes and paralysis (rules 3).
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {

void expect_refused_by(const Refusal& refused, std::string_view clause, std::string_view part) {
  EXPECT_EQ(refused.clause, clause) << refused.message.english();
  EXPECT_TRUE(contains(refused.message.english(), part)) << refused.message.english();
}

}  // namespace

TEST(WildebeestFling, clause_3_1_any_distance_over_anything) {
  const auto b = board("Pb0 Cc0 nd0 Ge0 rf0");
  EXPECT_EQ(targets(b, "b0"), "Fd0 Ff0 Fg0 Fh0 Fi0 Fj0 Fk0 b1");
  EXPECT_EQ(after(b, "Fb0f0"), pieces("Cc0 nd0 Ge0 Pf0"));
  EXPECT_EQ(after(b, "Fb0k0"), pieces("Cc0 nd0 Ge0 rf0 Pk0"));
}

TEST(WildebeestFling, clause_3_1_in_the_direction_past_the_catapult) {
  EXPECT_EQ(targets(board("Na0 Cb1"), "a0"), "Fc2 Fd3 Fe4 Ff5 Fg6 Fh7 Fi8 Fj9 Fk10 b2 c1");
  EXPECT_EQ(targets(board("Rf5 Cf4 Pe5 Pg5 Pf6"), "f5"), "Ff0 Ff1 Ff2 Ff3");
  EXPECT_EQ(targets(board("Hb0 Ca0"), "a0"), "a1 b1") << "nothing lies past the edge, and nobody flings an H";
}

TEST(WildebeestFling, clause_3_1_any_other_friendly_piece) {
  for (const char kind : std::string("KWPBNRSOEJCGXZ")) {
    const auto b = board(std::string(1, kind) + "a2 Cb2 zc4");
    const std::string expected = std::string(1, kind) + "i2 Cb2 zc4";
    EXPECT_EQ(after(b, "Fa2i2"), pieces(expected)) << kind;
  }
  EXPECT_EQ(turns(board("Ca0 Cb0")).contains("Fa0d0"), true) << "a Catapult flings a Catapult";
  expect_refused_by(refusal(board("Ha2 Cb2"), "Fa2e2"), "3.1", "the Time Machine on a2 cannot be flung");
}

TEST(WildebeestFling, clause_3_1_a_flung_piece_captures_what_it_could_not_by_moving) {
  EXPECT_EQ(after(board("Sa2 Cb2 xe2"), "Fa2e2"), pieces("Se2 Cb2"));
  EXPECT_EQ(after(board("Ga2 Cb2 he2"), "Fa2e2"), pieces("Ge2 Cb2"));
}

TEST(WildebeestFling, clause_3_1_a_paralysed_piece_is_flung_by_a_free_catapult) {
  EXPECT_TRUE(turns(board("Pb2 Cc2 za2")).contains("Fb2g2"));
  const auto b = board("Pb2 Cc2 zd3");
  expect_refused_by(refusal(b, "Fb2g2"), "3.3", "the Catapult on c2 is paralysed by Black's Beekeeper on d3, and");
}

TEST(WildebeestFling, clause_3_1_refusals) {
  const auto b = board("Pb2 Cc2 ke2 gf2 Ng2 wh2 cb3 Pa1");
  expect_refused_by(refusal(b, "Fb2e2"), "3.1", "cannot land on a king: Black's King on e2");
  expect_refused_by(refusal(b, "Fb2h2"), "3.1", "cannot land on a king: Black's King with a Jet Pack on h2");
  expect_refused_by(refusal(b, "Fb2f2"), "3.1", "cannot land on a Gorilla");
  expect_refused_by(refusal(b, "Fb2g2"), "3.1", "cannot land on its own side: White's Knight on g2");
  expect_refused_by(refusal(b, "Fb2c2"), "3.1", "flies past the Catapult");
  expect_refused_by(refusal(b, "Fb2c4"), "3.1", "c4 is not on a straight or diagonal line with b2");
  expect_refused_by(refusal(b, "Fb2b2"), "3.1", "not on a straight or diagonal line");
  expect_refused_by(refusal(b, "Fb2b5"), "3.1", "no White Catapult on b3, next to b2 on the way to b5");
  expect_refused_by(refusal(b, "Fa1a4"), "3.1", "no White Catapult on a2");
}

TEST(WildebeestFling, clause_7_6_a_fling_step_carries_no_square) {
  const auto b = board("Pb2 Cc2");
  const auto notation = make_notation(standard);
  Turn turn = {{StepKind::from, square("b2")}, {StepKind::fling, {}}, {StepKind::to, square("f2")}};
  EXPECT_FALSE(notation->refuse(b, turn));
  turn[1].square = square("c2");
  const auto refused = notation->refuse(b, turn);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->clause, "7.6");
}

TEST(WildebeestFling, clause_2_flung_pieces_change_where_they_land) {
  EXPECT_EQ(after(board("Pa8 Ca9"), "Fa8a10"), pieces("Ca9 Ha10"));
  EXPECT_EQ(after(board("Kf2 Cf3"), "Ff2f5"), pieces("Cf3 Wf5"));
  EXPECT_EQ(after(board("pc3 cd2", black), "Fc3f0"), pieces("cd2 hf0"));
}

TEST(WildebeestPush, clause_3_2_friend_and_foe_move_one_square) {
  EXPECT_EQ(after(board("Gc2 Nd2"), "c2d2"), pieces("Gd2 Ne2"));
  EXPECT_EQ(after(board("Gc2 nd3"), "c2d3"), pieces("Gd3 ne4"));
  EXPECT_EQ(after(board("Gc2 Hb1"), "c2b1"), pieces("Gb1 Ha0")) << "who cannot move can be pushed";
  EXPECT_EQ(after(board("Gc2 xc3"), "c2c3"), pieces("Gc3 xc4"));
}

TEST(WildebeestPush, clause_3_2_captures_what_stands_beyond) {
  EXPECT_EQ(after(board("Gc2 Nd2 Re2"), "c2d2"), pieces("Gd2 Ne2")) << "a friend";
  EXPECT_EQ(after(board("Gc2 Nd2 ke2"), "c2d2"), pieces("Gd2 Ne2")) << "a king";
  EXPECT_EQ(after(board("Gc2 nd2 xe2"), "c2d2"), pieces("Gd2 ne2")) << "a cart";
  EXPECT_EQ(after(board("Gc2 nd2 Ke2"), "c2d2"), pieces("Gd2 ne2")) << "the own king";
}

TEST(WildebeestPush, clause_3_2_pushed_pieces_change_where_they_rest) {
  EXPECT_EQ(after(board("Gf3 kf4"), "f3f4"), pieces("Gf4 wf5"));
  EXPECT_EQ(after(board("Gc2 pc1"), "c2c1"), pieces("Gc1 hc0"));
  EXPECT_EQ(after(board("gc8 Pc9", black), "c8c9"), pieces("gc9 Hc10"));
  EXPECT_EQ(after(board("Gc2 Pc1"), "c2c1"), pieces("Gc1 Pc0")) << "row 0 is not White's far row";
}

TEST(WildebeestPush, clause_3_2_refusals) {
  const auto b = board("Gb1 na0 Gb2 Pc1 gd1 Na1");
  expect_refused_by(refusal(b, "b1b2"), "3.2", "cannot push White's Gorilla on b2");
  expect_refused_by(refusal(b, "b1c1"), "3.2", "cannot be pushed onto Black's Gorilla on d1");
  expect_refused_by(refusal(b, "b1a0"), "3.2", "Black's Knight on a0 would be pushed off the board");
  expect_refused_by(refusal(b, "b1a1"), "3.2", "pushed off the board");
  expect_refused_by(refusal(b, "b1b3"), "2", "a Gorilla moves one square");
}

TEST(WildebeestPush, clause_3_3_a_paralysed_gorilla_pushes_nobody) {
  expect_refused_by(refusal(board("Gc2 zd2"), "c2d2"), "3.3", "paralysed by Black's Beekeeper on d2");
}

TEST(WildebeestParalysis, clause_3_3_next_to_an_opposing_beekeeper) {
  for (const char kind : std::string("KWPBNRSOEJCGZ")) {
    const auto b = board(std::string(1, kind) + "c3 zd4");
    EXPECT_EQ(targets(b, "c3"), "") << kind;
    expect_refused_by(refusal(b, "c3c4"), "3.3", "is paralysed by Black's Beekeeper on d4");
  }
  EXPECT_EQ(targets(board("Xf0 ze1"), "f0"), "e0 g0") << "a cart is immune";
  EXPECT_NE(targets(board("Kc3 Zd4"), "c3"), "") << "the own Beekeeper harms nobody";
  EXPECT_NE(targets(board("Kc3 ze5"), "c3"), "") << "two squares are far enough";
}

TEST(WildebeestParalysis, clause_3_3_beekeepers_paralyse_each_other) {
  EXPECT_EQ(targets(board("Zc3 zd4"), "c3"), "");
  EXPECT_EQ(targets(board("Zc3 zd4", black), "d4"), "");
}

TEST(WildebeestParalysis, clause_3_3_enter_is_the_standard) {
  EXPECT_TRUE(turns(board("Ra3 zd4")).contains("a3d3"));
  EXPECT_EQ(after(board("Ra3 zd4"), "a3d3"), pieces("Rd3 zd4"));
}

TEST(WildebeestParalysis, clause_3_3_forbid_ends_no_own_move_next_to_one) {
  const auto b = board("Ra3 zd4");
  expect_refused_by(refusal(b, "a3d3", forbid), "3.3",
                    "with swarm=forbid no piece may end its move next to Black's Bee");
  EXPECT_EQ(targets(b, "a3", forbid), "a0 a1 a10 a2 a4 a5 a6 a7 a8 a9 b3 f3 g3 h3 i3 j3 k3") << "passing is fine";
  expect_refused_by(refusal(board("Xb0 zd1"), "b0c0", forbid), "3.3", "Black's Beekeeper on d1");
  EXPECT_EQ(targets(board("Pe1 zf3"), "e1", forbid), "") << "both of its squares are swarmed";
  EXPECT_EQ(targets(board("Pe1 zf4"), "e1", forbid), "e2");
  EXPECT_EQ(targets(board("Pe1 zd1"), "e1", forbid), "");
  expect_refused_by(refusal(board("Pd1 zf2 ne2"), "d1e2", forbid), "3.3", "Beekeeper on f2");
}

TEST(WildebeestParalysis, clause_3_3_forbid_lets_a_beekeeper_be_captured) {
  EXPECT_EQ(after(board("Ra4 zd4"), "a4d4", forbid), pieces("Rd4"));
  expect_refused_by(refusal(board("Ra4 zd4 ze4"), "a4d4", forbid), "3.3", "Black's Beekeeper on e4");
}

TEST(WildebeestParalysis, clause_3_3_forbid_judges_a_push_after_it) {
  EXPECT_EQ(after(board("Gb4 Nc4 zd4"), "b4c4", forbid), pieces("Gc4 Nd4")) << "the push captures the Beekeeper";
  expect_refused_by(refusal(board("Gb4 Nc4 zd4 zd3"), "b4c4", forbid), "3.3", "Black's Beekeeper on d3");
  expect_refused_by(refusal(board("Gb4 Nc4 zd5"), "b4c4", forbid), "3.3", "Black's Beekeeper on d5");
  EXPECT_EQ(after(board("Gb4 nc4 ze4"), "b4c4", forbid), pieces("Gc4 nd4 ze4")) << "the pushed piece may land anywhere";
}

TEST(WildebeestParalysis, clause_3_3_forbid_does_not_bind_flung_pieces) {
  EXPECT_TRUE(turns(board("Pb2 Cc2 zh3"), forbid).contains("Fb2g2"));
}

}  // namespace paika::wildebeest::testing
