// The registry: the one place that names the games.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/game.hpp"

namespace paika {

/// All games, in the order people see them.
[[nodiscard]] std::vector<const GameInfo*> all_games();

/// The game called `name` (or by one of its aliases, in any case), or an error that lists the names.
[[nodiscard]] Result<const GameInfo*> find_game(std::string_view name);

/// The game of a spec string. Errors say what is wrong with it and what would be valid.
[[nodiscard]] Result<GamePtr> open_game(std::string_view spec);

}  // namespace paika
