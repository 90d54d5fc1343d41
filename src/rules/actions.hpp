// The Actions concept: a game as programs that learn see it, positions as planes of zeros and ones and moves as
// numbers.
//
// An action is a number below count(). In every state the allowed actions and what can be done next are in one-to-one
// correspondence: a whole move in most games; one capture of a chain in Fanorona, where the moves of a position may be
// millions but the next steps are few. docs/python.md lists the numbers and the planes of every game. A game's actions
// are src/games/<game>/actions.hpp; like the rules, they make no virtual call.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/bits.hpp"
#include "rules/concepts.hpp"

namespace paika {

namespace detail {
/// A stand-in for whoever is told the allowed actions.
template <class Choice>
struct AnyActionVisitor {
  void operator()(int /*action*/, const Choice& /*choice*/) const noexcept {}
};
}  // namespace detail

template <class A>
concept Actions =
    Rules<typename A::RulesType> && std::is_trivially_copyable_v<typename A::State> &&
    std::is_trivially_copyable_v<typename A::Choice> &&
    requires(const A& a, typename A::State& changing, const typename A::State& state, const typename A::Choice& choice,
             const typename A::RulesType::Position& position, std::uint8_t* planes) {
      { a.rules() } -> std::same_as<const typename A::RulesType&>;
      { a.cols() } -> std::same_as<int>;
      { a.rows() } -> std::same_as<int>;
      /// How many actions there are, whatever the position.
      { a.count() } -> std::same_as<int>;
      { a.planes() } -> std::same_as<int>;
      /// At the beginning of a move.
      { a.state(position) } -> std::same_as<typename A::State>;
      /// The position in which the move began that is being made, or will be.
      { a.position(state) } -> std::same_as<const typename A::RulesType::Position&>;
      /// How many pieces there are, which no move makes more: a position with fewer never becomes an earlier one.
      /// Othello's do become more; there no position comes back at all.
      { a.pieces(position) } -> std::same_as<int>;
      /// Calls visit(action, choice) for everything that can be done next; for nothing only if the rules end the game.
      a.for_each(state, detail::AnyActionVisitor<typename A::Choice>{});
      /// Does what for_each() offered; true if that completes the move.
      { a.apply(changing, choice) } -> std::same_as<bool>;
      /// The steps of the move made so far; none at its beginning.
      { a.begun(state) } -> std::same_as<Turn>;
      /// The steps that a choice adds to them.
      { a.steps(state, choice) } -> std::same_as<Turn>;
      /// Writes planes() * rows() * cols() bytes, as the side to move sees it.
      a.observe(state, planes);
    };

/// What the actions of games share in which every action is a whole move, so that the state is the position. Where the
/// rules know no shape, the game says how large its board is.
template <Rules R>
class WholeMoveActions {
 public:
  using RulesType = R;
  using Position = typename R::Position;
  using State = Position;
  using Choice = typename R::Move;

  explicit WholeMoveActions(const R& rules) : rules_(rules) {}

  [[nodiscard]] const R& rules() const noexcept { return rules_; }
  [[nodiscard]] int cols() const noexcept
    requires requires(const R& r) { r.shape(); }
  {
    return rules_.shape().cols();
  }
  [[nodiscard]] int rows() const noexcept
    requires requires(const R& r) { r.shape(); }
  {
    return rules_.shape().rows();
  }
  [[nodiscard]] State state(const Position& p) const noexcept { return p; }
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): the state is the position, and outlives it
  [[nodiscard]] const Position& position(const State& s) const noexcept { return s; }
  bool apply(State& s, const Choice& m) const noexcept {
    s = rules_.play(s, m);
    return true;
  }
  [[nodiscard]] Turn begun(const State& /*s*/) const { return {}; }
  [[nodiscard]] Turn steps(const State& s, const Choice& m) const { return rules_.to_turn(s, m); }

 private:
  R rules_;
};

/// Writes one byte for each of the first `count` members: 1 if it is in the set, else 0.
template <int W>
inline void write_plane(const Bits<W>& set, int count, std::uint8_t* out) noexcept {
  for (int at = 0; at < count; at += 8) {
    const std::uint64_t eight = (set.words[static_cast<std::size_t>(at / 64)] >> (at % 64)) & 0xff;
    // Seven bits by one multiplication, each to the lowest bit of its byte; the eighth would collide with a carry.
    const std::uint64_t bytes = (((eight & 0x7f) * 0x0002'0408'1020'4081ULL) & 0x0001'0101'0101'0101ULL) | (eight >> 7)
                                                                                                               << 56;
    std::memcpy(out + at, &bytes, static_cast<std::size_t>(std::min(8, count - at)));
  }
}

}  // namespace paika
