// Abalone for programs that learn: an action is a direction and the piece that is chosen, direction * squares + square,
// directions clockwise from up.
#pragma once

#include <cstdint>

#include "games/abalone/rules.hpp"
#include "rules/actions.hpp"

namespace paika::abalone {

template <class Shape>
class BitboardActions : public WholeMoveActions<BitboardRules<Shape>> {
  using Base = WholeMoveActions<BitboardRules<Shape>>;

 public:
  using Base::Base;
  using Base::rules;
  using typename Base::Choice;
  using typename Base::Position;
  using typename Base::State;

  [[nodiscard]] int count() const noexcept { return 8 * rules().shape().size(); }
  [[nodiscard]] int planes() const noexcept { return 2; }

  [[nodiscard]] int pieces(const Position& p) const noexcept { return (p.pieces[0] | p.pieces[1]).count(); }

  template <class Visit>
  void for_each(const State& s, Visit&& visit) const {
    rules().for_each_turn(s, [&](const Choice& m) {
      visit(m.direction * rules().shape().size() + m.from, m);
      return true;
    });
  }

  /// The mover's pieces, the other pieces.
  void observe(const State& s, std::uint8_t* out) const noexcept {
    const int size = rules().shape().size();
    const auto mover = static_cast<std::size_t>(s.to_move);
    write_plane(s.pieces[mover], size, out);
    write_plane(s.pieces[1 - mover], size, out + size);
  }
};

static_assert(Actions<BitboardActions<FixedShape<4, 4>>>);

}  // namespace paika::abalone
