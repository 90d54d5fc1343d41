#include "apps/terminal/screen.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "apps/stderr.hpp"
#include "apps/terminal/curses.hpp"
#include "apps/terminal/play_screen.hpp"

namespace paika::terminal {

namespace {

/// Takes the wake-ups that have come; the fd is readable, so this does not wait.
void drain(int fd) {
  std::array<char, 64> bytes{};
  static_cast<void>(!read(fd, bytes.data(), bytes.size()));
}

/// Runs until the person leaves; returns the signal that ended it, 0 if none did.
int loop(FullScreen& terminal, PlayScreen& screen, const Catalogue& catalogue, int wake_fd) {
  const auto composed = [&] { return compose(screen.view(), terminal.size(), catalogue); };
  while (!screen.done()) {
    Composed shown = composed();
    terminal.show(shown.canvas, shown.caret);
    const Woken woken = terminal.wait(screen.deadline(), wake_fd);
    if (woken.signal != 0 || woken.gone) {
      screen.finish();
      return woken.signal != 0 ? woken.signal : SIGHUP;
    }
    if (woken.other) drain(wake_fd);
    screen.poll();
    // All keys that have come, for ncurses may hold some back that no poll sees; each meets the screen as
    // the one before left it.
    while (woken.keys && !screen.done()) {
      const auto key = terminal.key();
      if (!key) break;
      screen.take(*key, shown);
      shown = composed();
    }
  }
  return 0;
}

}  // namespace

int run_screen(Conversation& conversation, const ScreenOptions& options) {
  int signal = 0;
  std::vector<ReplyLine> last_words;
  {
    const auto terminal = FullScreen::open({options.theme, options.colours});
    if (!terminal) {
      apps::to_stderr(fmt::format("paika: {}\n", terminal.error().message));
      return 2;
    }
    PlayScreen screen(conversation, options.unicode, options.animation);
    signal = loop(**terminal, screen, conversation.catalogue(), options.wake_fd);
    last_words = screen.last_words();
  }
  for (const ReplyLine& line : last_words) fmt::print("{}\n", options.unicode ? line.text : ascii_of(line.text));
  std::fflush(stdout);
  return signal == 0 ? 0 : 128 + signal;
}

}  // namespace paika::terminal
