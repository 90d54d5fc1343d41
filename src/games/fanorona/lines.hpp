// The lines of the board as tables on square indices, for the bitboard rules.
//
// Which points are joined (1.3), the next point in each direction, where a stone can go on
// capturing, and the run of stones that a capture takes (2.1). Built once a game from its shape.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/bit_count.hpp"
#include "base/device.hpp"
#include "base/gather.hpp"
#include "board/shape.hpp"

namespace paika::fanorona {

/// How a step of a chain captures (2.2).
enum class Taking : std::uint8_t { approach, withdraw };

/// Calls f.operator()<d>() for all directions in turn until it returns false; false if it did.
template <class F>
[[gnu::always_inline]] PAIKA_HD inline bool each_direction(F&& f) {
  return f.template operator()<Direction::n>() && f.template operator()<Direction::ne>() &&
         f.template operator()<Direction::e>() && f.template operator()<Direction::se>() &&
         f.template operator()<Direction::s>() && f.template operator()<Direction::sw>() &&
         f.template operator()<Direction::w>() && f.template operator()<Direction::nw>();
}

/// True if a step in direction `d` never lowers the index of a point.
[[nodiscard]] constexpr bool is_forward(Direction d) noexcept { return d >= Direction::e && d <= Direction::sw; }

template <class Shape>
class Lines {
 public:
  using Set = typename Shape::Set;

  /// Points, by the capture that happens there or leads there.
  struct Captures {
    Set approach;
    Set withdraw;
    [[nodiscard]] PAIKA_HD bool any() const noexcept { return (approach | withdraw).any(); }
  };

  explicit constexpr Lines(Shape shape) noexcept : shape_(shape) {
    const Square centre{shape.cols() / 2, shape.rows() / 2};
    for (int i = 0; i < shape.size(); ++i) {
      const Square s = shape.square(i);
      const bool strong = (s.col + s.row + centre.col + centre.row) % 2 == 0;
      if (strong) strong_.set(i);
      for (const Direction d : all_directions) add_line(i, d, strong || !is_diagonal(d));
    }
    for (const Direction d : all_directions) {
      // On a single column the sideways differences would coincide with those up and down.
      if (shape.cols() > 1 || col_step(d) == 0) direction_[at(shape.delta(d) + shape.cols() + 1)] = d;
    }
  }

  /// The points that are joined diagonally too (1.3).
  [[nodiscard]] constexpr const Set& strong() const noexcept { return strong_; }
  /// The points joined to a point by a line.
  [[nodiscard]] constexpr const Set& joined(int from) const noexcept { return joined_[at(from)]; }
  /// The next point in direction `d`, or an index that is in no set of points.
  [[nodiscard]] constexpr int next(int from, Direction d) const noexcept { return next_[at(from)][at(d)]; }
  /// The direction from a point to one joined to it.
  [[nodiscard]] constexpr Direction direction(int from, int to) const noexcept {
    return direction_[at(to - from + shape_.cols() + 1)];
  }
  /// The stones of `own` that can step in direction `d` (1.3, 2.1).
  template <Direction d>
  [[nodiscard, gnu::always_inline]] constexpr Set steppers(Set own, Set empty) const noexcept {
    return (is_diagonal(d) ? own & strong_ : own) & shape_.moved(empty, opposite(d));
  }

  /// The stones of `own` that can capture with a step in direction `d`.
  template <Direction d>
  [[nodiscard, gnu::always_inline]] constexpr Captures capturers(Set own, Set opp, Set empty) const noexcept {
    const Set movers = steppers<d>(own, empty);
    const Set ahead = shape_.moved(shape_.moved(opp, opposite(d)), opposite(d));
    return {movers & ahead, movers & shape_.moved(opp, d)};
  }

  /// The points of `targets`, all joined to `from`, that a stone on `from` can go to with a capture.
  [[nodiscard, gnu::always_inline]] PAIKA_HD Captures captures(int from, Set targets, Set opp) const noexcept {
#if PAIKA_BMI2
    if constexpr (one_word) return packed_captures(from, targets.words[0], opp.words[0]);
#endif
    return shifted_captures(from, targets, opp);
  }

  /// The stones that the step from `from` to `to` in direction `d` takes (2.1).
  [[nodiscard, gnu::always_inline]] constexpr Set run(int from, int to, Direction d, Taking taking,
                                                      Set opp) const noexcept {
    return taking == Taking::approach ? run_from(to, d, opp) : run_from(from, opposite(d), opp);
  }

 private:
  // Boards have an odd number of points, so the last bit of a set is never a point: it ends every run.
  static constexpr int nowhere = Set::capacity - 1;
  static constexpr bool one_word = Set::words_count == 1;
  using Word = typename Set::Word;

  static constexpr std::size_t at(int i) noexcept { return static_cast<std::size_t>(i); }
  static constexpr std::size_t at(Direction d) noexcept { return static_cast<std::size_t>(d); }

  constexpr void add_line(int from, Direction d, bool joined) noexcept {
    const Square first = step(shape_.square(from), d);
    const Square second = step(first, d);
    next_[at(from)][at(d)] = static_cast<std::uint8_t>(shape_.contains(first) ? shape_.index(first) : nowhere);
    if (joined && shape_.contains(first)) joined_[at(from)].set(shape_.index(first));
    if (joined && shape_.contains(second)) second_[at(from)].set(shape_.index(second));
    if constexpr (one_word) {
      Around& around = around_[at(from)];
      if (joined && shape_.contains(second)) {
        around.before |= Set::single(shape_.index(first)).words[0];
        around.beyond |= Set::single(shape_.index(second)).words[0];
      }
      if (joined && shape_.contains(first) && shape_.contains(step(shape_.square(from), opposite(d)))) {
        around.opposed |= Set::single(shape_.index(first)).words[0];
      }
      around.unused = static_cast<std::uint64_t>(8 - std::popcount(around.opposed));
      for (Square s = first; shape_.contains(s); s = step(s, d)) rays_[at(from)][at(d)].set(shape_.index(s));
    }
  }

  /// The way that works for all sizes and machines: one shift a direction.
  [[nodiscard, gnu::always_inline]] constexpr Captures shifted_captures(int from, Set targets, Set opp) const noexcept {
    const Set here = Set::single(from);
    const Set far = opp & second_[at(from)];
    const Set near = opp & joined_[at(from)];
    Captures found;
    // Both sets lie on the lines of `from`, so that plain shifts cannot wrap around an edge.
    each_direction([&]<Direction d>() __attribute__((always_inline)) {
      const Set target = shifted<d>(here, 1);
      found.approach |= target & shifted<opposite(d)>(far, 1);
      found.withdraw |= target & shifted<d>(near, 2);
      return true;
    });
    found.approach &= targets;
    found.withdraw &= targets;
    return found;
  }

#if PAIKA_BMI2
  /// The same by packing the points around `from` into a few bits. Points and the points beyond them
  /// come in one order; a point and its opposite come in reverse orders.
  [[nodiscard, gnu::always_inline]] Captures packed_captures(int from, std::uint64_t targets,
                                                             std::uint64_t opp) const noexcept {
    const Around& around = around_[at(from)];
    const std::uint64_t approach = _pdep_u64(_pext_u64(opp, around.beyond), around.before);
    const std::uint64_t reversed = reverses[_pext_u64(opp, around.opposed)] >> around.unused;
    const std::uint64_t withdraw = _pdep_u64(reversed, around.opposed);
    return {Set{{static_cast<Word>(approach & targets)}}, Set{{static_cast<Word>(withdraw & targets)}}};
  }
#endif

  /// A point's surroundings as masks: `before` are the neighbours with a point `beyond` them on the
  /// line, `opposed` those with a neighbour on the other side; `unused` is 8 less their number.
  struct Around {
    std::uint64_t before = 0;
    std::uint64_t beyond = 0;
    std::uint64_t opposed = 0;
    std::uint64_t unused = 0;
  };

  static constexpr std::array<std::uint8_t, 256> reverse_table() noexcept {
    std::array<std::uint8_t, 256> table{};
    for (unsigned i = 0; i < table.size(); ++i) {
      for (unsigned bit = 0; bit < 8; ++bit) table[i] |= static_cast<std::uint8_t>(((i >> bit) & 1U) << (7 - bit));
    }
    return table;
  }
  static constexpr auto reverses = reverse_table();

  template <Direction d>
  [[nodiscard, gnu::always_inline]] constexpr Set shifted(Set set, int steps) const noexcept {
    if constexpr (is_forward(d)) return set << steps * shape_.delta(d);
    return set >> -steps * shape_.delta(d);
  }

  /// The unbroken run of `opp` that begins next to `start`.
  [[nodiscard, gnu::always_inline]] constexpr Set run_from(int start, Direction d, Set opp) const noexcept {
    if constexpr (one_word) {
      // What lies on the ray before the first point that is not theirs, without a loop.
      const Word ray = rays_[at(start)][at(d)].words[0];
      const Word stop = ray & ~opp.words[0];
      const Word below = ~stop & (stop - 1);
      const Word above = ~Word{0} << (Set::word_bits - leading_zeros(stop));
      const Word forward = Word{0} - static_cast<Word>(is_forward(d));
      // A mask instead of a choice: directions are hard to predict.
      const Word before = above ^ ((above ^ below) & forward);
      return Set{{ray & before}};
    } else {
      Set taken;
      for (int i = next(start, d); opp.test(i); i = next(i, d)) taken.set(i);
      return taken;
    }
  }

  Shape shape_;
  Set strong_;
  std::array<Set, at(Shape::max_size)> joined_{};
  std::array<Set, at(Shape::max_size)> second_{};  // two steps away on a line
  std::array<std::array<std::uint8_t, 8>, at(Shape::max_size)> next_{};
  std::array<std::array<Set, 8>, one_word ? at(Shape::max_size) : 0> rays_{};
  std::array<Around, one_word ? at(Shape::max_size) : 0> around_{};
  std::array<Direction, 31> direction_{};  // by difference of indices, at most 14 each way
};

}  // namespace paika::fanorona
