// Runner: plays a tournament's games on threads of this machine until it is over.
#pragma once

#include <stop_token>
#include <string>

#include "tournament/coordinator.hpp"

namespace paika::tournament {

/// Plays games of the coordinator on `threads` threads (0: none, workers do it all) until it is over. `stop` breaks
/// running games off: they will be played anew when the tournament is taken up again.
void run_games(const TournamentPlan& plan, Coordinator& coordinator, int threads, const std::string& logs,
               const std::stop_token& stop);

}  // namespace paika::tournament
