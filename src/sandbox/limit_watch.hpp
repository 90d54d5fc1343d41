// LimitWatch: does a confined program keep to its limits, and what has it used?
//
// Where there is a control group, the kernel enforces the limits and this reports what it did. Else the processes are
// looked at again and again, by what their /proc says.
#pragma once

#include <chrono>
#include <optional>
#include <sys/types.h>
#include <vector>

#include "play/launch.hpp"
#include "sandbox/cgroup.hpp"
#include "sandbox/channel.hpp"
#include "sandbox/process_use.hpp"

namespace paika::sandbox {

class LimitWatch {
 public:
  LimitWatch(const Confinement& confinement, std::optional<Cgroup> group);
  LimitWatch(const LimitWatch&) = delete;
  LimitWatch& operator=(const LimitWatch&) = delete;
  ~LimitWatch();

  /// What the watch looks at; without a sandbox the program descends from this process. Keeps the descriptors. The
  /// error is that of a control group that does not take the program.
  [[nodiscard]] Result<void> begin(const Hello& hello);
  /// How it ends if it went too far. To be asked often, and once more when the program has ended by itself.
  [[nodiscard]] std::optional<play::Ending> check();
  [[nodiscard]] play::ProcessorUse use();
  /// The program is let run from now on, or is about to be stopped: then it waits for nothing, and is looked at less
  /// often.
  void set_running(bool running);
  /// All processes of the program, process 1 too; their numbers are those of its own /proc.
  [[nodiscard]] std::vector<ProcessUse> processes() const;
  /// True if no thread of the program runs or waits for a processor; process 1 is ours.
  [[nodiscard]] bool still() const;

 private:
  [[nodiscard]] std::chrono::microseconds processor_time(const std::vector<ProcessUse>& all);
  [[nodiscard]] std::optional<play::Ending> check_group() const;
  [[nodiscard]] std::optional<play::Ending> check_samples(const std::vector<ProcessUse>& all, bool long_look);
  [[nodiscard]] std::optional<play::Ending> check_files() const;
  [[nodiscard]] std::uint64_t memory_of(const std::vector<ProcessUse>& all, bool kernel_too) const;
  [[nodiscard]] play::Ending too_much_processor(std::chrono::microseconds used) const;

  BotLimits limits_;
  bool sandboxed_;
  std::optional<Cgroup> group_;
  Hello hello_;
  int looks_ = 0;
  std::chrono::microseconds used_{0};  // as last seen: what was used once stays used
  WaitingWatch waiting_;
  bool running_ = false;
  std::chrono::steady_clock::time_point running_since_;
  std::chrono::microseconds waited_{0};         // while it was let run before
  std::chrono::microseconds waited_before_{0};  // as seen when it was let run last
};

}  // namespace paika::sandbox
