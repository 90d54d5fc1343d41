// Cgroup: the kernel's own accounting of all processes of a bot together, by control groups of version 1 or 2.
//
// What the kernel counts cannot be evaded: memory with page tables, socket buffers and files in memory, every process
// however short its life, all processor time. A group is made below the one we are in, so that whatever holds for us
// holds for it too.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace paika::sandbox {

struct CgroupLimits {
  std::uint64_t memory = 0;  // in bytes; there is no swap beyond
  int processes = 0;         // threads count too
  int niceness = 0;          // all together weigh what one process of this niceness weighs
};

/// Where groups are made, one folder per controller.
struct CgroupPlaces {
  struct Place {
    std::string folder;  // empty: there is none
    bool unified = false;
  };
  Place memory, pids, cpu, cpuacct;
};

/// The places for this process, found in the text of /proc/self/cgroup and /proc/self/mountinfo. Where a unified
/// hierarchy was delegated to us it is prepared: we move to a leaf of it, since only groups without processes can have
/// limited children. An error says why the kernel cannot count for us.
[[nodiscard]] Result<CgroupPlaces> find_cgroup_places(std::string_view own_groups, std::string_view mounts);

class Cgroup {
 public:
  /// A new group of this name at these places, with limits. Groups whose maker has ended are removed.
  [[nodiscard]] static Result<Cgroup> make(const CgroupPlaces& places, const CgroupLimits& limits);
  /// The same where this process may make groups.
  [[nodiscard]] static Result<Cgroup> make(const CgroupLimits& limits);

  Cgroup(Cgroup&& other) noexcept : places_(std::exchange(other.places_, {})) {}
  Cgroup& operator=(Cgroup&&) = delete;
  Cgroup(const Cgroup&) = delete;
  Cgroup& operator=(const Cgroup&) = delete;
  /// Kills what is in it and removes it.
  ~Cgroup();

  /// Puts a process in; all that it starts from now on is in too.
  [[nodiscard]] Result<void> add(pid_t process) const;
  /// Kills every process in it.
  void kill_all() const;

  [[nodiscard]] std::chrono::microseconds processor_time() const;
  /// True if the kernel had to kill a process for the limit of memory.
  [[nodiscard]] bool ran_out_of_memory() const;
  /// True if a process was refused for the limit of processes.
  [[nodiscard]] bool ran_out_of_processes() const;

 private:
  explicit Cgroup(CgroupPlaces places) : places_(std::move(places)) {}
  [[nodiscard]] Result<void> set_limits(const CgroupLimits& limits) const;
  /// Its folders, each once.
  [[nodiscard]] std::vector<std::string> folders() const;

  CgroupPlaces places_;  // of the group itself
};

}  // namespace paika::sandbox
