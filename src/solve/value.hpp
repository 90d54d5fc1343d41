// Value: what perfect play makes of a position, and how many turns it takes.
//
// A winner takes the shortest way, a loser the longest; a position in which neither side can force a
// win is a draw (rules: a position nobody can force). Two bytes, so that arrays of them stay small.
#pragma once

#include <cstdint>

namespace paika {

enum class ValueKind : unsigned char {
  draw,
  win,   // for the side to move
  loss,  // for the side to move
  none   // the place holds no position
};

class Value {
 public:
  /// The longest distance that can be told, which stands for one that a table does not tell: none is as long.
  static constexpr int max_turns = (1 << 14) - 1;
  static constexpr int unknown_turns = max_turns;

  constexpr Value() noexcept = default;  // a draw
  /// Requires 0 <= turns <= max_turns.
  [[nodiscard]] static constexpr Value win(int turns) noexcept { return Value(ValueKind::win, turns); }
  [[nodiscard]] static constexpr Value loss(int turns) noexcept { return Value(ValueKind::loss, turns); }
  [[nodiscard]] static constexpr Value draw() noexcept { return {}; }
  [[nodiscard]] static constexpr Value none() noexcept { return Value(ValueKind::none, 0); }

  [[nodiscard]] constexpr ValueKind kind() const noexcept { return static_cast<ValueKind>(bits_ >> shift); }
  [[nodiscard]] constexpr bool is_win() const noexcept { return kind() == ValueKind::win; }
  [[nodiscard]] constexpr bool is_loss() const noexcept { return kind() == ValueKind::loss; }
  [[nodiscard]] constexpr bool is_draw() const noexcept { return kind() == ValueKind::draw; }
  /// Turns of both sides until the end; 0 if the game is over or drawn.
  [[nodiscard]] constexpr int turns() const noexcept { return bits_ & max_turns; }

  /// False for a win or a loss of which nobody knows how soon it is.
  [[nodiscard]] constexpr bool has_distance() const noexcept { return turns() != unknown_turns; }

  /// The two bytes for arrays and files, and back. Every number is the code of some value.
  [[nodiscard]] constexpr std::uint16_t code() const noexcept { return bits_; }
  [[nodiscard]] static constexpr Value from_code(std::uint16_t code) noexcept {
    Value v;
    v.bits_ = code;
    return v;
  }
  /// True for the codes that a finished table may hold: a draw has no distance, nor has an empty place.
  [[nodiscard]] constexpr bool is_proper() const noexcept { return is_win() || is_loss() || turns() == 0; }

  friend constexpr bool operator==(Value, Value) = default;

 private:
  static constexpr int shift = 14;
  constexpr Value(ValueKind kind, int turns) noexcept
      : bits_(static_cast<std::uint16_t>((static_cast<unsigned>(kind) << shift) | static_cast<unsigned>(turns))) {}

  std::uint16_t bits_ = 0;
};

/// What a position is worth for its mover if the turn to a position of value `v` is played.
[[nodiscard]] constexpr Value before(Value v) noexcept {
  const int turns = v.has_distance() ? v.turns() + 1 : Value::unknown_turns;
  if (v.is_win()) return Value::loss(turns);
  if (v.is_loss()) return Value::win(turns);
  return v;
}

/// The same without its distance.
[[nodiscard]] constexpr Value without_distance(Value v) noexcept {
  if (v.is_win()) return Value::win(Value::unknown_turns);
  return v.is_loss() ? Value::loss(Value::unknown_turns) : v;
}

/// Greater for what the mover prefers: a quick win, then a slow one, a draw, a late loss, an early one. Above 0.
[[nodiscard]] constexpr std::uint32_t preference(Value v) noexcept {
  constexpr int draw = Value::max_turns + 2;
  if (v.is_win()) return static_cast<std::uint32_t>(draw + Value::max_turns + 1 - v.turns());
  return static_cast<std::uint32_t>(v.is_loss() ? 1 + v.turns() : draw);
}
/// The value with a preference; a draw, not an empty place, for that of a draw.
[[nodiscard]] constexpr Value preferred(std::uint32_t preference) noexcept {
  constexpr int draw = Value::max_turns + 2;
  const int p = static_cast<int>(preference);
  if (p == draw) return Value::draw();
  return p < draw ? Value::loss(p - 1) : Value::win(draw + Value::max_turns + 1 - p);
}
/// True if the mover prefers `a` to `b`.
[[nodiscard]] constexpr bool better(Value a, Value b) noexcept { return preference(a) > preference(b); }

}  // namespace paika
