// The registry: finds the games of the program (engine/module.hpp) and opens them.
#pragma once

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

/// The same for reading a position: what the spec leaves open and the text decides (the size of an
/// Othello board) is taken from the text.
[[nodiscard]] Result<GamePtr> open_game_for(std::string_view spec, std::string_view position);

}  // namespace paika
