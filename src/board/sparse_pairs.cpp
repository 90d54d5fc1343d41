#include "board/sparse_pairs.hpp"

#include "base/check.hpp"

namespace paika {

SparsePairs::SparsePairs(int cols, int rows, int total, ArrayStore& store)
    : maps_(cols, rows, store), ranks_(maps_.squares(), store) {
  PAIKA_CHECK(total >= 0 && total <= max_total);
  const int squares = maps_.squares();
  for (int small = 0; small <= std::min(total / 2, squares); ++small) {
    orbits_[at(small)] = SmallOrbits(maps_, ranks_, small, store);
    for (int large = 0; large <= max_members; ++large) choices_[at(small)][at(large)] = choose(squares - small, large);
  }
}

}  // namespace paika
