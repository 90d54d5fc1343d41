// BoardFilePlayer: a Wildebeest program that reads a board file and writes the next board, one run a turn.
//
// The three integers of the file (docs/rules/wildebeest.md, 7.1) are kept by us and written truly: the time the program
// has used, the time it is allowed, the number of the move. What is left for this turn is always the second less the
// first. What the program writes for them is not believed.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "play/game_player.hpp"
#include "protocols/participant.hpp"

namespace paika::protocols {

/// The board file for the side to move of `game`, whose program has used `used` in its turns so far.
[[nodiscard]] std::string board_file_for(const play::GameSoFar& game, const play::Allowance& allowance,
                                         Milliseconds used);

/// The legal turn that leads to the board a program wrote. Its integers may be anything or missing, and its lines may
/// end as they like; side to move and squares must be right. A failure is `protocol` if the text is no board, and
/// `illegal`, with the nearest legal board, if no turn leads to it.
[[nodiscard]] tl::expected<std::string, play::Failed> turn_to(const Session& session, std::string_view written);

/// For the protocols board_file and board_files. The error says why it cannot play this game, or what the command
/// lacks.
[[nodiscard]] Result<std::unique_ptr<play::GamePlayer>> make_board_file_player(const Participant& participant,
                                                                               const GamePtr& game,
                                                                               const SandboxPolicy& policy,
                                                                               const std::string& log);

}  // namespace paika::protocols
