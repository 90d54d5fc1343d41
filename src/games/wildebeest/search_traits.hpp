// What the computer player knows of Two-player Wildebeest: a linear evaluation over the features of
// features.hpp, and which turns change the material at once.
//
// Most of what decides this game happens after the move itself: poison, sweeps, pads, explosions
// (rules 4 and 5). So a turn is judged by what it leaves on the board, friend and foe, not by what
// stands on its target.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "games/wildebeest/features.hpp"
#include "games/wildebeest/rules.hpp"
#include "rules/linear.hpp"
#include "rules/search_traits.hpp"

namespace paika::wildebeest {

/// What a turn wins or loses with a piece of each kind, by which turns are ordered. These are the plain
/// weights: a tuned weight is only what a piece is worth beside all that other features say of it.
inline constexpr std::array<int, kinds_count> piece_values = [] {
  constexpr int king_value = 100'000;
  static_assert(at(Feature::beekeepers) - at(Feature::pawns) == at(Kind::beekeeper) - at(Kind::pawn));
  std::array<int, kinds_count> values{};
  values[at(Kind::king)] = values[at(Kind::jet_king)] = king_value;
  for (auto kind = at(Kind::pawn); kind <= at(Kind::beekeeper); ++kind) {
    values[kind] = feature_table[at(Feature::pawns) + kind - at(Kind::pawn)].plain;
  }
  return values;
}();

class BitboardTraits {
 public:
  using RulesType = BitboardRules;
  using Position = wildebeest::Position;
  using Move = wildebeest::Move;
  using Weights = LinearWeights<feature_count>;

  static constexpr std::array<std::string_view, feature_count> feature_names = detail::names_of_features();
  static constexpr std::size_t history_size = codes_count * 2 * at(squares);

  BitboardTraits(const BitboardRules& rules, Evaluation evaluation);

  [[nodiscard]] const BitboardRules& rules() const { return rules_; }
  [[nodiscard]] SearchParams params() const;
  [[nodiscard]] static LevelPlans levels();

  [[nodiscard]] int evaluate(const Position& p) const { return weights_.value(count_features(p)); }
  /// The groups of features, the weightiest first.
  [[nodiscard]] std::vector<Term> terms(const Position& p) const;

  /// What tactical_score() asks again and again about one position, worked out once: where turns may come from
  /// or go to without anything happening after the move.
  struct Outlook {
    Set alarm_from;      // squares that a piece may not leave quietly
    Set alarm_to;        // squares that no piece may enter quietly …
    Set alarm_poisoner;  // … that no Serpent or Empress may
    Set alarm_mortal;    // … that none of those that can be poisoned may
    bool alarm = false;  // no turn is quiet without a closer look
  };
  [[nodiscard]] Outlook outlook(const Position& p) const noexcept;

  /// The material that the turn wins or loses, counting everything that happens after the move.
  [[nodiscard]] int tactical_score(const Position& p, const Move& m) const {
    return has_effects(p, m) ? material_change(p, m) : captured(p, m);
  }
  /// The same, faster for many turns of one position.
  [[nodiscard]] int tactical_score(const Position& p, const Move& m, const Outlook& outlook) const {
    return may_alarm(p, m, outlook) ? tactical_score(p, m) : captured(p, m);
  }
  [[nodiscard]] std::size_t history_index(const Position& p, const Move& m) const {
    const std::size_t way = m.kind == MoveKind::fling ? 1 : 0;
    return (std::size_t{p.on[m.from]} * 2 + way) * at(squares) + m.to;
  }
  /// The same board with the other side to move. Nothing happens on it: after effects follow moves.
  [[nodiscard]] Position pass(const Position& p) const noexcept {
    Position q = p;
    q.to_move = other(p.to_move);
    q.key ^= black_to_move_key;
    return q;
  }

  // What tools/tune needs (rules/linear.hpp).
  [[nodiscard]] PositionFeatures features(const Position& p) const { return count_features(p); }
  [[nodiscard]] const Weights& weights() const { return weights_; }
  void set_weights(const Weights& weights) { weights_ = weights; }
  [[nodiscard]] std::string_view weights_file() const { return "wildebeest.weights"; }

 private:
  /// 4.1 with poison=once: pads have brought pieces together that are poisoned after the next move, whichever it is.
  [[nodiscard]] bool poison_waits(const Position& p) const noexcept;
  /// False only if nothing happens after the move that changes the material.
  [[nodiscard]] bool has_effects(const Position& p, const Move& m) const noexcept;
  [[nodiscard]] int material_change(const Position& p, const Move& m) const noexcept;
  [[nodiscard]] static bool may_alarm(const Position& p, const Move& m, const Outlook& outlook) noexcept {
    if (outlook.alarm || m.kind == MoveKind::push) return true;
    if (outlook.alarm_from.test(m.from) || outlook.alarm_to.test(m.to)) return true;
    switch (kind_of(p.on[m.from])) {
      case Kind::joey: return true;
      case Kind::pawn: return pawn_alarms.test(m.to) || outlook.alarm_mortal.test(m.to);
      case Kind::serpent:
      case Kind::empress: return outlook.alarm_poisoner.test(m.to);
      case Kind::cart: return false;
      default: return outlook.alarm_mortal.test(m.to);
    }
  }
  /// What a turn wins that does nothing but move: a little more if a cheap piece captures.
  [[nodiscard]] int captured(const Position& p, const Move& m) const noexcept {
    const Kind victim = kind_of(p.on[m.to]);
    if (victim == Kind::nothing) return 0;
    return piece_values[at(victim)] - std::min(piece_values[at(kind_of(p.on[m.from]))] / 16, 50);
  }

  /// 2 and 5.1: where a Pawn becomes a Time Machine or charges carts.
  static constexpr Set pawn_alarms = row_sets[0] | row_sets[middle_row] | row_sets[last_row];

  BitboardRules rules_;
  Weights weights_;
};

static_assert(LinearTraits<BitboardTraits>);
static_assert(HasPassing<BitboardTraits>);
static_assert(HasOutlooks<BitboardTraits>);

}  // namespace paika::wildebeest
