// What pieces are at the moment: paralysed, charged, with a Jet Pack.
#include "games/wildebeest/layout.hpp"
#include "games/wildebeest/notation.hpp"

namespace paika::wildebeest {

std::optional<Square> beekeeper_next_to(const Grid<Cell>& cells, Square square, Player owner,
                                        std::optional<Square> gone) {
  for (const Direction d : all_directions) {
    const Square z = step(square, d);
    if (!cells.contains(z) || z == gone) continue;
    if (cells[z].kind == 'Z' && cells[z].belongs_to(other(owner))) return z;
  }
  return std::nullopt;
}

std::optional<Square> paralyser_of(const Grid<Cell>& cells, Square square) {
  if (cells[square].kind == 'X' || cells[square].kind == 'H') return std::nullopt;
  return beekeeper_next_to(cells, square, player_of(cells[square]));
}

std::optional<Square> charger_of(const Grid<Cell>& cells, Square cart) {
  const Player owner = player_of(cells[cart]);
  std::optional<Square> found;
  cells.for_each_square([&](Square s) {
    const bool pawn = cells[s].kind == 'P' && cells[s].belongs_to(other(owner)) && s.row == middle_row;
    const bool machine = cells[s].kind == 'H' && cells[s].belongs_to(owner);
    if (!found && (pawn || machine)) found = s;
  });
  return found;
}

std::vector<Badge> list_badges(const Board& board) {
  const Grid<Cell>& cells = board.cells;
  std::vector<Badge> badges;
  cells.for_each_square([&](Square s) {
    if (cells[s].owner == Owner::nobody) return;
    if (paralyser_of(cells, s)) badges.push_back({s, BadgeKind::paralysed});
    if (cells[s].kind == 'X' && charger_of(cells, s)) badges.push_back({s, BadgeKind::charged});
    if (cells[s].kind == 'W') badges.push_back({s, BadgeKind::jet});
  });
  return badges;
}

}  // namespace paika::wildebeest
