// Conditional moves: "if they play X, I play Y", as a player leaves them in a game that takes days.
//
// They are no events: nobody but the player may know of them, and events are everybody's. The store keeps them beside
// the room, in the same transaction as the events that change them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"

namespace paika::server {

/// Lines of moves, canonical: the opponent's, the answer, the opponent's next one, … each ends with an answer.
using ConditionalLines = std::vector<std::vector<std::string>>;

inline constexpr std::size_t max_conditional_lines = 50;
inline constexpr std::size_t max_conditional_moves = 40;  // of a line, both players'

/// The lines in canonical notation if they can be played from the position where the opponent is to move, and never
/// give two answers to the same moves. An error says which line and which move is wrong.
[[nodiscard]] Result<ConditionalLines> checked_lines(const Session& session, const ConditionalLines& lines);

/// The opponent has played this move: takes out what does not begin with it. The answer, if there is one, is taken off
/// the lines that go on after it.
[[nodiscard]] std::optional<std::string> answer_to(ConditionalLines& lines, std::string_view move);

/// As JSON, a list of lists of texts; and read again, without lines if it is no such list.
[[nodiscard]] std::string conditional_text(const ConditionalLines& lines);
[[nodiscard]] ConditionalLines read_conditional(std::string_view text);

}  // namespace paika::server
