// Which side's pieces are the light ones, on every screen and in every picture.
#pragma once

#include "rules/notation.hpp"

namespace paika {

/// White's are light and Black's are dark; in games that call nobody so, the first player's are light.
[[nodiscard]] inline bool is_light(const Notation& notation, Player player) {
  const Player light = notation.player_name(Player::second) == "White" ? Player::second : Player::first;
  return player == light;
}

}  // namespace paika
