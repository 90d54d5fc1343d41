// Orbits: subsets of a board's squares up to the board's turns and reflections, and pairs of
// disjoint subsets numbered with that folding.
//
// Every subset has a home: the smallest of its images, reached by one fixed map. A pair (own, other)
// is numbered by own's orbit and by where other then lies among the squares that own leaves free.
// So all but the pairs whose own set is itself symmetric are folded, and a number costs a few loads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/gather.hpp"
#include "board/subsets.hpp"
#include "board/symmetry.hpp"

namespace paika {

/// The different maps of a board of at most 32 squares onto itself, applied to sets of squares.
class BoardMaps {
 public:
  BoardMaps(int cols, int rows);

  [[nodiscard]] int count() const noexcept { return static_cast<int>(inverse_.size()); }
  [[nodiscard]] int squares() const noexcept { return squares_; }
  [[nodiscard]] std::uint32_t all() const noexcept { return all_; }
  [[nodiscard]] Dihedral dihedral(int map) const noexcept { return dihedrals_[static_cast<std::size_t>(map)]; }
  /// The map that undoes `map`. Map 0 is the identity.
  [[nodiscard]] int inverse(int map) const noexcept { return inverse_[static_cast<std::size_t>(map)]; }
  [[nodiscard, gnu::always_inline]] std::uint32_t image(int map, std::uint32_t set) const noexcept {
    const auto& bytes = bytes_[static_cast<std::size_t>(map)];
    return bytes[0][set & 255U] | bytes[1][(set >> 8) & 255U] | bytes[2][(set >> 16) & 255U] | bytes[3][set >> 24];
  }

 private:
  using ByteImages = std::array<std::array<std::uint32_t, 256>, 4>;
  int squares_;
  std::uint32_t all_;
  std::vector<Dihedral> dihedrals_;
  std::vector<int> inverse_;
  std::vector<ByteImages> bytes_;
};

/// The k-element subsets of a board up to its maps.
class Orbits {
 public:
  struct Home {
    std::uint32_t orbit;
    int map;  // leads from the set to the orbit's home
  };

  Orbits(const BoardMaps& maps, const SubsetRanks& ranks, int k);

  [[nodiscard]] std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(homes_.size()); }
  /// The orbit's home, the set that all its members are mapped to.
  [[nodiscard, gnu::always_inline]] std::uint32_t home(std::uint32_t orbit) const noexcept { return homes_[orbit]; }
  /// True if more than one map leads the home to itself.
  [[nodiscard]] bool symmetric(std::uint32_t orbit) const noexcept { return symmetric_[orbit] != 0; }
  /// Requires a subset of k squares.
  [[nodiscard, gnu::always_inline]] Home find(const SubsetRanks& ranks, std::uint32_t set) const noexcept {
    const std::uint32_t packed = packed_[ranks.rank(set)];
    return {packed >> 3, static_cast<int>(packed & 7U)};
  }

 private:
  std::vector<std::uint32_t> homes_;
  std::vector<std::uint8_t> symmetric_;
  std::vector<std::uint32_t> packed_;  // by the subset's number: orbit * 8 + map
};

/// Numbers for pairs of disjoint sets on one board, for any counts of members.
class PairSpace {
 public:
  struct Pair {
    std::uint32_t own = 0;
    std::uint32_t other = 0;
    friend constexpr bool operator==(const Pair&, const Pair&) = default;
  };

  struct Folded {
    std::uint64_t number;
    int map;
  };

  /// For sets of at most `most` members. Requires cols * rows <= SubsetRanks::max_squares.
  PairSpace(int cols, int rows, int most);

  [[nodiscard]] const BoardMaps& maps() const noexcept { return maps_; }
  /// How many numbers there are for sets of so many members.
  [[nodiscard]] std::uint64_t size(int own, int other) const {
    return orbits_of(own).count() * choose(maps_.squares() - own, other);
  }
  /// The pair's number. Requires disjoint sets; `own_count` and `other_count` are their sizes.
  [[nodiscard, gnu::always_inline]] std::uint64_t rank(Pair pair, int own_count, int other_count) const noexcept {
    return fold(pair, own_count, other_count).number;
  }
  /// The pair's number and the map that leads from the pair to unrank(number), for what else stands on
  /// the board and has to be mapped along. Requires the same as rank().
  [[nodiscard, gnu::always_inline]] Folded fold(Pair pair, int own_count, int other_count) const noexcept {
    const Orbits& orbits = orbits_of(own_count);
    const Orbits::Home home = orbits.find(all_ranks_, pair.own);
    const std::uint32_t other = maps_.image(home.map, pair.other);
    return {number(home.orbit, orbits.home(home.orbit), other, own_count, other_count), home.map};
  }
  /// The pair with a number; its own set is a home. Requires number < size(own_count, other_count).
  [[nodiscard]] Pair unrank(std::uint64_t number, int own_count, int other_count) const noexcept;

  /// Going backwards through the folding. A turn leads from `before` to `after`, where `after` is
  /// unrank() of some number N (its own set is a home). Calls visit(number) for every pair with a
  /// home as its own set from which the mapped turn leads to a pair numbered N. (With a symmetric own
  /// set on either side that may be several, or none: then the turn belongs to another number.)
  template <class Visit>
  void for_each_source(Pair before, int own_count, int other_count, Pair after, int after_own_count,
                       Visit&& visit) const {
    const Orbits& orbits = orbits_of(own_count);
    const Orbits& after_orbits = orbits_of(after_own_count);
    const Orbits::Home home = orbits.find(all_ranks_, before.own);
    const std::uint32_t home_set = orbits.home(home.orbit);
    const bool after_symmetric = after_orbits.symmetric(after_orbits.find(all_ranks_, after.own).orbit);
    if (!orbits.symmetric(home.orbit) && !after_symmetric) {
      visit(number(home.orbit, home_set, maps_.image(home.map, before.other), own_count, other_count));
      return;
    }
    for (int map = 0; map < maps_.count(); ++map) {
      if (maps_.image(map, before.own) != home_set) continue;
      const std::uint32_t moved = maps_.image(map, after.own);
      if (after_orbits.find(all_ranks_, moved).map != maps_.inverse(map) && after_symmetric) continue;
      visit(number(home.orbit, home_set, maps_.image(map, before.other), own_count, other_count));
    }
  }

 private:
  [[nodiscard, gnu::always_inline]] const Orbits& orbits_of(int count) const noexcept {
    return orbits_[static_cast<std::size_t>(count)];
  }
  [[nodiscard, gnu::always_inline]] std::uint64_t number(std::uint32_t orbit, std::uint32_t home, std::uint32_t other,
                                                         int own_count, int other_count) const noexcept {
    const auto squeezed = static_cast<std::uint32_t>(gathered(other, maps_.all() & ~home));
    return orbit * choices_[static_cast<std::size_t>(own_count)][static_cast<std::size_t>(other_count)] +
           all_ranks_.rank(squeezed);
  }

  BoardMaps maps_;
  SubsetRanks all_ranks_;
  std::vector<Orbits> orbits_;                       // by the members of the own set
  std::vector<std::vector<std::uint64_t>> choices_;  // C(squares - own, other)
  // By the members of the other set: its subsets of the whole board. In colexicographic order those of
  // fewer squares come first, so the squeezed sets for any own set are the beginning of the list.
  std::vector<std::vector<std::uint32_t>> others_;
};

}  // namespace paika
