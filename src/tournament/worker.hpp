// Worker: takes games out of a queue and plays them, one at a time. It can die at any moment: its game is then taken by
// another one.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "database/job_queue.hpp"
#include "sandbox/confinement.hpp"

namespace paika::tournament {

/// What a program may read on this machine.
struct ProgramFiles {
  std::string folder;
  std::vector<std::string> readable;
};

struct WorkerSettings {
  std::string name;  // for people; empty: the tournament's own process
  std::string version;
  /// Of the only tournament whose games are played, in its own process: programs, by their players' names, are where
  /// the plan says, and logs where the tournament wants them. Empty: any tournament's, whose programs and logs travel.
  std::string topic;
  std::map<std::string, ProgramFiles> programs;
  std::string folder;  // a private folder for programs that come out of the queue; it must be there
  std::string logs;    // where programs' logs go
  sandbox::Sandbox sandbox = sandbox::Sandbox::bubblewrap;
  std::vector<std::string> readable;            // files and folders that programs may read here beside their own
  std::chrono::milliseconds max_idle{0};        // ends when there was nothing to do for so long; 0: never
  std::function<void(const std::string&)> say;  // for people; called by any thread
  /// Something is wrong with this machine, and the game was given back.
  std::function<void(const Error&)> on_fault;
};

/// Plays until `stop`, or until there was nothing to do for max_idle. A queue that cannot be reached is tried again,
/// for ever: a game that was played meanwhile is not lost.
void work(JobQueue queue, const WorkerSettings& settings, const std::stop_token& stop);

}  // namespace paika::tournament
