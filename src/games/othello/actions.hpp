// Othello for programs that learn: an action is the index of the square to place a pawn on; one more is the pass.
#pragma once

#include <cstdint>

#include "games/othello/rules.hpp"
#include "rules/actions.hpp"

namespace paika::othello {

template <class Shape>
class BitboardActions {
 public:
  using RulesType = BitboardRules<Shape>;
  using Position = typename RulesType::Position;
  using State = Position;
  using Choice = typename RulesType::Move;

  explicit BitboardActions(const RulesType& rules) : rules_(rules) {}

  [[nodiscard]] const RulesType& rules() const noexcept { return rules_; }
  [[nodiscard]] int cols() const noexcept { return rules_.shape().cols(); }
  [[nodiscard]] int rows() const noexcept { return rules_.shape().rows(); }
  [[nodiscard]] int count() const noexcept { return rules_.shape().size() + 1; }
  [[nodiscard]] int planes() const noexcept { return 2; }
  [[nodiscard]] State state(const Position& p) const noexcept { return p; }
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): the state is the position, and outlives it
  [[nodiscard]] const Position& position(const State& s) const noexcept { return s; }

  [[nodiscard]] int pieces(const Position& p) const noexcept { return (p.own | p.opponent).count(); }

  template <class Visit>
  void for_each(const State& s, Visit&& visit) const {
    rules_.for_each_turn(s, [&](Choice m) {
      visit(m.is_pass() ? rules_.shape().size() : m.square, m);
      return true;
    });
  }
  bool apply(State& s, Choice m) const noexcept {
    s = rules_.play(s, m);
    return true;
  }
  [[nodiscard]] Turn begun(const State& /*s*/) const { return {}; }
  [[nodiscard]] Turn steps(const State& s, Choice m) const { return rules_.to_turn(s, m); }

  /// The mover's pawns, the other pawns.
  void observe(const State& s, std::uint8_t* out) const noexcept {
    const int size = rules_.shape().size();
    write_plane(s.own, size, out);
    write_plane(s.opponent, size, out + size);
  }

 private:
  RulesType rules_;
};

static_assert(Actions<BitboardActions<FixedShape<8, 8>>>);

}  // namespace paika::othello
