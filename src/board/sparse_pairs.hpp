// SparsePairs: pairs of disjoint sets of few squares each, numbered up to the maps of a board of at most 63 squares.
//
// PairSpace (board/orbits.hpp) has an entry for every subset of the board, which is too many for larger boards. Here it
// is the smaller set of a pair, one's own if they are equally large, whose home decides the map: there are few of
// those, so all arrays stay near the processor. The other set is numbered by its members, one after the other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/array_store.hpp"
#include "base/bit_count.hpp"
#include "base/device.hpp"
#include "base/gather.hpp"
#include "board/orbits.hpp"
#include "board/subsets.hpp"

namespace paika {

/// It has the members of PairSpace. Its arrays are held by a store.
class SparsePairs {
 public:
  using Word = std::uint64_t;
  /// The most members of both sets together, and of one.
  static constexpr int max_total = 10;
  static constexpr int max_members = max_total - 1;

  struct Pair {
    Word own = 0;
    Word other = 0;
    friend constexpr bool operator==(const Pair&, const Pair&) = default;
  };
  struct Folded {
    std::uint64_t number;
    int map;
  };

  /// For pairs of at most `total` members in all. Requires total <= max_total and cols * rows <=
  /// SmallSubsetRanks::max_squares.
  SparsePairs(int cols, int rows, int total, ArrayStore& store);

  [[nodiscard]] PAIKA_HD const BasicBoardMaps<Word>& maps() const noexcept { return maps_; }
  /// How many numbers there are for sets of so many members.
  [[nodiscard]] std::uint64_t size(int own, int other) const {
    const int small = std::min(own, other);
    return orbits_of(small).count() * choose(maps_.squares() - small, std::max(own, other));
  }

  /// The pair's number. Requires disjoint sets; `own_count` and `other_count` are their sizes.
  [[nodiscard, gnu::always_inline]] PAIKA_HD std::uint64_t rank(Pair pair, int own_count,
                                                                int other_count) const noexcept {
    return fold(pair, own_count, other_count).number;
  }
  /// The pair's number and the map that leads from the pair to unrank(number). Requires the same as rank().
  [[nodiscard, gnu::always_inline]] PAIKA_HD Folded fold(Pair pair, int own_count, int other_count) const noexcept {
    const Sides sides = sides_of(pair, own_count, other_count);
    const auto home = orbits_of(sides.small_count).find(ranks_, sides.small);
    return {number(home.orbit, maps_.image(home.map, sides.large), sides), home.map};
  }
  /// The pair with a number; its smaller set is a home. Requires number < size(own_count, other_count).
  [[nodiscard]] PAIKA_HD Pair unrank(std::uint64_t number, int own_count, int other_count) const noexcept {
    const bool own_small = own_count <= other_count;
    const int small_count = own_small ? own_count : other_count;
    const int large_count = own_small ? other_count : own_count;
    const std::uint64_t choices = choices_[at(small_count)][at(large_count)];
    const std::uint64_t orbit = number / choices;
    const Word small = orbits_of(small_count).home(static_cast<std::uint32_t>(orbit));
    const Word large = opened_up(ranks_.unrank(number - orbit * choices, large_count), small);
    return own_small ? Pair{small, large} : Pair{large, small};
  }

  /// A pair that turns lead to: unrank() of some number.
  struct Target {
    Pair pair;
    int own_count;
    int other_count;
    bool symmetric;  // more than one map leads its smaller set to itself
  };
  [[nodiscard, gnu::always_inline]] PAIKA_HD Target target(Pair pair) const noexcept {
    const int own_count = count_ones(pair.own);
    const int other_count = count_ones(pair.other);
    const Sides sides = sides_of(pair, own_count, other_count);
    return {pair, own_count, other_count, orbits_of(sides.small_count).find(ranks_, sides.small).symmetric};
  }

  /// As PairSpace::for_each_source, for turns that take nothing and change the sides: `before.other` is
  /// `after.pair.own`.
  template <class Visit>
  [[gnu::always_inline]] PAIKA_HD void for_each_source(Pair before, int own_count, int other_count, const Target& after,
                                                       Visit&& visit) const {
    const Sides sides = sides_of(before, own_count, other_count);
    if (other_count < own_count) {
      // The smaller set stood still and is at home: only the map that changes nothing leads from home to home and back.
      const auto home = orbits_of(sides.small_count).find(ranks_, sides.small);
      visit(number(home.orbit, sides.large, sides));
      return;
    }
    const auto& orbits = orbits_of(sides.small_count);
    const auto home = orbits.find(ranks_, sides.small);
    if (!home.symmetric && !after.symmetric) {
      visit(number(home.orbit, maps_.image(home.map, sides.large), sides));
      return;
    }
    const Word home_set = orbits.home(home.orbit);
    const Word after_small = own_count == other_count ? after.pair.own : after.pair.other;
    for (int map = 0; map < maps_.count(); ++map) {
      if (maps_.image(map, sides.small) != home_set) continue;
      const bool leads_there = orbits.find(ranks_, maps_.image(map, after_small)).map == maps_.inverse(map);
      if (!leads_there && after.symmetric) continue;
      visit(number(home.orbit, maps_.image(map, sides.large), sides));
    }
  }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    ranks_.for_each_array(f);
    maps_.for_each_array(f);
    for (auto& orbits : orbits_) orbits.for_each_array(f);
  }

 private:
  static constexpr std::size_t small_sizes = max_total / 2 + 1;
  using SmallOrbits = BasicOrbits<Word, SmallSubsetRanks>;

  /// A pair with its sets told apart by size.
  struct Sides {
    Word small;
    Word large;
    int small_count;
    int large_count;
  };

  [[nodiscard]] static constexpr std::size_t at(int count) noexcept { return static_cast<std::size_t>(count); }
  [[nodiscard, gnu::always_inline]] PAIKA_HD static Sides sides_of(Pair pair, int own_count, int other_count) noexcept {
    if (own_count <= other_count) return {pair.own, pair.other, own_count, other_count};
    return {pair.other, pair.own, other_count, own_count};
  }
  [[nodiscard, gnu::always_inline]] PAIKA_HD const SmallOrbits& orbits_of(int count) const noexcept {
    return orbits_[at(count)];
  }
  /// The number of a pair whose smaller set is in `orbit`; `large` is the other one, mapped with it.
  [[nodiscard, gnu::always_inline]] PAIKA_HD std::uint64_t number(std::uint32_t orbit, Word large,
                                                                  const Sides& sides) const noexcept {
    const Word home = orbits_of(sides.small_count).home(orbit);
    return orbit * choices_[at(sides.small_count)][at(sides.large_count)] + ranks_.rank(closed_up(large, home));
  }

  BasicBoardMaps<Word> maps_;
  SmallSubsetRanks ranks_;
  std::array<SmallOrbits, small_sizes> orbits_;                                    // by the members of the smaller set
  std::array<std::array<std::uint64_t, max_members + 1>, small_sizes> choices_{};  // C(squares - small, large)
};

}  // namespace paika
