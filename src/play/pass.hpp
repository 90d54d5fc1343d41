// Forced passes: whoever can do nothing else may leave them unsaid in most Othello protocols.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "engine/game.hpp"

namespace paika::play {

/// True if the side to move can only pass.
[[nodiscard]] bool must_pass(const Session& session);

/// Reads a turn. If only a pass is legal and the text is a turn of the other side, that pass is played first; on a
/// refusal nothing changes.
[[nodiscard]] tl::expected<Turn, Refusal> read_after_pass(Session& session, std::string_view text);

}  // namespace paika::play
