// What a position of Abalone is judged by: counts over whole sets of pieces, for boards of any size.
//
// Everything is found for all pieces of a side at once, a direction at a time: this runs at every
// leaf of a search. Freezing is not looked at here: a push that could be made is counted whether or
// not its pieces are frozen (4.2), and the weights of the freezing game take that into account.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "games/abalone/rules.hpp"
#include "rules/linear.hpp"

namespace paika::abalone {

/// The features, in the order of feature_names. Where nothing else is said: own minus theirs.
enum class Feature : std::size_t {
  captures,    // captures made
  goal,        // nearness to the captures needed: 64 for one to go, 32 for two, 21 for three, …
  turn,        // always 1: being to move
  threats,     // pushes off the board that the side to move has
  threatened,  // pushes off the board that the other side would have if it were to move
  pushes,      // pushes to empty squares that the side to move has
  pushed,      // pushes to empty squares that the other side would have if it were to move
  steps,       // steps of single pieces to empty squares
  rim,         // pieces on the edge of the board
  corners,     // pieces in corners
  depth,       // distances of the pieces from the edge, three at the most each
  pairs,       // pairs of adjacent pieces
  rows,        // rows of three adjacent pieces
  count
};

inline constexpr std::size_t feature_count = static_cast<std::size_t>(Feature::count);

inline constexpr std::array<std::string_view, feature_count> feature_names = {
    "captures", "goal", "tempo",   "threats", "threatened", "pushes", "pushed",
    "steps",    "rim",  "corners", "depth",   "pairs",      "rows"};

/// What anybody would count: captures, which are to be avoided in the misere game (4.1).
[[nodiscard]] constexpr std::array<Weight, feature_count> plain_weights(bool misere) noexcept {
  return {weight(misere ? -100 : 100)};
}

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
    for (int i = 0; i < shape.size(); ++i) {
      const Square s = shape.square(i);
      const int sideways = std::min(s.col, shape.cols() - 1 - s.col);
      const int upwards = std::min(s.row, shape.rows() - 1 - s.row);
      if (std::min(sideways, upwards) == 0) rim_.set(i);
      if (std::max(sideways, upwards) == 0) corners_.set(i);
      for (int ring = 1; ring <= std::min({sideways, upwards, rings}); ++ring) inside_[at(ring - 1)].set(i);
    }
  }

  /// The features for the side to move. Requires that neither side has made the captures it needs.
  [[nodiscard]] Counts count(const RulesType& rules, const Position& p) const noexcept {
    const Player us = p.to_move;
    const Set& own = p.pieces[at(us)];
    const Set& theirs = p.pieces[at(other(us))];
    const Set empty = rules.shape().all() & ~(own | theirs);
    const Reach ours = reach(rules, own, theirs, empty, directions);
    const Reach reply = reach(rules, theirs, own, empty, directions);
    const int needed = rules.options().captures;
    const int made = rules.lost(p, other(us));
    const int suffered = rules.lost(p, us);
    const auto difference = [&](const Set& squares) { return (own & squares).count() - (theirs & squares).count(); };
    Counts f;
    set(f, Feature::captures, made - suffered);
    set(f, Feature::goal, nearness / (needed - made) - nearness / (needed - suffered));
    set(f, Feature::turn, 1);
    set(f, Feature::threats, ours.captures);
    set(f, Feature::threatened, reply.captures);
    set(f, Feature::pushes, ours.pushes);
    set(f, Feature::pushed, reply.pushes);
    set(f, Feature::steps, ours.steps - reply.steps);
    set(f, Feature::rim, difference(rim_));
    set(f, Feature::corners, difference(corners_));
    set(f, Feature::depth, difference(inside_[0]) + difference(inside_[1]) + difference(inside_[2]));
    set(f, Feature::pairs, ours.pairs - reply.pairs);
    set(f, Feature::rows, ours.rows - reply.rows);
    f.phase = Counts::whole * std::max(made, suffered) / needed;
    return f;
  }

 private:
  static constexpr int nearness = 64;
  static constexpr int rings = 3;

  using Directions = std::integer_sequence<unsigned char, 0, 1, 2, 3, 4, 5, 6, 7>;
  static constexpr Directions directions{};

  /// What one side could do if it were to move, and how its pieces hold together.
  struct Reach {
    int steps = 0;
    int captures = 0;
    int pushes = 0;
    int pairs = 0;
    int rows = 0;
  };

  static constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  static constexpr std::size_t at(Player p) noexcept { return static_cast<std::size_t>(p); }
  static void set(Counts& f, Feature feature, int value) noexcept {
    f.values[static_cast<std::size_t>(feature)] = value;
  }

  template <unsigned char... Ds>
  [[nodiscard, gnu::always_inline]] Reach reach(const RulesType& rules, const Set& own, const Set& theirs,
                                                const Set& empty,
                                                std::integer_sequence<unsigned char, Ds...>) const noexcept {
    Reach r;
    (add_direction<static_cast<Direction>(Ds)>(r, rules, own, theirs, empty), ...);
    return r;
  }

  /// Looks along direction D.
  template <Direction D>
  [[gnu::always_inline]] void add_direction(Reach& r, const RulesType& rules, const Set& own, const Set& theirs,
                                            const Set& empty) const noexcept {
    const Shape& shape = rules.shape();
    const auto before = [&](const Set& squares) { return shape.moved(squares, opposite(D)); };
    const Set before_empty = before(empty);
    r.steps += (own & before_empty).count();
    if constexpr (D <= Direction::se) {  // a pair and a row look the same from both ends
      const Set pair = own & before(own);
      r.pairs += pair.count();
      r.rows += (pair & before(pair)).count();
    }
    r.captures += pushing_lines<D>(rules, own, theirs, theirs & rules.edge(D));
    r.pushes += pushing_lines<D>(rules, own, theirs, theirs & before_empty);
  }

  /// How many lines of `own` push pieces in direction D of which the last stands on one of `last`. A
  /// line that pushes j pieces is found from the first of them, by looking back over j + 1 own
  /// pieces (2.4).
  template <Direction D>
  [[nodiscard, gnu::always_inline]] int pushing_lines(const RulesType& rules, const Set& own, const Set& theirs,
                                                      const Set& last) const noexcept {
    const auto before = [&](const Set& squares) { return rules.shape().moved(squares, opposite(D)); };
    const int room = rules.length(D);
    int lines = 0;
    Set first = last;
    for (int j = 1; 2 * j < room && (Shape::is_fixed || first.any()); ++j) {
      Set line = own & before(first);
      for (int i = 0; i < j && (Shape::is_fixed || line.any()); ++i) line = own & before(line);
      lines += line.count();
      first = theirs & before(first);
    }
    return lines;
  }

  Set rim_;
  Set corners_;
  std::array<Set, at(rings)> inside_{};  // the squares at least 1, 2, 3 away from the edge
};

}  // namespace paika::abalone
