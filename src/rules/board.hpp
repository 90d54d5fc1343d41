// Board: a position as people, files and screens see it: a two-dimensional grid and who is to move.
//
// Every game's fast position converts to and from a Board. Text, validation, explanations and
// effects work on Boards; search and solver never see one.
#pragma once

#include <array>
#include <cstdint>

#include "board/grid.hpp"
#include "board/symmetry.hpp"
#include "rules/player.hpp"

namespace paika {

enum class Owner : unsigned char { nobody, first, second };

[[nodiscard]] constexpr Owner owner_of(Player p) noexcept { return p == Player::first ? Owner::first : Owner::second; }
[[nodiscard]] constexpr Owner exchanged(Owner o) noexcept {
  return o == Owner::first ? Owner::second : o == Owner::second ? Owner::first : o;
}

/// What a square shows: whose piece, and a letter for its kind that does not depend on the owner.
/// An empty square has nobody's kind '.' (or another sign where the board itself is marked there).
struct Cell {
  Owner owner = Owner::nobody;
  char kind = '.';

  [[nodiscard]] constexpr bool belongs_to(Player p) const noexcept { return owner == owner_of(p); }
  friend constexpr bool operator==(const Cell&, const Cell&) = default;
};

/// A player's piece in a game that has one kind of piece only.
[[nodiscard]] constexpr Cell piece_of(Player p) noexcept { return {owner_of(p), 'o'}; }
/// Whose piece the cell shows. Requires that it is somebody's.
[[nodiscard]] constexpr Player player_of(const Cell& cell) noexcept {
  return cell.owner == Owner::first ? Player::first : Player::second;
}

struct Board {
  Grid<Cell> cells;
  Player to_move = Player::first;
  /// Numbers that a game's position carries beside the board (Fanorona: moves played, then zeros;
  /// Wildebeest: time used, time allowed, move number). Zero where a game has none.
  std::array<std::int64_t, 3> counters{};

  friend bool operator==(const Board&, const Board&) = default;
};

/// How many cells fulfil `wanted(cell)`.
template <class Predicate>
[[nodiscard]] int count_cells(const Board& board, Predicate&& wanted) {
  int count = 0;
  board.cells.for_each_square([&](Square s) { count += wanted(board.cells[s]) ? 1 : 0; });
  return count;
}

/// How many pieces of `player` stand on the board.
[[nodiscard]] int count_pieces(const Board& board, Player player);

/// The board moved by a symmetry: squares mapped, owners and side to move exchanged if it says so.
[[nodiscard]] Board transformed(const Board& board, Symmetry symmetry);

}  // namespace paika
