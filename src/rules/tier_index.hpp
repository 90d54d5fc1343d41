// TierIndex: where a position stands among those that a solver's table covers.
//
// It lies this low because the games number their positions and the solver, which they must not
// know, reads the numbers (src/solve/solvable.hpp has the contract).
#pragma once

#include <cstdint>

namespace paika {

/// Where a position stands in a space.
struct TierIndex {
  std::uint32_t tier = 0;
  std::uint64_t index = 0;
  friend constexpr bool operator==(const TierIndex&, const TierIndex&) = default;
};

}  // namespace paika
