// Looking at a walk (a record, a demonstration): full screen with keys, or plain lines.
#pragma once

#include <cstdio>

#include "apps/terminal/screen.hpp"
#include "apps/terminal/walk.hpp"

namespace paika::terminal {

/// How looking at a walk ended.
struct WalkEnd {
  int status = 0;      // the exit status, as of run_screen
  bool go_on = false;  // the person went beyond the last stop, to the next walk
};

/// Shows the walk on the full screen until the person leaves; `more`: another walk follows.
[[nodiscard]] WalkEnd run_walk_screen(const Walk& walk, const Catalogue& catalogue, const ScreenOptions& options,
                                      bool more);

/// Prints the whole walk; without `unicode` in ASCII only.
void print_walk(const Walk& walk, bool unicode, std::FILE* out);

/// Prints stop by stop as the lines of `in` say: next, back, go N, quit; an empty line is next.
[[nodiscard]] WalkEnd converse_walk(const Walk& walk, const Catalogue& catalogue, bool unicode, bool more,
                                    std::FILE* in, std::FILE* out);

}  // namespace paika::terminal
