// FinishedTiers: the values of the tiers that are done, for the tiers above them and for checking.
//
// Tiers that fit into the memory given are unpacked, a byte or two a position; the others are read from
// their files, block by block. Damage that is found while reading is kept as an error for the end of
// the work: the one who reads millions of values cannot stop at each.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/large_pages.hpp"
#include "base/result.hpp"
#include "rules/tier_index.hpp"
#include "solve/table_section.hpp"

namespace paika {

class FinishedTiers {
 public:
  /// Workers are told apart so that each can have its own blocks at hand.
  FinishedTiers(std::uint32_t tiers, int workers);

  /// Takes a finished tier. Requires that no worker is reading.
  void add(std::uint32_t tier, TableSection section);
  [[nodiscard]] bool has(std::uint32_t tier) const noexcept { return sections_[tier].has_value(); }
  [[nodiscard]] const TableSection& section(std::uint32_t tier) const { return *sections_[tier]; }

  /// Makes `wanted` ready to be read within `memory` bytes: unpacks as many as fit, the first ones first,
  /// forgets the other unpacked ones, and shares the rest of the memory out for blocks.
  [[nodiscard]] Result<void> prepare(std::span<const std::uint32_t> wanted, std::uint64_t memory);

  /// The value of a place in a prepared tier; a draw if the file is damaged there, which failure() then tells.
  [[nodiscard]] Value at(TierIndex place, int worker) {
    const Unpacked& tier = unpacked_[place.tier];
    if (!tier.small.empty()) return Value::from_code(tier.dictionary[tier.small[place.index]]);
    if (!tier.large.empty()) return Value::from_code(tier.large[place.index]);
    return read(place, worker);
  }
  /// Asks the machine to bring near what at() will need.
  void prefetch(TierIndex place) const {
    const Unpacked& tier = unpacked_[place.tier];
    if (!tier.small.empty()) __builtin_prefetch(&tier.small[place.index]);
    if (!tier.large.empty()) __builtin_prefetch(&tier.large[place.index]);
  }
  /// The first error met while reading, if any.
  [[nodiscard]] std::optional<Error> failure() const;

 private:
  struct Unpacked {
    std::vector<std::uint16_t> dictionary;
    BigVector<std::uint8_t> small;   // numbers of dictionary entries, if there are at most 256
    BigVector<std::uint16_t> large;  // codes otherwise
  };

  [[nodiscard]] Value read(TierIndex place, int worker);
  [[nodiscard]] Result<void> unpack(std::uint32_t tier);
  [[nodiscard]] std::uint64_t unpacked_bytes(std::uint32_t tier) const;

  std::vector<std::optional<TableSection>> sections_;
  std::vector<Unpacked> unpacked_;
  std::vector<TableReader> readers_;  // by worker
  mutable std::mutex failure_mutex_;
  std::optional<Error> failure_;
};

}  // namespace paika
