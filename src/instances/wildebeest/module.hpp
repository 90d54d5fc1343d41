// The module of Wildebeest.
#pragma once

#include <array>

#include "engine/module.hpp"
#include "games/wildebeest/game.hpp"

namespace paika::wildebeest {

// One source a function, which instantiates the game's templates.
[[nodiscard]] Result<GamePtr> open(std::string_view spec);
[[nodiscard]] Result<std::string> table_label(std::string_view spec, int stones);
[[nodiscard]] Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int stones);
[[nodiscard]] Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int stones);
[[nodiscard]] Result<ProofReport> prove(const Session& session, const ProofRequest& request);
extern const BoardFiles board_files;

inline constexpr std::array<BenchTask, 2> bench = {{{"wildebeest", 5}, {"wildebeest:pads=cycle", 4}}};

inline constexpr GameModule module{
    .info = info,
    .open = open,
    .look = {.ground = Ground::chequered, .pieces = PieceShape::figure},
    .table_label = table_label,
    .numbering = open_numbering,
    .solver = open_solver,
    .prove = prove,
    .board_files = &board_files,
    .topics = &rule_topics,
    .bench = bench,
};

}  // namespace paika::wildebeest
