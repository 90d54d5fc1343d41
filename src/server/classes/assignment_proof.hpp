// Where the solutions of tasks come from: tables, searches to the end, forced wins, and the puzzles of data/puzzles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "engine/json.hpp"
#include "server/classes/assignment_tasks.hpp"

namespace paika::server {

struct ProvenMoves {
  std::vector<std::string> moves;  // canonical; all that reach the goal
  std::string proof;               // table, proof or ending
  int within = 0;                  // the goal is to win in so many moves; 0: at any time
};
/// All moves that win (goal win), or that do not lose (goal draw); where search alone has found a win, those that win
/// soonest. An error if none does, or if neither a table in the folder nor a search of a few seconds says; a search for
/// forced wins never says which moves do not lose.
[[nodiscard]] Result<ProvenMoves> prove_moves(const Session& session, const std::string& goal,
                                              const std::string& tables);

/// Puzzles as tasks, easy ones first: those that {"ids": […]} names, or "count" of the "game" from "min_level" to
/// "max_level" with the "theme", drawn by the seed.
[[nodiscard]] Result<std::vector<Task>> draw_puzzles(const Json& object, std::uint64_t seed);

}  // namespace paika::server
