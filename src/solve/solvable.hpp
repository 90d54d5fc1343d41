// The Solvable concept: how a game numbers its positions for the solver.
//
// A space is the set of positions that a table covers, cut into tiers. Within a tier every position
// has an index below the tier's size; positions that a symmetry of the board, or an exchange of the
// players, turns into each other may share one (a space may, but need not, fold them all together:
// what counts is that places with the same index have the same value). Tiers are numbered so that
// no turn leads to a higher number; turns within a tier may go round in circles.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rules/concepts.hpp"
#include "rules/tier_index.hpp"

namespace paika {

namespace detail {
struct AnyIndexVisitor {
  void operator()(std::uint64_t /*index*/) const noexcept {}
};
}  // namespace detail

template <class S>
concept Solvable = Rules<typename S::RulesType> &&
                   requires(const S& space, const typename S::RulesType::Position& p,
                            const typename S::RulesType::Move& m, std::uint32_t tier, TierIndex place) {
                     { space.rules() } -> std::same_as<const typename S::RulesType&>;
                     /// How many tiers there are, at least 1.
                     { space.tiers() } -> std::same_as<std::uint32_t>;
                     /// How many indices a tier has.
                     { space.size(tier) } -> std::same_as<std::uint64_t>;
                     /// What the tier holds, in a few letters for people and files: "5-4".
                     { space.tier_name(tier) } -> std::same_as<std::string>;
                     /// The lower tiers that turns of this one can lead to, ascending, each once.
                     { space.below(tier) } -> std::same_as<std::vector<std::uint32_t>>;
                     /// Where `p` stands; nothing if the space does not hold it. A position that a turn of a
                     /// held one leads to is held, unless the game is over there. Finished positions may or
                     /// may not be held.
                     { space.place(p) } -> std::same_as<std::optional<TierIndex>>;
                     /// A position that stands there, one and the same at every call; nothing if none does.
                     /// place(*position(x)) == x.
                     { space.position(place) } -> std::same_as<std::optional<typename S::RulesType::Position>>;
                     /// True if the legal turn `m` leads to a position of the same tier. Requires that `p` is held.
                     { space.stays(p, m) } -> std::same_as<bool>;
                   };

/// A space that can also go backwards, which saves the solver from keeping every turn in memory.
/// for_each_predecessor(place, visit) calls visit(index) for each turn *within the tier* that leads
/// from position({tier, index}) to a position whose place is `place`: once for every such turn, so an
/// index comes as often as it has turns that lead there. For every index i these visits over all
/// places add up to the number of turns of position(i) with stays() == true.
template <class S>
concept GoesBack = Solvable<S> && requires(const S& space, TierIndex place) {
  space.for_each_predecessor(place, detail::AnyIndexVisitor{});
};

/// A space that can tell the turns that leave their tier from the others without listing them all.
/// for_each_leaving(p, visit) calls visit(m) for each legal turn with stays(p, m) == false, until it returns false.
template <class S>
concept ListsLeaving = Solvable<S> && requires(const S& space, const typename S::RulesType::Position& p) {
  space.for_each_leaving(p, detail::AnyMoveVisitor<typename S::RulesType::Move>{});
};

}  // namespace paika
