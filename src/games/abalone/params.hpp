// What was measured of playing rectangular Abalone: the parameters of its search and the plans of its levels.
#pragma once

#include "rules/search_traits.hpp"

namespace paika::abalone {

/// docs/strategy/abalone.md says what each is worth.
[[nodiscard]] SearchParams search_params();
/// docs/strategy/levels.md says how far they lie apart.
[[nodiscard]] const LevelPlans& level_plans();

}  // namespace paika::abalone
