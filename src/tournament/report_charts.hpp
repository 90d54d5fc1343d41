// Drawings of a tournament's pages: how the ratings went, and who used how much time.
#pragma once

#include <string>

#include "tournament/report.hpp"

namespace paika::tournament {

/// The Elo of each player after each game, or after every few if there are many, as an SVG drawing with a legend. Empty
/// if there are fewer than two games.
[[nodiscard]] std::string rating_chart(const Report& report);

/// A table with bars: the average and the longest time per move of each player, and all of its time.
[[nodiscard]] std::string time_table(const Report& report);

}  // namespace paika::tournament
