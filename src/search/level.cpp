#include "search/level.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "search/types.hpp"

namespace paika {

const LevelPlans& standard_levels() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 8.0},
      {1, 3'000, 500, 4.0},
      {1, 3'000, 500, 2.0},
      {2, 6'000, 500, 2.0},
      {2, 6'000, 500, 1.0},
      {3, 10'000, 30, 1.0},
      {4, 15'000, 12, 0.8},
      {5, 25'000, 8, 0.5},
      {6, 40'000, 5, 0.3},
      {0, 0, 1, 0.0},
  }};
  return plans;
}

namespace {

/// A number from 0 to 1.
double fraction(Random& random) {
  constexpr std::uint64_t parts = 1U << 20U;
  return static_cast<double>(random.below(parts)) / static_cast<double>(parts);
}

}  // namespace

std::size_t choose_by_chance(const std::vector<int>& scores, double temperature, Random& random) {
  std::vector<double> weights;
  double sum = 0;
  for (const int score : scores) {
    const bool sane = !is_loss(score) || is_loss(scores.front());
    const double worse = static_cast<double>(scores.front() - score) / 100;
    weights.push_back(sane && temperature > 0 ? std::exp(-worse / temperature) : 0.0);
    sum += weights.back();
  }
  if (sum <= 0) return 0;
  double left = sum * fraction(random);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return 0;
}

}  // namespace paika
