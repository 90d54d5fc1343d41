// Seeded random numbers that are the same on every machine and compiler.
//
// std::uniform_int_distribution may differ between libraries; a seed printed in a test log or a
// record must reproduce the same run anywhere, so we keep our own small generator.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paika {

/// A bijection of 64-bit numbers that scatters nearby inputs (the finaliser of SplitMix64).
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) noexcept {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

/// SplitMix64: one word of state, full period, good enough for games and tests.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) noexcept : state_(seed) {}

  [[nodiscard]] constexpr std::uint64_t next() noexcept { return mix64(state_ += 0x9e3779b97f4a7c15ULL); }

  /// A number from 0 to bound-1, every one equally likely up to 2^-64. Requires bound > 0.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t bound) noexcept {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(next()) * bound) >> 64);
  }
  /// An index into a container of `size` elements. Requires size > 0.
  [[nodiscard]] constexpr std::size_t index(std::size_t size) noexcept { return static_cast<std::size_t>(below(size)); }
  /// True with probability 1/n.
  [[nodiscard]] constexpr bool one_in(std::uint64_t n) noexcept { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace paika
