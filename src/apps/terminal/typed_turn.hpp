// Typed turns: what a line means as a turn: a whole one, the beginning of one, or of several.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/game.hpp"

namespace paika::terminal {

/// The line is a turn in an accepted form; whether it is legal, the game says.
struct WholeTurn {
  Turn turn;
};
/// Several legal turns begin so.
struct SeveralTurns {
  std::vector<std::string> texts;  // at most max_choices of them
  std::size_t count = 0;
  bool more = false;  // not all turns were looked at
};
/// It is no turn and no legal turn begins so.
struct NoTurn {
  Refusal refusal;
};
using TypedTurn = std::variant<WholeTurn, SeveralTurns, NoTurn>;

inline constexpr std::size_t max_choices = 20;
/// No more legal turns than this are looked at to find one by its beginning.
inline constexpr std::size_t max_turns_looked_at = 100'000;

/// What a text means as a turn in the session's position. A text that is a legal turn is that turn, whatever
/// else begins so; the beginning of exactly one legal turn is that one.
[[nodiscard]] TypedTurn read_typed_turn(const Session& session, std::string_view text);

}  // namespace paika::terminal
