// Abalone's positions numbered for the solver.
//
// The rules do not tell the colours apart, so a position is the mover's pieces and the other side's.
// A turn without a capture leads from (a own, b others) to (b own, a others): both make one tier, and
// captures lead from it to a tier with fewer pieces.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/array_store.hpp"
#include "base/bit_count.hpp"
#include "base/device.hpp"
#include "base/result.hpp"
#include "board/orbits.hpp"
#include "games/abalone/rules.hpp"
#include "rules/tier_index.hpp"

namespace paika::abalone {

/// Nothing wrong if the positions of these options can be numbered; else why not.
[[nodiscard]] Result<void> can_number(const Options& options);

/// The numbering, with its arrays held by somebody else, perhaps in the memory of a GPU.
template <class Shape>
class SpaceView {
 public:
  using RulesType = BitboardRules<Shape>;
  using Position = typename RulesType::Position;
  using Move = typename RulesType::Move;
  using Pair = PairSpace::Pair;

  /// Requires that can_number(rules.options()) has nothing against it.
  SpaceView(const RulesType& rules, ArrayStore& store)
      : rules_(rules),
        max_(pieces_each(rules.options())),
        min_(max_ - rules.options().captures + 1),
        pairs_(rules.shape().cols(), rules.shape().rows(), max_, store) {
    for (int sum = 2 * min_; sum <= 2 * max_; ++sum) {
      for (int few = std::max(min_, sum - max_); 2 * few <= sum; ++few) add_tier(sum - few, few);
    }
  }

  [[nodiscard]] PAIKA_HD const RulesType& rules() const noexcept { return rules_; }
  [[nodiscard]] std::uint32_t tiers() const noexcept { return count_; }
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

  [[nodiscard]] PAIKA_HD std::optional<TierIndex> place(const Position& p) const noexcept {
    const Pair pair = pair_of(p);
    const int own = count_ones(pair.own);
    const int others = count_ones(pair.other);
    if (own < min_ || others < min_) return std::nullopt;
    const std::uint32_t tier = own < others ? number_of(others, own) : number_of(own, others);
    return TierIndex{tier, (own < others ? tiers_[tier].half : 0) + pairs_.rank(pair, own, others)};
  }

  [[nodiscard]] std::optional<Position> position(TierIndex place) const noexcept {
    Position p = bare_position(place);
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
    const Position now = bare_position(place);
    const PairSpace::Target target = pairs_.target(pair_of(now));
    each_direction([&]<Direction d>() __attribute__((always_inline)) {
      for_each_undone(now, static_cast<int>(d), [&](const Undone& undone) __attribute__((always_inline)) {
        for_each_source(place.tier, target, undone, visit);
      });
    });
  }

  // For a GPU (solve/gpu/space.hpp has the contract).

  using Begun = Move;
  /// A turn without a capture, freezing and `must` aside, that is taken back.
  struct Undone {
    Pair before;
    std::uint16_t from;
    Direction direction;
  };
  static constexpr int undo_stages = 8;

  [[nodiscard]] PAIKA_HD Position bare_position(TierIndex place) const noexcept {
    const Tier& t = tiers_[place.tier];
    const bool first_half = place.index < t.half;
    const Pair pair =
        first_half ? pairs_.unrank(place.index, t.many, t.few) : pairs_.unrank(place.index - t.half, t.few, t.many);
    Position p;
    p.pieces[0].words[0] = pair.own;
    p.pieces[1].words[0] = pair.other;
    return p;
  }

  /// Begins the turns that leave the tier; how many others there are.
  template <class Emit>
  [[nodiscard]] PAIKA_HD std::uint32_t begin_leaving(const Position& p, Emit&& emit) const {
    auto others = static_cast<std::uint32_t>(rules_.count_turns(p));
    rules_.for_each_capture(p, [&](const Move& m) {
      emit(m);
      --others;
      return true;
    });
    return others;
  }
  template <class Emit>
  PAIKA_HD void begin_turns(const Position& p, Emit&& emit) const {
    rules_.for_each_turn(p, [&](const Move& m) {
      emit(m);
      return true;
    });
  }
  /// A turn is complete when it begins.
  template <class Emit>
  PAIKA_HD void lengthen(const Position& /*p*/, const Begun& /*turn*/, Emit&& /*emit*/) const {}
  [[nodiscard]] PAIKA_HD Position after(const Position& p, const Begun& turn) const { return rules_.moved(p, turn); }

  /// A stage is a direction.
  template <class Emit>
  [[gnu::always_inline]] PAIKA_HD void for_each_undone(const Position& p, int stage, Emit&& emit) const {
    const auto d = static_cast<Direction>(stage);
    each_undone(pair_of(p), d, [&](Pair before, int from) __attribute__((always_inline)) {
      emit(Undone{before, static_cast<std::uint16_t>(from), d});
    });
  }
  template <class Visit>
  [[gnu::always_inline]] PAIKA_HD void for_each_source(std::uint32_t tier, const Position& p, const Undone& undone,
                                                       Visit&& visit) const {
    for_each_source(tier, pairs_.target(pair_of(p)), undone, visit);
  }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    pairs_.for_each_array(f);
  }

 private:
  using Set = typename Shape::Set;

  struct Tier {
    int many;  // pieces of the side that has more
    int few;
    std::uint64_t half;  // how many positions have the side with more pieces to move; they come first
    std::uint64_t size;
  };
  static constexpr std::size_t max_pieces = PairSpace::max_members;
  static constexpr std::size_t max_tiers = max_pieces * (max_pieces + 1) / 2;

  static constexpr std::size_t at(Player p) noexcept { return static_cast<std::size_t>(p); }
  static constexpr std::uint32_t squares(const Set& set) noexcept { return static_cast<std::uint32_t>(set.words[0]); }
  /// The mover's pieces and the others.
  static constexpr Pair pair_of(const Position& p) noexcept {
    return {squares(p.pieces[at(p.to_move)]), squares(p.pieces[at(other(p.to_move))])};
  }

  template <class F>
  static void each_direction(F&& f) {
    [&]<unsigned char... Ds>(std::integer_sequence<unsigned char, Ds...>) __attribute__((always_inline)) {
      (f.template operator()<static_cast<Direction>(Ds)>(), ...);
    }(std::integer_sequence<unsigned char, 0, 1, 2, 3, 4, 5, 6, 7>{});
  }

  void add_tier(int many, int few) {
    const std::uint64_t half = pairs_.size(many, few);
    numbers_[static_cast<std::size_t>(many)][static_cast<std::size_t>(few)] = static_cast<std::uint8_t>(count_);
    tiers_[count_++] = {many, few, half, half + (many == few ? 0 : pairs_.size(few, many))};
  }
  /// The tier with these counts. Requires min_ <= few <= many <= max_.
  [[nodiscard]] PAIKA_HD std::uint32_t number_of(int many, int few) const noexcept {
    return numbers_[static_cast<std::size_t>(many)][static_cast<std::size_t>(few)];
  }

  /// Calls use(before, from) for every pair from which a line of the side not on move, its chosen piece
  /// on `from`, could have come in direction d without a capture; freezing and `must` aside.
  template <class Use>
  [[gnu::always_inline]] PAIKA_HD void each_undone(Pair now, Direction d, Use&& use) const {
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

  template <class Visit>
  [[gnu::always_inline]] PAIKA_HD void for_each_source(std::uint32_t tier, const PairSpace::Target& now,
                                                       const Undone& undone, Visit&& visit) const {
    if (!legal(undone.before, undone.from, undone.direction)) return;
    const std::uint64_t offset = now.other_count < now.own_count ? tiers_[tier].half : 0;
    pairs_.for_each_source(undone.before, now.other_count, now.own_count, now,
                           [&](std::uint64_t number) { visit(offset + number); });
  }

  /// True if freezing (4.2) and `must` (4.4) allow the turn, which section 2 allows.
  [[nodiscard]] PAIKA_HD bool legal(Pair before, int from, Direction d) const noexcept {
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
  std::uint32_t count_ = 0;
  std::array<Tier, max_tiers> tiers_{};
  std::array<std::array<std::uint8_t, max_pieces + 1>, max_pieces + 1> numbers_{};  // of tiers, by many and few
};

/// The numbering and its arrays; the store comes first, for the view fills it.
template <class Shape>
class Space : private ArrayStore, public SpaceView<Shape> {
 public:
  explicit Space(const BitboardRules<Shape>& rules) : SpaceView<Shape>(rules, static_cast<ArrayStore&>(*this)) {}
};

}  // namespace paika::abalone
