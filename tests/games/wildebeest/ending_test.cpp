// How a game ends (rules 6), and that successor generation does not ask.
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {

Outcome outcome(const Board& b) { return TestGame(standard).outcome(b); }
std::uint64_t game_turns(const Board& b) {
  const BitboardRules rules(standard);
  return rules.count_turns(rules.from_board(b));
}

void expect_ending(const Board& b, Outcome expected, std::string_view sentence) {
  EXPECT_EQ(outcome(b), expected);
  EXPECT_EQ(game_turns(b), 0U);
  EXPECT_EQ(TestGame(standard).ending(b), std::string(sentence) + " [6.1]");
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
  const auto notation = make_notation(standard);
  EXPECT_TRUE(notation->repetition_draws());
  const auto ending = notation->ending(notation->initial(), Outcome::draw(EndReason::repetition));
  EXPECT_TRUE(contains(ending.sentence.english(), "third time"));
}

TEST(WildebeestEnd, clause_6_1_a_capture_ends_the_game) {
  const Board won = TestGame(standard).played(board("Ka0 Re0 ke5"), "e0e5");
  EXPECT_EQ(outcome(won), Outcome::win(Player::first, EndReason::king_lost));
}

TEST(WildebeestEnd, clause_6_2_successors_without_kings) {
  const auto b = board("Ra5");
  EXPECT_EQ(game_turns(b), 0U);
  EXPECT_EQ(turns(b).size(), 20U);
  EXPECT_TRUE(turns(board("")).empty());
}

}  // namespace paika::wildebeest::testing
