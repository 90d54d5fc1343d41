#include "sandbox/confine_view.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace paika::sandbox {

namespace {

namespace fs = std::filesystem;

/// Of /etc only what programs cannot run without: how libraries are found, which of several programs is meant, where
/// the JVM has its settings, what time it is.
bool needed_of_etc(const std::string& name) {
  for (const std::string_view known : {"ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime"}) {
    if (name == known) return true;
  }
  return name.starts_with("java") || name.starts_with("python");
}

}  // namespace

View view_of(const ConfineOrder& order) {
  View view;
  std::error_code error;
  view.readable.emplace_back("/usr");
  for (const std::string path : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    if (fs::is_symlink(path, error)) {
      view.links.emplace_back(path, fs::read_symlink(path, error).string());
    } else if (fs::is_directory(path, error)) {
      view.readable.push_back(path);
    }
  }
  for (const auto& entry : fs::directory_iterator("/etc", error)) {
    if (needed_of_etc(entry.path().filename().string())) view.readable.push_back(entry.path().string());
  }
  std::sort(view.readable.begin(), view.readable.end());
  for (const std::string& path : order.confinement.readable) view.readable.push_back(path);
  if (!order.folder.empty()) view.readable.push_back(order.folder);
  const uid_t user = order.user != 0 ? order.user : getuid();
  const gid_t group = order.user != 0 ? order.user : getgid();
  for (const char* device : {"null", "zero", "full", "random", "urandom"}) {
    view.devices.push_back(std::string("/dev/") + device);
  }
  // What is written there counts with the rest.
  view.links.emplace_back("/dev/shm", "/tmp");
  for (const auto& [link, target] : {std::pair{"fd", "/proc/self/fd"}, std::pair{"stdin", "/proc/self/fd/0"},
                                     std::pair{"stdout", "/proc/self/fd/1"}, std::pair{"stderr", "/proc/self/fd/2"}}) {
    view.links.emplace_back(std::string("/dev/") + link, target);
  }
  view.files.emplace_back("/etc/passwd", fmt::format("bot:x:{}:{}:bot:{}:/bin/sh\n", user, group, home_inside));
  view.files.emplace_back("/etc/group", fmt::format("bot:x:{}:\n", group));
  view.files.emplace_back("/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n");
  return view;
}

}  // namespace paika::sandbox
