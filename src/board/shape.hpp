// Shapes: the size of a bitboard, known at compile time (FixedShape) or at run time (RuntimeShape).
//
// A square's index is row * cols + col with row 0 at the top. Both kinds offer the same members, so
// rules are written once as templates over the shape; with a FixedShape all of them are constants.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bits.hpp"
#include "board/square.hpp"

namespace paika {

/// Which kind of shape a game's bitboard rules are built on; a template argument, so that nobody compiles shapes he
/// never uses.
enum class Grids : bool {
  best,    // a fixed one for the sizes that have one
  runtime  // never a fixed one, for comparing the two
};

/// What the two kinds of shape share. `Derived` gives cols(), rows(), all(), left(), right().
template <class Derived, class SetType>
class ShapeBase {
 public:
  using Set = SetType;

  [[nodiscard]] constexpr int size() const noexcept { return self().cols() * self().rows(); }
  [[nodiscard]] constexpr bool contains(Square s) const noexcept {
    return s.col >= 0 && s.col < self().cols() && s.row >= 0 && s.row < self().rows();
  }
  [[nodiscard, gnu::always_inline]] constexpr int index(Square s) const noexcept {
    return s.row * self().cols() + s.col;
  }
  [[nodiscard]] constexpr Square square(int index) const noexcept {
    return {index % self().cols(), index / self().cols()};
  }
  /// How far an index moves with one step in direction `d`.
  [[nodiscard, gnu::always_inline]] constexpr int delta(Direction d) const noexcept {
    return row_step(d) * self().cols() + col_step(d);
  }
  /// All members of `set` moved one step in direction `d`; those that would leave the board vanish.
  [[nodiscard, gnu::always_inline]] constexpr Set moved(Set set, Direction d) const noexcept {
    if (col_step(d) > 0) set &= ~self().right();
    if (col_step(d) < 0) set &= ~self().left();
    const int by = delta(d);
    return by >= 0 ? (set << by) & self().all() : set >> -by;
  }
  /// The squares from which one step in direction `d` leaves the board.
  [[nodiscard]] constexpr Set edge(Direction d) const noexcept {
    return self().all() & ~moved(self().all(), opposite(d));
  }

 private:
  [[nodiscard]] constexpr const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

/// The squares of one column, as a set of indices.
template <class Set>
[[nodiscard]] constexpr Set column_set(int cols, int rows, int col) noexcept {
  Set set;
  for (int row = 0; row < rows; ++row) set.set(row * cols + col);
  return set;
}

/// With a smaller `Word` than usual the board must fit into one.
template <int Cols, int Rows, class Word = std::uint64_t>
class FixedShape : public ShapeBase<FixedShape<Cols, Rows, Word>, Bits<words_for(Cols* Rows), Word>> {
 public:
  using Set = Bits<words_for(Cols* Rows), Word>;
  static_assert(Cols * Rows <= Set::capacity);
  static constexpr bool is_fixed = true;
  static constexpr int max_size = Cols * Rows;

  constexpr FixedShape() = default;
  /// The same signature as RuntimeShape's, for code that builds either. Requires the fixed sizes.
  constexpr FixedShape(int /*cols*/, int /*rows*/) noexcept {}

  [[nodiscard]] static constexpr int cols() noexcept { return Cols; }
  [[nodiscard]] static constexpr int rows() noexcept { return Rows; }
  [[nodiscard]] static constexpr Set all() noexcept { return all_; }
  [[nodiscard]] static constexpr Set left() noexcept { return left_; }
  [[nodiscard]] static constexpr Set right() noexcept { return right_; }

 private:
  static constexpr Set all_ = Set::first(Cols * Rows);
  static constexpr Set left_ = column_set<Set>(Cols, Rows, 0);
  static constexpr Set right_ = column_set<Set>(Cols, Rows, Cols - 1);
};

/// Any board of at most MaxSize squares.
template <int MaxSize>
class RuntimeShape : public ShapeBase<RuntimeShape<MaxSize>, Bits<words_for(MaxSize)>> {
 public:
  using Set = Bits<words_for(MaxSize)>;
  static constexpr bool is_fixed = false;
  static constexpr int max_size = MaxSize;

  /// Requires cols, rows >= 1 and cols * rows <= MaxSize.
  constexpr RuntimeShape(int cols, int rows) noexcept
      : cols_(cols),
        rows_(rows),
        all_(Set::first(cols * rows)),
        left_(column_set<Set>(cols, rows, 0)),
        right_(column_set<Set>(cols, rows, cols - 1)) {}

  [[nodiscard]] constexpr int cols() const noexcept { return cols_; }
  [[nodiscard]] constexpr int rows() const noexcept { return rows_; }
  [[nodiscard]] constexpr const Set& all() const noexcept { return all_; }
  [[nodiscard]] constexpr const Set& left() const noexcept { return left_; }
  [[nodiscard]] constexpr const Set& right() const noexcept { return right_; }

 private:
  int cols_;
  int rows_;
  Set all_;
  Set left_;
  Set right_;
};

}  // namespace paika
