#include "tournament/matching.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

#include "base/random.hpp"

namespace paika::tournament {

namespace {

/// The least cost of pairing everybody, by trying all ways.
Cost by_hand(const std::vector<std::vector<Cost>>& costs) {
  const std::size_t n = costs.size();
  std::vector<Cost> best(std::size_t{1} << n, std::numeric_limits<Cost>::max() / 2);
  best[0] = 0;
  for (std::size_t done = 0; done < best.size(); ++done) {
    std::size_t i = 0;
    while (i < n && (done >> i & 1) != 0) ++i;
    for (std::size_t j = i + 1; j < n; ++j) {
      if ((done >> j & 1) != 0) continue;
      const std::size_t next = done | std::size_t{1} << i | std::size_t{1} << j;
      best[next] = std::min(best[next], best[done] + costs[i][j]);
    }
  }
  return best.back();
}

Cost cost_of(const std::vector<std::vector<Cost>>& costs, const std::vector<std::size_t>& partners) {
  Cost sum = 0;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    EXPECT_NE(partners[i], i);
    EXPECT_EQ(partners[partners[i]], i);
    if (partners[i] > i) sum += costs[i][partners[i]];
  }
  return sum;
}

std::vector<std::vector<Cost>> random_costs(std::size_t n, std::uint64_t most, Random& random) {
  std::vector<std::vector<Cost>> costs(n, std::vector<Cost>(n, 0));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) costs[i][j] = costs[j][i] = static_cast<Cost>(random.below(most));
  }
  return costs;
}

}  // namespace

TEST(Matching, is_as_cheap_as_the_best_of_all_ways) {
  Random random(1);
  for (int round = 0; round < 600; ++round) {
    const std::size_t n = 2 * (1 + random.index(5));
    // Small ranges make many ties and blossoms, large ones use all bits.
    const std::uint64_t most = round % 3 == 0 ? 3 : round % 3 == 1 ? 50 : std::uint64_t{1} << 56;
    const auto costs = random_costs(n, most, random);
    EXPECT_EQ(cost_of(costs, cheapest_pairs(costs)), by_hand(costs)) << "round " << round;
  }
}

TEST(Matching, finds_the_one_way_that_is_free) {
  Random random(2);
  for (const std::size_t n : {40U, 100U, 256U}) {
    std::vector<std::size_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = i;
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.index(i)]);
    auto costs = random_costs(n, 1000, random);
    for (auto& row : costs) {
      for (Cost& cost : row) cost += 1;
    }
    for (std::size_t i = 0; i < n; i += 2) costs[order[i]][order[i + 1]] = costs[order[i + 1]][order[i]] = 0;
    EXPECT_EQ(cost_of(costs, cheapest_pairs(costs)), 0);
  }
}

TEST(Matching, nobody_has_nobody) { EXPECT_TRUE(cheapest_pairs({}).empty()); }

}  // namespace paika::tournament
