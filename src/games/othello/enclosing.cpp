#include "games/othello/enclosing.hpp"

#include <algorithm>

namespace paika::othello {

namespace {

Run run_towards(const Grid<Cell>& cells, Square square, Direction direction, Player player) {
  Run run;
  Square at = step(square, direction);
  while (cells.contains(at) && cells[at].belongs_to(other(player))) {
    run.pawns.push_back(at);
    at = step(at, direction);
  }
  run.behind = at;
  if (cells.contains(at)) run.end = cells[at].belongs_to(player) ? Run::End::own_pawn : Run::End::empty;
  return run;
}

}  // namespace

std::vector<Run> runs_around(const Grid<Cell>& cells, Square square, Player player) {
  std::vector<Run> runs;
  for (const Direction d : all_directions) {
    Run run = run_towards(cells, square, d, player);
    if (!run.pawns.empty()) runs.push_back(std::move(run));
  }
  return runs;
}

std::vector<Square> enclosed(const Grid<Cell>& cells, Square square, Player player) {
  std::vector<Square> pawns;
  if (cells[square].owner != Owner::nobody) return pawns;
  std::vector<Run> runs = runs_around(cells, square, player);
  std::erase_if(runs, [](const Run& run) { return run.end != Run::End::own_pawn; });
  const auto longest = static_cast<std::size_t>(std::max(cells.cols(), cells.rows()));
  for (std::size_t distance = 0; distance < longest; ++distance) {
    for (const Run& run : runs) {
      if (distance < run.pawns.size()) pawns.push_back(run.pawns[distance]);
    }
  }
  return pawns;
}

std::vector<Square> placings(const Grid<Cell>& cells, Player player) {
  std::vector<Square> squares;
  cells.for_each_square([&](Square s) {
    if (!enclosed(cells, s, player).empty()) squares.push_back(s);
  });
  return squares;
}

}  // namespace paika::othello
