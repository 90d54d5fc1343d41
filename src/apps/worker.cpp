// `paika worker`: plays games for a tournament that runs on another machine.
#include "tournament/worker.hpp"

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <optional>
#include <thread>
#include <unistd.h>
#include <vector>

#include "apps/commands.hpp"
#include "apps/entry.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/stderr.hpp"
#include "base/text.hpp"
#include "sandbox/scratch.hpp"
#include "tournament/wire.hpp"

namespace paika::apps {

namespace {

std::string host_name() {
  std::array<char, 64> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "worker";
  return name.data();
}

Result<tournament::WorkerSettings> read_worker(const WorkerArgs& args) {
  tournament::WorkerSettings settings;
  constexpr std::string_view scheme = "tcp://";
  const std::string_view address = args.address;
  if (!address.starts_with(scheme)) return fail("{} is not a coordinator: give tcp://HOST:PORT", in_quotes(address));
  settings.address = address.substr(scheme.size());
  if (const auto parts = tournament::read_address(settings.address); !parts) return tl::unexpected(parts.error());
  auto secret = tournament::read_secret(args.secret_file);
  if (!secret) return tl::unexpected(secret.error());
  settings.secret = std::move(*secret);
  settings.version = PAIKA_VERSION;
  settings.readable = args.readable;
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

/// Works on several threads, until one of them is told that all is done; the error is the first one's.
Result<void> work(const tournament::WorkerSettings& settings, int threads, const std::stop_token& stop) {
  std::stop_source over;
  const std::stop_callback pass_on(stop, [&over] { over.request_stop(); });
  std::mutex mutex;
  std::optional<Error> error;
  {
    std::vector<std::jthread> slots;
    for (int i = 0; i < threads; ++i) {
      slots.emplace_back([&, i] {
        tournament::WorkerSettings own = settings;
        own.name = fmt::format("{}-{}.{}", settings.name, getpid(), i + 1);
        const auto done = tournament::work_for(own, over.get_token());
        // One that has lost its connection at that moment would wait for a coordinator that never comes back.
        over.request_stop();
        const std::scoped_lock lock(mutex);
        if (!done && !error) error = done.error();
      });
    }
  }
  if (error) return tl::unexpected(*error);
  return {};
}

}  // namespace

int run_worker(const WorkerArgs& args) {
  auto settings = read_worker(args);
  if (!settings) return complain(settings.error().message);
  const auto folder = sandbox::ScratchFolder::make("worker");
  if (!folder) return complain(folder.error().message);
  // Bots are users of their own where we are root: they must get through to their files, without seeing what lies
  // there.
  std::error_code error;
  std::filesystem::permissions(folder->path(), std::filesystem::perms::group_exec | std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add, error);
  if (error) return complain(fmt::format("cannot open {} for bots: {}", folder->path(), error.message()));
  settings->folder = folder->path();
  settings->name = host_name();
  settings->say = [](const std::string& words) { to_stderr(fmt::format("paika: {}\n", words)); };
  const int threads =
      args.threads > 0 ? args.threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const Interrupt interrupt;
  if (const auto done = work(*settings, threads, interrupt.token()); !done) return complain(done.error().message);
  return finish(interrupt.token().stop_requested() ? exit_no : exit_done);
}

}  // namespace paika::apps
