#include "engine/board_lines.hpp"

#include <algorithm>

namespace paika {

bool has_lines(const Notation& notation) {
  const Coordinates& names = notation.coordinates();
  return (names.cols() > 1 && notation.joined({0, 0}, {1, 0})) || (names.rows() > 1 && notation.joined({0, 0}, {0, 1}));
}

bool is_strong(const Notation& notation, Square square) {
  return std::any_of(all_directions.begin(), all_directions.end(),
                     [&](Direction d) { return is_diagonal(d) && notation.joined(square, step(square, d)); });
}

}  // namespace paika
