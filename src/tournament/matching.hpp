// Cheapest pairs: everybody gets one partner so that the sum of the costs is least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace paika::tournament {

using Cost = std::int64_t;

/// The largest cost that is taken.
inline constexpr Cost max_cost = Cost{1} << 56;

/// The partner of each. `costs[i][j]` is for i and j together, the same both ways, from 0 to max_cost. Requires an
/// even number of them. Exact for any costs: a minimum-weight perfect matching.
[[nodiscard]] std::vector<std::size_t> cheapest_pairs(const std::vector<std::vector<Cost>>& costs);

}  // namespace paika::tournament
