// The line in front of a chosen piece (rules section 2), read off the grid square by square.
//
// Explanations, effects and freezing all ask the same question: which pieces would move, and what
// comes after them. This is the notation's own answer; the bitboard rules have another.
#pragma once

#include <optional>

#include "rules/board.hpp"

namespace paika::abalone {

/// What stops or lets through the line of a move.
enum class LineEnd : unsigned char {
  empty,   // an empty square follows
  edge,    // the board ends
  blocked  // after the opposing pieces another own piece follows
};

/// A chosen piece with everything in front of it that would move (2.2).
struct Line {
  Square from;
  Direction direction = Direction::n;
  int own = 0;     // k: own pieces from the chosen one on
  int pushed = 0;  // j: opposing pieces after them
  LineEnd end = LineEnd::empty;

  /// The i-th square from the chosen piece on, counted from 0.
  [[nodiscard]] Square at(int i) const noexcept { return step(from, direction, i); }
  [[nodiscard]] int size() const noexcept { return own + pushed; }
  /// 2.3, 2.4: the line may move, freezing aside.
  [[nodiscard]] bool can_move() const noexcept {
    return pushed == 0 ? end == LineEnd::empty : end != LineEnd::blocked && own > pushed;
  }
  [[nodiscard]] bool captures() const noexcept { return can_move() && pushed > 0 && end == LineEnd::edge; }
};

/// The line of `mover`'s piece on `from`. Requires that such a piece stands there.
[[nodiscard]] Line line_of(const Board& board, Player mover, Square from, Direction direction);

/// 4.2: a push by which `pusher` could move the other side's piece on `target`, the shortest in its
/// line; nothing if there is none. Requires that such a piece stands on `target`.
[[nodiscard]] std::optional<Line> push_onto(const Board& board, Player pusher, Square target);

}  // namespace paika::abalone
