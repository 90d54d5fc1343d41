// What was measured of playing Black & White: the parameters of its search and the plans of its levels.
#pragma once

#include "rules/search_traits.hpp"

namespace paika::othello {

/// docs/strategy/othello.md says what each is worth.
[[nodiscard]] SearchParams search_params();
/// docs/strategy/levels.md says how far they lie apart.
[[nodiscard]] const LevelPlans& level_plans();

}  // namespace paika::othello
