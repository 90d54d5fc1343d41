// What a database of games answers, as JSON for programs and pages.
#pragma once

#include "engine/json.hpp"
#include "server/explorer/game_database.hpp"

namespace paika::server {

/// {first_wins, draws, second_wins, unfinished}
[[nodiscard]] Json results_json(const ResultCounts& results);
/// {spec, position, games, results, moves: [{move: null where games ended, same, games, results, rating, last} …],
/// recent: [{players, ratings, verdict, date, source} …]}; null for what is not known.
[[nodiscard]] Json exploration_json(const Session& session, const Exploration& found);

}  // namespace paika::server
