// Features: what can be counted on a board of any size, for the sizes that have no patterns.
//
// Every feature is a difference, own minus opponent's. Their weights change with how full the board
// is: given at a few knots, linear between them. Scores grow with the length of an edge, so the sum
// is scaled by it; 8x8 is the measure.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.hpp"
#include "board/shape.hpp"

namespace paika::othello {

inline constexpr std::array<std::string_view, 8> feature_names = {"placings",
                                                                  "open neighbours",
                                                                  "corners",
                                                                  "squares diagonally next to empty corners",
                                                                  "edge squares next to empty corners",
                                                                  "other edge squares",
                                                                  "pawns",
                                                                  "last move of the board"};
using FeatureValues = std::array<int, feature_names.size()>;

inline constexpr std::size_t feature_knots = 5;  // at 0, 1/4, … of the board filled
/// Weights in hundredths of a disc of the 8x8 board, by knot.
using FeatureWeights = std::array<std::array<int, feature_names.size()>, feature_knots>;

/// Reads a file of feature weights: text, lines of names and numbers, # for comments.
[[nodiscard]] Result<FeatureWeights> read_feature_weights(std::string_view file);
/// Those built into the program; null if there are none.
[[nodiscard]] const FeatureWeights* built_in_feature_weights();

/// Between which knots a board with `taken` of `squares` filled lies: the lower one, and 0 to 256 for
/// how near the upper one is.
struct FeaturePhase {
  std::size_t knot = 0;
  int fraction = 0;
};
[[nodiscard]] constexpr FeaturePhase feature_phase(int taken, int squares) noexcept {
  const int place = taken * 256 * static_cast<int>(feature_knots - 1) / squares;
  const int knot = std::min(place / 256, static_cast<int>(feature_knots) - 2);
  return {static_cast<std::size_t>(knot), place - 256 * knot};
}

/// Counts features on boards of one shape.
template <class Shape>
class Features {
 public:
  using Set = typename Shape::Set;

  explicit Features(const Shape& shape) : shape_(shape) {
    const int last = shape.cols() - 1;
    for (const int row : {0, last}) {
      for (const int col : {0, last}) {
        const int in_row = row == 0 ? 1 : last - 1;
        const int in_col = col == 0 ? 1 : last - 1;
        Corner& corner = corners_[count_++];
        corner.square.set(shape.index({col, row}));
        corner.diagonal.set(shape.index({in_col, in_row}));
        corner.beside.set(shape.index({in_col, row}));
        corner.beside.set(shape.index({col, in_row}));
        all_corners_ |= corner.square;
      }
    }
    for (int i = 0; i <= last; ++i) {
      for (const Square s : {Square{i, 0}, {i, last}, {0, i}, {last, i}}) edges_.set(shape.index(s));
    }
    for (const Corner& corner : corners_) edges_ &= ~(corner.square | corner.beside);
  }

  [[nodiscard]] const Set& corners() const noexcept { return all_corners_; }

  [[nodiscard]] FeatureValues values(const Set& own, const Set& opponent, int placings,
                                     int opponent_placings) const noexcept {
    const Set taken = own | opponent;
    const Set empty = shape_.all() & ~taken;
    Set diagonal;
    Set beside;
    for (const Corner& corner : corners_) {
      if ((corner.square & taken).any()) continue;
      diagonal |= corner.diagonal;
      beside |= corner.beside;
    }
    const auto difference = [&](const Set& where) { return (own & where).count() - (opponent & where).count(); };
    return {placings - opponent_placings,
            (around(opponent) & empty).count() - (around(own) & empty).count(),
            difference(all_corners_),
            difference(diagonal),
            difference(beside),
            difference(edges_),
            own.count() - opponent.count(),
            empty.count() % 2 != 0 ? 1 : -1};
  }

 private:
  struct Corner {
    Set square;
    Set diagonal;
    Set beside;
  };

  [[nodiscard]] Set around(const Set& set) const noexcept {
    const Set row = set | shape_.moved(set, Direction::e) | shape_.moved(set, Direction::w);
    return row | shape_.moved(row, Direction::n) | shape_.moved(row, Direction::s);
  }

  Shape shape_;
  std::array<Corner, 4> corners_{};
  std::size_t count_ = 0;
  Set all_corners_;
  Set edges_;  // without corners and the squares beside them
};

/// The worth of each feature, in hundredths of a disc, on a board of `size` x `size`.
[[nodiscard]] constexpr FeatureValues feature_parts(const FeatureWeights& weights, const FeatureValues& values,
                                                    FeaturePhase phase, int size) noexcept {
  FeatureValues parts{};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const int weight = weights[phase.knot][i] * (256 - phase.fraction) + weights[phase.knot + 1][i] * phase.fraction;
    parts[i] = values[i] * weight / 256 * size / 8;
  }
  return parts;
}

}  // namespace paika::othello
