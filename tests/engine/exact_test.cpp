// Exact endings of Othello against a search that anybody can see through.
#include "engine/exact.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "engine/move_value.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::must;
using paika_tests::must_open;

/// Discs of the mover more than of the other, the empty squares for the winner. Requires that the game is over.
int final_margin(const Board& board) {
  const int difference = count_pieces(board, board.to_move) - count_pieces(board, other(board.to_move));
  const int left = empty_squares(board);
  return difference == 0 ? 0 : difference > 0 ? difference + left : difference - left;
}

/// The margin for the mover if both play perfectly: all turns, to the end.
int slow_margin(Session& session) {
  if (session.outcome().over()) return final_margin(session.board());
  std::vector<Turn> turns;
  session.for_each_turn([&](const ListedTurn& turn) {
    turns.push_back(turn.steps);
    return true;
  });
  int best = -1000;
  for (const Turn& turn : turns) {
    session.play(turn);
    best = std::max(best, -slow_margin(session));
    session.undo();
  }
  return best;
}

/// A position by chance with so many empty squares; nothing if the game ended before.
std::unique_ptr<Session> ending_of(const Game& game, int empty, Random& random) {
  auto session = game.start();
  while (empty_squares(session->board()) > empty) {
    std::vector<Turn> turns;
    session->for_each_turn([&](const ListedTurn& turn) {
      turns.push_back(turn.steps);
      return true;
    });
    if (turns.empty()) return nullptr;
    session->play(turns[random.index(turns.size())]);
  }
  return session->outcome().over() ? nullptr : std::move(session);
}

TEST(ExactSearch, every_turn_has_the_margin_of_a_slow_search) {
  const GamePtr game = must_open("othello:6x6");
  const auto search = must(ExactSearch::open(*game, 1, 1), "search");
  Random random(5);
  int looked_at = 0;
  while (looked_at < 12) {
    const auto session = ending_of(*game, 7, random);
    if (!session) continue;
    ++looked_at;
    const auto turns = must(search->turns(*session), "turns");
    ASSERT_EQ(turns.size(), session->count_turns());
    for (std::size_t i = 0; i < turns.size(); ++i) {
      EXPECT_GE(turns[i == 0 ? 0 : i - 1].margin, turns[i].margin) << "best first";
      ASSERT_TRUE(session->try_play(turns[i].text));
      EXPECT_EQ(turns[i].margin, -slow_margin(*session)) << session->position_text();
      session->undo();
    }
    EXPECT_EQ(must(search->best(*session), "best").margin, turns.front().margin);
  }
}

TEST(ExactSearch, a_reply_that_passes_is_searched_to_the_end) {
  // After the best turn the opponent must pass: the game has more turns than empty squares.
  struct Case {
    const char* spec;
    const char* position;
    int margin;
  };
  for (const auto& [spec, position, margin] :
       {Case{"othello:6x6", "OOOOOOOXOXOOOOXOOOOXOXXOOOXXXOOX-X-- O", 32},
        Case{"othello:6x6", "-XXXXXOXXXXXOXXXXXOXOXOX-OOOXXOOO-OX X", 26},
        Case{"othello:6x6", "OOXXXX-OOXX-O-OXXOOOXOXXOXO-OX-XXX-X X", 32},
        Case{"othello", "XXXXXOOXXXOXXOOXXOXXOXOXXOOOXOOXXOOOOXOOXOXOXOO-XXOXOOOOXXXXX-O- X", 38}}) {
    const auto session = paika_tests::session_at(spec, position);
    const auto search = must(ExactSearch::open(session->game(), 1, 1), "search");
    EXPECT_EQ(slow_margin(*session), margin) << position;
    EXPECT_EQ(must(search->best(*session), "best").margin, margin) << position;
    EXPECT_EQ(must(search->turns(*session), "turns").front().margin, margin) << position;
  }
}

TEST(ExactSearch, the_best_line_ends_with_its_margin) {
  const GamePtr game = must_open("othello");
  const auto search = must(ExactSearch::open(*game, 1, 4), "search");
  Random random(8);
  auto session = ending_of(*game, 12, random);
  ASSERT_NE(session, nullptr);
  const Player mover = session->board().to_move;
  const auto line = must(search->best(*session), "best");
  for (const std::string& turn : line.turns) ASSERT_TRUE(session->try_play(turn)) << turn;
  ASSERT_TRUE(session->outcome().over());
  const int margin = final_margin(session->board());
  EXPECT_EQ(session->board().to_move == mover ? margin : -margin, line.margin);
}

TEST(ExactSearch, a_finished_game_has_no_turns) {
  const auto session = paika_tests::session_at("othello:6x6", "--------------XX----XX-------------- O");
  ASSERT_TRUE(session->outcome().over());
  const auto search = must(ExactSearch::open(session->game(), 1, 1), "search");
  EXPECT_TRUE(must(search->turns(*session), "turns").empty());
  EXPECT_TRUE(must(search->best(*session), "best").turns.empty());
}

TEST(ExactSearch, large_boards_are_refused) {
  const auto refused = ExactSearch::open(*must_open("othello:10x10"), 1, 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "othello:10x10 is too large: exact endings are searched on boards of at most 64 squares");
}

TEST(ExactSearch, a_stopped_search_says_so) {
  const GamePtr game = must_open("othello");
  const auto search = must(ExactSearch::open(*game, 1, 1), "search");
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(search->turns(*game->start(), stop.get_token()));
}

TEST(Oracle, by_search_leaves_early_positions_alone) {
  const GamePtr game = must_open("othello:6x6");
  const Oracle oracle = search_oracle(must(ExactSearch::open(*game, 1, 1), "search"), 8);
  EXPECT_TRUE(must(oracle(*game->start()), "start").empty());
  Random random(2);
  auto session = ending_of(*game, 8, random);
  ASSERT_NE(session, nullptr);
  const auto turns = must(oracle(*session), "ending");
  ASSERT_EQ(turns.size(), session->count_turns());
  EXPECT_EQ(turns.front().value.measure, Measure::discs);
  EXPECT_EQ(margin_of(turns.front().value), slow_margin(*session));
}

TEST(MoveValue, margins_there_and_back) {
  for (const int margin : {-64, -1, 0, 1, 64}) EXPECT_EQ(margin_of(value_of_margin(margin)), margin);
  EXPECT_EQ(value_of_margin(-3).kind, ValueKind::loss);
  EXPECT_EQ(move_value(Value::win(4)), (MoveValue{ValueKind::win, 4, Measure::turns}));
}

}  // namespace
}  // namespace paika
