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
  (void)take_word(rest);  // its state
  std::array<std::int64_t, resident + 1> numbers{};
  for (std::int64_t& number : numbers) {
    const auto read = parse_int(take_word(rest));
    number = read.value_or(0);
  }
  ProcessUse use;
  use.process = process;
  use.parent = static_cast<pid_t>(numbers[parent]);
  use.threads = static_cast<int>(numbers[threads]);
  use.resident =
      static_cast<std::uint64_t>(std::max<std::int64_t>(numbers[resident], 0)) * static_cast<std::uint64_t>(page);
  std::int64_t time = 0;
  for (std::size_t i = 0; i < 4; ++i) time += numbers[first_time + i];
  use.seconds = static_cast<double>(time) / static_cast<double>(ticks);
  return use;
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
  const Folder folder = open_folder(proc, ".");
  if (!folder) return all;
  while (const dirent* entry = readdir(folder.get())) {
    const auto process = parse_int(entry->d_name);
    if (!process) continue;
    const auto number = static_cast<pid_t>(*process);
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

std::int64_t socket_count(int proc, pid_t process) {
  return number_behind(read_some(proc, fmt::format("{}/net/sockstat", process)), "sockets: used");
}

}  // namespace paika::sandbox
