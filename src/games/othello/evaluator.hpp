// Evaluator: how good a position looks, by the best evaluation there is for the size of the board.
//
// 8x8: patterns. Larger boards: features. 6x6, without weights, or if asked for: the plain evaluation,
// mobility and corners, as anybody would count them. (On 6x6 the weights of larger boards lost to it:
// docs/strategy/othello.md.)
#pragma once

#include <algorithm>
#include <vector>

#include "games/othello/features.hpp"
#include "games/othello/patterns.hpp"
#include "games/othello/rules.hpp"
#include "rules/search_traits.hpp"

namespace paika::othello {

template <class Shape>
class Evaluator {
 public:
  using Set = typename Shape::Set;
  static constexpr bool one_word = Set::capacity == 64;

  Evaluator(const BitboardRules<Shape>& rules, Evaluation evaluation)
      : Evaluator(rules, evaluation == Evaluation::tuned ? PatternWeights::built_in() : nullptr,
                  evaluation == Evaluation::tuned && rules.shape().cols() > 6 ? built_in_feature_weights() : nullptr) {}
  /// With these weights, which must outlive the evaluator; null: none. The better kind is used.
  Evaluator(const BitboardRules<Shape>& rules, const PatternWeights* pattern_weights,
            const FeatureWeights* feature_weights)
      : lines_(rules.lines()),
        features_(rules.shape()),
        size_(rules.shape().cols()),
        patterns_(one_word && size_ == 8 ? pattern_weights : nullptr),
        weights_(feature_weights) {}

  /// For the side that owns `own` and is to move. Requires an empty square.
  [[nodiscard]] int evaluate(const Set& own, const Set& opponent) const noexcept {
    if constexpr (one_word) {
      if (patterns_ != nullptr) {
        return within_bounds(patterns_->evaluate({own.words[0], opponent.words[0]}, counts(own, opponent)));
      }
    }
    int sum = 0;
    for (const int part : parts_of_features(own, opponent)) sum += part;
    return within_bounds(sum);
  }

  /// The same in parts, the largest first.
  [[nodiscard]] std::vector<Term> terms(const Set& own, const Set& opponent) const {
    std::vector<Term> list;
    if constexpr (one_word) {
      if (patterns_ != nullptr) {
        const auto parts = patterns_->parts({own.words[0], opponent.words[0]}, counts(own, opponent));
        for (std::size_t i = 0; i < parts.size(); ++i) {
          list.push_back({i < patterns.size() ? patterns[i].name : count_names[i - patterns.size()], parts[i]});
        }
        return largest_first(std::move(list));
      }
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
  [[nodiscard]] Counts counts(const Set& own, const Set& opponent) const noexcept
    requires one_word
  {
    return counts_of({own.words[0], opponent.words[0]}, lines_.placings(own, opponent).words[0],
                     lines_.placings(opponent, own).words[0]);
  }

 private:
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
