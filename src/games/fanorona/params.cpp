#include "games/fanorona/params.hpp"

namespace paika::fanorona {

SearchParams search_params() { return {.unit = 5000, .window = 1000, .quiescence_plies = 2}; }

const LevelPlans& level_plans() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 30.0},
      {1, 3'000, 500, 8.0},
      {1, 3'000, 500, 3.0},
      {2, 6'000, 500, 2.8},
      {2, 6'000, 500, 1.65},
      {3, 10'000, 30, 1.35},
      {3, 10'000, 30, 0.95},
      {3, 10'000, 30, 0.6},
      {3, 10'000, 30, 0.3},
      {4, 15'000, 12, 0.29},
      {4, 15'000, 12, 0.08},
      {5, 25'000, 8, 0.045},
      {8, 60'000, 4, 0.02},
      {0, 0, 1, 0.0},
  }};
  return plans;
}

}  // namespace paika::fanorona
