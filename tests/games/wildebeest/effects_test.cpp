// What a turn tells about itself: kinds, stages, causes and clauses.
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {

/// Effects in short: "stage kind piece from>to cause clause", one a line.
std::string story(const Board& b, const std::string& text, const Options& options = standard) {
  const auto notation = make_notation(options);
  const auto name = [&](const std::optional<Square>& s) {
    return s ? notation->coordinates().name(*s) : std::string("-");
  };
  std::string out;
  for (const Effect& e : notation->effects(b, turn(text))) {
    out += fmt::format("{} {} {} {}>{} by {} ({})\n", e.stage, paika::name(e.kind), notation->glyph(e.piece),
                       name(e.from), name(e.to), name(e.cause), e.clause);
  }
  after(b, text, options);
  return out;
}

}  // namespace

TEST(WildebeestEffects, a_quiet_move_and_a_capture) {
  EXPECT_EQ(story(board("Ra0"), "a0a3"), "0 moved R a0>a3 by - (2)\n");
  EXPECT_EQ(story(board("Ra0 na3"), "a0a3"), "0 captured n a3>- by a0 (2)\n0 moved R a0>a3 by - (2)\n");
}

TEST(WildebeestEffects, clause_2_promotions) {
  EXPECT_EQ(story(board("Pa9"), "a9a10"), "0 moved P a9>a10 by - (2)\n1 transformed H ->a10 by - (2)\n");
  EXPECT_EQ(story(board("Ke4"), "e4f5"), "0 moved K e4>f5 by - (2)\n1 transformed W ->f5 by - (2)\n");
}

TEST(WildebeestEffects, clause_3_1_fling) {
  EXPECT_EQ(story(board("Pa8 Ca9 na10"), "Fa8a10"),
            "0 captured n a10>- by a8 (3.1)\n0 flung P a8>a10 by a9 (3.1)\n1 transformed H ->a10 by - (2)\n");
}

TEST(WildebeestEffects, clause_3_2_push) {
  EXPECT_EQ(story(board("Gc2 nd2 Re2"), "c2d2"),
            "0 captured R e2>- by c2 (3.2)\n0 pushed n d2>e2 by c2 (3.2)\n0 moved G c2>d2 by - (3.2)\n");
}

TEST(WildebeestEffects, clause_4_3_poison_and_revenge) {
  EXPECT_EQ(story(board("Sc2 nc4 oc5"), "c2c3"),
            "0 moved S c2>c3 by - (2)\n2 removed S c3>- by c5 (4.3)\n2 poisoned n c4>- by c3 (4.1)\n"
            "2 transformed e ->c5 by c3 (4.3)\n");
}

TEST(WildebeestEffects, clause_5_1_charge_and_sweep) {
  EXPECT_EQ(story(board("Pa4 xe10 ne5"), "a4a5"),
            "0 moved P a4>a5 by - (2)\n3 swept n e5>- by e10 (5.2)\n3 swept x e10>e0 by a5 (5.1)\n");
  EXPECT_EQ(story(board("Pa4 pc5 xe10 Xe0"), "a4a5"),
            "0 moved P a4>a5 by - (2)\n3 swept X e0>- by e10 (5.2)\n3 swept x e10>- by e0 (5.2)\n");
}

TEST(WildebeestEffects, clause_5_3_pads_and_the_second_poison) {
  EXPECT_EQ(story(board("Nd2 sj8"), "d2b3"),
            "0 moved N d2>b3 by - (2)\n4 teleported N b3>j7 by b3 (5.3)\n5 poisoned N j7>- by j8 (4.1)\n");
}

TEST(WildebeestEffects, clause_5_4_explosion) {
  EXPECT_EQ(story(board("Ja2 Rb2 Nd2 pk2 Pe1"), "e1e2"),
            "0 moved P e1>e2 by - (2)\n6 exploded J a2>- by a2 (5.4)\n6 exploded R b2>- by a2 (5.4)\n");
}

}  // namespace paika::wildebeest::testing
