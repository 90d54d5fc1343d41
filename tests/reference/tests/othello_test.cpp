// The reference Othello against the numbers of the rules document and small hand-made boards.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "tests/reference/reference.hpp"
#include "tests/reference/tests/perft_lines.hpp"

namespace paika_reference {
namespace {

using Counts = std::vector<std::int64_t>;
using Turns = std::vector<std::string>;
using Rows = std::vector<std::string>;

/// A position from its rows, which may be fewer and shorter than the board: the rest is empty.
std::string place(int size, const Rows& rows, char mover) {
  std::string cells;
  for (int row = 0; row < size; ++row) {
    std::string line = row < static_cast<int>(rows.size()) ? rows[static_cast<std::size_t>(row)] : "";
    line.resize(static_cast<std::size_t>(size), '-');
    cells += line;
  }
  return cells + ' ' + mover;
}

Turns turns(const ReferenceGame& game, const std::string& position) {
  Turns result;
  for (const Successor& s : game.successors(position)) result.push_back(s.turn);
  std::sort(result.begin(), result.end());
  return result;
}

/// The position after one turn, or "illegal".
std::string after(const ReferenceGame& game, const std::string& position, const std::string& turn) {
  for (const Successor& s : game.successors(position)) {
    if (s.turn == turn) return s.position;
  }
  return "illegal";
}

TEST(ReferenceOthello, clause_1_2_centre_squares_and_1_3_black_first) {
  EXPECT_EQ(make_othello({8})->initial(), place(8, {"--------", "--------", "--------", "---OX---", "---XO---"}, 'X'));
  EXPECT_EQ(make_othello({6})->initial(), place(6, {"------", "------", "--OX--", "--XO--"}, 'X'));
  const std::string large = make_othello({26})->initial();
  EXPECT_EQ(large.size(), 26U * 26U + 2U);
  EXPECT_EQ(large.substr(12 * 26 + 12, 2), "OX");
  EXPECT_EQ(large.substr(13 * 26 + 12, 2), "XO");
}

TEST(ReferenceOthello, clause_1_1_names_of_squares) {
  const auto game = make_othello({8});
  EXPECT_EQ(turns(*game, game->initial()), (Turns{"c4", "d3", "e6", "f5"}));
  const auto large = make_othello({26});
  EXPECT_EQ(turns(*large, place(26, {"XO"}, 'X')), (Turns{"c1"}));
  EXPECT_EQ(turns(*large, place(26, {std::string(24, '-') + "OX"}, 'X')), (Turns{"x1"}));
  Rows rows(26);
  rows[23] = rows[24] = std::string(25, '-');
  rows[23] += 'X';
  rows[24] += 'O';
  EXPECT_EQ(turns(*large, place(26, rows, 'X')), (Turns{"z26"}));
}

TEST(ReferenceOthello, clause_2_1_all_eight_directions_turn_at_once) {
  const auto game = make_othello({8});
  const std::string star = place(8, {"X--X--X", "-O-O-O-", "--OOO--", "XOO-OOX", "--OOO--", "-O-O-O-", "X--X--X"}, 'X');
  EXPECT_EQ(after(*game, star, "d4"),
            place(8, {"X--X--X", "-X-X-X-", "--XXX--", "XXXXXXX", "--XXX--", "-X-X-X-", "X--X--X"}, 'O'));
}

TEST(ReferenceOthello, clause_2_1_turned_pawns_enclose_nothing_further) {
  const auto game = make_othello({6});
  // b1 turns over and then stands above b2 with b3 below it: b2 must stay.
  EXPECT_EQ(after(*game, place(6, {"-OX", "-O", "-X"}, 'X'), "a1"), place(6, {"XXX", "-O", "-X"}, 'O'));
}

TEST(ReferenceOthello, clause_2_1_a_run_must_be_closed) {
  const auto game = make_othello({6});
  EXPECT_EQ(turns(*game, place(6, {"--OOOO", "XO----"}, 'X')), (Turns{"c2"}));
  EXPECT_EQ(after(*game, place(6, {"X-O-OX"}, 'X'), "d1"), place(6, {"X-OXXX"}, 'O'));
}

TEST(ReferenceOthello, clause_2_2_pass_only_when_no_pawn_can_be_placed) {
  const auto game = make_othello({6});
  const std::string stuck = place(6, {"XO"}, 'O');
  EXPECT_EQ(turns(*game, stuck), (Turns{"pass"}));
  EXPECT_EQ(after(*game, stuck, "pass"), place(6, {"XO"}, 'X'));
  EXPECT_EQ(turns(*game, place(6, {"XO"}, 'X')), (Turns{"c1"}));
  EXPECT_EQ(game->outcome(stuck), "ongoing");
}

TEST(ReferenceOthello, clause_3_1_elimination) {
  const auto game = make_othello({6});
  const std::string end = after(*game, place(6, {"XO"}, 'X'), "c1");
  EXPECT_EQ(game->outcome(end), "first_wins eliminated");
  EXPECT_TRUE(game->successors(end).empty());
  EXPECT_EQ(game->outcome(place(6, {"OO"}, 'X')), "second_wins eliminated");
  EXPECT_EQ(game->outcome(place(6, Rows(6, "OOOOOO"), 'X')), "second_wins eliminated");
}

TEST(ReferenceOthello, clause_3_1_board_full_and_3_2_more_pawns_win) {
  const auto game = make_othello({6});
  EXPECT_EQ(game->outcome(place(6, {"XXXXXX", "XXXXXX", "XXXXXX", "OOOOOO", "OOOOOO", "OOOOOO"}, 'X')),
            "draw board_full");
  EXPECT_EQ(game->outcome(place(6, {"XXXXXX", "XXXXXX", "XXXXXX", "XOOOOO", "OOOOOO", "OOOOOO"}, 'O')),
            "first_wins board_full");
  EXPECT_EQ(game->outcome(place(6, {"XXXXXX", "XXXXXX", "XXXXXO", "OOOOOO", "OOOOOO", "OOOOOO"}, 'O')),
            "second_wins board_full");
}

TEST(ReferenceOthello, clause_3_1_mutual_blocking) {
  const auto game = make_othello({6});
  EXPECT_EQ(game->outcome(place(6, {"XX", "", "", "OOO"}, 'X')), "second_wins blocked");
  EXPECT_EQ(game->outcome(place(6, {"XX", "", "", "OO"}, 'X')), "draw blocked");
  EXPECT_EQ(game->outcome(place(6, {"XX", "", "", "O"}, 'O')), "first_wins blocked");
  EXPECT_TRUE(game->successors(place(6, {"XX", "", "", "O"}, 'O')).empty());
}

TEST(ReferenceOthello, clause_5_1_the_example_of_the_screen) {
  const auto game = make_othello({8});
  std::string position = game->initial();
  for (const char* turn : {"e6", "f4", "e3", "d6"}) position = after(*game, position, turn);
  EXPECT_EQ(position, place(8, {"", "", "----X", "---OXO", "---OO", "---OX"}, 'X'));
}

TEST(ReferenceOthello, clause_6_1_known_numbers) {
  const auto counts = [](int size, int depths) {
    const auto game = make_othello({size});
    return perft_counts(*game, game->initial(), depths);
  };
  EXPECT_EQ(counts(8, 7), (Counts{4, 12, 56, 244, 1396, 8200, 55092}));
  EXPECT_EQ(counts(6, 7), (Counts{4, 12, 56, 244, 1364, 7604, 47740}));
  EXPECT_EQ(counts(10, 6), (Counts{4, 12, 56, 244, 1396, 8200}));
}

TEST(ReferenceOthello, perft_file_is_what_this_implementation_says) {
  expect_perft_file("reference_othello.txt", 20, 1000);
}

}  // namespace
}  // namespace paika_reference
