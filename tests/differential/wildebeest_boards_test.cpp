// Wildebeest's successor generation on any well-formed board (6.2), also impossible ones with many
// kings, carts in mid-board or hardly an empty square: the bitboard rules against the reference.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "base/text.hpp"
#include "games/wildebeest/board_file.hpp"
#include "games/wildebeest/game.hpp"
#include "games/wildebeest/instances.hpp"
#include "tests/reference/checksum.hpp"
#include "tests/reference/reference.hpp"
#include "tests/support/files.hpp"
#include "tests/support/must.hpp"

namespace paika::wildebeest {
namespace {

using paika_reference::Successor;

std::vector<Successor> fast_successors(const Options& options, const std::string& position) {
  const Board board = paika_tests::must(parse_board_line(position), position);
  const auto notation = make_notation(options);
  std::vector<Successor> out;
  with_rules(options, [&](const auto& rules) {
    const auto p = rules.from_board(board);
    rules.for_each_successor(p, [&](const auto& move) {
      const auto turn = notation->turn_text(board, rules.to_turn(p, move));
      out.push_back({turn, board_line_text(rules.to_board(rules.play(p, move)))});
      return true;
    });
  });
  std::sort(out.begin(), out.end());
  return out;
}

TEST(WildebeestBoards, recorded_answers_hold) {
  const auto lines = paika_tests::data_lines(PAIKA_TEST_DATA "/wildebeest_boards.txt");
  ASSERT_GT(lines.size(), 100U);
  for (const std::string& line : lines) {
    const auto fields = split(line, '\t');
    ASSERT_EQ(fields.size(), 3U) << line;
    const auto successors = fast_successors({}, std::string(fields[0]));
    EXPECT_EQ(fmt::format("{}", successors.size()), fields[1]) << line;
    EXPECT_EQ(paika_reference::checksum(successors), fields[2]) << line;
  }
}

/// A board with each square taken with chance `part` in 20, by any piece of either side.
std::string random_board(Random& random, std::uint64_t part) {
  static constexpr std::string_view kinds = "KWPPPBNRSSOOEJJCCGGXXHZZ";
  Board board;
  board.cells = Grid<Cell>(11, 11);
  board.to_move = random.one_in(2) ? Player::first : Player::second;
  const auto notation = make_notation({});
  board.cells.for_each_square([&](Square s) {
    board.cells[s] = notation->empty_cell(s);
    if (random.below(20) >= part) return;
    board.cells[s] = {random.one_in(2) ? Owner::first : Owner::second, kinds[random.index(kinds.size())]};
  });
  return board_line_text(board);
}

TEST(WildebeestBoards, random_boards_have_the_references_successors) {
  Random random(5);
  for (const Options options : {Options{}, Options{Pads::cycle, Swarm::enter}, Options{Pads::cycle, Swarm::forbid},
                                Options{Pads::diagonal, Swarm::enter, Poison::once, Serpent::dies},
                                Options{Pads::diagonal, Swarm::enter, Poison::twice, Serpent::survives}}) {
    for (int i = 0; i < 150; ++i) {
      const std::string position = random_board(random, 1 + random.below(19));
      auto expected =
          paika_reference::wildebeest_successors({options.pads == Pads::cycle, options.swarm == Swarm::forbid,
                                                  options.poison == Poison::once, options.serpent == Serpent::survives},
                                                 position);
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(fast_successors(options, position) == expected, true) << canonical_spec(options) << " " << position;
    }
  }
}

}  // namespace
}  // namespace paika::wildebeest
