// A board set up by hand is a position, or the reason why it cannot be one.
#include "engine/edited.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/json.hpp"
#include "engine/registry.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::must_open;

std::vector<std::string> rows_of(const Notation& notation, const Board& board) {
  return grid_json(notation, board).get<std::vector<std::string>>();
}

TEST(Edited, the_grid_of_a_position_gives_the_position_back) {
  for (const char* spec :
       {"fanorona:9x5", "fanorona:3x3", "abalone:4x5", "othello:8x8", "othello:10x10", "wildebeest"}) {
    const GamePtr game = must_open(spec);
    for (const Player mover : {Player::first, Player::second}) {
      Board board = game->notation().initial();
      board.to_move = mover;
      const auto edited = edited_board(game->notation(), rows_of(game->notation(), board), mover);
      ASSERT_TRUE(edited) << spec << ": " << edited.error().message;
      EXPECT_EQ(*edited, board) << spec;
    }
  }
}

TEST(Edited, what_is_wrong_is_named) {
  const GamePtr game = must_open("othello:6x6");
  auto rows = rows_of(game->notation(), game->notation().initial());
  rows[0][1] = '?';
  EXPECT_EQ(edited_board(game->notation(), rows, Player::first).error().message, "b1: there is no piece \"?\"");
  rows[0] = "---";
  EXPECT_EQ(edited_board(game->notation(), rows, Player::first).error().message, "row 1 has 3 squares, not 6");
  rows.pop_back();
  EXPECT_EQ(edited_board(game->notation(), rows, Player::first).error().message, "the board has 6 rows, not 5");
}

TEST(Edited, impossible_boards_are_refused_by_the_rules) {
  const GamePtr game = must_open("wildebeest");
  auto rows = rows_of(game->notation(), game->notation().initial());
  for (std::string& row : rows) row = std::string(row.size(), 'Q');
  EXPECT_FALSE(edited_board(game->notation(), rows, Player::first));
  for (std::string& row : rows) row = std::string(row.size(), 'K');
  EXPECT_FALSE(edited_board(game->notation(), rows, Player::first)) << "a board full of kings";
}

}  // namespace
}  // namespace paika
