// Symmetries of a board: turns and reflections, with or without an exchange of the players.
#pragma once

#include <array>
#include <vector>

#include "base/bits.hpp"
#include "board/square.hpp"

namespace paika {

/// The eight turns and reflections of a rectangle. The last four exchange columns and rows.
enum class Dihedral : unsigned char {
  identity,
  mirror,     // left and right exchanged
  flip,       // top and bottom exchanged
  rotate180,  // both
  transpose,  // column and row exchanged
  rotate90,   // a quarter turn clockwise
  rotate270,  // a quarter turn anticlockwise
  antitranspose
};

inline constexpr std::array<Dihedral, 8> all_dihedrals = {
    Dihedral::identity,  Dihedral::mirror,   Dihedral::flip,      Dihedral::rotate180,
    Dihedral::transpose, Dihedral::rotate90, Dihedral::rotate270, Dihedral::antitranspose};

/// True if the map turns a board of cols x rows into one of rows x cols.
[[nodiscard]] constexpr bool exchanges_axes(Dihedral d) noexcept { return d >= Dihedral::transpose; }

/// Where square `s` of a board of cols x rows goes.
[[nodiscard]] constexpr Square mapped(Square s, Dihedral d, int cols, int rows) noexcept {
  const int right = cols - 1 - s.col;
  const int up = rows - 1 - s.row;
  switch (d) {
    case Dihedral::identity: return s;
    case Dihedral::mirror: return {right, s.row};
    case Dihedral::flip: return {s.col, up};
    case Dihedral::rotate180: return {right, up};
    case Dihedral::transpose: return {s.row, s.col};
    case Dihedral::rotate90: return {up, s.col};
    case Dihedral::rotate270: return {s.row, right};
    case Dihedral::antitranspose: return {up, right};
  }
  return s;
}

/// A map of positions that keeps the rules: move the squares, and perhaps exchange the players.
struct Symmetry {
  Dihedral map = Dihedral::identity;
  bool swap_players = false;
  friend constexpr bool operator==(const Symmetry&, const Symmetry&) = default;
};

/// Every map of a board of cols x rows onto itself, without and with an exchange of the players; the
/// identity first.
[[nodiscard]] inline std::vector<Symmetry> all_symmetries(int cols, int rows) {
  std::vector<Symmetry> all;
  for (const bool swap : {false, true}) {
    for (const Dihedral map : all_dihedrals) {
      if (!exchanges_axes(map) || cols == rows) all.push_back({map, swap});
    }
  }
  return all;
}

/// The members of `set` (indices on `shape`) moved by `d`. Requires a square shape if axes are exchanged.
template <class Shape>
[[nodiscard]] constexpr typename Shape::Set mapped(const Shape& shape, const typename Shape::Set& set, Dihedral d) {
  typename Shape::Set out;
  for_each_bit(set, [&](int i) { out.set(shape.index(mapped(shape.square(i), d, shape.cols(), shape.rows()))); });
  return out;
}

}  // namespace paika
