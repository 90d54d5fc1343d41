// ChildProcess: a program, spoken to line by line over pipes.
//
// The program gets a process group of its own, so that whatever it starts ends with it, and a
// Ctrl-C at the terminal is not its business. No call waits longer than it is told, a program that
// floods us or never reads cannot block us, writing to a dead one raises no SIGPIPE, its death is noticed
// at once even if somebody else holds its pipes open, and nothing of it is left when the object goes.
#pragma once

#include <algorithm>
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

  /// What a watched program did with the processors, and could not do for want of them.
  struct Use {
    std::chrono::microseconds charge{0};  // the time of all its processes together, divided by Launch::processors
    std::chrono::microseconds waited{0};  // until it was let run, for a processor, and for us to read it

    /// What its clock is charged for a turn that took `passed`: no time in which others had the processors, and no less
    /// than what it had of them itself.
    [[nodiscard]] std::chrono::microseconds charged(std::chrono::microseconds passed) const {
      return std::max({charge, passed - waited, std::chrono::microseconds(0)});
    }
  };

  /// Starts a program. The folder of its error_log is made; its standard error goes nowhere if that cannot be opened.
  [[nodiscard]] static Result<std::unique_ptr<ChildProcess>> start(const Launch& launch);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Ends the program: closes its input, gives it a moment, then kills its process group.
  ~ChildProcess();

  // The deadlines are those of a machine that has nothing else to do: for a watched program they are put off by what it
  // has waited (Use::waited), up to ten times the time from its resume() or start to the deadline.

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
  /// its use since the last pause. A program without a watcher runs on, and has used and waited for nothing.
  Use pause();
  void resume();
  /// Its use since the last pause, as it was told last: after its end, all of it.
  [[nodiscard]] Use use() const;
  /// A deadline put off by what the program has waited, once it has passed.
  [[nodiscard]] Clock::time_point put_off(Clock::time_point deadline);
  [[nodiscard]] TalkLog& log() { return log_; }
  [[nodiscard]] pid_t process() const { return process_; }
  /// Begins to count the bytes for Trouble::flood anew.
  void restart_flood_count() { bytes_read_ = 0; }

 private:
  struct Ends;
  ChildProcess(const Launch& launch, pid_t process, Ends& ends);

  /// Waits until `to_child` takes bytes (if asked for) or some came; what came is kept.
  [[nodiscard]] tl::expected<void, Trouble> wait(bool to_write, Clock::time_point deadline);
  [[nodiscard]] tl::expected<void, Trouble> take_bytes();
  /// The next line of what came; nothing if no whole one has.
  [[nodiscard]] std::optional<tl::expected<std::string, Trouble>> next_line();
  /// Takes the watcher's next message, if one comes in time; true if there was one.
  bool read_watcher(Clock::time_point deadline);
  void write_watcher(std::string_view message) const;
  /// Tells the watcher something that it answers by what has been used; false if no answer comes.
  bool ask_watcher(std::string_view message);
  /// What it means that nothing came in time: its watcher may have said how it ended before its pipes are closed.
  [[nodiscard]] Trouble late();
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
  int answers_due_ = 0;  // of the watcher
  ProcessorUse last_use_;
  ProcessorUse use_before_;                     // as reported at the last pause
  Clock::time_point resumed_;                   // or started
  std::chrono::microseconds receive_delay_{0};  // since then, from the arrival of what it wrote to our reading it
  std::optional<Ending> ending_;
  bool at_end_ = false;
  std::size_t bytes_read_ = 0;
  LineBuffer lines_{max_line};
};

/// A sentence's end for a trouble: "it has ended", "it did not answer in time".
[[nodiscard]] std::string_view words_for(ChildProcess::Trouble trouble) noexcept;

}  // namespace paika::play
