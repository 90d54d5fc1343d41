#include "games/abalone/params.hpp"

namespace paika::abalone {

SearchParams search_params() { return {.unit = 250, .futility = 40}; }

const LevelPlans& level_plans() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 80.0},
      {1, 3'000, 500, 2.5},
      {1, 3'000, 500, 1.2},
      {1, 3'000, 500, 0.6},
      {2, 6'000, 500, 0.5},
      {3, 10'000, 30, 0.41},
      {4, 15'000, 12, 0.6},
      {5, 25'000, 8, 0.5},
      {6, 40'000, 5, 0.33},
      {0, 0, 1, 0.0},
  }};
  return plans;
}

}  // namespace paika::abalone
