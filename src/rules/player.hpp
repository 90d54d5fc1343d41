// The two players, named by the order in which they move: every game gives them its own colours.
#pragma once

#include <array>
#include <cstddef>

namespace paika {

enum class Player : unsigned char { first, second };
inline constexpr std::array both_players = {Player::first, Player::second};

[[nodiscard]] constexpr Player other(Player p) noexcept { return p == Player::first ? Player::second : Player::first; }

/// 0 for the first player, 1 for the second: the index of what is kept for each of the two.
[[nodiscard]] constexpr std::size_t seat_of(Player player) noexcept { return player == Player::first ? 0 : 1; }

}  // namespace paika
