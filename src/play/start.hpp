// Where a game begins, as records, plans and protocols name it: a position's text, or nothing for the game's own.
#pragma once

#include <memory>
#include <string_view>

#include "engine/game.hpp"

namespace paika::play {

/// A session at `start`; empty: the game's own start. The error is that of the position's text.
[[nodiscard]] Result<std::unique_ptr<Session>> start_at(const Game& game, std::string_view start);

/// The same for a start that was read before. Requires one that start_at() takes.
[[nodiscard]] std::unique_ptr<Session> known_start(const Game& game, std::string_view start);

}  // namespace paika::play
