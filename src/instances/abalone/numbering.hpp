// Which boards of Abalone have tables.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "games/abalone/game.hpp"

namespace paika::abalone {

/// The options of a spec whose positions can be numbered; an error says why those of another cannot.
[[nodiscard]] Result<Options> solvable_options(std::string_view spec);

}  // namespace paika::abalone
