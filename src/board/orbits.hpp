// Orbits: subsets of a board's squares up to the board's turns and reflections, and pairs of
// disjoint subsets numbered with that folding.
//
// Every subset has a home: the smallest of its images, reached by one fixed map. A pair (own, other)
// is numbered by own's orbit and by where other then lies among the squares that own leaves free.
// So all but the pairs whose own set is itself symmetric are folded, and a number costs a few loads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/array_store.hpp"
#include "base/bit_count.hpp"
#include "base/device.hpp"
#include "base/gather.hpp"
#include "board/subsets.hpp"
#include "board/symmetry.hpp"

namespace paika {

/// The different maps of a board onto itself, applied to sets of squares in a word. Its arrays are held by a store.
template <class Word>
class BasicBoardMaps {
 public:
  static constexpr std::size_t max_count = 8;

  /// Requires a board whose squares fit into a word.
  BasicBoardMaps(int cols, int rows, ArrayStore& store);

  [[nodiscard]] PAIKA_HD int count() const noexcept { return count_; }
  [[nodiscard]] PAIKA_HD int squares() const noexcept { return squares_; }
  [[nodiscard]] PAIKA_HD Word all() const noexcept { return all_; }
  [[nodiscard]] Dihedral dihedral(int map) const noexcept { return dihedrals_[static_cast<std::size_t>(map)]; }
  /// The map that undoes `map`. Map 0 is the identity.
  [[nodiscard]] PAIKA_HD int inverse(int map) const noexcept { return inverse_[static_cast<std::size_t>(map)]; }
  [[nodiscard, gnu::always_inline]] PAIKA_HD Word image(int map, Word set) const noexcept {
    const ByteImages& bytes = bytes_[static_cast<std::size_t>(map)];
    Word found = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) found |= bytes[i][(set >> (8 * i)) & 255U];
    return found;
  }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    f(bytes_);
  }

 private:
  using ByteImages = std::array<std::array<Word, 256>, sizeof(Word)>;
  int squares_;
  Word all_;
  int count_ = 0;
  std::array<Dihedral, max_count> dihedrals_{};
  std::array<int, max_count> inverse_{};
  std::span<const ByteImages> bytes_;
};

using BoardMaps = BasicBoardMaps<std::uint32_t>;
extern template class BasicBoardMaps<std::uint32_t>;
extern template class BasicBoardMaps<std::uint64_t>;

/// The k-element subsets of a board up to its maps. Its arrays are held by a store.
template <class Word, class Ranks>
class BasicOrbits {
 public:
  struct Home {
    std::uint32_t orbit;
    int map;         // leads from the set to the orbit's home
    bool symmetric;  // more than one map leads the home to itself
  };

  BasicOrbits() = default;
  BasicOrbits(const BasicBoardMaps<Word>& maps, const Ranks& ranks, int k, ArrayStore& store);

  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(homes_.size()); }
  /// The orbit's home, the set that all its members are mapped to.
  [[nodiscard, gnu::always_inline]] PAIKA_HD Word home(std::uint32_t orbit) const noexcept { return homes_[orbit]; }
  /// Requires a subset of k squares.
  [[nodiscard, gnu::always_inline]] PAIKA_HD Home find(const Ranks& ranks, Word set) const noexcept {
    return home_of(ranks.rank(set));
  }
  /// The same for a subset of k squares by its number.
  [[nodiscard, gnu::always_inline]] PAIKA_HD Home home_of(std::uint64_t rank) const noexcept {
    const std::uint32_t packed = packed_[rank];
    return {packed >> 4, static_cast<int>(packed & 7U), (packed & 8U) != 0};
  }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    f(homes_);
    f(packed_);
  }

 private:
  std::span<const Word> homes_;
  std::span<const std::uint32_t> packed_;  // by the subset's number: orbit * 16 + symmetric * 8 + map
};

using Orbits = BasicOrbits<std::uint32_t, SubsetRanks>;
extern template class BasicOrbits<std::uint32_t, SubsetRanks>;
extern template class BasicOrbits<std::uint64_t, SmallSubsetRanks>;

/// Numbers for pairs of disjoint sets on one board, for any counts of members. Its arrays are held by a store.
class PairSpace {
 public:
  /// The most members that a set may have.
  static constexpr int max_members = 12;
  using Word = std::uint32_t;

  struct Pair {
    std::uint32_t own = 0;
    std::uint32_t other = 0;
    friend constexpr bool operator==(const Pair&, const Pair&) = default;
  };

  struct Folded {
    std::uint64_t number;
    int map;
  };

  /// For sets of at most `most` members. Requires cols * rows <= SubsetRanks::max_squares and most <= max_members.
  PairSpace(int cols, int rows, int most, ArrayStore& store);

  [[nodiscard]] PAIKA_HD const BoardMaps& maps() const noexcept { return maps_; }
  /// How many numbers there are for sets of so many members.
  [[nodiscard]] std::uint64_t size(int own, int other) const {
    return orbits_of(own).count() * choose(maps_.squares() - own, other);
  }
  /// The pair's number. Requires disjoint sets; `own_count` and `other_count` are their sizes.
  [[nodiscard, gnu::always_inline]] PAIKA_HD std::uint64_t rank(Pair pair, int own_count,
                                                                int other_count) const noexcept {
    return fold(pair, own_count, other_count).number;
  }
  /// The pair's number and the map that leads from the pair to unrank(number), for what else stands on
  /// the board and has to be mapped along. Requires the same as rank().
  [[nodiscard, gnu::always_inline]] PAIKA_HD Folded fold(Pair pair, int own_count, int other_count) const noexcept {
    const Orbits& orbits = orbits_of(own_count);
    const Orbits::Home home = orbits.find(all_ranks_, pair.own);
    const std::uint32_t other = maps_.image(home.map, pair.other);
    return {number(home.orbit, orbits.home(home.orbit), other, own_count, other_count), home.map};
  }
  /// The pair with a number; its own set is a home. Requires number < size(own_count, other_count).
  [[nodiscard]] PAIKA_HD Pair unrank(std::uint64_t number, int own_count, int other_count) const noexcept {
    const auto own_at = static_cast<std::size_t>(own_count);
    const auto other_at = static_cast<std::size_t>(other_count);
    const std::uint64_t choices = choices_[own_at][other_at];
    const std::uint64_t orbit = number / choices;
    const std::uint32_t own = orbits_of(own_count).home(static_cast<std::uint32_t>(orbit));
    const std::uint32_t squeezed = others_[other_at][number - orbit * choices];
    return {own, scattered32(squeezed, maps_.all() & ~own)};
  }

  /// A pair that turns lead to: unrank() of some number, so its own set is a home.
  struct Target {
    Pair pair;
    int own_count;
    int other_count;
    bool symmetric;  // more than one map leads the own set to itself
  };
  [[nodiscard, gnu::always_inline]] PAIKA_HD Target target(Pair pair) const noexcept {
    const int own_count = count_ones(pair.own);
    return {pair, own_count, count_ones(pair.other), orbits_of(own_count).find(all_ranks_, pair.own).symmetric};
  }

  /// Going backwards through the folding. A turn leads from `before`, of these sizes, to the pair `after`, of number N.
  /// Calls visit(number) for every pair with a home as its own set from which the mapped turn leads to a pair numbered
  /// N. (With a symmetric own set on either side that may be several, or none: then the turn belongs to another
  /// number.)
  template <class Visit>
  [[gnu::always_inline]] PAIKA_HD void for_each_source(Pair before, int own_count, int other_count, const Target& after,
                                                       Visit&& visit) const {
    const Orbits::Home home = orbits_of(own_count).find(all_ranks_, before.own);
    const std::uint32_t home_set = orbits_of(own_count).home(home.orbit);
    if (!home.symmetric && !after.symmetric) {
      visit(number(home.orbit, home_set, maps_.image(home.map, before.other), own_count, other_count));
      return;
    }
    for (int map = 0; map < maps_.count(); ++map) {
      if (maps_.image(map, before.own) != home_set) continue;
      const std::uint32_t moved = maps_.image(map, after.pair.own);
      const bool leads_there = orbits_of(after.own_count).find(all_ranks_, moved).map == maps_.inverse(map);
      if (!leads_there && after.symmetric) continue;
      visit(number(home.orbit, home_set, maps_.image(map, before.other), own_count, other_count));
    }
  }

  /// The same for many turns to one pair that moved nothing but the side's own members: before them the own sets were
  /// `owns`, and the other set was `after.pair.own`. Its images are looked up once for all.
  template <class Visit>
  [[gnu::always_inline]] void for_each_source(std::span<const std::uint32_t> owns, const Target& after,
                                              Visit&& visit) const {
    const int own_count = after.other_count;
    const int other_count = after.own_count;
    const std::uint32_t other = after.pair.own;
    // Copies, because visit() may write anything for all that the compiler knows.
    const Orbits orbits = orbits_of(own_count);
    const SubsetRanks ranks = all_ranks_;
    const std::uint64_t choices = choices_[static_cast<std::size_t>(own_count)][static_cast<std::size_t>(other_count)];
    const std::uint32_t all = maps_.all();
    const bool squeezed_is_short = maps_.squares() - own_count <= ranks.short_squares();
    const bool all_are_short = maps_.squares() <= ranks.short_squares();
    std::array<std::uint32_t, BoardMaps::max_count> images{};
    for (int map = 0; map < maps_.count(); ++map) images[static_cast<std::size_t>(map)] = maps_.image(map, other);
    for (const std::uint32_t own : owns) {
      const Orbits::Home home = orbits.home_of(all_are_short ? ranks.short_rank(own) : ranks.rank(own));
      if (home.symmetric || after.symmetric) [[unlikely]] {
        for_each_source(Pair{own, other}, own_count, other_count, after, visit);
        continue;
      }
      const std::uint32_t squeezed =
          gathered32(images[static_cast<std::size_t>(home.map)], all & ~orbits.home(home.orbit));
      const std::uint32_t rank = squeezed_is_short ? ranks.short_rank(squeezed) : ranks.rank(squeezed);
      visit(home.orbit * choices + rank);
    }
  }

  template <class F>
  PAIKA_HD void for_each_array(F&& f) {
    maps_.for_each_array(f);
    all_ranks_.for_each_array(f);
    for (Orbits& orbits : orbits_) orbits.for_each_array(f);
    for (auto& others : others_) f(others);
  }

 private:
  [[nodiscard, gnu::always_inline]] PAIKA_HD const Orbits& orbits_of(int count) const noexcept {
    return orbits_[static_cast<std::size_t>(count)];
  }
  [[nodiscard, gnu::always_inline]] PAIKA_HD std::uint64_t number(std::uint32_t orbit, std::uint32_t home,
                                                                  std::uint32_t other, int own_count,
                                                                  int other_count) const noexcept {
    const std::uint32_t squeezed = gathered32(other, maps_.all() & ~home);
    return orbit * choices_[static_cast<std::size_t>(own_count)][static_cast<std::size_t>(other_count)] +
           all_ranks_.rank(squeezed);
  }

  BoardMaps maps_;
  SubsetRanks all_ranks_;
  template <class T>
  using ByMembers = std::array<T, max_members + 1>;
  ByMembers<Orbits> orbits_;                       // by the members of the own set
  ByMembers<ByMembers<std::uint64_t>> choices_{};  // C(squares - own, other)
  // By the members of the other set: its subsets of the whole board. In colexicographic order those of
  // fewer squares come first, so the squeezed sets for any own set are the beginning of the list.
  ByMembers<std::span<const std::uint32_t>> others_;
};

}  // namespace paika
