// ProbCut: how far the score of a deep search usually is from that of a shallow one.
//
// Where a shallow search is so far beyond the window that the deep one will hardly come back, the shallow one is
// believed. tools/tune/othello/probcut.cpp measured the errors (docs/strategy/othello.md).
#pragma once

namespace paika::othello {

/// The phase of a board with `pawns` of `squares` filled, from 0 to 7.
[[nodiscard]] constexpr int probcut_phase(int squares, int pawns) noexcept { return 8 * pawns / (squares + 1); }

/// The standard error of a search of `shallow` plies in place of one of `deep`, in hundredths of a disc. Requires
/// 0 <= shallow < deep.
[[nodiscard]] int probcut_error(int squares, int pawns, int deep, int shallow) noexcept;

/// How far beyond the window the shallow score must be for the deep search to be left out.
[[nodiscard]] int probcut_margin(int squares, int pawns, int deep, int shallow) noexcept;

}  // namespace paika::othello
