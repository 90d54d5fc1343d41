// Grid<Cell>: a plain two-dimensional array, the way people, files and screens see a board.
#pragma once

#include <cstddef>
#include <vector>

#include "base/check.hpp"
#include "board/square.hpp"

namespace paika {

template <class Cell>
class Grid {
 public:
  Grid() = default;
  /// A grid of cols by rows cells, all equal to `fill`. Requires cols, rows >= 0.
  Grid(int cols, int rows, Cell fill = {})
      : cols_(cols), rows_(rows), cells_(static_cast<std::size_t>(cols) * static_cast<std::size_t>(rows), fill) {}

  [[nodiscard]] int cols() const noexcept { return cols_; }
  [[nodiscard]] int rows() const noexcept { return rows_; }
  [[nodiscard]] int size() const noexcept { return cols_ * rows_; }

  [[nodiscard]] bool contains(Square s) const noexcept {
    return s.col >= 0 && s.col < cols_ && s.row >= 0 && s.row < rows_;
  }
  /// The cell at `s`. Requires contains(s).
  [[nodiscard]] Cell& operator[](Square s) { return cells_[offset(s)]; }
  [[nodiscard]] const Cell& operator[](Square s) const { return cells_[offset(s)]; }

  /// Calls f(square) for every square, row by row from the top, each from the left.
  template <class F>
  void for_each_square(F&& f) const {
    for (int row = 0; row < rows_; ++row)
      for (int col = 0; col < cols_; ++col) f(Square{col, row});
  }

  friend bool operator==(const Grid&, const Grid&) = default;

 private:
  [[nodiscard]] std::size_t offset(Square s) const {
    PAIKA_CHECK(contains(s));
    return static_cast<std::size_t>(s.row) * static_cast<std::size_t>(cols_) + static_cast<std::size_t>(s.col);
  }

  int cols_ = 0;
  int rows_ = 0;
  std::vector<Cell> cells_;
};

}  // namespace paika
