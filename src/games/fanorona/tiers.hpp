// Tiers: the counts of stones that Fanorona's positions are sorted by for the solver.
//
// A paika keeps both counts and exchanges the sides, so a tier is an unordered pair of counts; every
// other turn takes stones off and leads to a lower tier. Positions with a block (2.5) have tiers of
// their own, for the block is gone after the next turn: no turn of theirs stays among them. Tiers go
// up with the stones on the board, and each comes before the same counts with a block, which a paika
// leaves for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/device.hpp"
#include "base/function_ref.hpp"

namespace paika::fanorona {

class Tiers {
 public:
  /// A side's stones at the start of the largest board that is numbered, 5x5.
  static constexpr int max_stones = 12;
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  /// The positions of one count of stones for each side: they follow each other in one tier.
  struct Part {
    std::uint64_t first = 0;  // the index of number 0
    std::uint32_t tier = nowhere;
    std::int8_t own = 0;
    std::int8_t opp = 0;
    bool block = false;
    std::uint8_t block_points = 1;  // on how many points the block can stand; 1 if there is none
  };

  /// How many places the stones of one count for each side have.
  using PairCount = FunctionRef<std::uint64_t(int own, int opp)>;

  /// For sides of at most `stones` stones on a board of so many points, with the tiers of blocks if there are
  /// sacrifices. Only those of at most `total` stones are held, a block counted as one.
  Tiers(int points, int stones, int total, bool sacrifice, PairCount pairs);

  /// At least 1: without a stone (1x1) there is one tier that holds nothing.
  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t size(std::uint32_t tier) const noexcept { return tiers_[tier].size; }
  /// How many positions it has if symmetric ones are counted each.
  [[nodiscard]] std::uint64_t unfolded(std::uint32_t tier) const noexcept;
  /// "5-4", and "5-4x" with a block.
  [[nodiscard]] std::string name(std::uint32_t tier) const;
  /// The lower tiers that turns of this one lead to, ascending.
  [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t tier) const;

  /// The part for these counts; its tier is `nowhere` if none is held. Requires counts up to max_stones.
  [[nodiscard, gnu::always_inline]] PAIKA_HD const Part& part(int own, int opp, bool block) const noexcept {
    return parts_[block ? 1 : 0][static_cast<std::size_t>(own)][static_cast<std::size_t>(opp)];
  }
  /// The part that an index of a tier lies in. Requires index < size(tier).
  [[nodiscard, gnu::always_inline]] PAIKA_HD const Part& part_at(std::uint32_t tier,
                                                                 std::uint64_t index) const noexcept {
    const Tier& t = tiers_[tier];
    return index < t.turned ? part(t.more, t.fewer, t.block) : part(t.fewer, t.more, t.block);
  }

 private:
  struct Tier {
    std::int8_t more = 0;  // stones of the side that has no fewer
    std::int8_t fewer = 0;
    bool block = false;
    std::uint64_t turned = 0;  // from this index on the side with fewer stones is to move
    std::uint64_t size = 0;
  };
  static constexpr std::size_t max_tiers = std::size_t{max_stones} * (max_stones + 1);  // with and without a block

  void add_tier(PairCount pairs, int more, int fewer, bool block);
  void add_part(PairCount pairs, int own, int opp, bool block);

  int points_;
  int stones_;
  std::uint32_t count_ = 0;
  std::array<Tier, max_tiers> tiers_{};
  std::array<std::array<std::array<Part, max_stones + 1>, max_stones + 1>, 2> parts_{};  // by block, own, opp
};

}  // namespace paika::fanorona
