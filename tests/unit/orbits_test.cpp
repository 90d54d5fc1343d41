// Subsets and pairs of subsets of a board: numbers without gaps, and the same ones for symmetric pairs.
#include "board/orbits.hpp"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "board/sparse_pairs.hpp"

namespace paika {
namespace {

using Sizes = std::initializer_list<std::pair<int, int>>;

TEST(BoardMaps, each_map_counts_once) {
  const auto maps_of = [](int cols, int rows) {
    ArrayStore store;
    return BoardMaps(cols, rows, store).count();
  };
  EXPECT_EQ(maps_of(5, 3), 4);
  EXPECT_EQ(maps_of(3, 3), 8);
  EXPECT_EQ(maps_of(5, 1), 2) << "a row can only be turned round";
  EXPECT_EQ(maps_of(1, 5), 2);
  EXPECT_EQ(maps_of(1, 1), 1);
}

TEST(BoardMaps, inverses_undo) {
  for (const auto& [cols, rows] : Sizes{{5, 3}, {3, 3}, {7, 1}, {1, 3}, {1, 1}}) {
    ArrayStore store;
    const BoardMaps maps(cols, rows, store);
    EXPECT_EQ(maps.inverse(0), 0);
    for (int map = 0; map < maps.count(); ++map) {
      for (std::uint32_t set = 0; set <= maps.all(); set += 5) {
        EXPECT_EQ(maps.image(maps.inverse(map), maps.image(map, set)), set);
      }
    }
  }
}

/// Boards whose sets are ranked in two parts, and in three.
struct PairBoard {
  int cols;
  int rows;
  int max_members;
};
constexpr std::array<PairBoard, 6> pair_boards{{{3, 3, 3}, {5, 1, 3}, {1, 5, 3}, {5, 3, 3}, {7, 3, 2}, {5, 5, 2}}};

TEST(PairSpace, numbers_have_no_gaps_and_lead_back) {
  for (const auto& [cols, rows, max_members] : pair_boards) {
    ArrayStore store;
    const PairSpace pairs(cols, rows, max_members, store);
    for (int own = 0; own <= max_members; ++own) {
      for (int other = 0; other <= max_members && own + other <= cols * rows; ++other) {
        for (std::uint64_t i = 0; i < pairs.size(own, other); ++i) {
          const PairSpace::Pair pair = pairs.unrank(i, own, other);
          ASSERT_EQ(pair.own & pair.other, 0U);
          ASSERT_EQ(pairs.rank(pair, own, other), i);
        }
      }
    }
  }
}

// Going backwards through the folding, against going forwards: a turn takes a square of the first set
// out and changes the sides.
TEST(PairSpace, sources_are_exactly_the_turns_forwards) {
  for (const auto& [cols, rows, max_members] : pair_boards) {
    ArrayStore store;
    const PairSpace pairs(cols, rows, max_members, store);
    const int own = 2;
    const int other = 2;
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> forwards;
    for (std::uint64_t i = 0; i < pairs.size(own, other); ++i) {
      const PairSpace::Pair from = pairs.unrank(i, own, other);
      for (std::uint32_t left = from.own; left != 0; left &= left - 1) {
        const PairSpace::Pair to{from.other, from.own & ~(left & (~left + 1))};
        ++forwards[{i, pairs.rank(to, other, own - 1)}];
      }
    }
    std::map<std::pair<std::uint64_t, std::uint64_t>, int> backwards;
    for (std::uint64_t i = 0; i < pairs.size(other, own - 1); ++i) {
      const PairSpace::Pair to = pairs.unrank(i, other, own - 1);
      for (std::uint32_t left = pairs.maps().all() & ~(to.own | to.other); left != 0; left &= left - 1) {
        const PairSpace::Pair from{to.other | (left & (~left + 1)), to.own};
        pairs.for_each_source(from, own, other, pairs.target(to),
                              [&](std::uint64_t source) { ++backwards[{source, i}]; });
      }
    }
    EXPECT_EQ(forwards, backwards) << cols << 'x' << rows;
  }
}

// Sources of many turns at once, against those of each turn. Of 4x5 squares all sets are ranked by two parts; of 5x5
// the own sets by three, and the others by two once seven own members are squeezed out.
TEST(PairSpace, sources_of_many_turns_are_those_of_each) {
  for (const auto& [cols, rows, max_members] : {PairBoard{4, 5, 2}, PairBoard{5, 5, 2}, PairBoard{5, 5, 7}}) {
    ArrayStore store;
    const PairSpace pairs(cols, rows, max_members, store);
    const std::uint64_t size = pairs.size(2, max_members);
    for (std::uint64_t i = 0; i < size; i += size / 3000 + 1) {
      const PairSpace::Pair to = pairs.unrank(i, 2, max_members);
      const PairSpace::Target target = pairs.target(to);
      const std::uint32_t moved = to.other & (~to.other + 1);
      std::vector<std::uint32_t> owns;
      std::vector<std::uint64_t> expected;
      for (std::uint32_t left = pairs.maps().all() & ~(to.own | to.other); left != 0; left &= left - 1) {
        owns.push_back((to.other ^ moved) | (left & (~left + 1)));
        pairs.for_each_source(PairSpace::Pair{owns.back(), to.own}, max_members, 2, target,
                              [&](std::uint64_t source) { expected.push_back(source); });
      }
      std::vector<std::uint64_t> sources;
      pairs.for_each_source(owns, target, [&](std::uint64_t source) { sources.push_back(source); });
      ASSERT_EQ(sources, expected) << cols << 'x' << rows << ' ' << i;
    }
  }
}

TEST(SmallSubsetRanks, numbers_lead_back) {
  ArrayStore store;
  const SmallSubsetRanks ranks(45, store);
  for (int k = 1; k <= 4; ++k) {
    std::uint64_t number = 0;
    for (const std::uint64_t set : all_subsets<std::uint64_t>(45, k)) {
      ASSERT_EQ(ranks.rank(set), number);
      ASSERT_EQ(ranks.unrank(number, k), set);
      ++number;
    }
    EXPECT_EQ(number, choose(45, k));
  }
  for (int k = 5; k <= SmallSubsetRanks::max_members; ++k) {
    for (std::uint64_t number = 0; number < choose(45, k); number += choose(45, k) / 1000 + 1) {
      const std::uint64_t set = ranks.unrank(number, k);
      ASSERT_EQ(count_ones(set), k);
      ASSERT_EQ(ranks.rank(set), number);
    }
  }
}

TEST(SparsePairs, numbers_have_no_gaps_and_lead_back) {
  for (const auto& [cols, rows] : Sizes{{3, 3}, {5, 1}, {1, 5}, {5, 3}, {9, 5}, {9, 7}}) {
    const int total = 5;
    ArrayStore store;
    const SparsePairs pairs(cols, rows, total, store);
    for (int own = 0; own <= total; ++own) {
      for (int other = 0; own + other <= std::min(total, cols * rows); ++other) {
        const std::uint64_t size = pairs.size(own, other);
        for (std::uint64_t i = 0; i < size; i += size / 5000 + 1) {
          const SparsePairs::Pair pair = pairs.unrank(i, own, other);
          ASSERT_EQ(pair.own & pair.other, 0U);
          ASSERT_EQ(count_ones(pair.own), own);
          ASSERT_EQ(count_ones(pair.other), other);
          ASSERT_EQ(pairs.rank(pair, own, other), i);
          // The same number from all sides, unless the smaller set is symmetric.
          if (pairs.target(pair).symmetric) continue;
          for (int map = 0; map < pairs.maps().count(); ++map) {
            const SparsePairs::Pair turned{pairs.maps().image(map, pair.own), pairs.maps().image(map, pair.other)};
            ASSERT_EQ(pairs.rank(turned, own, other), i);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace paika
