#include "sandbox/confinement.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <optional>
#include <sstream>

#include "base/text.hpp"
#include "play/child_process.hpp"
#include "sandbox/cgroup.hpp"
#include "sandbox/confine.hpp"
#include "sandbox/scratch.hpp"

namespace paika::sandbox {

namespace {

using play::ChildProcess;

constexpr std::chrono::seconds time_to_try(10);

/// The program that has `confine`: we, or for programs that link us, such as tests, the one they name.
std::string confine_program() {
  const char* other = std::getenv("PAIKA_CONFINE");
  return other != nullptr && *other != '\0' ? other : "/proc/self/exe";
}

/// What came to standard error, on one line and not too long.
std::string complaint(const std::string& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  constexpr std::size_t most = 200;
  return std::string(trimmed(std::string_view(all).substr(0, most)));
}

/// Nothing if such a sandbox works; else why not.
std::optional<std::string> trouble_with(Sandbox sandbox) {
  const auto log = ScratchFolder::make();
  if (!log) return log.error().message;
  Confinement confinement;
  confinement.sandbox = sandbox;
  play::Launch launch = confined(confinement, "/bin/true", "", "");
  launch.error_log = log->path() + "/errors";
  const auto child = ChildProcess::start(launch);
  if (!child) return child.error().message;
  (void)(*child)->read_line(ChildProcess::Clock::now() + time_to_try, {});
  const auto ending = (*child)->ending();
  if (ending && ending->kind == play::Ending::Kind::exited && ending->number == 0) return std::nullopt;
  std::string said = complaint(launch.error_log);
  if (!said.empty()) return said;
  return ending ? words_for(*ending) : "it does not end";
}

Result<Sandbox> try_sandbox() {
  std::string tried;
  for (const Sandbox sandbox : {Sandbox::bubblewrap, Sandbox::own}) {
    const auto trouble = trouble_with(sandbox);
    if (!trouble) return sandbox;
    tried += fmt::format("{}{}: {}", tried.empty() ? "" : "; ", name(sandbox), *trouble);
  }
  return fail(
      "no sandbox for bots works on this machine ({}). Install bubblewrap, or allow user namespaces; with "
      "--unsafe-bots bots run without a sandbox, and can do whatever you can",
      tried);
}

}  // namespace

std::string_view name(Sandbox sandbox) noexcept {
  switch (sandbox) {
    case Sandbox::bubblewrap: return "bubblewrap";
    case Sandbox::own: return "own";
    case Sandbox::none: return "none";
  }
  return "";
}

std::string_view name(Accounting accounting) noexcept {
  switch (accounting) {
    case Accounting::any: return "any";
    case Accounting::kernel: return "kernel";
    case Accounting::sampled: return "sampled";
  }
  return "";
}

std::string accounting_trouble() {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  const auto group = Cgroup::make({std::uint64_t{1} << 30, 1, 0});
  return group ? "" : group.error().message;
}

std::string scratch_inside(const Confinement& confinement, const std::string& scratch) {
  if (confinement.trusted || confinement.sandbox == Sandbox::none) return scratch;
  return std::string(home_inside);
}

Result<Sandbox> find_sandbox() {
  static std::mutex mutex;
  static std::optional<Sandbox> found;
  const std::scoped_lock lock(mutex);
  if (found) return *found;
  auto sandbox = try_sandbox();
  if (sandbox) found = *sandbox;
  return sandbox;
}

std::vector<std::string> confine_words(const ConfineOrder& order) {
  const BotLimits& limits = order.confinement.limits;
  std::vector<std::string> words = {"confine", "--sandbox", std::string(name(order.confinement.sandbox))};
  const auto add = [&](const char* option, const auto& value) {
    words.emplace_back(option);
    words.push_back(fmt::format("{}", value));
  };
  if (order.confinement.accounting != Accounting::any) add("--accounting", name(order.confinement.accounting));
  add("--memory", limits.memory);
  add("--written", limits.written);
  add("--processes", limits.processes);
  add("--open-files", limits.open_files);
  if (limits.cpu_seconds > 0) add("--cpu-seconds", limits.cpu_seconds);
  for (const std::string& path : order.confinement.readable) add("--read", path);
  if (!order.folder.empty()) add("--folder", order.folder);
  if (!order.scratch.empty()) add("--scratch", order.scratch);
  words.emplace_back("--");
  words.insert(words.end(), order.words.begin(), order.words.end());
  return words;
}

play::Launch confined(const Confinement& confinement, const std::string& command, const std::string& folder,
                      const std::string& scratch) {
  play::Launch launch = play::shell_launch(command);
  launch.folder = folder;
  launch.max_output = confinement.limits.output;
  launch.processors = confinement.limits.processors;
  if (confinement.trusted) return launch;
  launch.folder.clear();  // the watcher goes there when the sandbox is ready
  launch.words = {confine_program()};
  for (std::string& word : confine_words({confinement, {"/bin/sh", "-c", command}, folder, scratch, 0, -1})) {
    launch.words.push_back(std::move(word));
  }
  launch.watched = true;
  return launch;
}

}  // namespace paika::sandbox
