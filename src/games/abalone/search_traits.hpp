// What the computer player knows of rectangular Abalone: docs/strategy/abalone.md tells it in words.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "games/abalone/features.hpp"
#include "games/abalone/params.hpp"
#include "games/abalone/rules.hpp"
#include "rules/linear.hpp"
#include "rules/search_traits.hpp"

namespace paika::abalone {

template <class Shape>
class BitboardTraits {
 public:
  using RulesType = BitboardRules<Shape>;
  using Position = typename RulesType::Position;
  using Move = typename RulesType::Move;
  using Weights = LinearWeights<feature_count>;

  static constexpr std::size_t history_size = std::size_t{2} * Shape::max_size * 8;
  static constexpr auto feature_names = abalone::feature_names;

  BitboardTraits(const RulesType& rules, Evaluation evaluation)
      : rules_(rules),
        counter_(rules_),
        weights_(linear_weights(evaluation, weights_file(), feature_names, plain_weights(rules.options().misere))) {}

  [[nodiscard]] const RulesType& rules() const { return rules_; }
  [[nodiscard]] SearchParams params() const { return search_params(); }
  [[nodiscard]] static LevelPlans levels() { return level_plans(); }

  [[nodiscard]] int evaluate(const Position& p) const { return weights_.value(features(p)); }
  [[nodiscard]] std::vector<Term> terms(const Position& p) const { return weights_.terms(features(p), feature_names); }

  // For the tuner (rules/linear.hpp).
  [[nodiscard]] Features<feature_count> features(const Position& p) const { return counter_.count(rules_, p); }
  [[nodiscard]] const Weights& weights() const { return weights_; }
  void set_weights(const Weights& weights) { weights_ = weights; }
  /// Freezing turns so much around that it has weights of its own. The misere game has no file: tuning
  /// found nothing that wins against the plain weights.
  [[nodiscard]] std::string_view weights_file() const {
    if (rules_.options().misere) return "abalone_misere.weights";
    return rules_.options().freeze == Freeze::off ? "abalone.weights" : "abalone_freeze.weights";
  }

  /// A capture is what the game is about; in the misere game (4.1) it is what one must not do.
  [[nodiscard]] int tactical_score(const Position& /*p*/, const Move& m) const {
    if (m.captures == 0) return 0;
    return rules_.options().misere ? -1 : 1;
  }
  /// The same piece in the same direction.
  [[nodiscard]] std::size_t history_index(const Position& p, const Move& m) const {
    return (static_cast<std::size_t>(p.to_move) * Shape::max_size + m.from) * 8 + m.direction;
  }
  [[nodiscard]] Position pass(const Position& p) const { return rules_.passed(p); }

 private:
  RulesType rules_;
  FeatureCounter<Shape> counter_;
  Weights weights_;
};

static_assert(LinearTraits<BitboardTraits<FixedShape<4, 4>>>);

}  // namespace paika::abalone
