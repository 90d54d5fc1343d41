// FullScreen: the terminal as a screen, by ncurses; the only file that knows ncurses is curses.cpp.
//
// While one lives, the terminal shows our screen; when it is gone, or the program ends by a signal or a
// crash, the terminal is as it was before. Waiting is for keys, signals and another file descriptor at once.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "apps/terminal/canvas.hpp"
#include "apps/terminal/theme.hpp"
#include "base/result.hpp"

namespace paika::terminal {

enum class KeyKind : unsigned char {
  character,  // `text`, printable
  up,
  down,
  left,
  right,
  home,
  end,
  page_up,
  page_down,
  enter,
  escape,
  backspace,
  remove,  // the Delete key
  tab,
  help,    // F1
  leave,   // Ctrl-D
  redraw,  // Ctrl-L, or the terminal has another size
  click,   // the left button, at `place`
  wheel_up,
  wheel_down,
  unknown
};

struct Key {
  KeyKind kind = KeyKind::unknown;
  std::string text;   // of a character, in UTF-8
  ScreenPoint place;  // of a click
};

/// Why a wait ended; several may be true.
struct Woken {
  bool keys = false;   // key() has something
  bool other = false;  // the other file descriptor is readable
  bool gone = false;   // the terminal is no longer there
  int signal = 0;      // SIGINT, SIGTERM or SIGHUP came: time to end; 0: none
};

class FullScreen {
 public:
  struct Options {
    ThemeName theme = ThemeName::standard;
    bool colours = true;
  };

  /// Takes the terminal of stdin and stdout. One at a time. The error says what the terminal lacks.
  [[nodiscard]] static Result<std::unique_ptr<FullScreen>> open(const Options& options);
  FullScreen(const FullScreen&) = delete;
  FullScreen& operator=(const FullScreen&) = delete;
  ~FullScreen();

  [[nodiscard]] Extent size() const;
  /// Shows the canvas, and the terminal's own cursor at `caret`.
  void show(const Canvas& canvas, std::optional<ScreenPoint> caret);
  /// Waits for something to happen, until `deadline` if there is one. Ctrl-Z is obeyed in here.
  [[nodiscard]] Woken wait(std::optional<std::chrono::steady_clock::time_point> deadline, int other_fd);
  /// The next key that was pressed; nothing if there is none. Never waits.
  [[nodiscard]] std::optional<Key> key();

 private:
  class Impl;
  explicit FullScreen(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace paika::terminal
