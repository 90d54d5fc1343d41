// How many positions of a table are won and lost in how many moves.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.hpp"
#include "solve/table_file.hpp"

namespace paika {

struct TableDistances {
  /// Positions won, and lost, for the side to move, by the number of moves until the end.
  std::vector<std::uint64_t> wins;
  std::vector<std::uint64_t> losses;
  std::uint64_t draws = 0;
};

/// Reads all of the table. Lists are empty if it does not tell distances. An error if the table is damaged.
[[nodiscard]] Result<TableDistances> count_distances(const ValueTable& table);

}  // namespace paika
