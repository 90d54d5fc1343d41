// The module of Tic-tac-toe.
#pragma once

#include "engine/module.hpp"
#include "tests/fifth_game/game.hpp"

namespace paika::tictactoe {

[[nodiscard]] Result<GamePtr> open(std::string_view spec);
[[nodiscard]] Result<std::string> table_label(std::string_view spec, int stones);
[[nodiscard]] Result<std::unique_ptr<Numbering>> open_numbering(std::string_view spec, int stones);
[[nodiscard]] Result<std::unique_ptr<Solver>> open_solver(std::string_view spec, int stones);
[[nodiscard]] Result<ProofReport> prove(const Session& session, const ProofRequest& request);

inline constexpr GameModule module{.info = info,
                                   .open = open,
                                   .look = {.ground = Ground::grid, .pieces = PieceShape::stone},
                                   .table_label = table_label,
                                   .numbering = open_numbering,
                                   .solver = open_solver,
                                   .prove = prove};

}  // namespace paika::tictactoe
