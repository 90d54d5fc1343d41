// What the computer player knows of Fanorona: docs/strategy/fanorona.md tells it in words.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "games/fanorona/features.hpp"
#include "games/fanorona/params.hpp"
#include "games/fanorona/rules.hpp"
#include "rules/linear.hpp"
#include "rules/search_traits.hpp"

namespace paika::fanorona {

template <class Shape>
class BitboardTraits {
 public:
  using RulesType = BitboardRules<Shape>;
  using Position = typename RulesType::Position;
  using Move = typename RulesType::Move;
  using Weights = LinearWeights<feature_count>;

  static constexpr std::size_t history_size = std::size_t{2} * Shape::max_size * Shape::max_size;
  static constexpr auto feature_names = fanorona::feature_names;

  BitboardTraits(const RulesType& rules, Evaluation evaluation)
      : rules_(rules),
        counter_(rules_),
        weights_(linear_weights(evaluation, weights_file(), feature_names, plain_weights)) {}

  [[nodiscard]] const RulesType& rules() const { return rules_; }
  /// Measured: docs/strategy/fanorona.md. Having to move is often a disadvantage, so there is no null move.
  [[nodiscard]] SearchParams params() const { return search_params(); }
  [[nodiscard]] static LevelPlans levels() { return level_plans(); }

  [[nodiscard]] int evaluate(const Position& p) const { return weights_.value(features(p)); }
  [[nodiscard]] std::vector<Term> terms(const Position& p) const { return weights_.terms(features(p), feature_names); }

  // For the tuner (rules/linear.hpp).
  [[nodiscard]] Features<feature_count> features(const Position& p) const { return counter_.count(rules_, p); }
  [[nodiscard]] const Weights& weights() const { return weights_; }
  void set_weights(const Weights& weights) { weights_ = weights; }
  [[nodiscard]] static constexpr std::string_view weights_file() { return "fanorona.weights"; }

  /// Captures by the number of stones they take; a sacrifice gives one up.
  [[nodiscard]] int tactical_score(const Position& /*p*/, const Move& m) const {
    return m.kind == MoveKind::sacrifice ? -1 : m.captured.count();
  }
  /// The same stone from the same point to the same point; a sacrifice stays where it is.
  [[nodiscard]] std::size_t history_index(const Position& p, const Move& m) const {
    const auto side = static_cast<std::size_t>(p.mover) * Shape::max_size;
    return (side + m.from) * Shape::max_size + m.to;
  }

  /// Chains that move the same stone to the same point and take the same stones. A single step is
  /// rarely the same as a chain, so it has no key.
  [[nodiscard]] std::uint64_t result_key(const Position& /*p*/, const Move& m) const {
    if (m.steps < 2) return 0;
    // Scattered before the words come in: a captured stone's bit must not cancel one of the points.
    std::uint64_t key = mix64(std::uint64_t{m.from} << 8 | m.to);
    for (const std::uint64_t word : m.captured.words) key = mix64(key ^ word);
    return key;
  }
  /// The key, and the number of moves where it leads to a draw (3.2).
  [[nodiscard]] std::uint64_t search_key(const Position& p) const {
    if (rules_.options().limit == 0) return p.key;
    return p.key ^ mix64(static_cast<std::uint64_t>(p.moves));
  }
  [[nodiscard]] Position pass(const Position& p) const { return rules_.passed(p); }

  /// A sacrificed stone stands on the board for one move more.
  [[nodiscard]] int stones(const Position& p) const { return (p.own | p.opp | p.block).count(); }
  [[nodiscard]] StoneSets stone_sets(const Position& p) const
    requires(Shape::Set::words_count == 1)
  {
    return {p.own.words[0], p.opp.words[0], p.block.words[0], p.moves};
  }

  template <class Visit>
  bool for_each_candidate(const Position& p, int most, Visit&& visit) const {
    return rules_.for_each_turn_within(p, static_cast<std::uint64_t>(most), visit);
  }

 private:
  RulesType rules_;
  FeatureCounter<Shape> counter_;
  Weights weights_;
};

static_assert(LinearTraits<BitboardTraits<FixedShape<9, 5>>>);

}  // namespace paika::fanorona
