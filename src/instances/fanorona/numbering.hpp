// Which boards of Fanorona have tables, and what the tables are called.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/numbering.hpp"
#include "games/fanorona/game.hpp"
#include "solve/value.hpp"

namespace paika::fanorona {

/// The options of a spec whose positions can be numbered: all, or with `stones` those of few stones. An error says why
/// those of another cannot.
[[nodiscard]] Result<Options> solvable_options(std::string_view spec, int stones);

/// The game of a table: without the limit, which a table does not know, and landscape: 1.3 and 2 make no difference
/// between columns and rows, and the start (1.2) is one position of many.
[[nodiscard]] inline Options table_options(Options options) {
  options.limit = 0;
  return landscape(options);
}

/// What a table of these options, as table_options() gives them, is called.
[[nodiscard]] std::string table_label(const Options& of_table, int stones);

/// How many moves a limit of the game (3.2) leaves after so many.
[[nodiscard]] inline int turns_left(int limit, std::int64_t moves) noexcept {
  if (limit == 0) return Value::max_turns;
  // One less than without a limit at the most: so they are told apart.
  return static_cast<int>(std::clamp<std::int64_t>(limit - moves, 0, Value::max_turns - 1));
}
/// The same of a board.
[[nodiscard]] inline TurnsLeft turns_left_within(int limit) {
  return [limit](const Board& board) { return turns_left(limit, board.counters[0]); };
}

}  // namespace paika::fanorona
