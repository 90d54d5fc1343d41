#include "search/level.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "search/types.hpp"

namespace paika {

LevelPlan level_plan(int level) {
  static constexpr std::array<LevelPlan, full_level> plans = {{
      {1, 5'000, 500, 2.0},
      {1, 5'000, 500, 0.8},
      {2, 50'000, 500, 0.7},
      {2, 50'000, 500, 0.2},
      {3, 100'000, 30, 0.3},
      {4, 150'000, 10, 0.2},
      {5, 200'000, 6, 0.15},
      {6, 300'000, 4, 0.1},
      {8, 600'000, 1, 0.0},
      {0, 0, 1, 0.0},
  }};
  return plans[static_cast<std::size_t>(std::clamp(level, weakest_level, full_level) - 1)];
}

std::size_t choose_by_chance(const std::vector<int>& scores, double temperature, int unit, Random& random) {
  constexpr double parts = 1 << 20;
  std::vector<double> weights;
  double sum = 0;
  for (const int score : scores) {
    const bool sane = !is_loss(score) || is_loss(scores.front());
    const double worse = static_cast<double>(scores.front() - score) / unit;
    weights.push_back(sane && temperature > 0 ? std::exp(-worse / temperature) : 0.0);
    sum += weights.back();
  }
  if (sum <= 0) return 0;
  double left = sum * static_cast<double>(random.below(static_cast<std::uint64_t>(parts))) / parts;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    left -= weights[i];
    if (left < 0) return i;
  }
  return 0;
}

}  // namespace paika
