// Rescue: signals while the terminal shows our screen, and the terminal given back when the program crashes.
//
// Signals that ask for something become bytes in a pipe, which the loop of a screen waits for. All others that
// end a program, by a crash or by a stranger's wish, write what resets the terminal and then end it as they
// would have.
#pragma once

#include <string>

namespace paika::terminal {

/// While it lives, signals are caught. One at a time; to be made before ncurses takes its own signals.
class Rescue {
 public:
  Rescue();
  Rescue(const Rescue&) = delete;
  Rescue& operator=(const Rescue&) = delete;
  /// Signals do again what they did before.
  ~Rescue();

  /// From now on a crash writes these bytes to the terminal (stdout) and restores its modes.
  void arm(const std::string& reset_bytes);
  /// A crash leaves the terminal alone.
  static void disarm();

  /// Readable when a signal has come.
  [[nodiscard]] static int fd();
  /// Takes the number of the next signal: SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT or SIGWINCH; 0 if none.
  [[nodiscard]] static int take();
  /// Stops the program as Ctrl-Z does, and returns when it goes on.
  static void stop_here();
};

}  // namespace paika::terminal
