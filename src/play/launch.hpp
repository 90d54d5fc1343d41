// Launch: how a program is started, and how it ended.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "play/game_player.hpp"

namespace paika::play {

struct Launch {
  std::string text;                // what people call it: the command
  std::vector<std::string> words;  // the program and its arguments; no shell reads them
  std::string folder;              // where it runs; empty: where we are
  std::string error_log;           // its standard error is added to this file; empty: it stays ours
  /// The program is our watcher (`paika confine`): it tells by a pipe, whose descriptor is in PAIKA_STATUS, how the
  /// program within ended. Else the process's own end counts.
  bool watched = false;
  bool log_talk = false;                          // what is said to and by it is added to error_log too
  std::size_t max_output = std::size_t{1} << 26;  // in bytes, for one answer; more is a flood
};

/// `command` run by /bin/sh.
[[nodiscard]] Launch shell_launch(const std::string& command, const std::string& error_log = "");

/// The variable that tells a watcher the number of the pipe for its status line.
inline constexpr const char* status_variable = "PAIKA_STATUS";

/// How a program ended.
struct Ending {
  enum class Kind : unsigned char { exited, signalled, memory, processor, output };
  Kind kind = Kind::exited;
  int number = 0;      // the exit status or the signal
  std::string detail;  // for people: "1.2 GiB, more than its 1 GiB"
};

/// "it ended with status 3", "it was ended by signal 11 (segmentation fault)", "it used 1.2 GiB, …".
[[nodiscard]] std::string words_for(const Ending& ending);

/// How a game is lost by such an end.
[[nodiscard]] Failure failure_of(const Ending& ending) noexcept;

/// The end that waitpid's status tells. Shells say 128 + N for a signal N, so that is read as the signal too.
[[nodiscard]] Ending ending_of(int wait_status);

/// The line that a watcher writes for an end: "exited 3", "memory 1.2 GiB, more than …"; and its reading.
[[nodiscard]] std::string status_line(const Ending& ending);
[[nodiscard]] std::optional<Ending> read_status_line(std::string_view line);

}  // namespace paika::play
