// House bots: the opponents that a class starts with, from one that moves at random to a strong one.
#pragma once

#include <vector>

#include "server/store/classes.hpp"

namespace paika::server {

/// The rows of a class's house bots, the weakest first, each with the settings of our engine and a rating to begin
/// with.
[[nodiscard]] std::vector<BotRow> house_bots(WallTime now);

}  // namespace paika::server
