// Levels: how the search is held back for people, and how it chooses then.
//
// A weak player is not one who plays at random: he looks less far, and of turns that seem about
// equally good he does not always take the best. So a level is a depth, a number of nodes and a
// temperature: a turn that looks worse by the temperature is played about a third as often. Turns
// that are seen to lose at once are not played if there is another.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"

namespace paika {

struct LevelPlan {
  int depth = 0;             // 0: no limit
  std::uint64_t nodes = 0;   // 0: no limit
  int lines = 1;             // how many turns are looked at closely enough to be chosen
  double temperature = 0.0;  // in units (SearchParams::unit)
};

/// The plan of a level from 1 to 10; level 10 is not held back.
[[nodiscard]] LevelPlan level_plan(int level);

/// Which of the scores (best first, at least one) to take, by chance.
[[nodiscard]] std::size_t choose_by_chance(const std::vector<int>& scores, double temperature, int unit,
                                           Random& random);

}  // namespace paika
