// Othello for programs that learn: an action is the index of the square to place a pawn on; one more is the pass.
#pragma once

#include <cstdint>

#include "games/othello/rules.hpp"
#include "rules/actions.hpp"

namespace paika::othello {

template <class Shape>
class BitboardActions : public WholeMoveActions<BitboardRules<Shape>> {
  using Base = WholeMoveActions<BitboardRules<Shape>>;

 public:
  using Base::Base;
  using Base::rules;
  using typename Base::Choice;
  using typename Base::Position;
  using typename Base::State;

  [[nodiscard]] int count() const noexcept { return rules().shape().size() + 1; }
  [[nodiscard]] int planes() const noexcept { return 2; }

  [[nodiscard]] int pieces(const Position& p) const noexcept { return (p.own | p.opponent).count(); }

  template <class Visit>
  void for_each(const State& s, Visit&& visit) const {
    rules().for_each_turn(s, [&](Choice m) {
      visit(m.is_pass() ? rules().shape().size() : m.square, m);
      return true;
    });
  }

  /// The mover's pawns, the other pawns.
  void observe(const State& s, std::uint8_t* out) const noexcept {
    const int size = rules().shape().size();
    write_plane(s.own, size, out);
    write_plane(s.opponent, size, out + size);
  }
};

static_assert(Actions<BitboardActions<FixedShape<8, 8>>>);

}  // namespace paika::othello
