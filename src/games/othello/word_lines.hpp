// WordLines: SetLines for boards of one word (6x6, 8x8), with the four kinds of line (rows, columns,
// two diagonals) in the four lanes of a vector. Exists only where the machine has such vectors.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "board/shape.hpp"

namespace paika::othello {

#if defined(__AVX2__)
template <class Shape>
class WordLines {
 public:
  using Set = Bits<1>;

  /// Requires a board of at most 8 columns and rows.
  explicit constexpr WordLines(Shape shape) noexcept : shape_(shape), all_(shape.all().words[0]) {
    const auto cols = static_cast<std::uint64_t>(shape.cols());
    const std::uint64_t inner = ~(shape.left() | shape.right()).words[0];
    by_ = {1, cols - 1, cols, cols + 1};
    inner_ = {inner, inner, ~std::uint64_t{0}, inner};
    for (int i = 0; i < shape.size(); ++i) {
      for (std::size_t line = 0; line < up_directions.size(); ++line) {
        rays_[static_cast<std::size_t>(i)].up[line] = ray(shape, i, up_directions[line]);
        rays_[static_cast<std::size_t>(i)].down[line] = ray(shape, i, opposite(up_directions[line]));
      }
    }
  }

  /// As SetLines::placings. Runs grow by doubling: 1, 2, 4, 6 pawns, which is all a line of 8 can hold.
  [[nodiscard, gnu::always_inline]] Set placings(const Set& own_set, const Set& opponent_set) const noexcept {
    const std::uint64_t own = own_set.words[0];
    const std::uint64_t opponent = opponent_set.words[0];
    const Lanes by = load(by_);
    const Lanes by_two = by + by;
    const Lanes runs = load(inner_) & opponent;
    Lanes up = runs & ((Lanes{} + own) << by);
    Lanes down = runs & ((Lanes{} + own) >> by);
    up |= runs & (up << by);
    down |= runs & (down >> by);
    const Lanes pairs_up = runs & (runs << by);
    const Lanes pairs_down = pairs_up >> by;
    up |= pairs_up & (up << by_two);
    down |= pairs_down & (down >> by_two);
    up |= pairs_up & (up << by_two);
    down |= pairs_down & (down >> by_two);
    return {{joined((up << by) | (down >> by)) & all_ & ~(own | opponent)}};
  }

  /// As SetLines::flips.
  [[nodiscard, gnu::always_inline]] Set flips(int square, const Set& own_set, const Set& opponent_set) const noexcept {
    const Rays& rays = rays_[static_cast<std::size_t>(square)];
    const Lanes own = Lanes{} + own_set.words[0];
    const Lanes opponent = Lanes{} + opponent_set.words[0];
    return {{joined(flips_up(load(rays.up), own, opponent) | flips_down(load(rays.down), own, opponent))}};
  }

 private:
  using Lanes [[gnu::vector_size(32)]] = std::uint64_t;
  using Half [[gnu::vector_size(16)]] = std::uint64_t;
  using Words = std::array<std::uint64_t, 4>;

  /// The squares seen from one square in the eight directions: towards higher and lower indices.
  struct alignas(64) Rays {
    Words up{};
    Words down{};
  };

  /// Towards higher indices, in the order of the lanes: 1, cols-1, cols and cols+1 apart.
  static constexpr std::array<Direction, 4> up_directions = {Direction::e, Direction::sw, Direction::s, Direction::se};

  [[nodiscard, gnu::always_inline]] static Lanes load(const Words& words) noexcept {
    return std::bit_cast<Lanes>(words);
  }
  [[nodiscard, gnu::always_inline]] static std::uint64_t joined(Lanes lanes) noexcept {
    const Half half = __builtin_shufflevector(lanes, lanes, 0, 1) | __builtin_shufflevector(lanes, lanes, 2, 3);
    return half[0] | half[1];
  }

  /// The part of `opponent` between the start of each ray and the first pawn of `own` on it.
  [[nodiscard, gnu::always_inline]] static Lanes flips_up(Lanes ray, Lanes own, Lanes opponent) noexcept {
    // The one added at the bottom is carried over the opponent's pawns to the first other square.
    const Lanes end = ((opponent | ~ray) + 1) & own & ray;
    return (end - 1 - (end == 0)) & ray;
  }
  [[nodiscard, gnu::always_inline]] Lanes flips_down(Lanes ray, Lanes own, Lanes opponent) const noexcept {
    // There is no carry downwards: smear the squares that stop a run instead.
    const Lanes by = load(by_);
    const Lanes by_two = by + by;
    const Lanes stops = ray & ~opponent;
    Lanes beyond = stops | (stops >> by);
    beyond |= beyond >> by_two;
    beyond |= beyond >> (by_two + by_two);
    const Lanes end = stops & ~(beyond >> by) & own;
    return ray & ~beyond & ~(end == 0);
  }

  [[nodiscard]] static constexpr std::uint64_t ray(const Shape& shape, int from, Direction d) noexcept {
    std::uint64_t squares = 0;
    for (Square s = step(shape.square(from), d); shape.contains(s); s = step(s, d)) {
      squares |= std::uint64_t{1} << shape.index(s);
    }
    return squares;
  }

  Shape shape_;
  std::uint64_t all_;
  alignas(32) Words by_{};
  alignas(32) Words inner_{};
  std::array<Rays, 64> rays_{};
};
#endif

}  // namespace paika::othello
