// NBoardPlayer: an Othello program that speaks NBoard's protocol, version 2, as an engine; we are its interface.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "play/game_player.hpp"
#include "protocols/participant.hpp"

namespace paika::protocols {

/// What "=== F5/1.25/0.3" says; nothing if the line is not of that kind or names no move.
[[nodiscard]] std::optional<play::Choice> read_nboard_answer(std::string_view line);

/// For the protocol nboard. The error says why it cannot play this game.
[[nodiscard]] Result<std::unique_ptr<play::GamePlayer>> make_nboard_player(const Participant& participant,
                                                                           const GamePtr& game,
                                                                           const SandboxPolicy& policy,
                                                                           const std::string& log);

}  // namespace paika::protocols
