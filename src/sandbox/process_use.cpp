#include "sandbox/process_use.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>

#include "base/text.hpp"

namespace paika::sandbox {

namespace {

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;

/// A folder within another one; it may be gone.
Folder open_folder(int where, const std::string& name) {
  const int file = openat(where, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return {file < 0 ? nullptr : fdopendir(file), closedir};
}

/// The processes or threads that have a folder there.
std::vector<pid_t> numbers_in(int where, const std::string& name) {
  std::vector<pid_t> all;
  const Folder folder = open_folder(where, name);
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    if (const auto number = parse_int(entry->d_name)) all.push_back(static_cast<pid_t>(*number));
  }
  return all;
}

/// The beginning of a small file; empty if it cannot be read.
std::string read_some(int where, const std::string& name) {
  const int file = openat(where, name.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::array<char, 2048> text{};
  const ssize_t count = read(file, text.data(), text.size());
  close(file);
  return count > 0 ? std::string(text.data(), static_cast<std::size_t>(count)) : "";
}

/// The numbers of /proc/N/stat behind the name, which may hold anything: the first is field 4.
std::optional<ProcessUse> read_stat(pid_t process, const std::string& text) {
  constexpr std::size_t parent = 0;
  constexpr std::size_t first_time = 10;
  constexpr std::size_t threads = 16;
  constexpr std::size_t resident = 20;
  static const long ticks = sysconf(_SC_CLK_TCK);
  static const long page = sysconf(_SC_PAGESIZE);
  const auto name_end = text.rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(text).substr(name_end + 1);
  const std::string_view state = take_word(rest);
  std::array<std::int64_t, resident + 1> numbers{};
  for (std::int64_t& number : numbers) {
    const auto read = parse_int(take_word(rest));
    number = read.value_or(0);
  }
  ProcessUse use;
  use.process = process;
  use.state = state.empty() ? '?' : state[0];
  use.parent = static_cast<pid_t>(numbers[parent]);
  use.threads = static_cast<int>(numbers[threads]);
  use.resident =
      static_cast<std::uint64_t>(std::max<std::int64_t>(numbers[resident], 0)) * static_cast<std::uint64_t>(page);
  std::int64_t time = 0;
  for (std::size_t i = 0; i < 4; ++i) time += numbers[first_time + i];
  use.seconds = static_cast<double>(time) / static_cast<double>(ticks);
  return use;
}

/// True if the thread that has this folder runs, or could if it had a processor.
bool runs(int proc, const std::string& folder) {
  const auto use = read_stat(0, read_some(proc, folder + "/stat"));
  return use && use->state == 'R';
}

/// The number after a word; 0 if there is none.
std::int64_t number_behind(const std::string& text, std::string_view word) {
  const auto found = text.find(word);
  if (found == std::string::npos) return 0;
  std::string_view rest = std::string_view(text).substr(found + word.size());
  return std::max<std::int64_t>(parse_int(take_word(rest)).value_or(0), 0);
}

}  // namespace

std::vector<ProcessUse> read_processes(int proc) {
  std::vector<ProcessUse> all;
  for (const pid_t number : numbers_in(proc, ".")) {
    if (const auto use = read_stat(number, read_some(proc, fmt::format("{}/stat", number)))) all.push_back(*use);
  }
  return all;
}

std::vector<ProcessUse> descendants(const std::vector<ProcessUse>& all, pid_t ancestor) {
  std::vector<ProcessUse> found;
  std::vector<pid_t> parents = {ancestor};
  while (!parents.empty()) {
    const pid_t parent = parents.back();
    parents.pop_back();
    for (const ProcessUse& use : all) {
      if (use.parent != parent) continue;
      found.push_back(use);
      parents.push_back(use.process);
    }
  }
  return found;
}

std::uint64_t proportional_memory(int proc, pid_t process, std::uint64_t otherwise) {
  errno = 0;
  const std::string text = read_some(proc, fmt::format("{}/smaps_rollup", process));
  // One that has just ended tells nothing, and has nothing.
  if (text.find("\nPss:") == std::string::npos) return errno == EACCES || errno == EPERM ? otherwise : 0;
  return static_cast<std::uint64_t>(number_behind(text, "\nPss:")) << 10U;
}

std::uint64_t page_table_bytes(int proc, pid_t process) {
  return static_cast<std::uint64_t>(number_behind(read_some(proc, fmt::format("{}/status", process)), "\nVmPTE:"))
         << 10U;
}

bool any_runs(int proc, const std::vector<ProcessUse>& all) {
  return std::any_of(all.begin(), all.end(), [&](const ProcessUse& use) {
    const std::string tasks = fmt::format("{}/task", use.process);
    const auto threads = numbers_in(proc, tasks);
    return std::any_of(threads.begin(), threads.end(),
                       [&](pid_t thread) { return runs(proc, fmt::format("{}/{}", tasks, thread)); });
  });
}

std::optional<WaitingWatch::Thread> WaitingWatch::look_at(int proc, const std::string& folder,
                                                          const Thread* before) const {
  const auto reading = play::read_scheduling(proc, folder + "/schedstat");
  if (!reading) return std::nullopt;
  Thread now{*reading, {}};
  // One that could run, and did not since the last look, has waited all the time since.
  if (before == nullptr || before->reading != *reading) return now;
  if (runs(proc, folder)) now.waits_since = before->waits_since.value_or(Clock::now());
  return now;
}

void WaitingWatch::look(int proc, const std::vector<ProcessUse>& all) {
  using std::chrono::microseconds;
  std::map<pid_t, Thread> found;
  living_ = microseconds(0);
  for (const ProcessUse& use : all) {
    const std::string tasks = fmt::format("{}/task", use.process);
    for (const pid_t thread : numbers_in(proc, tasks)) {
      const auto before = threads_.find(thread);
      const auto now =
          look_at(proc, fmt::format("{}/{}", tasks, thread), before == threads_.end() ? nullptr : &before->second);
      if (!now) continue;
      living_ += now->reading.waited;
      if (now->waits_since) living_ += std::chrono::duration_cast<microseconds>(Clock::now() - *now->waits_since);
      // The number of one that has ended may be another's now.
      if (before != threads_.end() && before->second.reading.waited <= now->reading.waited) threads_.erase(before);
      found.emplace(thread, *now);
    }
  }
  for (const auto& [thread, last] : threads_) ended_ += last.reading.waited;
  threads_ = std::move(found);
}

std::int64_t socket_count(int proc, pid_t process) {
  return number_behind(read_some(proc, fmt::format("{}/net/sockstat", process)), "sockets: used");
}

}  // namespace paika::sandbox
