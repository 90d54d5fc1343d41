// Coordinates: how a game writes its squares, "d3", both ways.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/phrase.hpp"
#include "board/square.hpp"

namespace paika {

/// Letters for columns from the left, numbers for rows from the top or the bottom.
class Coordinates {
 public:
  enum class RowsFrom : unsigned char { top, bottom };

  /// Requires 1 <= cols <= 26, rows >= 1. `first_row` is the number of the row counting starts at.
  constexpr Coordinates(int cols, int rows, RowsFrom from, int first_row = 1) noexcept
      : cols_(cols), rows_(rows), from_(from), first_row_(first_row) {}

  [[nodiscard]] int cols() const noexcept { return cols_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] bool contains(Square s) const noexcept {
    return s.col >= 0 && s.col < cols_ && s.row >= 0 && s.row < rows_;
  }

  [[nodiscard]] char column_letter(int col) const noexcept { return static_cast<char>('a' + col); }
  /// The number people write for the row with this index from the top.
  [[nodiscard]] int row_number(int row) const noexcept;
  [[nodiscard]] std::string name(Square s) const;

  /// Reads a square name at the front of `text` and removes it. A square off this board is read too
  /// (ask contains()); nothing is removed when there is no letter and number of at most three digits.
  [[nodiscard]] std::optional<Square> read(std::string_view& text) const;

  /// "a1 to i5": the range of names, for error messages.
  [[nodiscard]] Phrase range() const;

 private:
  int cols_;
  int rows_;
  RowsFrom from_;
  int first_row_;
};

}  // namespace paika
