#include "games/othello/ending_order.hpp"

#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/check.hpp"
#include "games/othello/placing_lanes.hpp"

namespace paika::othello {

namespace {

template <int Cols, class V>
[[gnu::always_inline]] inline void store(const Played<V>& after, std::size_t i, EndingMoves& moves) noexcept {
  std::memcpy(&moves.own[i], &after.own, sizeof(V));
  std::memcpy(&moves.opponent[i], &after.opponent, sizeof(V));
  std::memcpy(&moves.replies[i], &after.replies, sizeof(V));
  V frontier;
  find_frontier<Cols>(after.opponent, Masks<Cols>::all & ~(after.own | after.opponent), frontier);
  std::memcpy(&moves.frontier[i], &frontier, sizeof(V));
}

template <int Cols>
void play_by_fours(std::uint64_t own, std::uint64_t opponent, std::uint64_t set, EndingMoves& moves) {
  moves.set_size(static_cast<std::size_t>(std::popcount(set)));
  Played<Four> after;
  for (std::size_t i = 0; set != 0; i += 4) {
    // A lane without a placing turns nothing over.
    Four square;
    for (std::size_t lane = 0; lane < 4; ++lane) {
      moves.square[i + lane] = static_cast<std::uint8_t>(std::countr_zero(set));
      square[lane] = set & (~set + 1);
      set &= set - 1;
    }
    play_lanes<Cols>(Four{} + own, Four{} + opponent, square, after);
    store<Cols>(after, i, moves);
  }
}

#if defined(__x86_64__)
template <int Cols>
[[gnu::target(PAIKA_WIDE_VECTORS)]] void play_by_eights(std::uint64_t own, std::uint64_t opponent, std::uint64_t set,
                                                        EndingMoves& moves) {
  const auto size = static_cast<std::size_t>(std::popcount(set));
  moves.set_size(size);
  __m512i left = _mm512_maskz_compress_epi8(set, _mm512_loadu_si512(square_numbers.data()));
  _mm512_storeu_si512(moves.square.data(), left);
  Played<Eight> after;
  for (std::size_t i = 0; i < size; i += 8) {
    const __m512i numbers = _mm512_maskz_cvtepu8_epi64(all_lanes, reinterpret_cast<const __m128i&>(left));
    const __m512i shifted = _mm512_maskz_sllv_epi64(all_lanes, _mm512_set1_epi64(1), numbers);
    Eight square;
    std::memcpy(&square, &shifted, sizeof square);
    play_lanes<Cols>(Eight{} + own, Eight{} + opponent, square, after);
    store<Cols>(after, i, moves);
    left = _mm512_maskz_alignr_epi64(all_lanes, left, left, 1);
  }
}
#endif

template <int Cols>
PlayAll best_for([[maybe_unused]] std::size_t max_lanes) {
#if defined(__x86_64__)
  if (max_lanes >= 8 && has_wide_vectors()) return play_by_eights<Cols>;
#endif
  return play_by_fours<Cols>;
}

}  // namespace

PlayAll best_play_all(int size, std::size_t max_lanes) {
  PAIKA_CHECK(size == 6 || size == 8);
  return size == 8 ? best_for<8>(max_lanes) : best_for<6>(max_lanes);
}

}  // namespace paika::othello
