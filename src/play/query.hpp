// Queries: what the rules say of a position, as the engine protocol tells it (docs/protocol.md).
//
// An engine answers them to whoever uses it, and the referee answers them to bots, so that a bot need not know the
// rules.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/game.hpp"

namespace paika::play {

/// The words after `query` that are answered, for people.
inline constexpr std::string_view query_words = "gameover, result, p1turn, moves or position";

/// The line that answers `query WORDS`; nothing if there is no such query.
[[nodiscard]] std::optional<std::string> answer_query(const Session& session, std::string_view words);

}  // namespace paika::play
