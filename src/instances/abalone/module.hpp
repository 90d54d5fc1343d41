// The module of Abalone.
#pragma once

#include <array>

#include "engine/module.hpp"
#include "games/abalone/game.hpp"

namespace paika::abalone {

// One source a function, which instantiates the game's templates.
[[nodiscard]] Result<GamePtr> open(std::string_view spec);
[[nodiscard]] Result<std::string> table_label(std::string_view spec, int stones);
[[nodiscard]] Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int stones);
[[nodiscard]] Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int stones);
[[nodiscard]] Result<ProofReport> prove(const Session& session, const ProofRequest& request);

inline constexpr std::array<std::string_view, 5> suggested_sizes = {"3x3", "4x4", "5x5", "6x8", "10x26"};
inline constexpr std::array<BenchTask, 2> bench = {{{"abalone:4x4", 10}, {"abalone:6x5,captures=3,freeze", 6}}};

inline constexpr GameModule module{
    .info = info,
    .open = open,
    .suggested_sizes = suggested_sizes,
    .recommended = "abalone:5x5,captures=3",
    .look = {.ground = Ground::hollows, .pieces = PieceShape::marble},
    .table_label = table_label,
    .numbering = open_numbering,
    .solver = open_solver,
    .prove = prove,
    .topics = &rule_topics,
    .bench = bench,
};

}  // namespace paika::abalone
