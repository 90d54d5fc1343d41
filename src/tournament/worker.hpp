// Games as jobs of a queue: how a worker (database/job_worker.hpp) plays them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "database/job_worker.hpp"
#include "engine/json.hpp"
#include "sandbox/confinement.hpp"
#include "tournament/folder_cache.hpp"

namespace paika::tournament {

inline constexpr std::string_view game_kind = "game";

/// What a program may read on this machine.
struct ProgramFiles {
  std::string folder;
  std::vector<std::string> readable;
};

struct GameWorkerSettings {
  sandbox::Sandbox sandbox = sandbox::Sandbox::bubblewrap;
  std::vector<std::string> readable;   // files and folders that programs may read here beside their own
  std::shared_ptr<FolderCache> cache;  // for programs that come out of the queue
  std::string logs;                    // where programs' logs go
  /// In a tournament's own process: programs, by their players' names, are where the plan says, and logs stay where
  /// they are. Nothing: programs and logs travel.
  std::optional<std::map<std::string, ProgramFiles>> programs;
};

/// Plays games.
[[nodiscard]] JobKind game_worker(GameWorkerSettings settings);

/// What became of a job, as the fields of a line of the log.
[[nodiscard]] paika::Json event_json(const std::string& worker, const JobEvent& event);

}  // namespace paika::tournament
