// MoveValue: what perfect play makes of a turn, whether a table knows it or a search to the end of the game.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engine/exact.hpp"
#include "engine/tables.hpp"
#include "solve/value.hpp"

namespace paika {

/// What tells wins from each other: how soon they are (tables), by how much (searches), or nothing (tables without
/// distances).
enum class Measure : unsigned char { turns, discs, none };

/// How the game ends for the player of a turn.
struct MoveValue {
  ValueKind kind = ValueKind::draw;
  int amount = 0;  // turns until the end, or discs at the end; 0 of a draw
  Measure measure = Measure::turns;

  friend bool operator==(const MoveValue&, const MoveValue&) = default;
};

/// "win", "loss" or "draw".
[[nodiscard]] std::string_view name(ValueKind kind) noexcept;

[[nodiscard]] MoveValue move_value(Value value);
/// Of a margin of discs, less than 0 if the player loses.
[[nodiscard]] MoveValue value_of_margin(int margin);
/// The margin again. Requires the measure of discs.
[[nodiscard]] int margin_of(const MoveValue& value);

struct OracleTurn {
  std::string text;
  MoveValue value;
};

/// Says of all legal turns of a position what they are worth, best first; none if it cannot tell.
using Oracle = std::function<Result<std::vector<OracleTurn>>(const Session&)>;

/// Reads the book. An error if the table is damaged.
[[nodiscard]] Oracle table_oracle(std::shared_ptr<TableBook> book);
/// Searches positions with at most so many empty squares, of the game that the search was opened with.
[[nodiscard]] Oracle search_oracle(std::shared_ptr<ExactSearch> search, int max_empty, std::stop_token stop = {});
/// The same for a game, with the threads and the memory of the settings; empty if its endings are not searched or its
/// boards are too large for that.
[[nodiscard]] Oracle ending_oracle(const Game& game, const SearchSettings& settings, int max_empty,
                                   const std::stop_token& stop = {});
/// Whoever knows the game for certain: the search of its endings, or a table in the settings' folder; empty if nobody
/// does. An error if the table is damaged.
[[nodiscard]] Result<Oracle> certain_oracle(const Game& game, const SearchSettings& settings, int max_empty,
                                            const std::stop_token& stop = {});

}  // namespace paika
