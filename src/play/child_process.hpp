// ChildProcess: a program, spoken to line by line over pipes.
//
// The program gets a process group of its own, so that whatever it starts ends with it, and a
// Ctrl-C at the terminal is not its business. No call waits longer than it is told, a program that
// floods us or never reads cannot block us, writing to a dead one raises no SIGPIPE, its death is noticed
// at once even if somebody else holds its pipes open, and nothing of it is left when the object goes.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <tl/expected.hpp>

#include "base/result.hpp"
#include "play/launch.hpp"
#include "play/line_buffer.hpp"
#include "play/talk_log.hpp"

namespace paika::play {

class ChildProcess {
 public:
  using Clock = std::chrono::steady_clock;

  /// Why a program could not be heard or told something.
  enum class Trouble : unsigned char {
    timeout,  // nothing came, or nothing was taken, in time
    closed,   // it has ended, or closed its end of the pipe
    flood,    // a line is longer than max_line, or more came than the launch allows
    stopped   // we were told to stop waiting
  };

  static constexpr std::size_t max_line = std::size_t{1} << 16;

  /// Starts a program. The folder of its error_log is made; its standard error goes nowhere if that cannot be opened.
  [[nodiscard]] static Result<std::unique_ptr<ChildProcess>> start(const Launch& launch);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Ends the program: closes its input, gives it a moment, then kills its process group.
  ~ChildProcess();

  /// Writes a line; `text` has no line end in it.
  [[nodiscard]] tl::expected<void, Trouble> write_line(std::string_view text, Clock::time_point deadline);
  /// Waits for the next line.
  [[nodiscard]] tl::expected<std::string, Trouble> read_line(Clock::time_point deadline, const std::stop_token& stop);
  /// What came after the last line end, once it has closed its end of the pipe.
  [[nodiscard]] std::string rest();
  /// True if nothing can come from it any more: it has ended, or closed its end of the pipe.
  [[nodiscard]] bool closed() const;
  /// How it ended; waits a moment for one that is just about to. Nothing if it lives.
  [[nodiscard]] std::optional<Ending> ending();
  /// Tells it that nothing more will be said: its input ends. It may run until it ends.
  void end_input();
  /// Stops every process of a watched program until resume(), so that nothing of it runs while others think. Returns
  /// what it is charged for the processor since the last pause: the time of all its processes together, divided by
  /// Launch::processors. A program without a watcher runs on, and is charged nothing.
  std::chrono::microseconds pause();
  void resume();
  /// The same charge for all of its time up to its end, or up to the last pause.
  [[nodiscard]] std::chrono::microseconds charge() const { return used_ / processors_; }
  [[nodiscard]] TalkLog& log() { return log_; }
  [[nodiscard]] pid_t process() const { return process_; }
  /// Begins to count the bytes for Trouble::flood anew.
  void heard_enough() { bytes_heard_ = 0; }

 private:
  struct Ends;
  ChildProcess(const Launch& launch, pid_t process, Ends& ends);

  /// Waits until `to_child` takes bytes (if asked for) or some came; what came is kept.
  [[nodiscard]] tl::expected<void, Trouble> wait(bool to_write, Clock::time_point deadline);
  [[nodiscard]] tl::expected<void, Trouble> take_bytes();
  /// Takes the watcher's next message, if one comes in time; true if there was one.
  bool hear_watcher(Clock::time_point deadline);
  void tell_watcher(std::string_view message) const;
  /// Waits for its end without taking it from the system: until then its number cannot belong to others.
  [[nodiscard]] bool ended_by(Clock::time_point deadline) const;

  std::string command_;  // of the shell that we started; empty: it was none
  std::string folder_;
  std::size_t max_output_;
  TalkLog log_;
  pid_t process_;
  int life_;  // becomes readable when it has ended; -1 on a system without such files
  int to_child_;
  int from_child_;
  int control_;  // the socket to a watcher; -1 without one
  int processors_;
  bool paused_ = false;
  std::chrono::microseconds used_{0};  // of the processor, as the watcher told last
  std::optional<Ending> told_;
  bool at_end_ = false;
  std::size_t bytes_heard_ = 0;
  LineBuffer lines_{max_line};
};

/// A sentence's end for a trouble: "it has ended", "it did not answer in time".
[[nodiscard]] std::string_view words_for(ChildProcess::Trouble trouble) noexcept;

}  // namespace paika::play
