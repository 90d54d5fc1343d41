// Tables of Fanorona's positions with few stones: how the search opens them and looks positions up.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "games/fanorona/game.hpp"
#include "games/fanorona/space.hpp"
#include "instances/fanorona/numbering.hpp"
#include "rules/search_traits.hpp"
#include "solve/table_file.hpp"
#include "solve/value.hpp"

namespace paika::fanorona {

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
