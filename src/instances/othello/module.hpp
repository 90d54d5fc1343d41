// The module of Black & White (Othello).
#pragma once

#include <array>

#include "engine/module.hpp"
#include "games/othello/game.hpp"

namespace paika::othello {

// One source a function, which instantiates the game's templates.
[[nodiscard]] Result<GamePtr> open(std::string_view spec);
[[nodiscard]] std::span<const RecordFormat> record_formats();
[[nodiscard]] inline Phrase play_command() { return phrase("Place a pawn"); }

inline constexpr std::array<std::string_view, 5> suggested_sizes = {"6x6", "8x8", "10x10", "16x16", "26x26"};
inline constexpr std::array<BenchTask, 3> bench = {{{"othello:8x8", 9}, {"othello:6x6", 9}, {"othello:12x12", 5}}};

inline constexpr GameModule module{
    .info = info,
    .open = open,
    .spec_for_position = spec_for_position,
    .suggested_sizes = suggested_sizes,
    // docs/rules/othello.md 5.1: on the screen Black is O and White X, other than in texts.
    .look = {.ground = Ground::grid,
             .pieces = PieceShape::disc,
             .pieces_leave = false,
             .letters = {"O", "X"},
             .called_by_letter = true},
    .play_command = play_command,
    .exact_squares = 64,  // the solver of endings works on boards of one word
    .ggf = true,
    .record_formats = record_formats,
    .topics = &rule_topics,
    .bench = bench,
};

}  // namespace paika::othello
