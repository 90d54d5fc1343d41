#include "games/othello/line_count.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/check.hpp"

namespace paika::othello {

namespace {

using Four [[gnu::vector_size(32)]] = std::uint64_t;
using Eight [[gnu::vector_size(64)]] = std::uint64_t;

/// The masks of a board of Cols x Cols.
template <int Cols>
struct Masks {
  static constexpr std::uint64_t all = Cols == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (Cols * Cols)) - 1;
  /// All but the outer columns: an enclosed pawn is never there, except in a vertical line.
  static constexpr std::uint64_t inner = [] {
    std::uint64_t squares = 0;
    for (int i = 0; i < Cols * Cols; ++i) {
      if (i % Cols != 0 && i % Cols != Cols - 1) squares |= std::uint64_t{1} << i;
    }
    return squares;
  }();
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

/// A vector of placings that have been played: the side then to move comes first.
template <class V>
struct Played {
  V own;
  V opponent;
  V replies;
};

template <int Cols, class V>
[[gnu::always_inline]] inline void play_vector(const PlacingBatch& batch, std::size_t i, Played<V>& after) noexcept {
  V own;
  V opponent;
  V square;
  std::memcpy(&own, &batch.own[i], sizeof(V));
  std::memcpy(&opponent, &batch.opponent[i], sizeof(V));
  std::memcpy(&square, &batch.square[i], sizeof(V));
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

template <int Cols>
std::uint64_t placings_of_one(std::uint64_t own, std::uint64_t opponent) {
  std::uint64_t squares = 0;
  find_placings<Cols>(own, opponent, squares);
  return squares;
}

/// Without a reply: 1 for a pass, 0 if the game is over.
template <int Cols, class V>
[[gnu::noinline]] std::uint64_t count_passes(const Played<V>& after) {
  std::uint64_t passes = 0;
  for (std::size_t i = 0; i < sizeof(V) / sizeof(std::uint64_t); ++i) {
    if (after.replies[i] == 0 && placings_of_one<Cols>(after.opponent[i], after.own[i]) != 0) ++passes;
  }
  return passes;
}

template <int Cols>
std::uint64_t count_by_fours(const PlacingBatch& batch) {
  std::uint64_t turns = 0;
  Played<Four> after;
  for (std::size_t i = 0; i < batch.size; i += 4) {
    play_vector<Cols>(batch, i, after);
    bool has_none = false;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      turns += static_cast<std::uint64_t>(std::popcount(std::uint64_t{after.replies[lane]}));
      has_none |= after.replies[lane] == 0;
    }
    if (has_none) [[unlikely]]
      turns += count_passes<Cols>(after);
  }
  return turns;
}

template <int Cols>
void expand_four(LineCount& counter, const PlacingBatch& batch, std::size_t first, int turns) {
  Played<Four> after;
  play_vector<Cols>(batch, first, after);
  PlacingBatch& next = counter.batch(turns - 1);
  for (std::size_t lane = 0; lane < 4; ++lane) {
    if (after.replies[lane] == 0) [[unlikely]]
      counter.pass(after.own[lane], after.opponent[lane], turns);
    for (std::uint64_t left = after.replies[lane]; left != 0; left &= left - 1) {
      next.own[next.size] = after.own[lane];
      next.opponent[next.size] = after.opponent[lane];
      next.square[next.size++] = left & (~left + 1);
    }
  }
}

#if defined(__x86_64__)
// The square of each reply comes from its number, and eight numbers at once from a word of replies.
#define PAIKA_WIDE_VECTORS "avx512f,avx512bw,avx512vbmi2,avx512vpopcntdq"

template <int Cols>
[[gnu::target(PAIKA_WIDE_VECTORS)]] std::uint64_t count_by_eights(const PlacingBatch& batch) {
  std::uint64_t sum = 0;
  Eight turns{};
  Played<Eight> after;
  for (std::size_t i = 0; i < batch.size; i += 8) {
    play_vector<Cols>(batch, i, after);
    const __m512i& replies = reinterpret_cast<const __m512i&>(after.replies);
    reinterpret_cast<__m512i&>(turns) += _mm512_popcnt_epi64(replies);
    if (_mm512_testn_epi64_mask(replies, replies) != 0) [[unlikely]]
      sum += count_passes<Cols>(after);
  }
  for (std::size_t lane = 0; lane < 8; ++lane) sum += turns[lane];
  return sum;
}

template <int Cols>
[[gnu::target(PAIKA_WIDE_VECTORS)]] void expand_eight(LineCount& counter, const PlacingBatch& batch, std::size_t first,
                                                      int turns) {
  static constexpr auto squares = [] {
    std::array<std::uint8_t, 64> numbers{};
    for (std::uint8_t i = 0; i < 64; ++i) numbers[i] = i;
    return numbers;
  }();
  constexpr __mmask8 all = 0xff;  // without a mask g++ 12 warns of its own header (GCC bug 105593)
  Played<Eight> after;
  play_vector<Cols>(batch, first, after);
  PlacingBatch& next = counter.batch(turns - 1);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const std::uint64_t replies = after.replies[lane];
    if (replies == 0) [[unlikely]]
      counter.pass(after.own[lane], after.opponent[lane], turns);
    __m512i left = _mm512_maskz_compress_epi8(replies, _mm512_loadu_si512(squares.data()));
    const auto count = static_cast<std::size_t>(std::popcount(replies));
    for (std::size_t i = 0; i < count; i += 8) {
      // Whole vectors are written; what is beyond the last reply is overwritten later.
      const std::size_t at = next.size + i;
      _mm512_storeu_si512(&next.own[at], _mm512_set1_epi64(static_cast<long long>(std::uint64_t{after.own[lane]})));
      _mm512_storeu_si512(&next.opponent[at],
                          _mm512_set1_epi64(static_cast<long long>(std::uint64_t{after.opponent[lane]})));
      const __m512i numbers = _mm512_maskz_cvtepu8_epi64(all, reinterpret_cast<const __m128i&>(left));
      _mm512_storeu_si512(&next.square[at], _mm512_maskz_sllv_epi64(all, _mm512_set1_epi64(1), numbers));
      left = _mm512_maskz_alignr_epi64(all, left, left, 1);
    }
    next.size += count;
  }
}

bool has_wide_vectors() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vbmi2") != 0 && __builtin_cpu_supports("avx512vpopcntdq") != 0;
}
#endif

template <int Cols>
const LineCount::Kernel* best_kernel([[maybe_unused]] std::size_t max_lanes) {
#if defined(__x86_64__)
  static constexpr LineCount::Kernel wide = {8, expand_eight<Cols>, count_by_eights<Cols>, placings_of_one<Cols>};
  if (max_lanes >= wide.lanes && has_wide_vectors()) return &wide;
#endif
  static constexpr LineCount::Kernel narrow = {4, expand_four<Cols>, count_by_fours<Cols>, placings_of_one<Cols>};
  return &narrow;
}

}  // namespace

LineCount::LineCount(int size, int depth, std::size_t max_lanes)
    : kernel_(size == 8 ? best_kernel<8>(max_lanes) : best_kernel<6>(max_lanes)),
      depth_(depth),
      batches_(static_cast<std::size_t>(depth)) {
  PAIKA_CHECK((size == 6 || size == 8) && depth >= 2);
}

std::uint64_t LineCount::count(std::uint64_t own, std::uint64_t opponent) {
  total_ = 0;
  if (const std::uint64_t squares = kernel_->placings(own, opponent); squares != 0) {
    collect(own, opponent, squares, depth_ - 1);
  } else {
    pass(own, opponent, depth_);
  }
  for (int turns = depth_ - 1; turns >= 1; --turns) play(turns, true);
  return total_;
}

void LineCount::pass(std::uint64_t own, std::uint64_t opponent, int turns) {
  const std::uint64_t squares = kernel_->placings(opponent, own);
  if (turns == 2) {
    total_ += static_cast<std::uint64_t>(std::popcount(squares));
  } else if (squares != 0) {
    collect(opponent, own, squares, turns - 2);
  }
}

void LineCount::collect(std::uint64_t own, std::uint64_t opponent, std::uint64_t squares, int turns) {
  PlacingBatch& to = batch(turns);
  for (std::uint64_t left = squares; left != 0; left &= left - 1) {
    to.own[to.size] = own;
    to.opponent[to.size] = opponent;
    to.square[to.size++] = left & (~left + 1);
  }
  if (to.size >= PlacingBatch::full) play(turns, false);
}

void LineCount::play(int turns, bool all) {
  PlacingBatch& from = batch(turns);
  const std::size_t whole = from.size / kernel_->lanes * kernel_->lanes;
  const std::size_t left = from.size - whole;
  if (all && left != 0) {
    // Lanes without a placing have no pawns: no reply, and no pass.
    for (std::size_t i = from.size; i < whole + kernel_->lanes; ++i) {
      from.own[i] = from.opponent[i] = from.square[i] = 0;
    }
  }
  from.size = all ? from.size : whole;
  if (turns == 1) {
    total_ += kernel_->count(from);
  } else {
    for (std::size_t i = 0; i < from.size; i += kernel_->lanes) {
      kernel_->expand(*this, from, i, turns);
      if (batch(turns - 1).size >= PlacingBatch::full) play(turns - 1, false);
    }
  }
  from.size = all ? 0 : left;
  for (std::size_t i = 0; i < from.size; ++i) {
    from.own[i] = from.own[whole + i];
    from.opponent[i] = from.opponent[whole + i];
    from.square[i] = from.square[whole + i];
  }
}

}  // namespace paika::othello
