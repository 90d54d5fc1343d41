// Boards of points and lines, told apart from boards of squares by what a face says is joined.
#pragma once

#include "rules/face.hpp"

namespace paika {

/// True if the board has points and lines; false if it has squares, and where there is nothing to join.
[[nodiscard]] bool has_lines(const GameFace& face);

/// True if lines run from the square to a corner neighbour: a strong point of Fanorona.
[[nodiscard]] bool is_strong(const GameFace& face, Square square);

}  // namespace paika
