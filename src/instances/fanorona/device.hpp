// Fanorona on a GPU.
#pragma once

#include <memory>

#include "base/result.hpp"
#include "games/fanorona/game.hpp"
#include "solve/gpu/tier_device.hpp"

namespace paika::fanorona {

/// A GPU that solves the positions of these options, of at most so many stones, or all with 0. An error if there is
/// none, or this program was built without. Requires options whose positions can be numbered.
[[nodiscard]] Result<std::unique_ptr<TierDevice>> open_device(const Options& options, int stones);

}  // namespace paika::fanorona
