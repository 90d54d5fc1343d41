// Gathering and scattering the bits of a word under a mask, by one instruction where there is one.
#pragma once

#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace paika {

/// The bits of `word` where `mask` has ones, moved together at the low end in their order.
[[nodiscard, gnu::always_inline]] inline std::uint64_t gathered(std::uint64_t word, std::uint64_t mask) noexcept {
#if defined(__BMI2__)
  return _pext_u64(word, mask);
#else
  std::uint64_t out = 0;
  for (std::uint64_t bit = 1; mask != 0; bit += bit) {
    const std::uint64_t lowest = mask & (~mask + 1);
    if ((word & lowest) != 0) out |= bit;
    mask &= mask - 1;
  }
  return out;
#endif
}

/// The reverse: the low bits of `word` spread over the ones of `mask` in their order.
[[nodiscard, gnu::always_inline]] inline std::uint64_t scattered(std::uint64_t word, std::uint64_t mask) noexcept {
#if defined(__BMI2__)
  return _pdep_u64(word, mask);
#else
  std::uint64_t out = 0;
  for (std::uint64_t bit = 1; mask != 0; bit += bit) {
    if ((word & bit) != 0) out |= mask & (~mask + 1);
    mask &= mask - 1;
  }
  return out;
#endif
}

}  // namespace paika
