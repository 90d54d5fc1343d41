// Puzzles of people with an account: the server judges the first try at each and keeps a rating per game.
//
// A try is a game of Glicko-2 against the puzzle, whose rating follows from its level and never moves. The puzzles are
// those of data/puzzles, built into the program.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "play/glicko.hpp"
#include "server/http/route.hpp"
#include "server/store/writer.hpp"
#include "study/puzzles.hpp"

namespace paika::server {

/// The puzzles of a game that are built in; none if there are none.
[[nodiscard]] const std::vector<study::Puzzle>& puzzles_of(std::string_view game);

/// What a puzzle of a level is worth as an opponent.
[[nodiscard]] play::Rating puzzle_difficulty(int level);

/// The puzzle to try next: one that was not tried, as hard as the rating wants; `person` makes the choice among equals
/// another for everybody. Null if all were tried.
[[nodiscard]] const study::Puzzle* next_puzzle(std::span<const study::Puzzle> puzzles,
                                               const std::set<std::string>& tried, const play::Rating& rating,
                                               PersonId person);

/// Ratings against puzzles: [{game, rating, deviation, puzzles, solved}].
[[nodiscard]] Json puzzle_ratings_json(Store& store, PersonId person);

struct PuzzleDeps {
  Writer& writer;                                                          // outlives the routes
  std::function<void(std::string_view event, const Json& fields)> report;  // of what went wrong
};
/// The routes under /api/puzzles.
[[nodiscard]] std::vector<Route> puzzle_routes(const PuzzleDeps& deps);

}  // namespace paika::server
