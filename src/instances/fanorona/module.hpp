// The module of Fanorona.
#pragma once

#include <array>

#include "engine/module.hpp"
#include "games/fanorona/game.hpp"

namespace paika::fanorona {

// One source a function, which instantiates the game's templates.
[[nodiscard]] Result<GamePtr> open(std::string_view spec);
[[nodiscard]] Result<std::string> table_label(std::string_view spec, int stones);
[[nodiscard]] Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int stones);
[[nodiscard]] Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int stones);
[[nodiscard]] OpenProbe open_probe(std::string_view spec, const std::string& folder);
[[nodiscard]] Result<ProofReport> prove(const Session& session, const ProofRequest& request);

inline constexpr std::array<std::string_view, 6> suggested_sizes = {"3x3", "5x5", "7x5", "9x5", "9x9", "13x13"};
inline constexpr std::array<BenchTask, 3> bench = {
    {{"fanorona:9x5", 6}, {"fanorona:5x5,sacrifice=off", 8}, {"fanorona:13x13", 2}}};

inline constexpr int max_table_stones = 10;

inline constexpr GameModule module{
    .info = info,
    .open = open,
    .suggested_sizes = suggested_sizes,
    .look = {.ground = Ground::points, .pieces = PieceShape::stone},
    .max_stones = max_table_stones,
    .table_label = table_label,
    .numbering = open_numbering,
    .solver = open_solver,
    .endgame_probe = open_probe,
    .prove = prove,
    .class_protocol = true,
    .topics = &rule_topics,
    .bench = bench,
};

}  // namespace paika::fanorona
