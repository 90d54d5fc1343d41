// The plain user interface of a game: lines in, lines out, for pipes, screen readers and scripts.
//
// What it prints has no cursor control; colours only where a terminal shows them. A person's lines are
// answered at once, also while the computer thinks. Lines from a pipe are taken one by one, each when nobody
// thinks any more: a script gets the same answers however fast it writes.
#pragma once

#include <string>

#include "apps/terminal/conversation.hpp"

namespace paika::terminal {

struct PlainOptions {
  bool colours = false;
  bool ascii = false;   // nothing but ASCII is printed
  bool person = false;  // somebody types: show a prompt, and answer while the computer thinks
  /// Readable as soon as LiveSetup::wake was called. -1: nobody ever wakes us.
  int wake_fd = -1;
};

/// The board and what is to be known about it, as the seed of Black & White asks: a line each, ended by '\n'.
[[nodiscard]] std::string plain_screen(const Conversation& conversation, bool colours);

/// True where the plain screen calls a player by the sign of its pieces, as Black & White's seed does.
[[nodiscard]] bool called_by_sign(const Game& game);

/// Plays on stdin and stdout until the person leaves, the input ends or a signal comes; returns the exit
/// status: 0, or 128 and the number of the signal.
[[nodiscard]] int run_plain(Conversation& conversation, const PlainOptions& options);

}  // namespace paika::terminal
