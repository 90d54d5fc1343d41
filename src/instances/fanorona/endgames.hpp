// Tables of Fanorona's positions with few stones: how they are called, opened and looked up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/table_solver.hpp"
#include "games/fanorona/game.hpp"
#include "games/fanorona/space.hpp"
#include "rules/search_traits.hpp"
#include "solve/table_file.hpp"
#include "solve/value.hpp"

namespace paika::fanorona {

/// The game of a table: without the limit, which a table does not know, and landscape: 1.3 and 2 make no difference
/// between columns and rows, and the start (1.2) is one position of many.
[[nodiscard]] inline Options table_options(Options options) {
  options.limit = 0;
  return landscape(options);
}

/// How many moves a limit of the game (3.2) leaves after so many.
[[nodiscard]] inline int turns_left(int limit, std::int64_t moves) noexcept {
  if (limit == 0) return Value::max_turns;
  // One less than without a limit at the most: so they are told apart.
  return static_cast<int>(std::clamp<std::int64_t>(limit - moves, 0, Value::max_turns - 1));
}

/// What a table of positions with at most so many stones is called.
[[nodiscard]] std::string endgame_label(const Options& of_table, int stones);

/// A table in a folder, the one with the most stones, with the numbering of its positions. Shared by threads.
class EndgameTable {
 public:
  /// Nothing if the folder has none for this game, or the file cannot be read.
  [[nodiscard]] static std::shared_ptr<const EndgameTable> find(const Options& options, const std::string& folder);

  [[nodiscard]] int max_stones() const noexcept { return stones_; }
  /// A reader for a thread.
  [[nodiscard]] TableReader reader() const;
  /// The value without a limit of moves; nothing if the table does not hold the position, or is damaged there.
  [[nodiscard]] std::optional<Value> value(TableReader& reader, const StoneSets& position) const;
  /// How many moves the game's limit leaves.
  [[nodiscard]] int turns_left(const StoneSets& position) const noexcept {
    return fanorona::turns_left(options_.limit, position.moves);
  }

 private:
  EndgameTable(const Options& options, int stones, ValueTable table)
      : options_(options), stones_(stones), table_(std::move(table)), space_(table_options(options), stones) {}
  [[nodiscard]] std::uint64_t of_table(std::uint64_t points) const noexcept;

  Options options_;
  int stones_;
  ValueTable table_;
  Endgames<RuntimeShape<64>> space_;
};

}  // namespace paika::fanorona
