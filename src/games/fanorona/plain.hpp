// Fanorona on a plain Board, for the notation: lines, runs and captures found the obvious way.
//
// Nothing here is shared with the bitboard rules; the conformance suite holds the two together.
#pragma once

#include <optional>
#include <vector>

#include "rules/board.hpp"
#include "rules/turn.hpp"

namespace paika::fanorona {

inline constexpr Cell sacrificed_stone{Owner::nobody, 'x'};

/// True if diagonals meet at `s` (1.3).
[[nodiscard]] bool is_strong(const Grid<Cell>& cells, Square s) noexcept;
/// True if a line joins the two points. Requires adjacent points.
[[nodiscard]] bool joined(const Grid<Cell>& cells, Square a, Square b) noexcept;

/// The point where the run of a capture would begin: ahead of `to`, or behind `from`; may be off the
/// board. Requires adjacent points, and approach or withdraw.
[[nodiscard]] Square run_start(Square from, Square to, StepKind how) noexcept;
/// The stones a step of the side to move takes, nearest first (2.1); none if it does not capture.
[[nodiscard]] std::vector<Square> taken_by(const Board& board, Square from, Square to, StepKind how);

/// A first step that captures.
struct CapturingStep {
  Square from;
  Square to;
  StepKind how = StepKind::approach;
  std::vector<Square> taken;
};
/// Any capture that the stone on `from` can begin with.
[[nodiscard]] std::optional<CapturingStep> capture_from(const Board& board, Square from);
/// Any capture that the side to move can begin with (2.3).
[[nodiscard]] std::optional<CapturingStep> any_capture(const Board& board);

}  // namespace paika::fanorona
