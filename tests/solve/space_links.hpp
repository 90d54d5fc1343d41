// What must hold between the turns of a space and the ways it tells them.
#pragma once

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <vector>

#include "solve/solvable.hpp"

namespace paika_tests {

template <class Rules>
std::vector<typename Rules::Move> turns_of(const Rules& rules, const typename Rules::Position& p) {
  std::vector<typename Rules::Move> turns;
  rules.for_each_turn(p, [&](const typename Rules::Move& m) {
    turns.push_back(m);
    return true;
  });
  return turns;
}

/// The predecessors of a tier are exactly its turns that stay, each as often as there are such turns.
template <paika::GoesBack Space>
void expect_the_way_back(const Space& space, std::uint32_t tier) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, int> forwards;  // (from, to): how many turns
  auto backwards = forwards;
  for (std::uint64_t i = 0; i < space.size(tier); ++i) {
    const auto p = *space.position({tier, i});
    for (const auto& m : turns_of(space.rules(), p)) {
      if (space.stays(p, m)) ++forwards[{i, space.place(space.rules().play(p, m))->index}];
    }
    space.for_each_predecessor({tier, i}, [&](std::uint64_t from) { ++backwards[{from, i}]; });
  }
  EXPECT_TRUE(forwards == backwards) << space.tier_name(tier) << ": " << forwards.size() << " links forwards, "
                                     << backwards.size() << " backwards";
}

}  // namespace paika_tests
