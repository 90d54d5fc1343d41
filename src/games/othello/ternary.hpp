// The base-3 numbers that patterns and edges are indexed by.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/gather.hpp"

namespace paika::othello {

inline constexpr std::size_t max_ternary = 10;  // digits

/// ternary[b]: the digits of the binary number b read in base 3.
inline constexpr std::array<std::uint16_t, std::size_t{1} << max_ternary> ternary = [] {
  std::array<std::uint16_t, std::size_t{1} << max_ternary> table{};
  for (std::size_t bits = 1; bits < table.size(); ++bits) {
    table[bits] = static_cast<std::uint16_t>(std::size_t{3} * table[bits >> 1] + (bits & 1));
  }
  return table;
}();

/// The state of the squares of `mask` as a number: digit 0 an empty square, 1 `own`, 2 `opponent`; the
/// lowest square is the lowest digit. Requires at most max_ternary squares.
[[nodiscard, gnu::always_inline]] inline std::size_t ternary_index(std::uint64_t own, std::uint64_t opponent,
                                                                   std::uint64_t mask) noexcept {
  return std::size_t{ternary[gathered(own, mask)]} + 2 * std::size_t{ternary[gathered(opponent, mask)]};
}

}  // namespace paika::othello
