// What commands about tables share: where tables are, how much memory, how values are told.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "engine/json.hpp"
#include "engine/move_value.hpp"
#include "engine/tables.hpp"

namespace paika::apps {

/// Reads "2G", "500M", "64K" or a number of bytes; at least `least` of them.
[[nodiscard]] Result<std::uint64_t> read_memory(std::string_view text, std::uint64_t least = std::uint64_t{64} << 20U);
/// "1.5 GB", "20 MB": a size for people.
[[nodiscard]] std::string memory_text(std::uint64_t bytes);
/// The folder that was asked for, or the user's own.
[[nodiscard]] std::string tables_folder(const std::string& asked);

/// The book of a game; an error if there is no table for it.
[[nodiscard]] Result<std::unique_ptr<TableBook>> open_book(const std::string& spec, const std::string& asked_folder);

/// "Black wins in 23", "a draw": a value in words, for the game's own names of the players.
[[nodiscard]] std::string value_sentence(const Notation& notation, Player to_move, Value value);
/// "win 23", "loss 4", "draw": for columns; "win by 6" where discs count, "win" where nobody knows how soon.
[[nodiscard]] std::string value_words(const MoveValue& value);
[[nodiscard]] std::string value_words(Value value);

/// The judge for a game; an error if it needs a table and there is none.
[[nodiscard]] Result<Oracle> open_oracle(const Game& game, const std::string& asked_folder, int max_empty);

}  // namespace paika::apps
