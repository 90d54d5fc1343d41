#include "board/subsets.hpp"

#include "base/check.hpp"

namespace paika {

namespace {

/// The sum of C(s_i + offset, i + members) over the members of `half`.
std::uint32_t partial_rank(std::uint32_t half, int offset, int members) {
  std::uint64_t sum = 0;
  for (int i = 1; half != 0; ++i, half &= half - 1) {
    sum += choose(std::countr_zero(half) + offset, i + members);
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

SubsetRanks::SubsetRanks(int n)
    : n_(n), low_bits_((n + 1) / 2), high_bits_(n - low_bits_), low_mask_((std::uint32_t{1} << low_bits_) - 1) {
  PAIKA_CHECK(n >= 0 && n <= max_squares);
  low_.resize(std::size_t{1} << low_bits_);
  for (std::uint32_t half = 0; half < low_.size(); ++half) low_[half] = partial_rank(half, 0, 0);
  const std::uint32_t halves = std::uint32_t{1} << high_bits_;
  high_.resize(static_cast<std::size_t>(low_bits_ + 1) << high_bits_);
  for (int members = 0; members <= low_bits_; ++members) {
    for (std::uint32_t half = 0; half < halves; ++half) {
      high_[(static_cast<std::size_t>(members) << high_bits_) | half] = partial_rank(half, low_bits_, members);
    }
  }
}

std::vector<std::uint32_t> all_subsets(int n, int k) {
  PAIKA_CHECK(0 <= k && k <= n && n <= SubsetRanks::max_squares);
  std::vector<std::uint32_t> all;
  all.reserve(choose(n, k));
  // In numerical order, which is the colexicographic one. The next larger number with as many ones
  // moves the highest one of the lowest run up and the rest of the run down to the bottom.
  std::uint64_t set = (std::uint64_t{1} << k) - 1;
  const std::uint64_t end = std::uint64_t{1} << n;
  while (set < end) {
    all.push_back(static_cast<std::uint32_t>(set));
    if (set == 0) break;
    const std::uint64_t lowest = set & (~set + 1);
    const std::uint64_t moved = set + lowest;
    set = moved | (((set ^ moved) >> 2) / lowest);
  }
  return all;
}

}  // namespace paika
