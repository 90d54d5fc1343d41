// Subsets: the k-element subsets of n squares, numbered without gaps.
//
// The number of a subset is its place in colexicographic order: the sum of C(s_i, i) over its
// squares s_1 < s_2 < …. Looked up in two halves, so it costs two loads; a list gives the way back.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

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

/// Numbers of the subsets of at most 32 squares, for every k at once.
class SubsetRanks {
 public:
  static constexpr int max_squares = 32;

  /// Requires 0 <= n <= max_squares.
  explicit SubsetRanks(int n);

  [[nodiscard]] int squares() const noexcept { return n_; }
  /// The number of `set` among the subsets with as many members. Requires members below n.
  [[nodiscard, gnu::always_inline]] std::uint32_t rank(std::uint32_t set) const noexcept {
    const std::uint32_t low = set & low_mask_;
    const auto members = static_cast<std::uint32_t>(std::popcount(low));
    return low_[low] + high_[(members << high_bits_) | (set >> low_bits_)];
  }

 private:
  int n_;
  int low_bits_;
  int high_bits_;
  std::uint32_t low_mask_;
  std::vector<std::uint32_t> low_;   // by the lower half
  std::vector<std::uint32_t> high_;  // by the members of the lower half and the upper half
};

/// All k-element subsets of n squares by number. Requires 0 <= k <= n <= SubsetRanks::max_squares.
[[nodiscard]] std::vector<std::uint32_t> all_subsets(int n, int k);

}  // namespace paika
