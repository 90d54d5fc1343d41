// Keys for hashing positions: one random-looking 64-bit word for each (plane, index).
//
// A position's key is the exclusive or of the keys of what stands on it, so it can be updated by
// the few terms that a turn changes. The words are fixed for ever: keys may be stored in files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/random.hpp"

namespace paika {

/// The key word of `index` in `plane` (a plane is a kind of thing: white stones, side to move, …).
[[nodiscard]] constexpr std::uint64_t hash_key(std::uint64_t plane, std::uint64_t index) noexcept {
  return mix64(mix64(plane + 0x5061696b61000001ULL) + index * 0x9e3779b97f4a7c15ULL);
}

/// The key words of indices 0 to N-1 in `plane`, for table lookup.
template <std::size_t N>
[[nodiscard]] constexpr std::array<std::uint64_t, N> hash_keys(std::uint64_t plane) noexcept {
  std::array<std::uint64_t, N> keys{};
  for (std::size_t i = 0; i < N; ++i) keys[i] = hash_key(plane, i);
  return keys;
}

}  // namespace paika
