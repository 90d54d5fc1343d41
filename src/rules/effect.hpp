// Effects: what a turn does to the board, in order, each with its cause.
//
// Animation, the log line and the screen reader all use this list, and replaying it on the grid must
// give the next grid (the conformance suite checks that for every game).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/board.hpp"

namespace paika {

enum class EffectKind : unsigned char {
  placed,       // a new piece on `to`
  moved,        // by its own move
  captured,     // taken
  pushed,       // moved by another piece
  flung,        // thrown by another piece
  poisoned,     // removed by poison
  transformed,  // the piece on `to` becomes `piece`
  swept,        // removed by a sweeping cart, or the cart's own ride
  teleported,   // moved by a pad
  exploded,     // removed by an explosion
  flipped,      // changed its owner
  sacrificed,   // became a block
  removed,      // a block taken off the board
  passed        // the player did nothing
};

/// One change of the board. `from` is cleared, then `to` (if any) shows `piece`.
struct Effect {
  EffectKind kind = EffectKind::moved;
  /// Effects of one stage happen at the same time: all clear before any shows. Stages never decrease.
  int stage = 0;
  std::optional<Square> from;
  std::optional<Square> to;
  /// The piece concerned: as it stands on `to` afterwards, or as it was on `from` if it is gone.
  Cell piece;
  /// The square of the piece that caused it, where there is one (the Serpent, the Joey, the mover).
  std::optional<Square> cause;
  /// The clause of the game's rules that says so: "2.4".
  std::string clause;
  /// What the rule counted, where it counts: the pieces in the row of a Joey that explodes. Else 0.
  int count = 0;

  friend bool operator==(const Effect&, const Effect&) = default;
};

/// The word for a kind of effect in JSON and messages: "placed", "moved", …
[[nodiscard]] std::string_view name(EffectKind kind) noexcept;

/// The grid after `effects`. `empty` says what a square shows when nothing stands on it.
[[nodiscard]] Grid<Cell> replayed(Grid<Cell> grid, std::span<const Effect> effects,
                                  const std::function<Cell(Square)>& empty);

}  // namespace paika
