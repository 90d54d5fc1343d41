// Words that several screens use: players, what a turn did, how a game ended.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/catalogue.hpp"
#include "rules/notation.hpp"

namespace paika::terminal {

/// The player's name in the person's language.
[[nodiscard]] std::string player_words(const Catalogue& catalogue, const Notation& notation, Player player);

/// How many pieces a player has, and how many fewer than `at_start` where that is told: "Stones: 20, lost: 2".
[[nodiscard]] std::string count_words(const Catalogue& catalogue, const Notation& notation, const Board& board,
                                      Player player, std::optional<int> at_start = std::nullopt);
/// What the position says beside its board, a line each.
[[nodiscard]] std::vector<std::string> fact_words(const Catalogue& catalogue, const Notation& notation,
                                                  const Board& board);

/// What a turn did, in order: one line for the effects of a kind that happened at once.
[[nodiscard]] std::vector<std::string> effect_words(const Catalogue& catalogue, const Notation& notation,
                                                    std::span<const Effect> effects);

/// The squares that a turn names, for marks.
[[nodiscard]] std::vector<Square> squares_of(const Turn& turn);

/// The boards between a position and the one after a turn: one for each stage of its effects but the last.
[[nodiscard]] std::vector<Board> boards_between(const Notation& notation, const Board& before,
                                                std::span<const Effect> effects);

}  // namespace paika::terminal
