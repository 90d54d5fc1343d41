// The face of Two-player Wildebeest: text, explanations and effects on plain boards.
//
// It shares only the layout of the board with the fast half, so that each can check the other.
#pragma once

#include "games/wildebeest/game.hpp"

namespace paika::wildebeest {

/// Why the turn is not legal (explain.cpp); nothing if it is.
[[nodiscard]] std::optional<Refusal> explain(const Board& board, const Turn& turn, const Options& options,
                                             const Coordinates& coordinates);

/// What a legal turn does, in the order of rules 3, 4 and 5 (effects.cpp).
[[nodiscard]] std::vector<Effect> list_effects(const Board& board, const Turn& turn, const Options& options);

/// "White" or "Black".
[[nodiscard]] std::string_view side_name(Player player) noexcept;

}  // namespace paika::wildebeest
