// Reviews: grades and what mistakes cost, by turns and by discs.
#include "play/review.hpp"

#include <gtest/gtest.h>

#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::must;
using paika_tests::must_open;

/// A judge who says of the turns in their order what the test wants; of positions it does not know, nothing.
Oracle oracle_with(std::vector<std::vector<MoveValue>> values) {
  auto left = std::make_shared<std::vector<std::vector<MoveValue>>>(std::move(values));
  return [left](const Session& session) -> Result<std::vector<OracleTurn>> {
    std::vector<OracleTurn> turns;
    if (left->empty()) return turns;
    const std::vector<MoveValue> now = left->front();
    left->erase(left->begin());
    session.for_each_turn([&](const ListedTurn& turn) {
      if (turns.size() < now.size()) turns.push_back({turn.text, now[turns.size()]});
      return true;
    });
    return turns;
  };
}

GameRecord record_with(const std::vector<std::string>& turns) {
  GameRecord record;
  record.spec = "othello:6x6";
  for (const std::string& text : turns) {
    RecordedTurn turn;
    turn.text = text;
    record.turns.push_back(turn);
  }
  return record;
}

TEST(Review, discs_that_a_mistake_cost) {
  // The turns of the start, in the order of the rules: c2 b3 e4 d5.
  const auto values = std::vector<MoveValue>{value_of_margin(6), value_of_margin(2), value_of_margin(-4)};
  const GamePtr game = must_open("othello:6x6");
  const auto best = must(review(*game, record_with({"c2"}), oracle_with({values})), "review");
  EXPECT_EQ(review_words(best.turns[0]), "best: a win by 6");
  EXPECT_EQ(best.players[0].discs_lost, 0);
  const auto weaker = must(review(*game, record_with({"b3"}), oracle_with({values})), "review");
  EXPECT_EQ(weaker.turns[0].grade, TurnGrade::weaker);
  EXPECT_EQ(review_words(weaker.turns[0]), "a win by 2 instead of a win by 6, 4 discs lost");
  EXPECT_EQ(weaker.players[0].per_cent(), 100);
  const auto mistake = must(review(*game, record_with({"e4"}), oracle_with({values})), "review");
  EXPECT_EQ(mistake.turns[0].grade, TurnGrade::mistake);
  EXPECT_EQ(mistake.turns[0].better, std::vector<std::string>{"c2"});
  EXPECT_EQ(review_words(mistake.turns[0]), "threw away a win by 6: now a loss by 4, 10 discs lost");
  EXPECT_EQ(mistake.players[0].discs_lost, 10);
  EXPECT_EQ(mistake.players[0].per_cent(), 0);
}

TEST(Review, by_turns_no_discs_count) {
  const auto values =
      std::vector<MoveValue>{move_value(Value::win(3)), move_value(Value::win(5)), move_value(Value::draw())};
  const GamePtr game = must_open("othello:6x6");
  const auto slower = must(review(*game, record_with({"b3"}), oracle_with({values})), "review");
  EXPECT_EQ(review_words(slower.turns[0]), "a win in 5 instead of a win in 3");
  EXPECT_EQ(slower.players[0].discs_lost, 0);
  const auto mistake = must(review(*game, record_with({"e4"}), oracle_with({values})), "review");
  EXPECT_EQ(review_words(mistake.turns[0]), "threw away a win in 3: now a draw");
}

TEST(Review, what_nobody_judged_does_not_count) {
  const GamePtr game = must_open("othello:6x6");
  const auto none = must(review(*game, record_with({"c2", "b2"}), oracle_with({})), "review");
  EXPECT_EQ(none.turns.size(), 2U);
  EXPECT_EQ(none.players[0].turns + none.players[1].turns, 0);
  EXPECT_EQ(review_words(none.turns[0]), "not judged");
}

}  // namespace
}  // namespace paika::play
