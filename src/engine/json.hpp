// The JSON that machines get: one shape for all games, the same on the command line and the network.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/game.hpp"
#include "solve/value.hpp"

namespace paika {

struct InfoLine;
struct MoveValue;

/// Sources that do more than hand it on include <nlohmann/json.hpp>, which is slow to compile.
/// Keys keep the order in which they are written, so that output reads well and is stable.
using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const GameInfo& info);
/// Rows from the top, one string a row in the game's own letters.
[[nodiscard]] Json grid_json(const Notation& notation, const Board& board);
[[nodiscard]] Json turn_json(const Notation& notation, const Turn& turn);
[[nodiscard]] Json effects_json(const Notation& notation, const std::vector<Effect>& effects);
[[nodiscard]] Json refusal_json(const Notation& notation, const Refusal& refusal);
[[nodiscard]] Json outcome_json(const Notation& notation, const Board& board, const Outcome& outcome);
/// Spec, position, grid, side to move, key, number of legal moves (at most many_turns, and
/// whether there are more), outcome.
[[nodiscard]] Json session_json(const Session& session);

/// {"value": "win", "win_in": 23}, {"value": "loss", "loss_in": 4}, counting the moves of both sides, or {"value":
/// "draw"}.
[[nodiscard]] Json value_json(Value value);
/// The same; {"value": "win", "discs": 6} where discs count.
[[nodiscard]] Json value_json(const MoveValue& value);

/// A score for the side to move: {"win_in": 5}, {"loss_in": 4} or, in pieces (discs in Othello), {"score": 1.25}.
[[nodiscard]] Json score_json(int score);
/// Its score, whether that is exact, and its moves.
[[nodiscard]] Json line_json(const InfoLine& line);

}  // namespace paika
