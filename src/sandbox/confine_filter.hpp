// The filter of system calls for confined programs.
#pragma once

namespace paika::sandbox {

/// From now on this process and all it starts are refused the system calls that only help to break out or to hide
/// memory: namespaces, mounts, tracing, kernel keys, sockets but local ones, memory without an owner. False if the
/// system has no such filters.
[[nodiscard]] bool install_filter();

}  // namespace paika::sandbox
