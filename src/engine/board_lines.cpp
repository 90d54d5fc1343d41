#include "engine/board_lines.hpp"

#include <algorithm>

namespace paika {

bool has_lines(const GameFace& face) {
  const Coordinates& names = face.coordinates();
  return (names.cols() > 1 && face.joined({0, 0}, {1, 0})) || (names.rows() > 1 && face.joined({0, 0}, {0, 1}));
}

bool is_strong(const GameFace& face, Square square) {
  return std::any_of(all_directions.begin(), all_directions.end(),
                     [&](Direction d) { return is_diagonal(d) && face.joined(square, step(square, d)); });
}

}  // namespace paika
