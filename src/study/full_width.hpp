// An oracle by search alone: it looks at every move to a certain depth, leaves nothing out, and answers only if all
// moves are proven.
#pragma once

#include <cstdint>

#include "engine/move_value.hpp"

namespace paika::study {

struct FullWidthLimits {
  int depth = 5;  // turns of both sides
  std::uint64_t nodes = 150'000;
};

/// For sessions of `game`, which outlives it.
[[nodiscard]] Oracle full_width_oracle(const Game& game, FullWidthLimits limits);

}  // namespace paika::study
