#include "games/abalone/params.hpp"

namespace paika::abalone {

SearchParams search_params() { return {.unit = 250, .futility = 40}; }

const LevelPlans& level_plans() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 6.0},
      {1, 3'000, 500, 2.2},
      {1, 3'000, 500, 1.15},
      {1, 3'000, 500, 0.7},
      {1, 3'000, 500, 0.57},
      {1, 3'000, 500, 0.43},
      {4, 15'000, 12, 1.9},
      {4, 15'000, 12, 0.55},
      {4, 15'000, 12, 0.35},
      {5, 25'000, 8, 0.38},
      {6, 40'000, 6, 0.4},
      {8, 60'000, 4, 0.32},
      {40, 60'000, 1, 0.0},
      {0, 0, 1, 0.0},
  }};
  return plans;
}

}  // namespace paika::abalone
