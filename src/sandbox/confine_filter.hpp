// The filter of system calls for confined programs.
#pragma once

namespace paika::sandbox {

/// From now on this process and all it starts have only the system calls that ordinary programs need: files, memory,
/// processes, pipes, local socket pairs, time. Whatever else there is, and whatever later kernels add, answers as if
/// the kernel did not have it. What was stopped by SIGSTOP from outside cannot be continued from inside: no call is
/// left that makes the kernel send SIGCONT later. False if the system has no such filters.
[[nodiscard]] bool install_filter();

}  // namespace paika::sandbox
