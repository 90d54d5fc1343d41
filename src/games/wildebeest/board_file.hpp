// Positions as text: the board file of rules 7.1 and the one line of rules 7.5.
//
// Only the form is checked here: any well-formed board is read, also one that no game could lead to
// (6.2). What no game can lead to is found by impossible() in notation.hpp.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "rules/board.hpp"

namespace paika::wildebeest {

/// The three integers of a position as they were written, leading zeros and all.
using IntegerTexts = std::array<std::string, 3>;

struct BoardFile {
  Board board;
  IntegerTexts integers;
};

/// Whether the 15th line must be ended by a line end (7.1), or may stop without one.
enum class LastLine : bool { must_end, may_stop };

/// Reads the 15 lines of a board file. An error names line and column, both counted from 1 (7.4).
[[nodiscard]] Result<BoardFile> parse_board_file(std::string_view text, LastLine last = LastLine::must_end);

/// The 15 lines, each ended by a line end, with the integers as given.
[[nodiscard]] std::string board_file_text(const Board& board, const IntegerTexts& integers);

/// Reads the one-line form (7.5). An error names the row, the column and the square.
[[nodiscard]] Result<Board> parse_board_line(std::string_view text);

/// The one-line form.
[[nodiscard]] std::string board_line_text(const Board& board);

/// The character of a cell: upper case White, lower case Black, the sign of an empty square.
[[nodiscard]] char cell_glyph(const Cell& cell) noexcept;

}  // namespace paika::wildebeest
