// An oracle by search alone: it looks at every move to a certain depth and leaves nothing out.
#pragma once

#include <cstdint>

#include "engine/move_value.hpp"

namespace paika::study {

struct FullWidthLimits {
  int depth = 5;  // turns of both sides
  std::uint64_t nodes = 150'000;
};

/// For sessions of `game`, which outlives it. It answers if some move wins by force, or if all moves are proven. Of
/// several wins only the soonest count as wins, and it is proven that no other move wins as soon; moves that win later,
/// and moves that nothing is known of, count as draws.
[[nodiscard]] Oracle full_width_oracle(const Game& game, FullWidthLimits limits);

}  // namespace paika::study
