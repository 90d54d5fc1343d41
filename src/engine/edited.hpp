// Boards that people set up piece by piece: rows of letters that become a position, if there can be such a one.
#pragma once

#include <span>
#include <string>

#include "base/result.hpp"
#include "rules/notation.hpp"

namespace paika {

/// The position whose board shows `rows` (from the top, the letters of Notation::glyph; an empty square also '.' or
/// '-') with `to_move` to move, and counters as at the start of the game. An error names the square, or says why no
/// game has such a position.
[[nodiscard]] Result<Board> edited_board(const Notation& notation, std::span<const std::string> rows, Player to_move);

}  // namespace paika
