// Levels: how the search is held back for people, and how it chooses then.
//
// A weak player is not one who plays at random: he looks less far, and of turns that seem about
// equally good he does not always take the best. So a level is a depth, a number of nodes and a
// temperature (LevelPlan in rules/search_traits.hpp). Turns that are seen to lose at once are not
// played if there is another.
#pragma once

#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "rules/search_traits.hpp"

namespace paika {

/// From this level on a search looks endgames up: these levels play the best they see, or nearly so. The levels below
/// should err as people do, and nobody knows a table by heart.
inline constexpr int first_level_with_tables = full_level - 2;

/// The plans of games that do not bring their own.
[[nodiscard]] const LevelPlans& standard_levels();

/// The plan of a level, from weakest_level to full_level, for a game.
template <SearchTraits K>
[[nodiscard]] LevelPlan plan_of_level(int level) {
  const auto at = static_cast<std::size_t>(std::clamp(level, weakest_level, full_level) - 1);
  if constexpr (HasLevels<K>) {
    return K::levels()[at];
  } else {
    return standard_levels()[at];
  }
}

/// Which of the scores (best first, at least one, in hundredths of a piece) to take, by chance.
[[nodiscard]] std::size_t choose_by_chance(const std::vector<int>& scores, double temperature, Random& random);

}  // namespace paika
