// The two players, named by the order in which they move: every game gives them its own colours.
#pragma once

namespace paika {

enum class Player : unsigned char { first, second };

[[nodiscard]] constexpr Player other(Player p) noexcept { return p == Player::first ? Player::second : Player::first; }

}  // namespace paika
