// `paika worker`: plays games of tournaments that run elsewhere, out of the queue in a database.
#include "tournament/worker.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "apps/commands.hpp"
#include "apps/database_input.hpp"
#include "apps/entry.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/stderr.hpp"
#include "sandbox/scratch.hpp"

namespace paika::apps {

namespace {

Result<tournament::WorkerSettings> read_worker(const WorkerArgs& args) {
  tournament::WorkerSettings settings;
  settings.version = PAIKA_VERSION;
  settings.readable = args.readable;
  settings.max_idle = std::chrono::seconds(args.max_idle);
  settings.say = [](const std::string& words) { to_stderr(fmt::format("paika: {}\n", words)); };
  if (args.unsafe_bots) {
    settings.sandbox = sandbox::Sandbox::none;
    return settings;
  }
  const auto sandbox = sandbox::find_sandbox();
  if (!sandbox) return tl::unexpected(sandbox.error());
  settings.sandbox = *sandbox;
  notice_weak_sandbox();
  return settings;
}

/// Works on several threads, each with a connection of its own, until all of them have ended.
Result<void> work_on_threads(const std::string& database, const tournament::WorkerSettings& settings, int threads,
                             const std::stop_token& stop) {
  std::vector<JobQueue> queues;
  for (int i = 0; i < threads; ++i) {
    auto queue = JobQueue::open(database);
    if (!queue) return tl::unexpected(queue.error());
    queues.push_back(std::move(*queue));
  }
  std::vector<std::jthread> slots;
  for (int i = 0; i < threads; ++i) {
    tournament::WorkerSettings own = settings;
    own.name = fmt::format("{}-{}.{}", host_name(), getpid(), i + 1);
    slots.emplace_back([queue = std::move(queues[static_cast<std::size_t>(i)]), own = std::move(own), stop]() mutable {
      tournament::work(std::move(queue), own, stop);
    });
  }
  return {};
}

}  // namespace

int run_worker(const WorkerArgs& args) {
  auto settings = read_worker(args);
  if (!settings) return complain(settings.error().message);
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
  settings->folder = folder->path();
  settings->logs = folder->path() + "/logs";
  const int threads =
      args.threads > 0 ? args.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const Interrupt interrupt;
  const auto done = work_on_threads(*database, *settings, threads, interrupt.token());
  if (!done) return complain(done.error().message);
  return finish(interrupt.token().stop_requested() ? exit_no : exit_done);
}

}  // namespace paika::apps
