// Players of a match by their text, programs of the class protocols among them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "engine/game.hpp"
#include "play/match.hpp"
#include "play/settings.hpp"

namespace paika::apps {

/// Says on stderr, once, if the kernel does not count what programs in a sandbox use on this machine.
void notice_weak_sandbox();

/// How programs are let in.
struct ProgramTerms {
  Milliseconds margin{10};  // a turn may be so much later than its limit
  bool confine = false;     // in a sandbox, with the current folder as its own; else as any program of the person
  std::vector<std::string> readable{};  // what else it may read there
};

/// What a turn of a program is limited to if nobody says anything: unlike our engine it may start slowly, and need not
/// be the best at keeping to a limit.
inline constexpr Milliseconds program_move_time{1000};

/// What play::read_player reads, and "board-file:COMMAND", "board-files:COMMAND" (Wildebeest) and "nboard:COMMAND"
/// (Othello; docs/class-protocols.md). An error says what is wrong with the text, or why the program cannot play
/// `game`.
[[nodiscard]] Result<play::MatchEntry> read_entry(std::string_view text, const play::EngineSettings& each,
                                                  const GamePtr& game, const ProgramTerms& terms);

}  // namespace paika::apps
