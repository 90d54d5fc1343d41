// How many positions of a table are won and lost in how many moves, and which win takes longest.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "rules/board.hpp"
#include "rules/tier_index.hpp"
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

/// The first place of a win that takes as long as any; nothing if the table has no wins, or does not tell distances. An
/// error if the table is damaged.
[[nodiscard]] Result<std::optional<TierIndex>> longest_win_of(const ValueTable& table);

/// The position at a place of a table; nothing if there is none, or this program does not make such tables.
[[nodiscard]] std::optional<Board> board_in(const ValueTable& table, TierIndex place);

}  // namespace paika
