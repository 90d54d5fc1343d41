// The first step of retrograde analysis at one place: the look forward.
#pragma once

#include <cstdint>
#include <optional>

#include "solve/first_look.hpp"
#include "solve/solvable.hpp"

namespace paika {

/// Calls leave(m) for each turn that leaves the tier and returns how many others there are.
template <Solvable S, class Leave>
[[nodiscard]] std::uint64_t sort_turns(const S& space, const typename S::RulesType::Position& p, Leave&& leave) {
  std::uint64_t others = 0;
  if constexpr (ListsLeaving<S>) {
    others = space.rules().count_turns(p);
    space.for_each_leaving(p, [&](const typename S::RulesType::Move& m) {
      leave(m);
      --others;
      return true;
    });
  } else {
    space.rules().for_each_turn(p, [&](const typename S::RulesType::Move& m) {
      space.stays(p, m) ? static_cast<void>(++others) : leave(m);
      return true;
    });
  }
  return others;
}

/// Looks at all turns of a place: those that leave the tier are valued, the others counted.
template <Solvable S, class Lower>
[[nodiscard]] FirstLook first_look(const S& space, TierIndex place, Lower&& lower) {
  const auto p = space.position(place);
  if (!p) return {.value = Value::none()};
  std::optional<Value> best;
  const std::uint64_t staying = sort_turns(space, *p, [&](const typename S::RulesType::Move& m) {
    const Value value = before(value_below(space, space.rules().play(*p, m), lower));
    if (!best || better(value, *best)) best = value;
  });
  return first_look_of(space, *p, best, staying);
}

}  // namespace paika
