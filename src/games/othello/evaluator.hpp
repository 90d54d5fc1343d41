// Evaluator: how good a position looks, by the best evaluation there is for the size of the board.
//
// 6x6, 8x8 and 10x10: patterns. Other boards: features. Without weights, or if asked for: the plain evaluation,
// mobility and corners, as anybody would count them.
#pragma once

#include <algorithm>
#include <vector>

#include "games/othello/features.hpp"
#include "games/othello/pattern_weights.hpp"
#include "games/othello/rules.hpp"
#include "rules/search_traits.hpp"

namespace paika::othello {

template <class Shape>
class Evaluator {
 public:
  using Set = typename Shape::Set;

  Evaluator(const BitboardRules<Shape>& rules, Evaluation evaluation)
      : Evaluator(rules, evaluation == Evaluation::tuned ? PatternWeights::built_in(rules.shape().cols()) : nullptr,
                  evaluation == Evaluation::tuned && rules.shape().cols() > 6 ? built_in_feature_weights() : nullptr) {}
  /// With these weights, which must outlive the evaluator; null: none. Patterns are used if they are for this size.
  Evaluator(const BitboardRules<Shape>& rules, const PatternWeights* pattern_weights,
            const FeatureWeights* feature_weights)
      : lines_(rules.lines()),
        features_(rules.shape()),
        size_(rules.shape().cols()),
        patterns_(pattern_weights != nullptr && pattern_weights->layout().size() == size_ ? pattern_weights : nullptr),
        weights_(feature_weights) {}

  /// For the side that owns `own` and is to move. Requires an empty square.
  [[nodiscard]] int evaluate(const Set& own, const Set& opponent) const noexcept {
    if (patterns_ != nullptr) return evaluate(states(own, opponent), own, opponent);
    int sum = 0;
    for (const int part : parts_of_features(own, opponent)) sum += part;
    return within_bounds(sum);
  }

  /// The patterns' weights; null if positions are evaluated without.
  [[nodiscard]] const PatternWeights* patterns() const noexcept { return patterns_; }
  /// The states of the patterns, for a search that keeps them up to date. Requires patterns().
  [[nodiscard]] PatternStates states(const Set& own, const Set& opponent) const noexcept {
    return {patterns_->layout(), own, opponent};
  }
  /// As evaluate(own, opponent), given their states. Requires patterns().
  [[nodiscard]] int evaluate(const PatternStates& states, const Set& own, const Set& opponent) const noexcept {
    return evaluate(states, own, opponent, lines_.placings(own, opponent));
  }
  /// The same, given also where the mover can place.
  [[nodiscard]] int evaluate(const PatternStates& states, const Set& own, const Set& opponent,
                             const Set& placings) const noexcept {
    return within_bounds(patterns_->evaluate(states.lanes(), counts(own, opponent, placings)));
  }

  /// The evaluation after the mover places on `square` and turns `flipped` over, given the states before that, the
  /// pawns then, of the side to move first, and where it can place. Requires patterns().
  [[nodiscard]] int evaluate_after(const PatternStates& states, int square, const Set& flipped, const Set& own,
                                   const Set& opponent, const Set& placings) const noexcept {
    return within_bounds(
        patterns_->evaluate(states.lanes_after(patterns_->layout(), square, flipped), counts(own, opponent, placings)));
  }

  /// The same in parts, the largest first.
  [[nodiscard]] std::vector<Term> terms(const Set& own, const Set& opponent) const {
    std::vector<Term> list;
    if (patterns_ != nullptr) {
      const auto parts = patterns_->parts(states(own, opponent).lanes(), counts(own, opponent));
      const auto patterns = patterns_->layout().patterns();
      for (std::size_t i = 0; i < parts.size(); ++i) {
        list.push_back({i < patterns.size() ? patterns[i].name : count_names[i - patterns.size()], parts[i]});
      }
      return largest_first(std::move(list));
    }
    const FeatureValues parts = parts_of_features(own, opponent);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (parts[i] != 0) list.push_back({feature_names[i], parts[i]});
    }
    return largest_first(std::move(list));
  }

  [[nodiscard]] FeatureValues feature_values(const Set& own, const Set& opponent) const noexcept {
    return features_.values(own, opponent, lines_.placings(own, opponent).count(),
                            lines_.placings(opponent, own).count());
  }
  [[nodiscard]] Counts counts(const Set& own, const Set& opponent) const noexcept {
    return counts(own, opponent, lines_.placings(own, opponent));
  }

 private:
  [[nodiscard]] Counts counts(const Set& own, const Set& opponent, const Set& placings) const noexcept {
    return {{static_cast<std::uint8_t>(placings.count()),
             static_cast<std::uint8_t>(lines_.placings(opponent, own).count()),
             static_cast<std::uint8_t>((own | opponent).count())}};
  }

  /// Untuned: half a disc a placing, five discs a corner.
  static constexpr FeatureWeights plain = [] {
    FeatureWeights weights{};
    for (auto& knot : weights) {
      knot[0] = 50;
      knot[2] = 500;
    }
    return weights;
  }();

  [[nodiscard]] FeatureValues parts_of_features(const Set& own, const Set& opponent) const noexcept {
    const FeaturePhase phase = feature_phase((own | opponent).count(), size_ * size_);
    return feature_parts(weights_ != nullptr ? *weights_ : plain, feature_values(own, opponent), phase, size_);
  }

  [[nodiscard]] static constexpr int within_bounds(int score) noexcept {
    return std::clamp(score, 1 - evaluation_bound, evaluation_bound - 1);
  }

  [[nodiscard]] static std::vector<Term> largest_first(std::vector<Term> list) {
    const auto size = [](const Term& t) { return t.value < 0 ? -t.value : t.value; };
    std::sort(list.begin(), list.end(),
              [&](const Term& a, const Term& b) { return size(a) != size(b) ? size(a) > size(b) : a.name < b.name; });
    return list;
  }

  typename BitboardRules<Shape>::Lines lines_;
  Features<Shape> features_;
  int size_;
  const PatternWeights* patterns_;
  const FeatureWeights* weights_;
};

}  // namespace paika::othello
