// Moves of Fanorona as the programs of the class write them (docs/rules/fanorona.md, section 6).
#pragma once

#include <string>

#include "board/coordinates.hpp"
#include "rules/turn.hpp"

namespace paika::play {

/// A legal turn of Fanorona as the class protocol writes it: "A 3 2 3 3 + W 3 3 4 3".
[[nodiscard]] std::string class_move(const Turn& turn, const Coordinates& coordinates);

}  // namespace paika::play
