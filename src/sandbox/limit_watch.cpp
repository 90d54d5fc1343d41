#include "sandbox/limit_watch.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

#include "sandbox/confine_view.hpp"

namespace paika::sandbox {

namespace {

using play::Ending;
using std::chrono::microseconds;

/// What takes longer to read is looked at only in every tenth look.
constexpr int looks_per_long_look = 10;
/// Each may hold a fifth of a megabyte that is counted nowhere but in a control group.
constexpr std::int64_t max_sockets = 256;

std::string bytes_text(std::uint64_t bytes) {
  constexpr double mebi = 1024.0 * 1024.0;
  const double size = static_cast<double>(bytes) / mebi;
  return size < 1024 ? fmt::format("{:.1f} MiB", size) : fmt::format("{:.2f} GiB", size / 1024);
}

Ending too_many_processes(int most) {
  return {Ending::Kind::signalled, SIGKILL, fmt::format("it had more than its {} processes and threads", most)};
}

}  // namespace

LimitWatch::LimitWatch(const Confinement& confinement, std::optional<Cgroup> group)
    : limits_(confinement.limits), sandboxed_(confinement.sandbox != Sandbox::none), group_(std::move(group)) {}

LimitWatch::~LimitWatch() {
  for (const int file : {hello_.proc, hello_.tmp}) {
    if (file >= 0) close(file);
  }
}

Result<void> LimitWatch::begin(const Hello& hello) {
  hello_ = hello;
  if (hello_.proc < 0) hello_.proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (group_) return group_->add(hello_.process);
  return {};
}

std::vector<ProcessUse> LimitWatch::processes() const {
  auto all = read_processes(hello_.proc);
  return sandboxed_ ? all : descendants(all, getpid());
}

bool LimitWatch::still() const {
  auto all = processes();
  if (sandboxed_) std::erase_if(all, [](const ProcessUse& use) { return use.process == 1; });
  return !any_runs(hello_.proc, all);
}

void LimitWatch::set_running(bool running) {
  waiting_.look(hello_.proc, processes());
  if (running_) waited_ += waiting_.total() - waited_before_;
  running_ = running;
  waited_before_ = waiting_.total();
  if (running) running_since_ = std::chrono::steady_clock::now();
}

play::ProcessorUse LimitWatch::use() {
  const auto all = processes();
  waiting_.look(hello_.proc, all);
  const auto waits = running_ ? waiting_.total() - waited_before_ : microseconds(0);
  return {processor_time(all), waited_ + waits, running_since_};
}

microseconds LimitWatch::processor_time(const std::vector<ProcessUse>& all) {
  if (group_) return group_->processor_time();
  double seconds = 0;
  for (const ProcessUse& use : all) seconds += use.seconds;
  used_ = std::max(used_, std::chrono::duration_cast<microseconds>(std::chrono::duration<double>(seconds)));
  return used_;
}

std::optional<Ending> LimitWatch::check() {
  if (hello_.proc < 0) return std::nullopt;  // nothing runs yet
  if (auto broken = group_ ? check_group() : std::nullopt) return broken;
  const bool long_look = ++looks_ % looks_per_long_look == 0;
  if (!running_ && !long_look) return std::nullopt;  // what stands still takes nothing more
  const auto all = processes();
  waiting_.look(hello_.proc, all);
  if (auto broken = group_ ? std::nullopt : check_samples(all, long_look)) return broken;
  return check_files();
}

Ending LimitWatch::too_much_processor(microseconds used) const {
  return {Ending::Kind::processor, 0,
          fmt::format("{:.1f} s, more than its {} s", static_cast<double>(used.count()) / 1e6, limits_.cpu_seconds)};
}

std::optional<Ending> LimitWatch::check_group() const {
  if (group_->ran_out_of_memory()) {
    return Ending{Ending::Kind::memory, 0, fmt::format("more than its {}", bytes_text(limits_.memory))};
  }
  if (group_->ran_out_of_processes()) return too_many_processes(limits_.processes);
  if (limits_.cpu_seconds == 0) return std::nullopt;
  const auto used = group_->processor_time();
  if (used <= std::chrono::seconds(limits_.cpu_seconds)) return std::nullopt;
  return too_much_processor(used);
}

/// Memory that processes share counts in part for each, which is slow to find out and done only where it matters.
std::uint64_t LimitWatch::memory_of(const std::vector<ProcessUse>& all, bool kernel_too) const {
  std::uint64_t memory = 0;
  for (const ProcessUse& use : all) {
    memory += use.resident;
    if (kernel_too) memory += page_table_bytes(hello_.proc, use.process);
  }
  if (memory <= limits_.memory) return memory;
  memory = 0;
  for (const ProcessUse& use : all) {
    memory += proportional_memory(hello_.proc, use.process, use.resident);
    if (kernel_too) memory += page_table_bytes(hello_.proc, use.process);
  }
  return memory;
}

std::optional<Ending> LimitWatch::check_samples(const std::vector<ProcessUse>& all, bool long_look) {
  int threads = 0;
  for (const ProcessUse& use : all) threads += use.threads;
  const std::uint64_t memory = memory_of(all, long_look);
  if (memory > limits_.memory) {
    return Ending{Ending::Kind::memory, 0,
                  fmt::format("{}, more than its {}", bytes_text(memory), bytes_text(limits_.memory))};
  }
  // Process 1 of the sandbox is not the program's.
  if (threads > limits_.processes + 1) return too_many_processes(limits_.processes);
  if (sandboxed_ && long_look && socket_count(hello_.proc, 1) > max_sockets) {
    return Ending{Ending::Kind::memory, 0, fmt::format("more than {} sockets", max_sockets)};
  }
  const auto used = processor_time(all);
  if (limits_.cpu_seconds > 0 && used > std::chrono::seconds(limits_.cpu_seconds)) return too_much_processor(used);
  return std::nullopt;
}

std::optional<Ending> LimitWatch::check_files() const {
  struct statvfs about{};
  if (hello_.tmp < 0 || fstatvfs(hello_.tmp, &about) != 0 || about.f_files - about.f_ffree <= max_files) {
    return std::nullopt;
  }
  return Ending{Ending::Kind::output, 0, fmt::format("more than {} files", max_files)};
}

}  // namespace paika::sandbox
