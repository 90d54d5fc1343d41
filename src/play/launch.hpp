// Launch: how a program is started, and how it ended.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
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
  /// The program is our watcher (`paika confine`): by a socket, whose descriptor is in PAIKA_CONTROL, it is told when
  /// the program within may run, and tells what that has used and how it ended. Else the process's own end counts.
  bool watched = false;
  int processors = 1;                             // processor time is charged as if it used so many evenly
  bool log_talk = false;                          // what is said to and by it is added to error_log too
  std::size_t max_output = std::size_t{1} << 26;  // in bytes, for one answer; more is a flood
};

/// `command` run by /bin/sh.
[[nodiscard]] Launch shell_launch(const std::string& command, const std::string& error_log = "");

/// The variable that tells a watcher the number of its control socket, which keeps the bounds of messages. The watcher
/// is told these messages; it answers each pause and each `use_message` by a use_line(), and says one more and a
/// status_line() when all is over.
inline constexpr const char* control_variable = "PAIKA_CONTROL";
inline constexpr std::string_view pause_message = "pause";
inline constexpr std::string_view resume_message = "resume";
inline constexpr std::string_view use_message = "use";

/// The status by which shells say that there is no such command.
inline constexpr int not_found_status = 127;

/// How a program ended.
struct Ending {
  enum class Kind : unsigned char { exited, signalled, memory, processor, output };
  Kind kind = Kind::exited;
  int number = 0;      // the exit status or the signal
  std::string detail;  // for people: "1.2 GiB, more than its 1 GiB"
};

/// "it ended with status 3", "it was ended by signal 11 (segmentation fault)", "it used 1.2 GiB, …".
[[nodiscard]] std::string words_for(const Ending& ending);

/// Why a shell did not find the program that `command` begins with, in `folder`: the program or the interpreter that
/// its first line names is not there, or `visible` says that it cannot be seen. Programs without a '/' are looked for
/// in the folders of `search_path` ("/usr/bin:/bin"). Empty if none of that is the reason.
[[nodiscard]] std::string not_found_reason(std::string_view command, const std::string& folder,
                                           std::string_view search_path,
                                           const std::function<bool(const std::string&)>& visible);

/// How a game is lost by such an end.
[[nodiscard]] Failure failure_of(const Ending& ending) noexcept;

/// The end that waitpid's status tells. Shells say 128 + N for a signal N, so that is read as the signal too.
[[nodiscard]] Ending ending_of(int wait_status);

/// The line that a watcher writes for an end: "exited 3", "memory 1.2 GiB, more than …"; and its reading.
[[nodiscard]] std::string status_line(const Ending& ending);
[[nodiscard]] std::optional<Ending> read_status_line(std::string_view line);

/// What a program and all it started had of the processors since its start.
struct ProcessorUse {
  std::chrono::microseconds used{0};
  std::chrono::microseconds waited{0};  // of all its threads together, while others had the processors
  /// When it was let run last, at its start or after a pause; the clock's beginning if it has not been yet.
  std::chrono::steady_clock::time_point running_since{};

  friend bool operator==(const ProcessorUse&, const ProcessorUse&) = default;
};

/// The line for it: "used 1200 30 123456789" (microseconds); and its reading.
[[nodiscard]] std::string use_line(const ProcessorUse& use);
[[nodiscard]] std::optional<ProcessorUse> read_use_line(std::string_view line);

}  // namespace paika::play
