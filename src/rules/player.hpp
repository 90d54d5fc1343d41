// The two players, named by the order in which they move: every game gives them its own colours.
#pragma once

#include <array>

namespace paika {

enum class Player : unsigned char { first, second };
inline constexpr std::array both_players = {Player::first, Player::second};

[[nodiscard]] constexpr Player other(Player p) noexcept { return p == Player::first ? Player::second : Player::first; }

}  // namespace paika
