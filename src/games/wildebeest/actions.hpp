// Wildebeest for programs that learn: an action is where a piece starts and where it lands, from * 121 + to.
//
// A fling needs no number of its own: the piece flies over an own Catapult beside it, where it cannot move by itself.
// Sliders and Pawns are blocked by the Catapult, carts and steppers go no further than it, and leaps are not straight.
#pragma once

#include <cstdint>
#include <cstring>

#include "games/wildebeest/rules.hpp"
#include "rules/actions.hpp"

namespace paika::wildebeest {

class BitboardActions : public WholeMoveActions<BitboardRules> {
 public:
  using WholeMoveActions::WholeMoveActions;

  [[nodiscard]] int cols() const noexcept { return board_side; }
  [[nodiscard]] int rows() const noexcept { return board_side; }
  [[nodiscard]] int count() const noexcept { return squares * squares; }
  /// A plane for each kind of the mover's pieces in the order of piece_letters, then the same for the other side.
  [[nodiscard]] int planes() const noexcept { return 2 * kinds; }

  [[nodiscard]] int pieces(const Position& p) const noexcept { return p.occupied().count(); }

  template <class Visit>
  void for_each(const State& s, Visit&& visit) const {
    rules().for_each_turn(s, [&](Choice m) {
      visit(m.from * squares + m.to, m);
      return true;
    });
  }

  void observe(const State& s, std::uint8_t* out) const noexcept {
    std::memset(out, 0, at(2 * kinds * squares));
    const unsigned mover = s.to_move == Player::first ? 0 : 1;
    for_each_bit(s.occupied(), [&](int square) {
      const Code code = s.on[at(square)];
      const int plane = static_cast<int>(at(kind_of(code))) - 1 + (owner_of(code) == mover ? 0 : kinds);
      out[plane * squares + square] = 1;
    });
  }

 private:
  static constexpr int kinds = static_cast<int>(piece_letters.size());
};

static_assert(Actions<BitboardActions>);

}  // namespace paika::wildebeest
