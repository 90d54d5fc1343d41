// What processes use, and what they wait for, read from a /proc folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "play/scheduling.hpp"

namespace paika::sandbox {

struct ProcessUse {
  pid_t process = 0;
  pid_t parent = 0;
  int threads = 0;
  std::uint64_t resident = 0;  // bytes; memory that several processes share counts for each
  double seconds = 0;          // of the processor, those of its ended children too
  char state = '?';            // of its first thread, as in /proc/N/stat: 'R' runs or could, 'T' is stopped
};

/// All processes that the folder shows; `proc` is an open /proc. Processes that end meanwhile are left out.
[[nodiscard]] std::vector<ProcessUse> read_processes(int proc);

/// Those that descend from `ancestor`, without itself.
[[nodiscard]] std::vector<ProcessUse> descendants(const std::vector<ProcessUse>& all, pid_t ancestor);

/// True if any thread of these processes runs, or could if it had a processor.
[[nodiscard]] bool any_runs(int proc, const std::vector<ProcessUse>& all);

/// The memory of a process in bytes, where what it shares counts in part; `otherwise` if that is not told. Slow.
[[nodiscard]] std::uint64_t proportional_memory(int proc, pid_t process, std::uint64_t otherwise);

/// The bytes of its page tables.
[[nodiscard]] std::uint64_t page_table_bytes(int proc, pid_t process);

/// How many sockets there are in the network namespace of a process, those under way between processes too.
[[nodiscard]] std::int64_t socket_count(int proc, pid_t process);

/// How long the threads of processes have waited for a processor while they could have run, from look to look.
class WaitingWatch {
 public:
  /// Looks at all threads of these processes; what one waited after the last look before its end is lost.
  void look(int proc, const std::vector<ProcessUse>& all);
  /// As seen in the looks so far, of all threads together.
  [[nodiscard]] std::chrono::microseconds total() const { return ended_ + living_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Thread {
    play::Scheduling reading;
    /// The system counts what a thread waits when it gets its processor: since when it has been seen to wait.
    std::optional<Clock::time_point> waits_since;
  };
  [[nodiscard]] std::optional<Thread> look_at(int proc, const std::string& folder, const Thread* before) const;

  std::map<pid_t, Thread> threads_;
  std::chrono::microseconds ended_{0};
  std::chrono::microseconds living_{0};
};

}  // namespace paika::sandbox
