#include "games/othello/params.hpp"

namespace paika::othello {

SearchParams search_params() {
  return {.unit = 100, .window = 133, .quiescence = false, .futility = 200, .probcut = 450};
}

const LevelPlans& level_plans() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 50.0},
      {1, 3'000, 500, 16.0},
      {1, 3'000, 500, 11.0},
      {1, 3'000, 500, 6.5},
      {1, 3'000, 500, 4.2},
      {2, 6'000, 500, 3.8},
      {3, 10'000, 30, 3.1},
      {5, 25'000, 8, 2.3},
      {8, 60'000, 4, 0.6},
      {0, 0, 1, 0.0},
  }};
  return plans;
}

}  // namespace paika::othello
