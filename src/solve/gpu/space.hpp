// GpuSpace: what a space of positions must offer beyond Solvable to be solved on a GPU.
//
// A GPU does the same thing for 32 places at once, so whatever is different for each of them comes in small pieces that
// can be dealt out evenly: a turn that has been begun, a turn taken back. A space passes its pieces to a
// visitor and never holds a list. All members below are marked PAIKA_HD: the same code runs on both.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "rules/tier_index.hpp"

namespace paika {

namespace detail {
struct AnyVisitor {
  template <class T>
  void operator()(const T& /*piece*/) const noexcept {}
};
struct AnyArrayVisitor {
  template <class T>
  void operator()(T& /*array*/) const noexcept {}
};
}  // namespace detail

template <class S>
concept GpuSpace =
    std::is_trivially_copyable_v<S> && std::is_trivially_copyable_v<typename S::Begun> &&
    std::is_trivially_copyable_v<typename S::Undone> &&
    requires(const S& space, S& copy, const typename S::Position& p, TierIndex place, const typename S::Begun& begun,
             const typename S::Undone& undone, std::uint32_t tier, int stage, detail::AnyVisitor visit) {
      /// position(place) without its key. Every index below the tier's size has a position.
      { space.bare_position(place) } -> std::same_as<typename S::Position>;
      /// Begins every turn that leaves the tier with visit(begun), a turn that grows step by step only with its first
      /// ones; returns how many turns stay in the tier.
      { space.begin_leaving(p, visit) } -> std::same_as<std::uint32_t>;
      /// The same for all turns.
      space.begin_turns(p, visit);
      /// Calls visit(begun) for each turn that is one step longer than `begun`, which is a whole turn itself.
      space.lengthen(p, begun, visit);
      /// The position after a turn.
      { space.after(p, begun) } -> std::same_as<typename S::Position>;
      /// Calls visit(undone) for turns within the tier that can have led to `p`, in undo_stages calls, so that none
      /// has too many at once.
      { S::undo_stages } -> std::convertible_to<int>;
      space.for_each_undone(p, stage, visit);
      /// Calls visit(index) for the places from which that turn leads to the place of `p`, as often as
      /// for_each_predecessor does for all of them.
      space.for_each_source(tier, p, undone, visit);
      /// Calls f(span) for every array the space refers to, those that are read most first.
      copy.for_each_array(detail::AnyArrayVisitor{});
    };

}  // namespace paika
