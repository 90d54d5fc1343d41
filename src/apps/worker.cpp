// `paika worker`: does the jobs in the queue of a database: games, and bots that are to be built and checked.
#include "tournament/worker.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>
#include <vector>

#include "apps/commands.hpp"
#include "apps/database_input.hpp"
#include "apps/entry.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "sandbox/scratch.hpp"
#include "server/analysis_jobs.hpp"
#include "server/classes/workshop.hpp"
#include "server/log.hpp"

namespace paika::apps {

namespace {

/// A line of the log, such as servers write them.
void log_event(server::Log& log, const std::string& worker, const JobEvent& event) {
  using What = JobEvent::What;
  const bool is_trouble = event.what == What::failed || event.what == What::unreachable;
  log.write(is_trouble ? server::LogLevel::warning : server::LogLevel::info, name(event.what),
            tournament::event_json(worker, event));
}

Result<sandbox::Sandbox> choose_sandbox(const WorkerArgs& args) {
  if (args.unsafe_bots) return sandbox::Sandbox::none;
  const auto sandbox = sandbox::find_sandbox();
  if (sandbox) notice_weak_sandbox();
  return sandbox;
}

/// Works on several threads, each with a connection of its own, until all of them have ended.
Result<void> work_on_threads(const std::string& database, const JobWorkerSettings& settings, int threads,
                             server::Log& log, const std::stop_token& stop) {
  std::vector<JobQueue> queues;
  for (int i = 0; i < threads; ++i) {
    auto queue = JobQueue::open(database);
    if (!queue) return tl::unexpected(queue.error());
    if (i == 0) {
      if (auto same = check_version(*queue, settings.version); !same) return same;
    }
    queues.push_back(std::move(*queue));
  }
  std::vector<Result<void>> ends(queues.size());
  std::vector<std::jthread> slots;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    JobWorkerSettings own = settings;
    own.name = fmt::format("{}-{}.{}", host_name(), getpid(), i + 1);
    own.on_event = [&log, worker = own.name](const JobEvent& event) { log_event(log, worker, event); };
    slots.emplace_back([queue = std::move(queues[i]), own = std::move(own), &end = ends[i], stop]() mutable {
      end = work_on_jobs(std::move(queue), own, stop);
    });
  }
  slots.clear();
  for (const Result<void>& end : ends) {
    if (!end) return end;
  }
  return {};
}

}  // namespace

int run_worker(const WorkerArgs& args) {
  const auto sandbox = choose_sandbox(args);
  if (!sandbox) return complain(sandbox.error().message);
  const auto level = server::read_log_level(args.log_level);
  if (!level) return complain(level.error().message);
  const auto database = database_file(args.database);
  if (!database) return complain(database.error().message);
  const auto folder = sandbox::ScratchFolder::make("worker");
  if (!folder) return complain(folder.error().message);
  // Bots are users of their own where we are root: they must get through to their files, without seeing what lies
  // there.
  std::error_code error;
  std::filesystem::permissions(folder->path(), std::filesystem::perms::group_exec | std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add, error);
  if (error) return complain(fmt::format("cannot open {} for bots: {}", folder->path(), error.message()));
  const auto cache = std::make_shared<tournament::FolderCache>(folder->path() + "/programs");
  JobWorkerSettings settings;
  settings.version = PAIKA_VERSION;
  settings.max_idle = std::chrono::seconds(args.max_idle);
  settings.on_idle = [cache] { cache->tidy(); };
  server::PositionApi positions;
  positions.tables = tables_folder(args.tables);
  positions.write_now = false;
  settings.kinds[std::string(server::analysis_kind)] = server::analysis_worker(positions);
  settings.kinds[std::string(server::bot_kind)] =
      server::bot_worker({folder->path() + "/building", *sandbox, args.readable});
  settings.kinds[std::string(tournament::game_kind)] =
      tournament::game_worker({*sandbox, args.readable, cache, folder->path() + "/logs", std::nullopt});
  const int threads =
      args.threads > 0 ? args.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const Interrupt interrupt;
  server::Log log(*level, [](std::string_view line) { to_stderr(std::string(line)); });
  const auto done = work_on_threads(*database, settings, threads, log, interrupt.token());
  if (!done) return complain(done.error().message);
  return finish(interrupt.token().stop_requested() ? exit_no : exit_done);
}

}  // namespace paika::apps
