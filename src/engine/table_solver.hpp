// The solver (engine/solver.hpp) over a space of positions (solve/space.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/solver.hpp"
#include "rules/notation.hpp"
#include "solve/space.hpp"

namespace paika {

/// Opens a GPU for the positions of a game.
using OpenDevice = std::function<Result<std::unique_ptr<TierDevice>>()>;

/// `notation` and `space` are of the game that `label` names, on a landscape board; portrait ones may be asked for.
/// Without `turns_left` the game has no limit, without `open_device` it is not solved on GPUs.
[[nodiscard]] std::unique_ptr<Solver> make_table_solver(std::string label, std::unique_ptr<Notation> notation,
                                                        std::unique_ptr<const SolveSpace> space,
                                                        TurnsLeft turns_left = {}, OpenDevice open_device = {});

}  // namespace paika
