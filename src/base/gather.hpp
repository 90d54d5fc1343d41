// Gathering and scattering the bits of a word under a mask, by one instruction where there is one.
#pragma once

#include <cstdint>

#include "base/device.hpp"

#if defined(__BMI2__) && !defined(__CUDA_ARCH__)
#include <immintrin.h>
#define PAIKA_BMI2 1
#else
#define PAIKA_BMI2 0
#endif

namespace paika {

/// The bits of `word` where `mask` has ones, moved together at the low end in their order.
[[nodiscard, gnu::always_inline]] PAIKA_HD inline std::uint64_t gathered(std::uint64_t word,
                                                                         std::uint64_t mask) noexcept {
#if PAIKA_BMI2
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
[[nodiscard, gnu::always_inline]] PAIKA_HD inline std::uint64_t scattered(std::uint64_t word,
                                                                          std::uint64_t mask) noexcept {
#if PAIKA_BMI2
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

/// As scattered(), for 32 bits.
[[nodiscard, gnu::always_inline]] PAIKA_HD inline std::uint32_t scattered32(std::uint32_t word,
                                                                            std::uint32_t mask) noexcept {
#if PAIKA_BMI2
  return _pdep_u32(word, mask);
#else
  std::uint32_t out = 0;
  for (; mask != 0; word >>= 1) {
    if ((word & 1U) != 0) out |= mask & (~mask + 1);
    mask &= mask - 1;
  }
  return out;
#endif
}

/// As gathered(), for 32 bits, without the instruction: in steps of doubling width instead of bit by bit, so that the
/// lanes of a GPU stay together.
[[nodiscard, gnu::always_inline]] constexpr std::uint32_t gathered32_in_steps(std::uint32_t word,
                                                                              std::uint32_t mask) noexcept {
  word &= mask;
  std::uint32_t zeros = ~mask << 1;  // where there is a zero of the mask below, an odd number of them after the sums
  for (int step = 1; step < 32; step *= 2) {
    std::uint32_t parity = zeros ^ (zeros << 1);
    parity ^= parity << 2;
    parity ^= parity << 4;
    parity ^= parity << 8;
    parity ^= parity << 16;
    const std::uint32_t moves = parity & mask;  // those that are to go down by `step`
    mask = (mask ^ moves) | (moves >> step);
    const std::uint32_t moved = word & moves;
    word = (word ^ moved) | (moved >> step);
    zeros &= ~parity;
  }
  return word;
}

/// As gathered(), for 32 bits.
[[nodiscard, gnu::always_inline]] PAIKA_HD inline std::uint32_t gathered32(std::uint32_t word,
                                                                           std::uint32_t mask) noexcept {
#if PAIKA_BMI2
  return _pext_u32(word, mask);
#else
  return gathered32_in_steps(word, mask);
#endif
}

/// As gathered(word, ~holes), for a few holes and a word without bits in them, without the instruction.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t closed_up_in_steps(std::uint64_t word,
                                                                             std::uint64_t holes) noexcept {
  // From the lowest hole on; each one that is closed brings the others down.
  for (; holes != 0; holes = (holes & (holes - 1)) >> 1) {
    const std::uint64_t below = (holes & (~holes + 1)) - 1;
    word = (word & below) | ((word >> 1) & ~below);
  }
  return word;
}

/// As gathered(word, ~holes), for a few holes and a word without bits in them: what lies above a hole moves down.
[[nodiscard, gnu::always_inline]] PAIKA_HD inline std::uint64_t closed_up(std::uint64_t word,
                                                                          std::uint64_t holes) noexcept {
#if PAIKA_BMI2
  return _pext_u64(word, ~holes);
#else
  return closed_up_in_steps(word, holes);
#endif
}

/// The reverse: as scattered(word, ~holes), for a few holes, without the instruction.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t opened_up_in_steps(std::uint64_t word,
                                                                             std::uint64_t holes) noexcept {
  for (; holes != 0; holes &= holes - 1) {
    const std::uint64_t below = (holes & (~holes + 1)) - 1;
    word = (word & below) | ((word & ~below) << 1);
  }
  return word;
}

/// As scattered(word, ~holes), for a few holes.
[[nodiscard, gnu::always_inline]] PAIKA_HD inline std::uint64_t opened_up(std::uint64_t word,
                                                                          std::uint64_t holes) noexcept {
#if PAIKA_BMI2
  return _pdep_u64(word, ~holes);
#else
  return opened_up_in_steps(word, holes);
#endif
}

}  // namespace paika
