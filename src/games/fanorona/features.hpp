// What a position of Fanorona is judged by: counts over whole sets of stones, for all odd boards.
//
// Everything is found with shifts of sets, without following a chain: this runs at every leaf of a
// search. Chains are the search's business.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "games/fanorona/rules.hpp"
#include "rules/linear.hpp"

namespace paika::fanorona {

/// The features, in the order of feature_names. Where nothing else is said: own minus theirs.
enum class Feature : std::size_t {
  stones,    // live stones
  share,     // the same as a part of all stones left, in parts of 1024
  turn,      // always 1: being to move
  attack,    // stones that the side to move can take with a first step
  exposed,   // own stones that the other side could take if it were to move
  capturer,  // own stones that can capture with a first step, less theirs if they were to move
  steps,     // steps to empty points
  strong,    // stones on strong points
  edge,      // stones on the edge
  centre,    // stones in the middle half of the board
  pairs,     // pairs of joined stones
  count
};

inline constexpr std::size_t feature_count = static_cast<std::size_t>(Feature::count);

inline constexpr std::array<std::string_view, feature_count> feature_names = {
    "stones", "share", "tempo", "attack", "exposed", "capturer", "steps", "strong", "edge", "centre", "pairs"};

/// What anybody would count: stones.
inline constexpr std::array<Weight, feature_count> plain_weights = {weight(100)};

/// Counts the features of positions on one board.
template <class Shape>
class FeatureCounter {
 public:
  using RulesType = BitboardRules<Shape>;
  using Set = typename Shape::Set;
  using Position = typename RulesType::Position;
  using Counts = Features<feature_count>;

  explicit FeatureCounter(const RulesType& rules) {
    const Shape& shape = rules.shape();
    const auto in_middle_half = [](int place, int side) {
      return 4 * place >= side - 1 && 4 * place <= 3 * (side - 1);
    };
    for (int i = 0; i < shape.size(); ++i) {
      const Square s = shape.square(i);
      const bool inner = s.col > 0 && s.col < shape.cols() - 1 && s.row > 0 && s.row < shape.rows() - 1;
      if (!inner) edge_.set(i);
      if (in_middle_half(s.col, shape.cols()) && in_middle_half(s.row, shape.rows())) centre_.set(i);
    }
    const int start = std::max(1, shape.size() - 1);
    for (int stones = 0; stones <= shape.size(); ++stones) {
      phase_[at(stones)] = Counts::whole - Counts::whole * std::min(stones, start) / start;
    }
  }

  /// The features for the side to move. Requires a stone on the board.
  [[nodiscard]] Counts count(const RulesType& rules, const Position& p) const noexcept {
    const Set empty = rules.empty_points(p);
    const Reach own = reach(rules, p.own, p.opp, empty);
    const Reach theirs = reach(rules, p.opp, p.own, empty);
    const int stones = p.own.count() - p.opp.count();
    const int all = p.own.count() + p.opp.count();
    const auto difference = [&](const Set& points) { return (p.own & points).count() - (p.opp & points).count(); };
    Counts f;
    set(f, Feature::stones, stones);
    set(f, Feature::share, 1024 * stones / all);
    set(f, Feature::turn, 1);
    set(f, Feature::attack, own.attacked.count());
    set(f, Feature::exposed, theirs.attacked.count());
    set(f, Feature::capturer, own.capturers.count() - theirs.capturers.count());
    set(f, Feature::steps, own.steps - theirs.steps);
    set(f, Feature::strong, difference(rules.lines().strong()));
    set(f, Feature::edge, difference(edge_));
    set(f, Feature::centre, difference(centre_));
    set(f, Feature::pairs, pairs(rules, p.own) - pairs(rules, p.opp));
    f.phase = phase_[at(all)];
    f.scale = Counts::whole / fading_turns * std::min(rules.moves_left(p), fading_turns);
    return f;
  }

 private:
  // With fewer turns left than this, an advantage counts less and less: the draw of 3.2 is near.
  static constexpr int fading_turns = 16;

  /// What one side could do if it were to move.
  struct Reach {
    int steps = 0;
    Set attacked;   // opposing stones that a first step takes
    Set capturers;  // own stones that have such a step
  };

  static constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  static void set(Counts& f, Feature feature, int value) noexcept {
    f.values[static_cast<std::size_t>(feature)] = value;
  }

  /// What `own` reaches with one step each. A run along direction d is taken by a step in d towards
  /// it, or by a step the other way off it (2.1); runs are followed for three stones.
  [[nodiscard, gnu::always_inline]] Reach reach(const RulesType& rules, const Set& own, const Set& opp,
                                                const Set& empty) const noexcept {
    const Lines<Shape>& lines = rules.lines();
    const Shape& shape = rules.shape();
    Reach r;
    each_direction([&]<Direction d>() {
      const Set onwards = lines.template steppers<d>(own, empty);
      const Set backwards = lines.template steppers<opposite(d)>(own, empty);
      r.steps += onwards.count();
      const Set landing = shape.moved(onwards, d);
      Set run = opp & shape.moved(landing | backwards, d);
      const Set reached = shape.moved(run, opposite(d));
      r.capturers |= (backwards & reached) | (onwards & shape.moved(landing & reached, opposite(d)));
      run |= opp & shape.moved(run, d);
      run |= opp & shape.moved(run, d);
      r.attacked |= run;
      return true;
    });
    return r;
  }

  [[nodiscard, gnu::always_inline]] int pairs(const RulesType& rules, const Set& stones) const noexcept {
    const Shape& shape = rules.shape();
    const Set strong = stones & rules.lines().strong();
    return (stones & shape.moved(stones, Direction::e)).count() + (stones & shape.moved(stones, Direction::s)).count() +
           (strong & shape.moved(strong, Direction::se)).count() +
           (strong & shape.moved(strong, Direction::sw)).count();
  }

  Set edge_;
  Set centre_;
  std::array<int, at(Shape::max_size + 1)> phase_{};
};

}  // namespace paika::fanorona
