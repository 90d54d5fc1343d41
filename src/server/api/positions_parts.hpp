// The routes of positions.hpp by subject, a file each.
#pragma once

#include <vector>

#include "server/api/positions.hpp"

namespace paika::server {

/// Games, rules, demonstrations, languages and their messages: answers that never change.
[[nodiscard]] std::vector<Route> catalogue_routes(const PositionApi& api);
/// Positions, their legal turns, and what playing one does.
[[nodiscard]] std::vector<Route> turn_routes();
/// Scenes and pictures.
[[nodiscard]] std::vector<Route> picture_routes();
/// What the engine thinks of a position, as a stream.
[[nodiscard]] std::vector<Route> analysis_routes(const PositionApi& api);
/// What perfect play makes of a position.
[[nodiscard]] std::vector<Route> value_routes(const PositionApi& api);
/// The 409 for a position of a rated game that goes on.
[[nodiscard]] Response in_rated_play();
/// Reading and writing game records.
[[nodiscard]] std::vector<Route> record_routes();
/// Games as trees, in all formats.
[[nodiscard]] std::vector<Route> tree_routes();
/// What perfect play and the engine say of every move of a game, as a stream.
[[nodiscard]] std::vector<Route> review_routes(const PositionApi& api);

}  // namespace paika::server
