// Subsets: the k-element subsets of n squares, numbered without gaps.
//
// The number of a subset is its place in colexicographic order: the sum of C(s_i, i) over its
// squares s_1 < s_2 < …. Looked up in three parts, so it costs three loads from arrays that stay near a processor;
// a list gives the way back.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array_store.hpp"
#include "base/bit_count.hpp"
#include "base/device.hpp"

namespace paika {

/// n over k; 0 if k > n or k < 0. Requires 0 <= n <= 62.
[[nodiscard]] constexpr std::uint64_t choose(int n, int k) noexcept {
  if (k < 0 || k > n) return 0;
  std::uint64_t result = 1;
  for (int i = 1; i <= k; ++i) {
    result = result * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
  }
  return result;
}

/// Numbers of the subsets of at most 32 squares, for every k at once. Its arrays are held by a store.
class SubsetRanks {
 public:
  static constexpr int max_squares = 32;

  /// Requires 0 <= n <= max_squares.
  SubsetRanks(int n, ArrayStore& store);

  [[nodiscard]] int squares() const noexcept { return n_; }
  /// The number of `set` among the subsets with as many members. Requires members below n.
  [[nodiscard, gnu::always_inline]] PAIKA_HD std::uint32_t rank(std::uint32_t set) const noexcept {
    const std::uint32_t low = set & part_mask_;
    const std::uint32_t middle = (set >> part_bits_) & part_mask_;
    const auto below_middle = static_cast<std::uint32_t>(count_ones(low));
    const auto below_high = below_middle + static_cast<std::uint32_t>(count_ones(middle));
    return low_[low] + middle_[(below_middle << part_bits_) | middle] +
           high_[(below_high << high_bits_) | (set >> part_bits_ >> part_bits_)];
  }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    f(low_);
    f(middle_);
    f(high_);
  }

 private:
  int n_;
  int part_bits_;  // of the lower two parts
  int high_bits_;
  std::uint32_t part_mask_;
  std::span<const std::uint32_t> low_;     // by the lowest part
  std::span<const std::uint32_t> middle_;  // by the members of the parts before and the part
  std::span<const std::uint32_t> high_;
};

/// All k-element subsets of n squares by number. Requires 0 <= k <= n <= SubsetRanks::max_squares.
[[nodiscard]] std::vector<std::uint32_t> all_subsets(int n, int k);

}  // namespace paika
