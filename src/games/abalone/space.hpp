// Abalone's positions numbered for the solver.
//
// The rules do not tell the colours apart, so a position is the mover's pieces and the other side's.
// A turn without a capture leads from (a own, b others) to (b own, a others): both make one tier, and
// captures lead from it to a tier with fewer pieces.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "board/orbits.hpp"
#include "games/abalone/rules.hpp"
#include "rules/tier_index.hpp"

namespace paika::abalone {

/// Nothing wrong if the positions of these options can be numbered; else why not.
[[nodiscard]] Result<void> can_number(const Options& options);

template <class Shape>
class Space {
 public:
  using RulesType = BitboardRules<Shape>;
  using Position = typename RulesType::Position;
  using Move = typename RulesType::Move;
  using Pair = PairSpace::Pair;

  /// Requires that can_number(rules.options()) has nothing against it.
  explicit Space(const RulesType& rules)
      : rules_(rules),
        max_(pieces_each(rules.options())),
        min_(max_ - rules.options().captures + 1),
        pairs_(rules.shape().cols(), rules.shape().rows(), max_) {
    for (int sum = 2 * min_; sum <= 2 * max_; ++sum) {
      for (int few = std::max(min_, sum - max_); 2 * few <= sum; ++few) tiers_.push_back(tier_of(sum - few, few));
    }
  }

  [[nodiscard]] const RulesType& rules() const noexcept { return rules_; }
  [[nodiscard]] std::uint32_t tiers() const noexcept { return static_cast<std::uint32_t>(tiers_.size()); }
  [[nodiscard]] std::uint64_t size(std::uint32_t tier) const noexcept { return tiers_[tier].size; }
  [[nodiscard]] std::string tier_name(std::uint32_t tier) const {
    return std::to_string(tiers_[tier].many) + "-" + std::to_string(tiers_[tier].few);
  }

  [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t tier) const {
    const Tier& t = tiers_[tier];
    std::vector<std::uint32_t> lower;
    for (const auto& [many, few] : {std::pair{t.many - 1, t.few}, std::pair{t.many, t.few - 1}}) {
      if (std::min(many, few) < min_) continue;
      lower.push_back(number_of(std::max(many, few), std::min(many, few)));
    }
    std::sort(lower.begin(), lower.end());
    lower.erase(std::unique(lower.begin(), lower.end()), lower.end());
    return lower;
  }

  [[nodiscard]] std::optional<TierIndex> place(const Position& p) const noexcept {
    const Pair pair{squares(p.pieces[at(p.to_move)]), squares(p.pieces[at(other(p.to_move))])};
    const int own = std::popcount(pair.own);
    const int others = std::popcount(pair.other);
    if (own < min_ || others < min_) return std::nullopt;
    const std::uint32_t tier = number_of(std::max(own, others), std::min(own, others));
    return TierIndex{tier, (own < others ? tiers_[tier].half : 0) + pairs_.rank(pair, own, others)};
  }

  [[nodiscard]] std::optional<Position> position(TierIndex place) const noexcept {
    Position p;
    const Pair pair = pair_at(place).pair;
    p.pieces[0].words[0] = pair.own;
    p.pieces[1].words[0] = pair.other;
    p.key = rules_.key_from_scratch(p);
    return p;
  }

  [[nodiscard]] bool stays(const Position& /*p*/, const Move& m) const noexcept { return m.captures == 0; }

  template <class Visit>
  void for_each_leaving(const Position& p, Visit&& visit) const {
    rules_.for_each_capture(p, visit);
  }

  /// Takes turns back (2.3, 2.4): the line moves one square backwards, and what it pushed with it.
  template <class Visit>
  void for_each_predecessor(TierIndex place, Visit&& visit) const {
    const Counted now = pair_at(place);
    const std::uint64_t offset = now.others < now.own ? tiers_[place.tier].half : 0;
    each_direction([&]<Direction d>() __attribute__((always_inline)) {
      each_undone<d>(now.pair, [&](Pair before, int from) __attribute__((always_inline)) {
        if (!legal<d>(before, from)) return;
        pairs_.for_each_source(before, now.others, now.own, now.pair, now.own,
                               [&](std::uint64_t number) { visit(offset + number); });
      });
    });
  }

 private:
  using Set = typename Shape::Set;

  struct Tier {
    int many;  // pieces of the side that has more
    int few;
    std::uint64_t half;  // how many positions have the side with more pieces to move; they come first
    std::uint64_t size;
  };
  struct Counted {
    Pair pair;
    int own;
    int others;
  };

  static constexpr std::size_t at(Player p) noexcept { return static_cast<std::size_t>(p); }
  static std::uint32_t squares(const Set& set) noexcept { return static_cast<std::uint32_t>(set.words[0]); }

  template <class F>
  static void each_direction(F&& f) {
    [&]<unsigned char... Ds>(std::integer_sequence<unsigned char, Ds...>) __attribute__((always_inline)) {
      (f.template operator()<static_cast<Direction>(Ds)>(), ...);
    }(std::integer_sequence<unsigned char, 0, 1, 2, 3, 4, 5, 6, 7>{});
  }

  [[nodiscard]] Tier tier_of(int many, int few) const {
    const std::uint64_t half = pairs_.size(many, few);
    return {many, few, half, half + (many == few ? 0 : pairs_.size(few, many))};
  }
  /// The tier with these counts. Requires least_ <= few <= many <= most_.
  [[nodiscard]] std::uint32_t number_of(int many, int few) const noexcept {
    // Tiers come by the sum, then by `few`; there are few enough to look.
    std::uint32_t tier = 0;
    while (tiers_[tier].many != many || tiers_[tier].few != few) ++tier;
    return tier;
  }
  [[nodiscard]] Counted pair_at(TierIndex place) const noexcept {
    const Tier& t = tiers_[place.tier];
    const bool first_half = place.index < t.half;
    const int own = first_half ? t.many : t.few;
    const int others = first_half ? t.few : t.many;
    return {pairs_.unrank(first_half ? place.index : place.index - t.half, own, others), own, others};
  }

  /// Calls use(before, from) for every pair from which a line of the side not on move, its chosen piece
  /// on `from`, could have come in direction d without a capture; freezing and `must` aside.
  template <Direction d, class Use>
  void each_undone(Pair now, Use&& use) const {
    const auto& shape = rules_.shape();
    const int step = shape.delta(d);
    Set movers;
    movers.words[0] = now.other;
    Set empty;
    empty.words[0] = pairs_.maps().all() & ~(now.own | now.other);
    const std::uint32_t outer = squares(rules_.edge(d));
    for_each_bit(movers & shape.moved(empty, d), [&](int front) __attribute__((always_inline)) {
      const std::uint32_t back = std::uint32_t{1} << (front - step);
      int last = front;  // of the own pieces looked at
      for (;; last += step) {
        const std::uint32_t bit = std::uint32_t{1} << last;
        use(Pair{now.other ^ back ^ bit, now.own}, front - step);  // nothing was pushed
        if ((outer & bit) != 0 || ((now.other >> (last + step)) & 1U) == 0) break;
      }
      // Here the own row ends; whoever follows may have been pushed by it.
      const int own = (last - front) / step + 1;
      const std::uint32_t border = std::uint32_t{1} << last;
      std::uint32_t bit = border;
      for (int pushed = 1; pushed < own && (outer & bit) == 0; ++pushed) {
        bit = std::uint32_t{1} << (last + pushed * step);
        if ((now.own & bit) == 0) break;
        use(Pair{now.other ^ back ^ border, now.own ^ bit ^ border}, front - step);
      }
    });
  }

  /// True if freezing (4.2) and `must` (4.4) allow the turn, which section 2 allows.
  template <Direction d>
  [[nodiscard]] bool legal(Pair before, int from) const noexcept {
    if (rules_.options().freeze == Freeze::off && !rules_.options().must) return true;
    Position p;
    p.pieces[0].words[0] = before.own;
    p.pieces[1].words[0] = before.other;
    return rules_.may_move(p, from, d);
  }

  RulesType rules_;
  int max_;
  int min_;  // pieces of a side in a game that goes on
  PairSpace pairs_;
  std::vector<Tier> tiers_;
};

}  // namespace paika::abalone
