// Solving all tiers of a space on a GPU (solve/gpu/tier_device.hpp), with or without a table as the result.
//
// With a table the work folder, the section files and the table are those of solve_space (solve/job.hpp), to the last
// byte: a tier that is finished, by whomever, is loaded instead of solved, and work that fails can be gone on with on
// the processor. Without one the result is what is counted, and the values stay on the device until it is given up.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "rules/board.hpp"
#include "solve/gpu/tier_device.hpp"
#include "solve/space.hpp"
#include "solve/table_file.hpp"

namespace paika {

/// How a tier came out.
struct SolvedTier {
  std::string name;
  std::uint64_t positions = 0;
  TierStatistics statistics{};
  std::uint64_t checksum = 0;
};

struct DeviceSettings {
  std::string table{};                                  // the file to write; empty: none
  std::string spec{};                                   // what it is the table of
  bool distances = true;                                // false: the table tells who wins and not how soon
  bool verify = true;                                   // every value, on the device
  std::uint64_t sample = std::uint64_t{1} << 20;        // so many positions by the processor, at random
  std::optional<Board> start{};                         // the processor checks the best lines from there, too
  std::uint64_t max_on_lines = std::uint64_t{1} << 18;  // … of so many positions at most: drawn games have many
  int threads = 1;                                      // that compress
  std::stop_token stop{};
  std::function<void(const SolvedTier&)> on_tier{};
};

struct DeviceReport {
  std::vector<SolvedTier> tiers;
  std::uint64_t verified = 0;  // positions, by the device
  std::uint64_t sampled = 0;   // by the processor
  std::uint64_t on_lines = 0;  // likewise, on the best lines
};

/// Does the work. An error if the device or a file fails, it was stopped, or a value is found wrong; finished tiers
/// are kept if a table is written.
[[nodiscard]] Result<DeviceReport> solve_on_device(const SolveSpace& space, TierDevice& device,
                                                   const DeviceSettings& settings);

/// The checksum that solving a tier on a device gives, from its section in a table.
[[nodiscard]] Result<std::uint64_t> tier_checksum(const TableSection& section);

}  // namespace paika
