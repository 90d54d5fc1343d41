// The full-screen user interface of a game: board, cursor, mouse, typed lines, clocks, moves and messages.
//
// It shows a Conversation and hands over what the person does; what is legal, what is said and when time is
// over is all known there. It waits for keys, for the wake-up and for the next second of a clock at once.
#pragma once

#include "apps/terminal/conversation.hpp"
#include "apps/terminal/theme.hpp"

namespace paika::terminal {

struct ScreenOptions {
  bool unicode = true;
  ThemeName theme = ThemeName::standard;
  bool colours = true;    // false: NO_COLOR
  bool animation = true;  // a short one after each turn
  /// Readable as soon as LiveSetup::wake was called; the screen empties it. -1: nobody ever wakes us.
  int wake_fd = -1;
};

/// Plays until the person leaves; returns the exit status: 0, or 128 and the number of the signal that
/// ended it. Requires that stdin and stdout are a terminal; if it has no cursor control, an error line is
/// printed and 2 returned. The terminal is left as it was found.
[[nodiscard]] int run_screen(Conversation& conversation, const ScreenOptions& options);

}  // namespace paika::terminal
