// Placings in the lanes of a vector, one in each: playing them all takes little longer than playing one.
//
// The templates serve vectors of any width. Functions for the wide ones are compiled with the target
// PAIKA_WIDE_VECTORS, and called only where has_wide_vectors(): which processor it is turns out at run time.
#pragma once

#include <array>
#include <cstdint>

namespace paika::othello {

using Four [[gnu::vector_size(32)]] = std::uint64_t;
using Eight [[gnu::vector_size(64)]] = std::uint64_t;

/// The masks of a board of Cols x Cols.
template <int Cols>
struct Masks {
  static constexpr std::uint64_t all = Cols == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (Cols * Cols)) - 1;
  static constexpr std::uint64_t but_left = [] {
    std::uint64_t squares = 0;
    for (int i = 0; i < Cols * Cols; ++i) {
      if (i % Cols != 0) squares |= std::uint64_t{1} << i;
    }
    return squares;
  }();
  static constexpr std::uint64_t but_right = but_left >> 1;
  /// All but the outer columns: an enclosed pawn is never there, except in a vertical line.
  static constexpr std::uint64_t inner = but_left & but_right;
};

// Vectors go by reference: how they are passed by value depends on the processor compiled for. Runs grow by doubling:
// 1, 2, 4, 6 pawns, which is all that a line of 8 can enclose.

/// Runs of `runs` that begin next to `from`, in lines whose neighbours are By apart, towards higher and lower indices.
template <int By, class V>
[[gnu::always_inline]] inline void grow(const V& from, const V& runs, V& up, V& down) noexcept {
  const V pairs_up = runs & (runs << By);
  const V pairs_down = pairs_up >> By;
  up = runs & (from << By);
  down = runs & (from >> By);
  up |= runs & (up << By);
  down |= runs & (down >> By);
  up |= pairs_up & (up << (2 * By));
  down |= pairs_down & (down >> (2 * By));
  up |= pairs_up & (up << (2 * By));
  down |= pairs_down & (down >> (2 * By));
}

/// Adds what turns over in these lines when a pawn of `own` is placed on `square`.
template <int By, class V>
[[gnu::always_inline]] inline void add_flips(const V& square, const V& own, const V& runs, V& flipped) noexcept {
  V up;
  V down;
  grow<By>(square, runs, up, down);
  flipped |= up & (((up << By) & own) != 0);
  flipped |= down & (((down >> By) & own) != 0);
}

/// Adds the squares behind runs that begin next to `own`.
template <int By, class V>
[[gnu::always_inline]] inline void add_reached(const V& own, const V& runs, V& reached) noexcept {
  V up;
  V down;
  grow<By>(own, runs, up, down);
  reached |= (up << By) | (down >> By);
}

template <int Cols, class V>
[[gnu::always_inline]] inline void find_placings(const V& own, const V& opponent, V& squares) noexcept {
  const V inner = opponent & Masks<Cols>::inner;
  squares = V{};
  add_reached<1>(own, inner, squares);
  add_reached<Cols - 1>(own, inner, squares);
  add_reached<Cols>(own, opponent, squares);
  add_reached<Cols + 1>(own, inner, squares);
  squares &= Masks<Cols>::all & ~(own | opponent);
}

/// The empty squares next to `pawns`.
template <int Cols, class V>
[[gnu::always_inline]] inline void find_frontier(const V& pawns, const V& empty, V& squares) noexcept {
  const V wide = pawns | ((pawns & Masks<Cols>::but_right) << 1) | ((pawns & Masks<Cols>::but_left) >> 1);
  squares = (wide | (wide << Cols) | (wide >> Cols)) & empty;
}

/// A vector of placings that have been played: the side then to move comes first.
template <class V>
struct Played {
  V own;
  V opponent;
  V replies;
};

template <int Cols, class V>
[[gnu::always_inline]] inline void play_lanes(const V& own, const V& opponent, const V& square,
                                              Played<V>& after) noexcept {
  const V inner = opponent & Masks<Cols>::inner;
  V flipped{};
  add_flips<1>(square, own, inner, flipped);
  add_flips<Cols - 1>(square, own, inner, flipped);
  add_flips<Cols>(square, own, opponent, flipped);
  add_flips<Cols + 1>(square, own, inner, flipped);
  after.own = opponent ^ flipped;
  after.opponent = own | flipped | square;
  find_placings<Cols>(after.own, after.opponent, after.replies);
}

#if defined(__x86_64__)
#define PAIKA_WIDE_VECTORS "avx512f,avx512bw,avx512vbmi2,avx512vpopcntdq"

[[nodiscard]] inline bool has_wide_vectors() noexcept {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("avx512vpopcntdq") != 0;
}

/// 0 to 63. Compressed by a set of squares they are the numbers of its squares.
inline constexpr std::array<std::uint8_t, 64> square_numbers = [] {
  std::array<std::uint8_t, 64> numbers{};
  for (std::uint8_t i = 0; i < 64; ++i) numbers[i] = i;
  return numbers;
}();
/// Without a mask g++ 12 warns of its own header (GCC bug 105593).
inline constexpr unsigned char all_lanes = 0xff;
#endif

}  // namespace paika::othello
