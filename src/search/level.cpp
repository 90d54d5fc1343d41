#include "search/level.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "search/types.hpp"

namespace paika {

const LevelPlans& standard_levels() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 40.0},
      {1, 3'000, 500, 4.0},
      {1, 3'000, 500, 1.5},
      {2, 6'000, 500, 1.5},
      {2, 6'000, 500, 1.0},
      {2, 6'000, 500, 0.7},
      {2, 6'000, 500, 0.4},
      {3, 10'000, 30, 0.5},
      {3, 10'000, 30, 0.3},
      {4, 15'000, 12, 0.3},
      {4, 15'000, 12, 0.1},
      {40, 15'000, 1, 0.0},
      {40, 60'000, 1, 0.0},
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

/// What a score counts when there is a choice: a win or a loss as much as many pieces, so that the weakest miss some.
int counted(int score) {
  constexpr int decisive = 2000;
  return is_win(score) ? decisive : is_loss(score) ? -decisive : score;
}

}  // namespace

std::size_t choose_by_chance(const std::vector<int>& scores, double temperature, Random& random) {
  std::vector<double> weights;
  double sum = 0;
  for (const int score : scores) {
    const bool lost = is_loss(scores.front());
    const bool sane = lost || !is_loss(score) || plies_to(score) > 1;
    const double worse = (lost ? scores.front() - score : counted(scores.front()) - counted(score)) / 100.0;
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
