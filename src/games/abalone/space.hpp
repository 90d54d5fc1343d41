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
#include <span>
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

  /// Takes turns back (2.3, 2.4): the line moves one square backwards, and what it pushed with it. All are found before
  /// any is numbered: unmaking is full of branches that are hard to predict and numbering is a long chain of loads, so
  /// a wrong guess of the one would make the other begin again. Turns that pushed nothing are numbered together.
  template <class Visit>
  void for_each_predecessor(TierIndex place, Visit&& visit) const {
    restricted() ? for_each_predecessor_if<true>(place, visit) : for_each_predecessor_if<false>(place, visit);
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
    const Pair now = pair_of(p);
    each_lines_back(now, d, [&](const LinesBack& lines) __attribute__((always_inline)) {
      for (std::uint32_t left = lines.fronts; left != 0; left &= left - 1) {
        const std::uint32_t front = left & (~left + 1);
        emit(Undone{lines.before(now, front), static_cast<std::uint16_t>(lines.from(front)), d});
      }
    });
  }
  template <class Visit>
  [[gnu::always_inline]] PAIKA_HD void for_each_source(std::uint32_t tier, const Position& p, const Undone& undone,
                                                       Visit&& visit) const {
    if (!legal(undone.before, undone.from, undone.direction)) return;
    const PairSpace::Target target = pairs_.target(pair_of(p));
    const std::uint64_t offset = offset_before(tier, target);
    pairs_.for_each_source(undone.before, target.other_count, target.own_count, target,
                           [&](std::uint64_t number) { visit(offset + number); });
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
  // In each direction a piece ends one line and one pushed row at most; and one more may be written in vain.
  static constexpr std::size_t max_undone = std::size_t{8} * 2 * max_pieces + 1;
  static constexpr std::size_t max_tiers = max_pieces * (max_pieces + 1) / 2;

  static constexpr std::size_t at(Player p) noexcept { return static_cast<std::size_t>(p); }
  static constexpr std::uint32_t shifted(std::uint32_t set, int by) noexcept {
    return by >= 0 ? set << by : set >> -by;
  }
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

  /// Lines of the side not on move that could have come in one direction without a capture, freezing and `must` aside:
  /// how they stood before.
  struct LinesBack {
    std::uint32_t fronts;  // where their hindmost members are now, one for each line
    int step;              // from a member to the next
    int to_last;           // from the hindmost member to the foremost
    int pushed;            // how many others they pushed

    /// The pair before the line whose hindmost member is `front`, a set of one square; `now` if it is none.
    [[nodiscard, gnu::always_inline]] PAIKA_HD Pair before(Pair now, std::uint32_t front) const noexcept {
      const std::uint32_t last = shifted(front, to_last);
      const Pair moved{now.other ^ shifted(front, -step) ^ last, now.own};
      if (pushed == 0) return moved;
      return {moved.own, moved.other ^ last ^ shifted(front, to_last + pushed * step)};
    }
    /// Where a chosen piece stood.
    [[nodiscard, gnu::always_inline]] PAIKA_HD int from(std::uint32_t front) const noexcept {
      return lowest_one(front) - step;
    }
  };

  /// Calls use(lines) for all lines that could have come in direction d, those of equal length and as many others
  /// pushed together: so few branches are hard to predict.
  template <class Use>
  [[gnu::always_inline]] PAIKA_HD void each_lines_back(Pair now, Direction d, Use&& use) const {
    // Words, because the compiler does not inline all of what sets can do here.
    const int step = rules_.shape().delta(d);
    const std::uint32_t can_step = ~squares(rules_.edge(d));
    const std::uint32_t can_step_back = ~squares(rules_.edge(opposite(d)));
    const auto moved_back = [&](std::uint32_t set)
                                __attribute__((always_inline)) { return shifted(set & can_step_back, -step); };
    const std::uint32_t empty = pairs_.maps().all() & ~(now.own | now.other);
    std::uint32_t movers = now.other;
    std::uint32_t others = now.own;
    std::uint32_t fronts = movers & shifted(empty & can_step, step);
    for (int length = 1; fronts != 0; ++length) {
      const int to_last = (length - 1) * step;
      use(LinesBack{fronts, step, to_last, 0});
      // Where others follow a line, it may have pushed as many of them as it has members, less one.
      others = moved_back(others);
      std::uint32_t pushers = fronts & others;
      std::uint32_t followers = others;
      for (int pushed = 1; pushed < length && pushers != 0; ++pushed) {
        use(LinesBack{pushers, step, to_last, pushed});
        followers = moved_back(followers);
        pushers &= followers;
      }
      movers = moved_back(movers);
      fronts &= movers;
    }
  }

  /// The pairs before turns, in the order in which they were found.
  struct UndoneList {
    std::size_t count = 0;
    std::array<std::uint32_t, max_undone> own;  // without initial values: it is made for every position
    std::array<std::uint32_t, max_undone> other;

    [[gnu::always_inline]] void add(Pair before, bool counts) noexcept {
      own[count] = before.own;
      other[count] = before.other;
      count += counts ? 1 : 0;
    }
  };

  /// Adds the legal ones of the turns back. `Restricted` as restricted() says: the test of a turn is long, and slows
  /// the loop down even where it is not made.
  template <bool Restricted>
  [[gnu::always_inline]] void add_lines(Pair now, Direction d, const LinesBack& lines, UndoneList& list) const {
    std::uint32_t left = lines.fronts;
    const auto add_next = [&]() __attribute__((always_inline)) {
      const std::uint32_t front = left & (~left + 1);
      const Pair before = lines.before(now, front);
      if constexpr (Restricted) {
        list.add(before, left != 0 && legal(before, lines.from(front), d));
      } else {
        list.add(before, left != 0);
      }
      left &= left - 1;
    };
    // As many as there mostly are, without asking whether there are.
    if (lines.pushed == 0) {
      add_next();
      if (lines.to_last == 0) {
        add_next();
        add_next();
      }
    }
    while (left != 0) add_next();  // NOLINT(bugprone-infinite-loop): it takes one away
  }

  template <bool Restricted, class Visit>
  void for_each_predecessor_if(TierIndex place, Visit&& visit) const {
    const Pair now = pair_of(bare_position(place));
    UndoneList moved;  // turns that pushed nothing
    UndoneList pushed;
    each_direction([&]<Direction d>() __attribute__((always_inline)) {
      each_lines_back(now, d, [&](const LinesBack& lines) __attribute__((always_inline)) {
        add_lines<Restricted>(now, d, lines, lines.pushed == 0 ? moved : pushed);
      });
    });
    const PairSpace::Target target = pairs_.target(now);
    // All are numbered before any is visited: what visit() does would keep the numbering's constants out of registers.
    std::array<std::uint64_t, max_undone * BoardMaps::max_count> numbers;
    std::size_t count = 0;
    const auto add = [&](std::uint64_t number) __attribute__((always_inline)) { numbers[count++] = number; };
    pairs_.for_each_source(std::span(moved.own).first(moved.count), target, add);
    for (std::size_t i = 0; i < pushed.count; ++i) {
      pairs_.for_each_source({pushed.own[i], pushed.other[i]}, target.other_count, target.own_count, target, add);
    }
    const std::uint64_t offset = offset_before(place.tier, target);
    for (std::size_t i = 0; i < count; ++i) visit(offset + numbers[i]);
  }

  /// Where the numbers begin of those positions of the tier from which turns within it lead to `now`.
  [[nodiscard]] PAIKA_HD std::uint64_t offset_before(std::uint32_t tier, const PairSpace::Target& now) const noexcept {
    return now.other_count < now.own_count ? tiers_[tier].half : 0;
  }

  /// True if there is freezing (4.2) or `must` (4.4).
  [[nodiscard]] PAIKA_HD bool restricted() const noexcept {
    return rules_.options().freeze != Freeze::off || rules_.options().must;
  }
  /// True if freezing (4.2) and `must` (4.4) allow the turn, which section 2 allows.
  [[nodiscard]] PAIKA_HD bool legal(Pair before, int from, Direction d) const noexcept {
    if (!restricted()) return true;
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
