// Boards for grading, made by chance.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "base/random.hpp"
#include "games/wildebeest/board_file.hpp"
#include "games/wildebeest/layout.hpp"
#include "grading/grade.hpp"

namespace paika::grading {

namespace {

/// Longer games by chance show nothing new.
constexpr std::uint64_t max_turns = 60;

/// A position after so many turns by chance, or the last one before the turns run out.
std::string wander(const Game& game, Random& random, std::uint64_t turns) {
  std::string position = game.notation().position_text(game.notation().initial());
  for (; turns > 0; --turns) {
    const auto next = successors_of(game, position);
    if (!next || next->empty()) break;
    position = std::next(next->begin(), static_cast<std::ptrdiff_t>(random.index(next->size())))->first;
  }
  return position;
}

/// A board of Wildebeest with pieces anywhere: what games seldom lead to, and generators therefore get wrong.
std::string strewn(Random& random) {
  Board board;
  board.cells = Grid<Cell>(wildebeest::board_side, wildebeest::board_side);
  board.to_move = random.one_in(2) ? Player::first : Player::second;
  board.counters = {static_cast<std::int64_t>(random.below(60'000)), 60'000,
                    static_cast<std::int64_t>(random.below(100))};
  const std::uint64_t one_in = 2 + random.below(8);
  board.cells.for_each_square([&](Square s) {
    board.cells[s] = {Owner::nobody, wildebeest::empty_sign(s)};
    if (!random.one_in(one_in)) return;
    const char kind = wildebeest::piece_letters[random.index(wildebeest::piece_letters.size())];
    board.cells[s] = {random.one_in(2) ? Owner::first : Owner::second, kind};
  });
  return wildebeest::board_line_text(board);
}

}  // namespace

std::vector<GradeBoard> random_boards(const Game& game, int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<GradeBoard> boards;
  const bool strew = game.info().name == "wildebeest";
  for (int i = 0; i < count; ++i) {
    GradeBoard board{fmt::format("board-{:02}", i), ""};
    if (i == 0) {
      board.text = game.notation().position_text(game.notation().initial());
    } else if (strew && i % 2 == 0) {
      board.text = strewn(random);
    } else {
      board.text = wander(game, random, 1 + random.below(max_turns));
    }
    boards.push_back(std::move(board));
  }
  return boards;
}

}  // namespace paika::grading
