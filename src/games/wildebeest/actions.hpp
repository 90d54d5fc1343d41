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

class BitboardActions {
 public:
  using RulesType = BitboardRules;
  using State = Position;
  using Choice = Move;

  explicit BitboardActions(const RulesType& rules) : rules_(rules) {}

  [[nodiscard]] const RulesType& rules() const noexcept { return rules_; }
  [[nodiscard]] int cols() const noexcept { return board_side; }
  [[nodiscard]] int rows() const noexcept { return board_side; }
  [[nodiscard]] int count() const noexcept { return squares * squares; }
  /// A plane for each kind of the mover's pieces in the order of piece_letters, then the same for the other side.
  [[nodiscard]] int planes() const noexcept { return 2 * kinds; }
  [[nodiscard]] State state(const Position& p) const noexcept { return p; }
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): the state is the position, and outlives it
  [[nodiscard]] const Position& position(const State& s) const noexcept { return s; }

  [[nodiscard]] int pieces(const Position& p) const noexcept { return p.occupied().count(); }

  template <class Visit>
  void for_each(const State& s, Visit&& visit) const {
    rules_.for_each_turn(s, [&](Choice m) {
      visit(m.from * squares + m.to, m);
      return true;
    });
  }
  bool apply(State& s, Choice m) const noexcept {
    s = rules_.play(s, m);
    return true;
  }
  [[nodiscard]] Turn begun(const State& /*s*/) const { return {}; }
  [[nodiscard]] Turn steps(const State& s, Choice m) const { return rules_.to_turn(s, m); }

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

  RulesType rules_;
};

static_assert(Actions<BitboardActions>);

}  // namespace paika::wildebeest
