// How a game ends (rules 6), and that successor generation does not ask.
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {

Outcome outcome(const Board& b) {
  const FastRules rules(standard);
  return rules.outcome(rules.from_board(b));
}
std::uint64_t game_turns(const Board& b) {
  const FastRules rules(standard);
  return rules.count_turns(rules.from_board(b));
}

void expect_ending(const Board& b, Outcome expected, std::string_view sentence) {
  EXPECT_EQ(outcome(b), expected);
  EXPECT_EQ(game_turns(b), 0U);
  const auto ending = make_face(standard)->ending(b, outcome(b));
  EXPECT_EQ(ending.sentence, sentence);
  EXPECT_EQ(ending.clause, "6.1");
}

}  // namespace

TEST(WildebeestEnd, clause_6_1_a_side_without_a_king_has_lost) {
  expect_ending(board("Ka0 Ra5 nd5"), Outcome::win(Player::first, EndReason::king_lost),
                "White wins: Black has no king");
  expect_ending(board("ka0 Ra5"), Outcome::win(Player::second, EndReason::king_lost), "Black wins: White has no king");
  EXPECT_FALSE(outcome(board("Wa0 wa5")).over()) << "W counts as a king";
}

TEST(WildebeestEnd, clause_6_1_both_kings_gone_is_a_draw) {
  expect_ending(board("Ra5 na0"), Outcome::draw(EndReason::kings_lost), "Draw: both kings are gone");
}

TEST(WildebeestEnd, clause_6_1_no_legal_move_loses) {
  const auto b = board("Ka0 kk10 zb1");
  expect_ending(b, Outcome::win(Player::second, EndReason::trapped), "Black wins: White has no legal move");
  EXPECT_FALSE(outcome(board("Ka0 kk10 zb1", Player::second)).over());
}

TEST(WildebeestEnd, clause_6_1_repetition_draws_in_play) {
  const auto face = make_face(standard);
  EXPECT_TRUE(face->repetition_draws());
  const auto ending = face->ending(face->initial(), Outcome::draw(EndReason::repetition));
  EXPECT_TRUE(contains(ending.sentence, "third time"));
}

TEST(WildebeestEnd, clause_6_1_a_capture_ends_the_game) {
  const FastRules rules(standard);
  const auto p = rules.from_board(board("Ka0 Re0 ke5"));
  const auto q = rules.play(p, rules.from_turn(p, turn("e0e5")));
  EXPECT_EQ(rules.outcome(q), Outcome::win(Player::first, EndReason::king_lost));
}

TEST(WildebeestEnd, clause_6_2_successors_without_kings) {
  const auto b = board("Ra5");
  EXPECT_EQ(game_turns(b), 0U);
  EXPECT_EQ(turns(b).size(), 20U);
  EXPECT_TRUE(turns(board("")).empty());
}

}  // namespace paika::wildebeest::testing
