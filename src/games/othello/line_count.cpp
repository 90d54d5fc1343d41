#include "games/othello/line_count.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/check.hpp"
#include "games/othello/placing_lanes.hpp"

namespace paika::othello {

namespace {

/// Plays the placings of a batch from the i-th on, one in each lane.
template <int Cols, class V>
[[gnu::always_inline]] inline void play_vector(const PlacingBatch& batch, std::size_t i, Played<V>& after) noexcept {
  V own;
  V opponent;
  V square;
  std::memcpy(&own, &batch.own[i], sizeof(V));
  std::memcpy(&opponent, &batch.opponent[i], sizeof(V));
  std::memcpy(&square, &batch.square[i], sizeof(V));
  play_lanes<Cols>(own, opponent, square, after);
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
  constexpr __mmask8 all = all_lanes;
  Played<Eight> after;
  play_vector<Cols>(batch, first, after);
  PlacingBatch& next = counter.batch(turns - 1);
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const std::uint64_t replies = after.replies[lane];
    if (replies == 0) [[unlikely]]
      counter.pass(after.own[lane], after.opponent[lane], turns);
    __m512i left = _mm512_maskz_compress_epi8(replies, _mm512_loadu_si512(square_numbers.data()));
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
