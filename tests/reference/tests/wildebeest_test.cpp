// The reference Wildebeest against the numbers of the rules document, and one small board for each clause.
//
// Boards are lists of pieces with their squares (7.6): "Kd4" is a white king in column 3, row 4.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/reference/checksum.hpp"
#include "tests/reference/reference.hpp"
#include "tests/reference/tests/perft_lines.hpp"

namespace paika_reference {
namespace {

using Counts = std::vector<std::int64_t>;
using Turns = std::set<std::string>;

constexpr WildebeestOptions plain = {};
constexpr WildebeestOptions cycle = {.pads_cycle = true};
constexpr WildebeestOptions forbid = {.swarm_forbid = true};

/// The one-line form of a board with these pieces and nothing else.
std::string place(char mover, const std::string& pieces) {
  std::vector<std::string> rows(11, "...........");
  rows[3] = rows[7] = ".*.......*.";
  rows[5] = ".....#.....";
  std::istringstream words(pieces);
  for (std::string word; words >> word;) {
    rows[static_cast<std::size_t>(std::stoi(word.substr(2)))][static_cast<std::size_t>(word[1] - 'a')] = word[0];
  }
  std::string text(1, mover);
  for (std::size_t row = 0; row < rows.size(); ++row) text += (row == 0 ? ' ' : '/') + rows[row];
  return text + " 17 60000 42";
}

/// The position after White's (or `mover`'s) turn on this board, or "illegal".
std::string after(const std::string& pieces, const std::string& turn, const WildebeestOptions& options = plain,
                  char mover = 'W') {
  for (const Successor& s : wildebeest_successors(options, place(mover, pieces))) {
    if (s.turn == turn) return s.position;
  }
  return "illegal";
}

/// What is left for Black to move on.
std::string left(const std::string& pieces) { return place('B', pieces); }

/// The turns of the piece on `square`; "Fd4" gives the flings of the piece there.
Turns turns_of(const std::string& pieces, const std::string& square, const WildebeestOptions& options = plain,
               char mover = 'W') {
  Turns result;
  for (const Successor& s : wildebeest_successors(options, place(mover, pieces))) {
    const bool starts =
        s.turn.starts_with(square) && std::isdigit(static_cast<unsigned char>(s.turn[square.size()])) == 0;
    if (starts) result.insert(s.turn);
  }
  return result;
}

bool has_turn(const std::string& pieces, const std::string& turn, const WildebeestOptions& options = plain) {
  return after(pieces, turn, options) != "illegal";
}

// Lines of exactly `depth` turns when a lost king stops nothing (6.2).
std::int64_t lines_of_successors(const WildebeestOptions& options, const std::string& position, int depth) {
  if (depth == 0) return 1;
  std::int64_t lines = 0;
  for (const Successor& s : wildebeest_successors(options, position)) {
    lines += lines_of_successors(options, s.position, depth - 1);
  }
  return lines;
}

TEST(ReferenceWildebeestNumbers, clause_7_3_successor_generation) {
  const std::string start = make_wildebeest(plain)->initial();
  std::set<std::string> distinct;
  for (const Successor& s : wildebeest_successors(plain, start)) distinct.insert(s.position);
  EXPECT_EQ(distinct.size(), 29U);
  const std::vector<int> depths = {1, 2, 3};
  const Counts diagonal_pads = {30, 898, 37466};
  const Counts cycling_pads = {30, 899, 37535};
  for (const int depth : depths) {
    const auto i = static_cast<std::size_t>(depth - 1);
    EXPECT_EQ(lines_of_successors(plain, start, depth), diagonal_pads[i]);
    EXPECT_EQ(lines_of_successors(cycle, start, depth), cycling_pads[i]);
  }
}

TEST(ReferenceWildebeestNumbers, clause_7_3_perft_of_the_game) {
  const auto game = make_wildebeest(plain);
  EXPECT_EQ(perft_counts(*game, game->initial(), 3), (Counts{30, 210, 1673}));
}

TEST(ReferenceWildebeestText, clause_1_3_and_7_5_start) {
  EXPECT_EQ(make_wildebeest(plain)->initial(),
            "W RNZBOKXBCNR/GPPSPJPPPPG/.........../.*.......*./.........../.....#...../.........../.*.......*./"
            ".........../gppspjppppg/rnzbokxbcnr 0 60000 0");
}

TEST(ReferenceWildebeestText, clause_7_1_board_file_gives_the_same_successors) {
  const std::string line = make_wildebeest(plain)->initial();
  std::string file = line + '\n';
  for (char& c : file) {
    if (c == ' ' || c == '/') c = '\n';
  }
  EXPECT_EQ(wildebeest_successors(plain, file), wildebeest_successors(plain, line));
}

TEST(ReferenceWildebeestText, clause_1_2_signs_return_when_the_piece_leaves) {
  EXPECT_EQ(after("Rf5", "f5f6"), left("Rf6"));
  EXPECT_EQ(after("Rb3", "b3b4"), left("Rb4"));
  EXPECT_NE(left("Rf6").find(".....#....."), std::string::npos);
}

TEST(ReferenceWildebeestPieces, clause_2_king) {
  EXPECT_EQ(turns_of("Kd4 pe5 Pc3 gd5", "d4"), (Turns{"d4d3", "d4e3", "d4c4", "d4e4", "d4c5", "d4e5"}));
  EXPECT_EQ(turns_of("Ka0 ka1", "a0"), (Turns{"a0b0", "a0b1", "a0a1"}));
}

TEST(ReferenceWildebeestPieces, clause_2_jet_pack) {
  EXPECT_EQ(after("Ke4", "e4f5"), left("Wf5"));
  EXPECT_EQ(after("Ke4 rf5", "e4f5"), left("Wf5"));
  EXPECT_EQ(after("ke4", "e4f5", plain, 'B'), place('W', "wf5"));
  EXPECT_EQ(after("Ce4 Kd3", "Fd3f5"), left("Ce4 Wf5"));
  EXPECT_EQ(after("Gd5 ke5", "d5e5"), left("Ge5 wf5"));
  EXPECT_EQ(after("Gd5 Ke5", "d5e5"), left("Ge5 Wf5"));
  EXPECT_EQ(after("Ka0 kf5", "a0b0"), left("Kb0 kf5")) << "only a king that comes to rest there is changed";
  EXPECT_EQ(turns_of("Wd4 pf6 Pc3 gc5", "d4"), (Turns{"d4e3", "d4f2", "d4g1", "d4h0", "d4e5", "d4f6"}));
}

TEST(ReferenceWildebeestPieces, clause_2_pawn) {
  EXPECT_EQ(turns_of("Pd1 rc2 ge2", "d1"), (Turns{"d1d2", "d1d3", "d1c2"}));
  EXPECT_EQ(turns_of("pd9 Rc8 Ge8", "d9", plain, 'B'), (Turns{"d9d8", "d9d7", "d9c8"}));
  EXPECT_EQ(turns_of("Pd1 rd3", "d1"), (Turns{"d1d2"}));
  EXPECT_EQ(turns_of("Pd1 Rd2", "d1"), Turns{});
  EXPECT_EQ(turns_of("Pd2", "d2"), (Turns{"d2d3"}));
  EXPECT_EQ(turns_of("Pd0", "d0"), (Turns{"d0d1"})) << "two squares only from row 1";
  EXPECT_EQ(turns_of("Pd9", "d9"), (Turns{"d9d10"}));
  EXPECT_EQ(turns_of("Pd10", "d10"), Turns{});
  EXPECT_EQ(turns_of("Pa4 rb5 rb3", "a4"), (Turns{"a4a5", "a4b5"}));
}

TEST(ReferenceWildebeestPieces, clause_2_pawn_becomes_a_time_machine) {
  EXPECT_EQ(after("Pd9", "d9d10"), left("Hd10"));
  EXPECT_EQ(after("Pd9 re10", "d9e10"), left("He10"));
  EXPECT_EQ(after("pd1", "d1d0", plain, 'B'), place('W', "hd0"));
  EXPECT_EQ(after("Cd8 Pd7", "Fd7d10"), left("Cd8 Hd10"));
  EXPECT_EQ(after("Cd3 Pd4", "Fd4d0"), left("Cd3 Pd0")) << "its own first row is not the far row";
  EXPECT_EQ(after("Gd8 Pd9", "d8d9"), left("Gd9 Hd10"));
  EXPECT_EQ(after("Gd2 pd1", "d2d1"), left("Gd1 hd0"));
}

TEST(ReferenceWildebeestPieces, clause_2_rook_bishop_knight) {
  EXPECT_EQ(turns_of("Rd4 pf4 Pd6 gb4 kd2", "d4"), (Turns{"d4e4", "d4f4", "d4d5", "d4c4", "d4d3", "d4d2"}));
  EXPECT_EQ(turns_of("Bb1 pd3 Pa0 ga2", "b1"), (Turns{"b1c2", "b1d3", "b1c0"}));
  EXPECT_EQ(turns_of("Nb1 Pd0 gd2 rc3", "b1"), (Turns{"b1a3", "b1c3"}));
}

TEST(ReferenceWildebeestPieces, clause_2_empress_moves_as_queen_and_knight) {
  EXPECT_EQ(turns_of("Ea0 pa2 Pc0 gc2 kb2", "a0"), (Turns{"a0b0", "a0a1", "a0a2", "a0b1", "a0b2", "a0c1"}));
}

TEST(ReferenceWildebeestPieces, clause_2_steppers) {
  for (const char* piece : {"O", "J", "Z"}) {
    EXPECT_EQ(turns_of(std::string(piece) + "a0 ra1 gb1", "a0"), (Turns{"a0a1", "a0b0"})) << piece;
  }
  for (const char* piece : {"S", "C", "G"}) {
    EXPECT_EQ(turns_of(std::string(piece) + "a0 xa1 gb1 ga2", "a0"), (Turns{"a0b0"})) << piece << " captures nothing";
  }
}

TEST(ReferenceWildebeestPieces, clause_2_cart) {
  EXPECT_EQ(turns_of("Xd0 pe0 gc0", "d0"), (Turns{"d0e0"}));
  EXPECT_EQ(turns_of("Xd10", "d10"), (Turns{"d10c10", "d10e10"}));
  EXPECT_EQ(turns_of("Xd1", "d1"), Turns{});
}

TEST(ReferenceWildebeestPieces, clause_2_time_machine_never_moves_but_can_be_captured) {
  EXPECT_EQ(turns_of("Hd4", "d4"), Turns{});
  EXPECT_EQ(after("Rd4 hd6", "d4d6"), left("Rd6"));
}

TEST(ReferenceWildebeestFling, clause_3_1_lands_on_empty_squares_and_foes_only) {
  EXPECT_EQ(turns_of("Cd4 Kc4 pg4 gh4 ki4 Pj4", "Fc4"), (Turns{"Fc4e4", "Fc4f4", "Fc4g4", "Fc4k4"}));
  EXPECT_EQ(turns_of("Cd4 Kc4 wg4", "Fc4"), (Turns{"Fc4e4", "Fc4f4", "Fc4h4", "Fc4i4", "Fc4j4", "Fc4k4"}));
  EXPECT_EQ(after("Cd4 Kc4 pg4 gh4", "Fc4g4"), left("Cd4 Kg4 gh4"));
  EXPECT_EQ(after("Cd4 Sc4 pg4", "Fc4g4"), left("Cd4 Sg4")) << "a flung Serpent captures";
  EXPECT_EQ(after("Cd4 Gc4 hg4", "Fc4g4"), left("Cd4 Gg4")) << "a flung Gorilla captures";
}

TEST(ReferenceWildebeestFling, clause_3_1_any_friend_but_a_time_machine) {
  EXPECT_EQ(turns_of("Cd4 Hc4", "Fc4"), Turns{});
  EXPECT_EQ(turns_of("Cd4 rc4", "Fc4"), Turns{});
  EXPECT_EQ(turns_of("Cd4 Gc4 Xd3 Ce5", "Fc4").size(), 7U);
  EXPECT_EQ(turns_of("Cd4 Gc4 Xd3 Ce5", "Fd3").size(), 6U);
  EXPECT_EQ(turns_of("Cd4 Gc4 Xd3 Ce5", "Fe5"), (Turns{"Fe5c3", "Fe5b2", "Fe5a1"}));
  EXPECT_EQ(turns_of("Cd4 Gc4 Xd3 Ce5", "Fd4"), (Turns{"Fd4f6", "Fd4g7", "Fd4h8", "Fd4i9", "Fd4j10"}));
}

TEST(ReferenceWildebeestFling, clause_3_1_paralysis) {
  EXPECT_EQ(turns_of("Cd4 Rc4 zb4", "c4"), Turns{});
  EXPECT_EQ(turns_of("Cd4 Rc4 zb4", "Fc4").size(), 7U);
  EXPECT_EQ(turns_of("Cd4 Rc3 ze5", "Fc3"), Turns{});
  EXPECT_EQ(turns_of("Cd4 Rc3 ze5", "d4"), Turns{});
}

TEST(ReferenceWildebeestPush, clause_3_2_friend_or_foe) {
  EXPECT_EQ(after("Gd4 pe4", "d4e4"), left("Ge4 pf4"));
  EXPECT_EQ(after("Gd4 Re5 nf6", "d4e5"), left("Ge5 Rf6"));
  EXPECT_EQ(after("Gd4 pe4 Kf4", "d4e4"), left("Ge4 pf4")) << "a friend is captured, even the king";
  EXPECT_EQ(after("Gd4 he4 xf4", "d4e4"), left("Ge4 hf4"));
  EXPECT_EQ(after("Gc0 Xd0", "c0d0"), left("Gd0 Xe0"));
  EXPECT_EQ(after("Gd1 Xd2", "d1d2"), left("Gd2 Xd3")) << "a cart can be pushed anywhere";
}

TEST(ReferenceWildebeestPush, clause_3_2_refused) {
  EXPECT_FALSE(has_turn("Gd4 ge4", "d4e4"));
  EXPECT_FALSE(has_turn("Gd4 Ge4", "d4e4"));
  EXPECT_FALSE(has_turn("Gd4 pe4 gf4", "d4e4"));
  EXPECT_FALSE(has_turn("Gd4 pe4 Gf4", "d4e4"));
  EXPECT_FALSE(has_turn("Gb4 pa4", "b4a4")) << "not off the board";
  EXPECT_EQ(turns_of("Gd4 pe4 zc3", "d4"), Turns{}) << "a paralysed Gorilla";
}

TEST(ReferenceWildebeestParalysis, clause_3_3) {
  EXPECT_EQ(turns_of("Rd4 ze5", "d4"), Turns{});
  EXPECT_NE(turns_of("Rd4 Ze5", "d4"), Turns{});
  EXPECT_NE(turns_of("Rd4 zf5", "d4"), Turns{});
  EXPECT_EQ(turns_of("Zd4 ze5", "d4"), Turns{});
  EXPECT_EQ(turns_of("Zd4 ze5", "e5", plain, 'B'), Turns{});
  EXPECT_EQ(turns_of("Xd0 zd1", "d0"), (Turns{"d0c0", "d0e0"}));
  EXPECT_TRUE(has_turn("Rd4 zf5", "d4e4")) << "entering is allowed";
}

TEST(ReferenceWildebeestParalysis, clause_3_3_swarm_forbid) {
  EXPECT_FALSE(has_turn("Rd4 zf5", "d4e4", forbid));
  EXPECT_FALSE(has_turn("Rd4 zf5", "d4g4", forbid));
  EXPECT_TRUE(has_turn("Rd4 zf5", "d4h4", forbid)) << "passing through is allowed";
  EXPECT_TRUE(has_turn("Rd4 zh4", "d4h4", forbid)) << "a captured Beekeeper no longer counts";
  EXPECT_FALSE(has_turn("Rd4 zh4 zi4", "d4h4", forbid));
  EXPECT_EQ(turns_of("Xd0 zf1", "d0", forbid), (Turns{"d0c0"})) << "carts included";
  EXPECT_FALSE(has_turn("Cd4 zf4", "d4e4", forbid));
  EXPECT_TRUE(has_turn("Rd4 Zf5", "d4e4", forbid)) << "one's own Beekeeper";
}

TEST(ReferenceWildebeestParalysis, clause_3_3_swarm_forbid_with_gorilla_catapult_and_serpent) {
  EXPECT_FALSE(has_turn("Gd4 pe4 zf3", "d4e4", forbid));
  EXPECT_TRUE(has_turn("Gd4 pe4 zf3", "d4e4", plain));
  EXPECT_TRUE(has_turn("Gd4 pe4 zf4", "d4e4", forbid)) << "the pushed piece captures the Beekeeper";
  EXPECT_TRUE(has_turn("Gd4 Pe4 zg3", "d4e4", forbid)) << "a pushed piece makes no move of its own";
  EXPECT_TRUE(has_turn("Cd4 Rc4 zh5", "Fc4g4", forbid)) << "nor does a flung one";
  EXPECT_FALSE(has_turn("Rd4 zf5 Sg6", "d4e4", forbid)) << "judged before the poison";
  EXPECT_TRUE(has_turn("Rb5 zi8", "b5b3", forbid)) << "and before the pads";
}

TEST(ReferenceWildebeestPoison, clause_4_1_all_opposing_neighbours) {
  EXPECT_EQ(after("Sd4 pf4 rf5 xf3", "d4e4"), left("Se4 xf3"));
  EXPECT_EQ(after("Sd4 hf4 Re3", "d4e4"), left("Se4 hf4 Re3"));
  EXPECT_EQ(after("Ec4 pf4 rf5", "c4e4"), left("Ee4"));
  EXPECT_EQ(after("Rd4 se6", "d4d5"), left("se6")) << "the mover steps beside it";
  EXPECT_EQ(after("Rd4 ee6", "d4d5"), left("ee6"));
  EXPECT_EQ(after("Sd4 sf4", "d4e4"), left("")) << "both Serpents go";
  EXPECT_EQ(after("Ed4 ef4", "d4e4"), left(""));
}

TEST(ReferenceWildebeestPoison, clause_4_2_nobody_alive_is_immune) {
  for (const char* piece : {"k", "w", "g", "c", "z", "o", "j", "p", "b", "n", "r"}) {
    EXPECT_EQ(after("Sd4 " + std::string(piece) + "f4", "d4e4"), left("Se4")) << piece;
  }
}

TEST(ReferenceWildebeestPoison, clause_4_1_before_and_after_the_pads) {
  EXPECT_EQ(after("Rb5 sc2", "b5b3"), left("sc2")) << "first pass: poisoned on the pad";
  EXPECT_EQ(after("Rb5 si8", "b5b3"), left("si8")) << "second pass: poisoned where the pad took it";
  EXPECT_EQ(after("Sb5 ri8", "b5b4"), left("Sb4 ri8"));
  EXPECT_EQ(after("Cb5 Sb6 ri8", "Fb6b3"), left("Cb5 Sj7"));
}

TEST(ReferenceWildebeestPoison, clause_4_1_promotion_comes_first) {
  EXPECT_EQ(after("Pd9 se9", "d9d10"), left("Hd10 se9")) << "a Time Machine is immune at once";
  EXPECT_EQ(after("Ke4 sg6", "e4f5"), left("sg6"));
}

TEST(ReferenceWildebeestPoison, clause_4_3_old_woman_becomes_an_empress) {
  EXPECT_EQ(after("Sd4 pf4 og5", "d4e4"), left("eg5"));
  EXPECT_EQ(after("Sd4 pf4 rf5 og3", "d4e4"), left("eg3")) << "all victims go";
  EXPECT_EQ(after("Sd4 re7 of6", "e7e5", plain, 'B'), place('W', "ef6")) << "the victim's own move";
  EXPECT_EQ(after("Sd4 pf4 of6", "d4e4"), left("Se4 of6")) << "too far away";
  EXPECT_EQ(after("Sd4 pf4 Og5", "d4e4"), left("Se4 Og5")) << "the Serpent's own Old Woman";
  EXPECT_EQ(after("Sd4 xf4 og5", "d4e4"), left("Se4 xf4 og5")) << "a cart is no victim";
}

TEST(ReferenceWildebeestPoison, clause_4_3_old_woman_who_is_poisoned_herself) {
  EXPECT_EQ(after("Sd4 of4", "d4e4"), left("Se4")) << "the only victim";
  EXPECT_EQ(after("Sd4 pf4 of5", "d4e4"), left("")) << "next to the Serpent and a victim";
  EXPECT_EQ(after("Sd4 pf4 og5 Eh6", "d4e4"), left("Eh6")) << "poisoned by another";
  EXPECT_EQ(after("Sd4 of4 og5", "d4e4"), left("eg5")) << "a poisoned Old Woman next to another one";
}

TEST(ReferenceWildebeestPoison, clause_4_3_with_two_poisoners) {
  EXPECT_EQ(after("Ed4 pf4 og5", "d4e4"), left("Ee4 og5")) << "an Empress converts nobody";
  EXPECT_EQ(after("Sd4 sf4 og5", "d4e4"), left("eg5")) << "the victim is a Serpent";
  EXPECT_EQ(after("Sd4 pf4 og5 Se3", "d4e4"), left("eg5")) << "both Serpents have the same victim";
  EXPECT_EQ(after("Sd4 pf4 og5 Eg3", "d4e4"), left("eg5 Eg3")) << "a victim shared with an Empress";
  EXPECT_EQ(after("Sd4 pf4 og5 Rh6", "d4e4"), left("eg5")) << "the new Empress poisons in the second pass";
}

TEST(ReferenceWildebeestSweep, clause_5_1_charge) {
  EXPECT_EQ(after("Xc0 pe5 rc7 Ka10", "a10a9"), left("Xc10 pe5 Ka9")) << "an opposing pawn on row 5";
  EXPECT_EQ(after("Xc0 Pe5 Ka10", "a10a9"), left("Xc0 Pe5 Ka9")) << "its own pawn";
  EXPECT_EQ(after("xc10 Pe5 Ka10", "a10a9"), left("xc0 Pe5 Ka9"));
  EXPECT_EQ(after("Xc0 Hk5 Ka10", "a10a9"), left("Xc10 Hk5 Ka9")) << "its own Time Machine";
  EXPECT_EQ(after("Xc0 hk5 Ka10", "a10a9"), left("Xc0 hk5 Ka9")) << "an opposing one";
  EXPECT_EQ(after("Xc0 Hk5 pe5 Ka10", "a10a9"), left("Xc10 Hk5 pe5 Ka9")) << "once a turn";
  EXPECT_EQ(after("Xa0 Pd9", "d9d10"), left("Xa10 Hd10")) << "a Time Machine made in this turn";
  EXPECT_EQ(after("Xa0 Pa9", "a9a10"), left("Xa10")) << "and swept away at once";
  EXPECT_EQ(after("Xc0 pf5 Sd6", "d6e6"), left("Xc0 Se6")) << "the pawn is poisoned first";
}

TEST(ReferenceWildebeestSweep, clause_5_2_removes_everything) {
  EXPECT_EQ(after("Xc0 Hk5 Pc4 gc6 Gc7 kc10 Ka10", "a10a9"), left("Xc10 Hk5 Ka9"));
  EXPECT_EQ(after("Xc10 Hk5 hc0 Ka10", "a10a9"), left("Xc0 Hk5 Ka9"));
  EXPECT_EQ(after("Xc0 Hk5 Ka10", "c0d0"), left("Xd10 Hk5 Ka10")) << "after the cart's own move";
  EXPECT_EQ(after("Xc4 Hk5 rc7 Ka10", "a10a9"), left("Xc4 Hk5 rc7 Ka9")) << "a charged cart on another row";
}

TEST(ReferenceWildebeestSweep, clause_5_2_two_carts) {
  EXPECT_EQ(after("Xc0 xc10 Hk5 hk4 Rc5 Ka10", "a10a9"), left("Hk5 hk4 Ka9"));
  EXPECT_EQ(after("Xc0 xd10 Hk5 hk4 Ka10", "a10a9"), left("Xc10 xd0 Hk5 hk4 Ka9"));
  EXPECT_EQ(after("Xc0 xc10 Hk5 Ka10", "a10a9"), left("Xc10 Hk5 Ka9")) << "the other one is not charged";
  EXPECT_EQ(after("Xc0 xc4 Hk5 hk4 Ka10", "a10a9"), left("Xc10 Hk5 hk4 Ka9")) << "the other one does not sweep";
  EXPECT_EQ(after("Xe0 xc10 pe5 Pc5 Ka10", "a10a9"), left("Xe10 xc0 Ka9")) << "judged before either sweeps";
  EXPECT_EQ(after("Xc0 Xc10 Hk5 Ka10", "a10a9"), left("Hk5 Ka9"));
}

TEST(ReferenceWildebeestPads, clause_5_3_diagonal) {
  EXPECT_EQ(after("Rb5", "b5b3"), left("Rj7"));
  EXPECT_EQ(after("Rj5", "j5j7"), left("Rb3"));
  EXPECT_EQ(after("Rb5", "b5b7"), left("Rj3"));
  EXPECT_EQ(after("Rj5", "j5j3"), left("Rb7"));
  EXPECT_EQ(after("Rb5 nj7", "b5b3"), left("Rj7 nb3")) << "two pieces exchange";
  EXPECT_EQ(after("Hb3 xj3 gb7 Ka10", "a10a9"), left("Hj7 xb7 gj3 Ka9")) << "every piece, at every turn";
  EXPECT_EQ(after("Cd3 Pe3", "Fe3b3"), left("Cd3 Pj7")) << "a flung piece";
}

TEST(ReferenceWildebeestPads, clause_5_sweep_comes_before_the_pads) {
  EXPECT_EQ(after("Xb0 Hk5 rb3 Ka10", "a10a9"), left("Xb10 Hk5 Ka9"));
  EXPECT_EQ(after("Xb0 Hk5 rj7 Ka10", "a10a9"), left("Xb10 Hk5 rb3 Ka9"));
}

TEST(ReferenceWildebeestPads, clause_5_3_cycle) {
  EXPECT_EQ(after("Rb5", "b5b3", cycle), left("Rj7"));
  EXPECT_EQ(after("Rj5", "j5j7", cycle), left("Rb7"));
  EXPECT_EQ(after("Rb5", "b5b7", cycle), left("Rj3"));
  EXPECT_EQ(after("Rj5", "j5j3", cycle), left("Rb3"));
  EXPECT_EQ(after("Rb3 Nj7 Bb7 Cj3 Ka10", "a10a9", cycle), left("Rj7 Nb7 Bj3 Cb3 Ka9"));
  EXPECT_EQ(after("Rj5 sa8", "j5j7"), left("Rb3 sa8"));
  EXPECT_EQ(after("Rj5 sa8", "j5j7", cycle), left("sa8")) << "the second poison pass";
}

TEST(ReferenceWildebeestJoey, clause_5_4_explodes_with_five_in_the_row) {
  EXPECT_EQ(after("Ja4 Rc4 Rd4 Re4 Kf3 Pb5 na3 ga5", "f3f4"), left("Rc4 Rd4 Re4 Kf4"));
  EXPECT_EQ(after("Ja4 Rc4 Rd4 Re4 Hg4 Kf3 na3", "f3f4"), left("Ja4 Rc4 Rd4 Re4 Hg4 Kf4 na3"));
  EXPECT_EQ(after("ja4 rc4 rd4 re4 hg4 rh4 ri4 rj4 rk4 Kf3", "f3f4"), left("rc4 rd4 re4 hg4 rh4 ri4 rj4 rk4 Kf4"))
      << "ten is divisible by five, and Black's Joey explodes in White's turn";
  EXPECT_EQ(after("Ja7 pc7 pd7 pe7 Rb5", "b5b3"), left("pc7 pd7 pe7 Rj7")) << "counted after the pads";
}

TEST(ReferenceWildebeestJoey, clause_5_4_all_are_judged_first) {
  EXPECT_EQ(after("Ja4 jc4 Re4 Rf4 Kg3", "g3g4"), left("Re4 Rf4 Kg4")) << "two in one row";
  EXPECT_EQ(after("Ja4 Rc4 Rd4 Re4 Kf3 nb5 rd5 rf5 jh5 rj5 rk5", "f3f4"), left("Rc4 Rd4 Re4 Kf4 rd5 rf5 jh5 rj5 rk5"))
      << "five are left in the other Joey's row only after the explosion";
}

TEST(ReferenceWildebeestEnd, clause_6_1) {
  const auto game = make_wildebeest(plain);
  EXPECT_EQ(game->outcome(game->initial()), "ongoing");
  EXPECT_EQ(game->outcome(place('W', "Ka0 wk9")), "ongoing");
  EXPECT_EQ(game->outcome(place('W', "Ka0 rk10")), "first_wins king_lost");
  EXPECT_EQ(game->outcome(place('W', "Ra0 kk10")), "second_wins king_lost");
  EXPECT_EQ(game->outcome(place('W', "Ra0 rk10")), "draw kings_lost");
  EXPECT_EQ(game->outcome(place('W', "Ka0 zb1 kk10")), "second_wins trapped");
  EXPECT_EQ(game->outcome(place('B', "Kk0 Zb9 ka10")), "first_wins trapped");
  EXPECT_TRUE(game->successors(place('W', "Ka0 zb1 kk10")).empty());
}

TEST(ReferenceWildebeestEnd, clause_6_2_a_missing_king_stops_only_the_game) {
  const std::string position = place('W', "Ka0 rk10");
  EXPECT_TRUE(make_wildebeest(plain)->successors(position).empty());
  EXPECT_EQ(wildebeest_successors(plain, position).size(), 3U);
}

TEST(ReferenceWildebeestData, perft_file_is_what_this_implementation_says) {
  expect_perft_file("reference_wildebeest.txt", 48, 1500);
}

TEST(ReferenceWildebeestData, board_file_is_what_this_implementation_says) {
  const auto lines = data_lines("wildebeest_boards.txt");
  EXPECT_EQ(lines.size(), 200U);
  for (const std::string& line : lines) {
    std::istringstream fields(line);
    std::string position;
    std::size_t count = 0;
    std::string sum;
    std::getline(fields, position, '\t');
    fields >> count >> sum;
    const std::vector<Successor> successors = wildebeest_successors(plain, position);
    EXPECT_EQ(successors.size(), count) << position;
    EXPECT_EQ(checksum(successors), sum) << position;
  }
}

}  // namespace
}  // namespace paika_reference
