// Poison, charge, sweep, pads and explosions (rules 4 and 5).
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {}  // namespace

TEST(WildebeestPoison, clause_4_1_serpents_of_both_sides_poison) {
  EXPECT_EQ(after(board("Sc2 nd4 re3 bb4"), "c2c3"), pieces("Sc3 re3")) << "every neighbour, nobody else";
  EXPECT_EQ(after(board("Nc2 sd5"), "c2d4"), pieces("sd5")) << "who comes too near";
  EXPECT_EQ(after(board("Sc2 Nd4"), "c2c3"), pieces("Sc3 Nd4")) << "not its own side";
}

TEST(WildebeestPoison, clause_4_1_carts_and_time_machines_are_immune) {
  EXPECT_EQ(after(board("Sb2 xa0 hc2"), "b2b1"), pieces("Sb1 hc2 xa10"))
      << "the cart is charged by its Time Machine, and rides unharmed over nobody";
  EXPECT_EQ(after(board("Sb2 xa1"), "b2c2"), pieces("Sc2 xa1"));
}

TEST(WildebeestPoison, clause_4_1_opposing_serpents_both_go) {
  EXPECT_EQ(after(board("Sc2 sc4"), "c2c3"), "");
  EXPECT_EQ(after(board("Sc2 ec4 nb4"), "c2c3"), "") << "and all their victims with them";
}

TEST(WildebeestPoison, clause_4_2_everybody_else_can_be_poisoned) {
  for (const char kind : std::string("kwpbnrsoejcgz")) {
    const std::string place = std::string(1, kind) + "c4";
    const bool poisonous = kind == 's' || kind == 'e';
    EXPECT_EQ(after(board("Sc2 " + place), "c2c3"), poisonous ? "" : pieces("Sc3")) << kind;
  }
}

TEST(WildebeestPoison, clause_4_1_capture_comes_before_poison) {
  EXPECT_EQ(after(board("Rc2 sc5"), "c2c5"), pieces("Rc5"));
  EXPECT_EQ(after(board("Rc2 sc5 Nc6"), "c2c5"), pieces("Rc5 Nc6")) << "a given board is not poisoned before the move";
}

TEST(WildebeestPoison, clause_4_3_old_woman_next_to_a_victim_becomes_empress) {
  EXPECT_EQ(after(board("Sc2 nc4 oc5"), "c2c3"), pieces("ec5"));
  EXPECT_EQ(after(board("Sc2 nc4 rb4 od5"), "c2c3"), pieces("ed5")) << "all victims go";
  EXPECT_EQ(after(board("Nc2 od6 sd5"), "c2d4"), pieces("od6 sd5")) << "the victim must be of her side";
  EXPECT_EQ(after(board("nc2 Sd5 oe3", black), "c2d4"), pieces("ee3"));
}

TEST(WildebeestPoison, clause_4_3_old_woman_next_to_the_serpent_goes_too) {
  EXPECT_EQ(after(board("Sc2 nc4 od4"), "c2c3"), "") << "the Serpent is lost, but no Empress appears";
  EXPECT_EQ(after(board("Sc2 nb4 od4"), "c2c3"), pieces("Sc3")) << "victim and Old Woman are not neighbours";
}

TEST(WildebeestPoison, clause_4_3_old_woman_alone_is_simply_removed) {
  EXPECT_EQ(after(board("Sc2 oc4"), "c2c3"), pieces("Sc3"));
}

TEST(WildebeestPoison, clause_4_3_old_woman_poisoned_by_another_piece_is_removed) {
  // c3's victim c4 stands next to the Old Woman d5, whom the Empress on e6 poisons in the same pass.
  EXPECT_EQ(after(board("Sc2 nc4 od5 Ee6"), "c2c3"), pieces("Ee6"));
}

TEST(WildebeestPoison, clause_4_3_serpents_poisoned_themselves) {
  // The Serpents kill each other; Black's victim c4 still avenges, and White's Serpent is gone anyway.
  EXPECT_EQ(after(board("Sc2 sc4 oc5"), "c2c3"), pieces("ec5"));
}

TEST(WildebeestPoison, clause_4_3_two_old_women_avenge_each_other) {
  EXPECT_EQ(after(board("Sc2 oc4 od4"), "c2c3"), "") << "on a given board";
  EXPECT_EQ(after(board("Sc2 nc4 ob5 od5"), "c2c3"), pieces("eb5 ed5"));
}

TEST(WildebeestPoison, clause_4_3_empress_converts_nobody) {
  EXPECT_EQ(after(board("Ec2 nc5 oc6"), "c2c4"), pieces("Ec4 oc6"));
}

TEST(WildebeestPoison, clause_4_1_new_empress_poisons_in_the_second_pass) {
  EXPECT_EQ(after(board("Sc2 nc4 oc5 Rd6"), "c2c3"), pieces("ec5"));
  EXPECT_EQ(after(board("Sc2 nc4 oc5 Sd6"), "c2c3"), pieces("Sd6")) << "a victim herself, she becomes nothing";
}

TEST(WildebeestPoison, clause_4_1_once_leaves_out_the_second_pass) {
  // The Knight rides from b3 to j7, beside the Serpent on i6.
  const Board ride = board("Na1 si6 Ka10 kk0");
  EXPECT_EQ(after(ride, "a1b3"), pieces("si6 Ka10 kk0"));
  EXPECT_EQ(after(ride, "a1b3", once), pieces("Nj7 si6 Ka10 kk0"));
  EXPECT_EQ(after(board("Nj7 si6 Ka10 kk0", black), "k0k1", once), pieces("si6 Ka10 kk1"))
      << "the first pass of the next turn comes before the pads carry it back";
}

TEST(WildebeestPoison, clause_4_3_a_poisoned_old_woman_and_the_serpent) {
  EXPECT_EQ(after(board("Sc2 nc4 od4"), "c2c3", survives), pieces("Sc3")) << "both victims go, the Serpent stays";
  EXPECT_EQ(after(board("Sc2 nc4 oc5"), "c2c3", survives), pieces("ec5")) << "she is no victim";
  EXPECT_EQ(after(board("Sc2 nc4 od4 ob5"), "c2c3", survives), pieces("eb5")) << "one who is none is enough";
  EXPECT_EQ(after(board("Sc2 nc4 od5 Ee6"), "c2c3", survives), pieces("Sc3 Ee6")) << "a victim of another";
}

TEST(WildebeestSweep, clause_5_1_opposing_pawn_on_row_5) {
  EXPECT_EQ(after(board("Pa4 xe10 Xd0"), "a4a5"), pieces("Pa5 xe0 Xd0")) << "only the other side's cart";
  EXPECT_EQ(after(board("pa6 Xe0", black), "a6a5"), pieces("pa5 Xe10"));
  EXPECT_EQ(after(board("Na3 Pf5 xe10"), "a3b5"), pieces("Nb5 Pf5 xe0")) << "whoever moved";
  EXPECT_EQ(after(board("Pa4 sb6 xe10"), "a4a5"), pieces("sb6 xe10")) << "a poisoned pawn charges nobody";
}

TEST(WildebeestSweep, clause_5_1_own_time_machine) {
  EXPECT_EQ(after(board("Ha10 Nb0 Xe0 xh0"), "b0c2"), pieces("Ha10 Nc2 Xe10 xh0"));
  EXPECT_EQ(after(board("Pa9 Xe10 He5"), "a9a10"), pieces("Ha10 Xe0")) << "charged before, it sweeps its charger too";
}

TEST(WildebeestSweep, clause_5_2_removes_everything_on_the_way) {
  EXPECT_EQ(after(board("Pa4 xe10 ge9 Ke5 ke2 Re0 nd5"), "a4a5"), pieces("Pa5 xe0 nd5"));
  EXPECT_EQ(after(board("Pa4 xe10 Xe0"), "a4a5"), pieces("Pa5 xe0")) << "an uncharged cart as well";
}

TEST(WildebeestSweep, clause_5_2_two_charged_carts_in_one_column) {
  EXPECT_EQ(after(board("Pa4 pc5 xe10 Xe0 Ne4"), "a4a5"), pieces("Pa5 pc5"));
  EXPECT_EQ(after(board("Pa4 pc5 xe10 Xg0"), "a4a5"), pieces("Pa5 pc5 xe0 Xg10")) << "in two columns both ride";
  EXPECT_EQ(after(board("Pa4 xe10 xe0 Ne4"), "a4a5"), pieces("Pa5")) << "two carts of one side, on a given board";
}

TEST(WildebeestSweep, clause_5_2_cart_on_another_row_stays) {
  EXPECT_EQ(after(board("Pa4 xe8"), "a4a5"), pieces("Pa5 xe8"));
  EXPECT_EQ(after(board("Pa4 pc5 xe8 Xe0"), "a4a5"), pieces("Pa5 pc5 Xe10")) << "and is swept like anybody";
}

TEST(WildebeestSweep, clause_5_2_columns_are_cleared_before_carts_arrive) {
  // Both carts clear the machines that charge them, and still ride.
  EXPECT_EQ(after(board("Na0 Xe0 He10 xg10 hg0"), "a0c1"), pieces("Nc1 Xe10 xg0"));
}

TEST(WildebeestPads, clause_5_3_diagonal) {
  EXPECT_EQ(after(board("Nd2"), "d2b3"), pieces("Nj7"));
  EXPECT_EQ(after(board("Nd8"), "d8b7"), pieces("Nj3"));
  EXPECT_EQ(after(board("Nh2"), "h2j3"), pieces("Nb7"));
  EXPECT_EQ(after(board("Nh8"), "h8j7"), pieces("Nb3"));
  EXPECT_EQ(after(board("Na0 gb3 xj7"), "a0c1"), pieces("Nc1 xb3 gj7")) << "two pieces exchange, of any kind";
}

TEST(WildebeestPads, clause_5_3_cycle) {
  EXPECT_EQ(after(board("Nd2"), "d2b3", cycle), pieces("Nj7"));
  EXPECT_EQ(after(board("Nh8"), "h8j7", cycle), pieces("Nb7"));
  EXPECT_EQ(after(board("Nd8"), "d8b7", cycle), pieces("Nj3"));
  EXPECT_EQ(after(board("Nh2"), "h2j3", cycle), pieces("Nb3"));
  EXPECT_EQ(after(board("Na0 Rb3 Bj7 Pb7 rj3"), "a0c1", cycle), pieces("Nc1 Rj7 Bb7 Pj3 rb3"));
}

TEST(WildebeestPads, clause_5_3_then_the_second_poison_pass) {
  EXPECT_EQ(after(board("Sa2 nj8 nb4"), "a2b3"), pieces("Sj7")) << "poison before the ride and after it";
  EXPECT_EQ(after(board("Nd2 sj8"), "d2b3"), pieces("sj8"));
}

TEST(WildebeestJoey, clause_5_4_row_count_divisible_by_five) {
  EXPECT_EQ(after(board("Ja2 Rb2 Nc2 pd2 Kg5 Pe1 ke3"), "e1e2"), pieces("Nc2 pd2 Kg5 Pe2 ke3"))
      << "five in the row: the Joey and its neighbours of either side go";
  EXPECT_EQ(after(board("Ja2 Rb2 Nc2 Kg5 Pe1"), "e1e2"), pieces("Ja2 Rb2 Nc2 Kg5 Pe2")) << "four: nothing happens";
  EXPECT_EQ(after(board("Ja2 Rb2 Nc2 pd2 ng2 Kh2 Pe1"), "e1e3"), pieces("Ja2 Rb2 Nc2 pd2 ng2 Kh2 Pe3"));
  EXPECT_EQ(after(board("Ja2 Rb2 nc2 pd2 ng2 ga3 Ka1"), "a1a0"), pieces("Ka0 nc2 pd2 ng2")) << "Gorillas go too";
}

TEST(WildebeestJoey, clause_5_4_ten_in_the_row) {
  EXPECT_EQ(after(make_notation(standard)->initial(), "b1b2").find('K'), std::string::npos)
      << "a pawn that leaves ten pieces beside its Joey loses the king";
}

TEST(WildebeestJoey, clause_5_4_all_are_judged_before_any_explosion) {
  // Both Joeys stand in one row of five; the first explosion must not save the second.
  EXPECT_EQ(after(board("Ja2 Nb2 pj2 jk2 Kk0 Pf1"), "f1f2"), pieces("Pf2 Kk0"));
}

TEST(WildebeestJoey, clause_5_4_comes_after_the_pads) {
  EXPECT_EQ(after(board("Ja3 nb3 Nc3 pd3 Re0"), "e0e3"), pieces("Ja3 Nc3 pd3 Re3 nj7"))
      << "the Knight on the pad has left the row";
}

}  // namespace paika::wildebeest::testing
