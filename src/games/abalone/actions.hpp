// Abalone for programs that learn: an action is a direction and the piece that is chosen, direction * squares + square,
// directions clockwise from up.
#pragma once

#include <cstdint>

#include "games/abalone/rules.hpp"
#include "rules/actions.hpp"

namespace paika::abalone {

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
  [[nodiscard]] int count() const noexcept { return 8 * rules_.shape().size(); }
  [[nodiscard]] int planes() const noexcept { return 2; }
  [[nodiscard]] State state(const Position& p) const noexcept { return p; }
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): the state is the position, and outlives it
  [[nodiscard]] const Position& position(const State& s) const noexcept { return s; }

  [[nodiscard]] int pieces(const Position& p) const noexcept { return (p.pieces[0] | p.pieces[1]).count(); }

  template <class Visit>
  void for_each(const State& s, Visit&& visit) const {
    rules_.for_each_turn(s, [&](const Choice& m) {
      visit(m.direction * rules_.shape().size() + m.from, m);
      return true;
    });
  }
  bool apply(State& s, const Choice& m) const noexcept {
    s = rules_.play(s, m);
    return true;
  }
  [[nodiscard]] Turn begun(const State& /*s*/) const { return {}; }
  [[nodiscard]] Turn steps(const State& s, const Choice& m) const { return rules_.to_turn(s, m); }

  /// The mover's pieces, the other pieces.
  void observe(const State& s, std::uint8_t* out) const noexcept {
    const int size = rules_.shape().size();
    const auto mover = static_cast<std::size_t>(s.to_move);
    write_plane(s.pieces[mover], size, out);
    write_plane(s.pieces[1 - mover], size, out + size);
  }

 private:
  RulesType rules_;
};

static_assert(Actions<BitboardActions<FixedShape<4, 4>>>);

}  // namespace paika::abalone
