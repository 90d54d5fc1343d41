// Positions of Black & White in the OBF form, as collections of endings are published: one per line,
//
//   64 cells (X, O, -), a space, the side to move (X or O), then optionally `; move:score` any number of times
//
// with scores in discs for the side to move. What follows a % is a comment; empty lines are skipped.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "rules/board.hpp"
#include "rules/turn.hpp"

namespace paika::othello {

struct ObfPosition {
  int line = 0;  // in its file, from 1
  Board board;
  std::optional<int> score;  // the best of the scores given
};

/// One line without its comment. Errors say what is wrong with it.
[[nodiscard]] Result<ObfPosition> parse_obf_line(std::string_view text);
/// All positions; an error names the line.
[[nodiscard]] Result<std::vector<ObfPosition>> read_obf(std::istream& in);
/// A move as people write it.
[[nodiscard]] std::string move_text(const Board& board, const Turn& turn);
/// A line that parse_obf_line reads again.
[[nodiscard]] std::string obf_line(const Board& board, const Turn& best, int score);

}  // namespace paika::othello
