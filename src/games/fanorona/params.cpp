#include "games/fanorona/params.hpp"

namespace paika::fanorona {

SearchParams search_params() { return {.unit = 5000, .window = 1000, .quiescence_plies = 2}; }

const LevelPlans& level_plans() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 3.0},
      {1, 3'000, 500, 0.8},
      {1, 3'000, 500, 0.3},
      {2, 6'000, 500, 0.15},
      {3, 8'000, 500, 0.07},
      {3, 8'000, 1, 0.0},
      {40, 12'000, 1, 0.0},
      {40, 60'000, 1, 0.0},
      {40, 300'000, 1, 0.0},
      {0, 0, 1, 0.0},
  }};
  return plans;
}

}  // namespace paika::fanorona
