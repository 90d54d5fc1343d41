// Fault injection: makes the k-th operation of a kind fail, for tests that try every k in turn.
//
// System calls of our own code go through wrappers (the linker's --wrap, tests/CMakeLists.txt), allocations through
// operator new and SQLite's allocator, SQLite's files through a VFS (sqlite_faults.hpp). Nothing fails unless armed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace paika_tests {

enum class FaultKind : unsigned char { io, memory };

/// Counts one operation of a kind; true if this is the one that has to fail.
[[nodiscard]] bool fault_is_due(FaultKind kind) noexcept;

/// While it lives, the `number`-th operation of the kind (from 1) fails, and with `all_after` all that follow too:
/// a disk that stays full.
class ArmedFault {
 public:
  ArmedFault(FaultKind kind, std::uint64_t number, bool all_after = false) noexcept;
  ArmedFault(const ArmedFault&) = delete;
  ArmedFault& operator=(const ArmedFault&) = delete;
  ~ArmedFault();

  /// Whether it was met. If not, the work has fewer operations than that.
  [[nodiscard]] static bool was_met() noexcept;
};

/// Lets nothing fail while it lives, on any thread: for what a test itself does in between.
class FaultsPaused {
 public:
  FaultsPaused() noexcept;
  FaultsPaused(const FaultsPaused&) = delete;
  FaultsPaused& operator=(const FaultsPaused&) = delete;
  ~FaultsPaused();
};

/// Runs `attempt(k)` for k = 1, 2, … with the k-th operation failing until none is met any more; how many there were.
/// The attempt arms the fault itself, around the work alone, and returns whether it was met. With a `step` only every
/// step-th is tried: for work of thousands of operations that are much alike.
std::uint64_t for_each_fault(const std::function<bool(std::uint64_t number)>& attempt, std::uint64_t step = 1);

}  // namespace paika_tests
