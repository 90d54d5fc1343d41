#include "board/subsets.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace paika {

namespace {

/// Up to this number of squares two parts are enough for arrays that stay near a processor.
constexpr int max_halved = 20;

/// The sum of C(s_i + offset, i + members) over the members of `part`.
std::uint32_t partial_rank(std::uint32_t part, int offset, int members) {
  std::uint64_t sum = 0;
  for (int i = 1; part != 0; ++i, part &= part - 1) {
    sum += choose(std::countr_zero(part) + offset, i + members);
  }
  return static_cast<std::uint32_t>(sum);
}

}  // namespace

SubsetRanks::SubsetRanks(int n, ArrayStore& store)
    : n_(n),
      part_bits_(n <= max_halved ? (n + 1) / 2 : (n + 2) / 3),
      high_bits_(n - 2 * part_bits_),
      part_mask_((std::uint32_t{1} << part_bits_) - 1) {
  PAIKA_CHECK(n >= 0 && n <= max_squares);
  if (high_bits_ < 0) high_bits_ = 0;  // an odd number of squares is not twice a whole one
  // The numbers of one part of `bits` squares from `offset` on, after up to `most` members below it.
  const auto part = [&store](int bits, int offset, int most) {
    const std::uint32_t parts = std::uint32_t{1} << bits;
    std::vector<std::uint32_t> numbers(static_cast<std::size_t>(most + 1) << bits);
    for (int members = 0; members <= most; ++members) {
      for (std::uint32_t set = 0; set < parts; ++set) {
        numbers[(static_cast<std::size_t>(members) << bits) | set] = partial_rank(set, offset, members);
      }
    }
    return store.keep(std::move(numbers));
  };
  low_ = part(part_bits_, 0, 0);
  middle_ = part(part_bits_, part_bits_, part_bits_);
  high_ = part(high_bits_, 2 * part_bits_, 2 * part_bits_);
}

SmallSubsetRanks::SmallSubsetRanks(int n, ArrayStore& store) {
  PAIKA_CHECK(n >= 0 && n <= max_squares);
  std::vector<std::uint64_t> choices;
  for (int k = 0; k <= max_members; ++k) {
    for (int square = 0; square < static_cast<int>(row_size); ++square) choices.push_back(choose(square, k));
  }
  choices_ = store.keep(std::move(choices));
  for (int k = 1; k <= std::min(listed_members, n); ++k) {
    listed_[static_cast<std::size_t>(k - 1)] = store.keep(all_subsets<std::uint64_t>(n, k));
  }
}

template <class Word>
std::vector<Word> all_subsets(int n, int k) {
  PAIKA_CHECK(0 <= k && k <= n && n <= 8 * static_cast<int>(sizeof(Word)) && n <= SmallSubsetRanks::max_squares);
  std::vector<Word> all;
  all.reserve(choose(n, k));
  // In numerical order, which is the colexicographic one. The next larger number with as many ones
  // moves the highest one of the lowest run up and the rest of the run down to the bottom.
  std::uint64_t set = (std::uint64_t{1} << k) - 1;
  const std::uint64_t end = std::uint64_t{1} << n;
  while (set < end) {
    all.push_back(static_cast<Word>(set));
    if (set == 0) break;
    const std::uint64_t lowest = set & (~set + 1);
    const std::uint64_t moved = set + lowest;
    set = moved | (((set ^ moved) >> 2) / lowest);
  }
  return all;
}

template std::vector<std::uint32_t> all_subsets(int n, int k);
template std::vector<std::uint64_t> all_subsets(int n, int k);

}  // namespace paika
