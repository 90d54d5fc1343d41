// Counting bits of a word, on the host and on a GPU: nvcc does not compile the functions of <bit> right for a device
// (std::countr_zero gives the width of the word whatever it is asked, in CUDA 13.0).
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "base/device.hpp"

namespace paika {

/// How many ones there are.
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr int count_ones(Word word) noexcept {
#if defined(__CUDA_ARCH__)
  if (!std::is_constant_evaluated()) {
    if constexpr (sizeof(Word) == 4) return __popc(word);
    return __popcll(word);
  }
#endif
  return std::popcount(word);
}

/// The index of the lowest one. Requires that there is one.
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr int lowest_one(Word word) noexcept {
#if defined(__CUDA_ARCH__)
  if (!std::is_constant_evaluated()) {
    if constexpr (sizeof(Word) == 4) return __ffs(static_cast<int>(word)) - 1;
    return __ffsll(static_cast<long long>(word)) - 1;
  }
#endif
  return std::countr_zero(word);
}

/// How many zeros there are above the highest one; all bits if there is none.
template <class Word>
[[nodiscard, gnu::always_inline]] constexpr int leading_zeros(Word word) noexcept {
#if defined(__CUDA_ARCH__)
  if (!std::is_constant_evaluated()) {
    if constexpr (sizeof(Word) == 4) return __clz(static_cast<int>(word));
    return __clzll(static_cast<long long>(word));
  }
#endif
  return std::countl_zero(word);
}

}  // namespace paika
