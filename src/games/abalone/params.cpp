#include "games/abalone/params.hpp"

namespace paika::abalone {

SearchParams search_params() { return {.unit = 250, .futility = 40}; }

const LevelPlans& level_plans() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 2.0},
      {1, 3'000, 500, 1.2},
      {1, 3'000, 500, 0.57},
      {2, 6'000, 500, 0.68},
      {2, 6'000, 500, 0.41},
      {3, 10'000, 30, 0.39},
      {4, 15'000, 12, 0.58},
      {5, 25'000, 8, 0.78},
      {6, 40'000, 5, 0.47},
      {0, 0, 1, 0.0},
  }};
  return plans;
}

}  // namespace paika::abalone
