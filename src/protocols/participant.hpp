// Participants: who takes part in a tournament, and the policy they play under.
//
// A participant is our engine or a program. Programs are strangers: they run confined (sandbox/confinement.hpp), they
// are believed nothing, and what they did is kept with their games.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/registry.hpp"
#include "play/game_player.hpp"
#include "play/settings.hpp"
#include "sandbox/confinement.hpp"

namespace paika::protocols {

/// What a program speaks.
enum class BotProtocol : unsigned char {
  ugi,          // the engine protocol (docs/protocol.md)
  nboard,       // Othello: NBoard, the program being the engine
  board_file,   // Wildebeest: a board on standard input, the next board on standard output, one run a turn
  board_files,  // the same by files: {in} and {out} in the command are their names
};

[[nodiscard]] std::string_view name(BotProtocol protocol) noexcept;
[[nodiscard]] Result<BotProtocol> read_protocol(std::string_view text);

struct Participant {
  std::string name;         // unique in its tournament; letters, digits, '-', '_' and '.'
  play::PlayerText player;  // "engine:…" or "bot:COMMAND"
  BotProtocol protocol = BotProtocol::ugi;
  std::string folder;                   // the program's files: it runs there and may read them; empty: none of its own
  std::vector<std::string> readable{};  // more files and folders that it may read, such as those of its interpreter
};

/// How programs are kept and judged.
struct SandboxPolicy {
  sandbox::Confinement confinement;
  Milliseconds margin{10};           // a turn may be so much later than its limit
  Milliseconds to_start{10'000};     // for getting ready
  Milliseconds stall_after{60'000};  // a turn without a limit of time that takes longer is a stall
};

/// The player for games of `game`, made but not started. `log` is the file that gets what the program writes to
/// standard error, and what was said to and by it; empty: nothing is kept. An error says why it cannot play this game
/// at all.
[[nodiscard]] Result<std::unique_ptr<play::GamePlayer>> make_game_player(const Participant& participant,
                                                                         const GamePtr& game,
                                                                         const SandboxPolicy& policy,
                                                                         const std::string& log);

}  // namespace paika::protocols
