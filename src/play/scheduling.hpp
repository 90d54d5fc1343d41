// What the system's scheduler tells of a thread: how long it ran, and how long it could have run and others did.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace paika::play {

struct Scheduling {
  std::chrono::microseconds ran{0};
  std::chrono::microseconds waited{0};  // for a processor, up to the last time it got one

  friend bool operator==(const Scheduling&, const Scheduling&) = default;
};

/// Reads a file like /proc/self/task/12/schedstat; a relative path begins at the open folder `where`. Nothing if the
/// thread is gone, or the system does not count.
[[nodiscard]] std::optional<Scheduling> read_scheduling(int where, const std::string& path);

/// How long the calling thread has waited for a processor so far; 0 if the system does not count.
[[nodiscard]] std::chrono::microseconds own_waiting();

}  // namespace paika::play
