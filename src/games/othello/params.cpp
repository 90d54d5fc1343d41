#include "games/othello/params.hpp"

namespace paika::othello {

SearchParams search_params() {
  return {.unit = 100, .window = 133, .reductions = false, .quiescence = false, .futility = 200, .probcut = 450};
}

const LevelPlans& level_plans() {
  static constexpr LevelPlans plans = {{
      {1, 3'000, 500, 200.0},
      {1, 3'000, 500, 16.0},
      {2, 6'000, 500, 10.5},
      {3, 10'000, 30, 8.0},
      {3, 10'000, 30, 5.1},
      {4, 15'000, 12, 4.2},
      {5, 25'000, 8, 3.5},
      {6, 40'000, 6, 3.0},
      {6, 40'000, 6, 2.2},
      {8, 60'000, 4, 1.8},
      {8, 60'000, 4, 1.0},
      {12, 60'000, 3, 0.55},
      {40, 60'000, 1, 0.0},
      {0, 0, 1, 0.0},
  }};
  return plans;
}

}  // namespace paika::othello
