// Boards of points and lines, told apart from boards of squares by what a notation says is joined.
#pragma once

#include "rules/notation.hpp"

namespace paika {

/// True if the board has points and lines; false if it has squares, and where there is nothing to join.
[[nodiscard]] bool has_lines(const Notation& notation);

/// True if lines run from the square to a corner neighbour: a strong point of Fanorona.
[[nodiscard]] bool is_strong(const Notation& notation, Square square);

}  // namespace paika
