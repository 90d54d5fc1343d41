// Subsets: the k-element subsets of n squares, numbered without gaps.
//
// The number of a subset is its place in colexicographic order: the sum of C(s_i, i) over its
// squares s_1 < s_2 < …. Looked up in two parts, or three above 20 squares, a load each from arrays that stay near a
// processor; a list gives the way back.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/array_store.hpp"
#include "base/bit_count.hpp"
#include "base/device.hpp"

namespace paika {

/// n over k; 0 if k > n or k < 0. Requires 0 <= n <= 62, or up to 64 with k or n - k at most 16.
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

  /// The same for a set whose members are all below short_squares(), which saves a load.
  [[nodiscard, gnu::always_inline]] std::uint32_t short_rank(std::uint32_t set) const noexcept {
    const std::uint32_t low = set & part_mask_;
    return low_[low] + middle_[(static_cast<std::uint32_t>(count_ones(low)) << part_bits_) | (set >> part_bits_)];
  }
  [[nodiscard]] int short_squares() const noexcept { return 2 * part_bits_; }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    f(low_);
    f(middle_);
    f(high_);
  }

 private:
  int n_;
  int part_bits_;  // of each of the lower two parts
  int high_bits_;  // of the rest; 0 if two parts are enough
  std::uint32_t part_mask_;
  std::span<const std::uint32_t> low_;     // by the lowest part
  std::span<const std::uint32_t> middle_;  // by the members of the parts before and the part
  std::span<const std::uint32_t> high_;
};

/// Numbers of the subsets of few members, of at most 63 squares: a load for each member, from one small array. Its
/// arrays are held by a store.
class SmallSubsetRanks {
 public:
  static constexpr int max_squares = 63;
  static constexpr int max_members = 9;

  /// Requires 0 <= n <= max_squares.
  SmallSubsetRanks(int n, ArrayStore& store);

  /// The number of `set` among the subsets with as many members, at most max_members.
  [[nodiscard, gnu::always_inline]] PAIKA_HD std::uint64_t rank(std::uint64_t set) const noexcept {
    std::uint64_t sum = 0;
    for (std::size_t row = row_size; set != 0; set &= set - 1, row += row_size) {
      sum += choices_[row + static_cast<std::size_t>(lowest_one(set))];
    }
    return sum;
  }
  /// The set of k members with a number. Requires that there is one, and k <= max_members.
  [[nodiscard]] PAIKA_HD std::uint64_t unrank(std::uint64_t number, int k) const noexcept {
    std::uint64_t set = 0;
    for (; k > listed_members; --k) {
      // The highest member is the last square whose C(s, k) is not too much.
      const std::size_t row = static_cast<std::size_t>(k) * row_size;
      std::size_t square = 0;
      for (std::size_t step = row_size / 2; step != 0; step /= 2) {
        if (choices_[row + square + step] <= number) square += step;
      }
      number -= choices_[row + square];
      set |= std::uint64_t{1} << square;
    }
    return k == 0 ? set : set | listed_[static_cast<std::size_t>(k - 1)][number];
  }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    f(choices_);
    for (auto& sets : listed_) f(sets);
  }

 private:
  static constexpr std::size_t row_size = 64;
  static constexpr int listed_members = 3;  // sets of at most so many are looked up

  std::span<const std::uint64_t> choices_;                             // C(s, k) at k * row_size + s
  std::array<std::span<const std::uint64_t>, listed_members> listed_;  // by members, less 1
};

/// All k-element subsets of n squares by number. Requires 0 <= k <= n <= max_squares of the ranks with such words.
template <class Word>
[[nodiscard]] std::vector<Word> all_subsets(int n, int k);
extern template std::vector<std::uint32_t> all_subsets(int n, int k);
extern template std::vector<std::uint64_t> all_subsets(int n, int k);

}  // namespace paika
