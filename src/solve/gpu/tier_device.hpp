// TierDevice: a machine that solves whole tiers and keeps their values, without its type.
//
// Tiers are solved, or loaded, in ascending order: each needs those below it. Every member that gives a Result fails if
// the machine did, with what it said; nothing can be done with it afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "rules/tier_index.hpp"
#include "solve/table_format.hpp"
#include "solve/table_section.hpp"
#include "solve/value.hpp"

namespace paika {

/// What a solved tier holds.
struct TierSummary {
  std::vector<std::uint16_t> dictionary;  // the codes that occur, ascending
  std::vector<std::uint64_t> counts;      // how often each does
  std::uint64_t checksum = 0;             // gpu/tier_values.hpp says of what
  [[nodiscard]] TierStatistics statistics() const noexcept { return statistics_of(dictionary, counts); }
};

/// Where the machine's time went, in seconds.
struct DeviceTimes {
  double look = 0;
  double expand = 0;
  double pack = 0;
  double verify = 0;
  [[nodiscard]] double solving() const noexcept { return look + expand + pack; }
};

/// How much of the machine's memory a solve takes. Tiers that the one being solved does not need can be parked: their
/// values go to the host's memory, or are left to their files, and come back when they are needed.
struct DevicePlan {
  std::uint64_t values = 0;   // of all tiers, one byte a place
  std::uint64_t working = 0;  // of the largest tier while it is worked on
  std::uint64_t peak = 0;     // what a tier needs at the same time at most: its work, its values and those below it
  std::uint64_t fixed = 0;    // the numbering, and what the machine needs itself
  std::uint64_t free = 0;     // what the machine has, or may use
  [[nodiscard]] bool fits() const noexcept { return peak + fixed <= free; }
  /// True if tiers will be parked.
  [[nodiscard]] bool parks() const noexcept { return values + working + fixed > free; }
};

/// What a check of a tier found.
struct CheckedTier {
  std::uint64_t wrong = 0;
  std::uint64_t first = 0;  // the lowest wrong index, if there is one
};

class TierDevice {
 public:
  TierDevice() = default;
  TierDevice(const TierDevice&) = delete;
  TierDevice& operator=(const TierDevice&) = delete;
  virtual ~TierDevice() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual DevicePlan plan() const = 0;
  /// Uses no more memory than this, if it has more.
  virtual void limit_memory(std::uint64_t bytes) = 0;
  /// How many bytes of values were parked so far.
  [[nodiscard]] virtual std::uint64_t parked() const = 0;
  [[nodiscard]] virtual const DeviceTimes& times() const = 0;

  [[nodiscard]] virtual Result<TierSummary> solve(std::uint32_t tier) = 0;
  /// Takes a tier that was solved before.
  [[nodiscard]] virtual Result<void> load(std::uint32_t tier, const TableSection& section) = 0;
  /// Says that the values of a solved tier are in this section, too: the device need not keep them itself.
  virtual void offer(std::uint32_t tier, TableSection section) = 0;
  /// The codes of the places from `first` on.
  [[nodiscard]] virtual Result<void> read(std::uint32_t tier, std::uint64_t first, std::span<std::uint16_t> codes) = 0;
  /// The values of any places of tiers that are there.
  [[nodiscard]] virtual Result<std::vector<Value>> fetch(std::span<const TierIndex> places) = 0;
  /// Checks that every value of the tier follows from those that its turns lead to.
  [[nodiscard]] virtual Result<CheckedTier> verify(std::uint32_t tier) = 0;
};

}  // namespace paika
