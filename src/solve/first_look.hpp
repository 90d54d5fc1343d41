// What a look at the turns of a place tells before anything is known of the places of its own tier.
#pragma once

#include <cstdint>
#include <optional>

#include "base/check.hpp"
#include "base/device.hpp"
#include "rules/outcome.hpp"
#include "solve/value.hpp"

namespace paika {

/// What forward looking found at a place before any inner turn is known.
struct FirstLook {
  Value value;            // with known: won, lost, none; else the longest loss so far, or a draw
  bool known = false;     // nothing better can come but a shorter win
  bool safe = false;      // some turn draws
  std::uint8_t open = 0;  // inner turns
};

/// What a finished game is worth for the side to move.
[[nodiscard]] constexpr Value value_of(const Outcome& outcome, Player mover) noexcept {
  if (outcome.verdict == Verdict::draw) return Value::draw();
  return outcome.won_by(mover) ? Value::win(0) : Value::loss(0);
}

/// The value of a position that a turn leads to and that no tier holds: the game is over.
template <class S>
[[nodiscard]] PAIKA_HD Value value_at_end(const S& space, const typename S::RulesType::Position& p) {
  const Outcome outcome = space.rules().outcome(p);
  PAIKA_CHECK(outcome.over());  // Solvable: what a turn leads to is held unless the game is over
  return value_of(outcome, space.rules().to_move(p));
}

/// The value of a position outside the tier: of the table below, or of the game's end.
/// `lower(place)` gives the value of a place in a lower tier.
template <class S, class Lower>
[[nodiscard]] PAIKA_HD Value value_below(const S& space, const typename S::RulesType::Position& p, Lower&& lower) {
  const auto place = space.place(p);
  return place ? lower(*place) : value_at_end(space, p);
}

/// What is known of `p`, whose best turn that leaves the tier is worth `best` (nothing if none leaves it) and of whose
/// turns `staying` do not leave it.
template <class S>
[[nodiscard]] PAIKA_HD FirstLook first_look_of(const S& space, const typename S::RulesType::Position& p,
                                               std::optional<Value> best, std::uint64_t staying) {
  PAIKA_CHECK(staying <= UINT8_MAX);
  if (!best && staying == 0) {
    const Value over = value_of(space.rules().outcome(p), space.rules().to_move(p));
    return {.value = over, .known = !over.is_draw(), .safe = over.is_draw()};
  }
  const Value value = best.value_or(Value::loss(0));
  const bool settled = best && (value.is_win() || (value.is_loss() && staying == 0));
  return {
      .value = value, .known = settled, .safe = best && value.is_draw(), .open = static_cast<std::uint8_t>(staying)};
}

}  // namespace paika
