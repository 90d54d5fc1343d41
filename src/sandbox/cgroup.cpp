#include "sandbox/cgroup.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/text.hpp"

namespace paika::sandbox {

namespace {

namespace fs = std::filesystem;
using Place = CgroupPlaces::Place;

constexpr std::string_view name_prefix = "paika-bot-";
/// The leaf to which we move in a hierarchy that was delegated to us.
constexpr std::string_view own_leaf = "paika-main";

std::string read_text(const std::string& path) {
  const std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A value of the kernel's files is one write.
bool write_value(const std::string& path, std::string_view value) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = write(file, value.data(), value.size()) == static_cast<ssize_t>(value.size());
  const int why = errno;
  close(file);
  errno = why;
  return written;
}

/// The number behind a word in a text of lines "word number".
std::int64_t number_of(const std::string& text, std::string_view word) {
  for (std::string_view line : split(text, '\n')) {
    if (take_word(line) == word) return parse_int(trimmed(line)).value_or(0);
  }
  return 0;
}

bool has_word(std::string_view list, std::string_view word, char separator) {
  const auto words = split(trimmed(list), separator);
  return std::find(words.begin(), words.end(), word) != words.end();
}

// ---- Where groups can be made ----

/// A hierarchy of groups, and where we are in it.
struct Hierarchy {
  bool unified = false;
  std::string controllers;  // of version 1: "cpu,cpuacct"
  std::string mount;
  std::string own;  // our own group's folder
};

/// Our group's path in the hierarchy with this controller ("" for the unified one), as /proc/self/cgroup tells it.
std::optional<std::string> own_path(std::string_view own_groups, std::string_view controller) {
  for (const std::string_view line : split(own_groups, '\n')) {
    const auto first = line.find(':');
    const auto second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    if (controller.empty() ? controllers.empty() : has_word(controllers, controller, ',')) {
      return std::string(line.substr(second + 1));
    }
  }
  return std::nullopt;
}

/// The folder of a group: a mount may show only a part of its hierarchy, of which `root` is the top.
std::string folder_of(const std::string& mount, std::string_view root, std::string_view path) {
  if (root != "/" && path.starts_with(root)) path.remove_prefix(root.size());
  if (path == "/" || path.starts_with("/..")) path = "";
  return mount + std::string(path);
}

/// A line of mountinfo: "36 31 0:33 ROOT MOUNT OPTIONS … - TYPE SOURCE SUPER-OPTIONS".
std::optional<Hierarchy> read_hierarchy(std::string_view line, std::string_view own_groups) {
  const auto dash = line.find(" - ");
  if (dash == std::string_view::npos) return std::nullopt;
  const auto fields = split(line.substr(0, dash), ' ');
  const auto about = split(line.substr(dash + 3), ' ');
  if (fields.size() < 5 || about.size() < 3 || !about[0].starts_with("cgroup")) return std::nullopt;
  Hierarchy found;
  found.unified = about[0] == "cgroup2";
  found.controllers = std::string(about[2]);
  found.mount = std::string(fields[4]);
  std::optional<std::string> path;
  if (found.unified) {
    path = own_path(own_groups, "");
  } else {
    for (const std::string_view controller : {"memory", "pids", "cpu", "cpuacct"}) {
      if (has_word(found.controllers, controller, ',')) path = own_path(own_groups, controller);
    }
  }
  if (!path) return std::nullopt;
  found.own = folder_of(found.mount, fields[3], *path);
  return found;
}

/// Moves all processes of a delegated group to a leaf, so that its other children can have limits.
bool prepare(const std::string& folder) {
  const std::string leaf = fmt::format("{}/{}", folder, own_leaf);
  if (mkdir(leaf.c_str(), 0755) != 0 && errno != EEXIST) return false;
  const std::string processes = read_text(folder + "/cgroup.procs");
  for (const std::string_view process : split(processes, '\n')) {
    if (!process.empty()) static_cast<void>(write_value(leaf + "/cgroup.procs", process));
  }
  const std::string control = folder + "/cgroup.subtree_control";
  for (const std::string_view controller : {"memory", "pids", "cpu"}) {
    if (has_word(read_text(control), controller, ' ')) continue;
    static_cast<void>(write_value(control, fmt::format("+{}", controller)));
  }
  return true;
}

/// Where groups can be made in the unified hierarchy: beside the leaf that we moved to, in a group that the system
/// delegated to us (systemd marks it so), or at its top.
std::string unified_folder(const Hierarchy& unified) {
  const fs::path own(unified.own);
  if (own.filename() == own_leaf) return own.parent_path().string();
  std::array<char, 2> delegated{};
  if (getxattr(unified.own.c_str(), "user.delegate", delegated.data(), delegated.size()) == 1 && delegated[0] == '1') {
    return prepare(unified.own) ? unified.own : "";
  }
  return unified.mount;
}

// ---- A group ----

/// Removes the groups of makers that have ended. Only empty ones can be removed, so that nobody is harmed.
void remove_stale(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with(name_prefix)) continue;
    const auto maker = parse_int(std::string_view(name).substr(name_prefix.size()));
    if (maker && kill(static_cast<pid_t>(*maker), 0) != 0 && errno == ESRCH) rmdir(it->path().c_str());
  }
}

/// The kernel's table of weights: a step of niceness is a quarter.
double weight_of(int niceness) { return std::pow(1.25, -niceness); }

}  // namespace

Result<CgroupPlaces> find_cgroup_places(std::string_view own_groups, std::string_view mounts) {
  CgroupPlaces places;
  std::string unified;
  std::string enabled;
  const std::array<std::pair<std::string_view, Place*>, 4> wanted = {
      {{"memory", &places.memory}, {"pids", &places.pids}, {"cpu", &places.cpu}, {"cpuacct", &places.cpuacct}}};
  for (const std::string_view line : split(mounts, '\n')) {
    const auto found = read_hierarchy(line, own_groups);
    if (!found) continue;
    if (found->unified) {
      unified = unified_folder(*found);
      enabled = read_text(unified + "/cgroup.subtree_control");
      continue;
    }
    for (const auto& [controller, place] : wanted) {
      if (has_word(found->controllers, controller, ',')) *place = {found->own, false};
    }
  }
  for (const auto& [controller, place] : wanted) {
    // The unified hierarchy counts processor time without a controller.
    const bool there = controller == "cpuacct" ? !unified.empty() : has_word(enabled, controller, ' ');
    if (place->folder.empty() && there) *place = {unified, true};
  }
  if (places.memory.folder.empty() || places.pids.folder.empty() || places.cpuacct.folder.empty()) {
    return fail("no control groups for memory and processes are open to us");
  }
  return places;
}

Result<Cgroup> Cgroup::make(const CgroupPlaces& places, const CgroupLimits& limits) {
  const std::string name = fmt::format("{}{}", name_prefix, getpid());
  CgroupPlaces own = places;
  for (Place* place : {&own.memory, &own.pids, &own.cpu, &own.cpuacct}) {
    if (place->folder.empty()) continue;
    remove_stale(place->folder);
    place->folder += "/" + name;
  }
  Cgroup group(own);
  for (const std::string& folder : group.folders()) {
    if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
      return fail("no control group can be made at {}: {}", folder, std::strerror(errno));
    }
  }
  if (auto set = group.set_limits(limits); !set) return tl::unexpected(set.error());
  return group;
}

Result<Cgroup> Cgroup::make(const CgroupLimits& limits) {
  const auto places = find_cgroup_places(read_text("/proc/self/cgroup"), read_text("/proc/self/mountinfo"));
  if (!places) return tl::unexpected(places.error());
  return make(*places, limits);
}

Result<void> Cgroup::set_limits(const CgroupLimits& limits) const {
  const std::string memory = fmt::format("{}", limits.memory);
  const bool unified = places_.memory.unified;
  const std::string memory_file = places_.memory.folder + (unified ? "/memory.max" : "/memory.limit_in_bytes");
  if (!write_value(memory_file, memory)) return fail("{}: {}", memory_file, std::strerror(errno));
  // Not every kernel has swap.
  static_cast<void>(write_value(places_.memory.folder + (unified ? "/memory.swap.max" : "/memory.memsw.limit_in_bytes"),
                                unified ? "0" : memory));
  const std::string pids_file = places_.pids.folder + "/pids.max";
  if (!write_value(pids_file, fmt::format("{}", limits.processes))) {
    return fail("{}: {}", pids_file, std::strerror(errno));
  }
  if (places_.cpu.folder.empty()) return {};
  const double weight = weight_of(limits.niceness) * (places_.cpu.unified ? 100 : 1024);
  static_cast<void>(write_value(places_.cpu.folder + (places_.cpu.unified ? "/cpu.weight" : "/cpu.shares"),
                                fmt::format("{}", std::max(2L, std::lround(weight)))));
  return {};
}

Cgroup::~Cgroup() {
  for (int round = 0; round < 200 && !folders().empty(); ++round) {
    bool gone = true;
    for (const std::string& folder : folders()) gone = (rmdir(folder.c_str()) == 0 || errno == ENOENT) && gone;
    if (gone) return;
    kill_all();
    usleep(5'000);
  }
}

std::vector<std::string> Cgroup::folders() const {
  std::vector<std::string> all;
  for (const Place* place : {&places_.memory, &places_.pids, &places_.cpu, &places_.cpuacct}) {
    if (!place->folder.empty() && std::find(all.begin(), all.end(), place->folder) == all.end()) {
      all.push_back(place->folder);
    }
  }
  return all;
}

Result<void> Cgroup::add(pid_t process) const {
  for (const std::string& folder : folders()) {
    if (!write_value(folder + "/cgroup.procs", fmt::format("{}", process))) {
      return fail("{}/cgroup.procs: {}", folder, std::strerror(errno));
    }
  }
  return {};
}

void Cgroup::kill_all() const {
  for (const std::string& folder : folders()) {
    if (write_value(folder + "/cgroup.kill", "1")) continue;
    const std::string processes = read_text(folder + "/cgroup.procs");
    for (const std::string_view process : split(processes, '\n')) {
      const auto number = parse_int(process);
      if (number && *number > 0) kill(static_cast<pid_t>(*number), SIGKILL);
    }
  }
}

std::chrono::microseconds Cgroup::processor_time() const {
  const std::string& folder = places_.cpuacct.folder;
  if (places_.cpuacct.unified) {
    return std::chrono::microseconds(number_of(read_text(folder + "/cpu.stat"), "usage_usec"));
  }
  const auto nanoseconds = parse_int(trimmed(read_text(folder + "/cpuacct.usage"))).value_or(0);
  return std::chrono::microseconds(nanoseconds / 1000);
}

bool Cgroup::ran_out_of_memory() const {
  const char* file = places_.memory.unified ? "/memory.events" : "/memory.oom_control";
  return number_of(read_text(places_.memory.folder + file), "oom_kill") > 0;
}

bool Cgroup::ran_out_of_processes() const {
  return number_of(read_text(places_.pids.folder + "/pids.events"), "max") > 0;
}

}  // namespace paika::sandbox
