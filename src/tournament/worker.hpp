// Worker: plays games for a coordinator on another machine.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "sandbox/confinement.hpp"

namespace paika::tournament {

struct WorkerSettings {
  std::string address;  // HOST:PORT
  std::string secret;
  std::string version;
  std::string name;    // of this machine, for people
  std::string folder;  // a private folder for programs and logs; it must be there
  sandbox::Sandbox sandbox = sandbox::Sandbox::bubblewrap;
  std::vector<std::string> readable;            // files and folders that programs may read here beside their own
  std::function<void(const std::string&)> say;  // for people; called by any thread
};

/// Plays games one at a time until the coordinator says that all is done, or until `stop`. A connection that is lost is
/// made anew, for ever: a game that was played meanwhile is not lost. The error: the coordinator refuses us.
[[nodiscard]] Result<void> work_for(const WorkerSettings& settings, const std::stop_token& stop);

}  // namespace paika::tournament
