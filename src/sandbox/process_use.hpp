// What processes use, read from a /proc folder.
#pragma once

#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace paika::sandbox {

struct ProcessUse {
  pid_t process = 0;
  pid_t parent = 0;
  int threads = 0;
  std::uint64_t resident = 0;  // bytes; memory that several processes share counts for each
  double seconds = 0;          // of the processor, those of its ended children too
};

/// All processes that the folder shows; `proc` is an open /proc. Processes that end meanwhile are left out.
[[nodiscard]] std::vector<ProcessUse> read_processes(int proc);

/// Those that descend from `ancestor`, without itself.
[[nodiscard]] std::vector<ProcessUse> descendants(const std::vector<ProcessUse>& all, pid_t ancestor);

/// The memory of a process in bytes, where what it shares counts in part; `otherwise` if that is not told. Slow.
[[nodiscard]] std::uint64_t proportional_memory(int proc, pid_t process, std::uint64_t otherwise);

/// The bytes of its page tables.
[[nodiscard]] std::uint64_t page_table_bytes(int proc, pid_t process);

/// How many sockets there are in the network namespace of a process, those under way between processes too.
[[nodiscard]] std::int64_t socket_count(int proc, pid_t process);

}  // namespace paika::sandbox
