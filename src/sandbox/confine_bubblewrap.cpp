// Sandbox of bubblewrap: bwrap builds them, and inside it runs us once more for the last step.
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/confine.hpp"
#include "sandbox/confine_view.hpp"

namespace paika::sandbox {

namespace {

/// A file in memory with this text, open for whom we become.
int text_file(const std::string& text) {
  const int file = memfd_create("paika", 0);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      lseek(file, 0, SEEK_SET) != 0) {
    give_up_entering("a file in memory");
  }
  return file;
}

void add(std::vector<std::string>& words, std::initializer_list<std::string> more) { words.insert(words.end(), more); }

/// The folders above a path: those that bwrap makes by itself only root may enter.
void add_parents(std::vector<std::string>& words, const std::string& path) {
  for (auto end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    add(words, {"--perms", "0755", "--dir", path.substr(0, end)});
  }
}

/// The file system. One folder in memory can be written, and all else is read-only.
void add_view(std::vector<std::string>& words, const ConfineOrder& order) {
  const View view = view_of(order);
  add(words, {"--perms", "0755", "--dir", "/dev"});
  for (const auto& [path, target] : view.links) add(words, {"--symlink", target, path});
  for (const std::string& path : view.devices) add(words, {"--dev-bind", path, path});
  add(words, {"--proc", "/proc"});
  add(words, {"--perms", "1777", "--size", fmt::format("{}", order.confinement.limits.written), "--tmpfs", "/tmp"});
  for (const std::string& path : view.readable) {
    add_parents(words, path);
    add(words, {"--ro-bind", path, path});
  }
  for (const auto& [path, text] : view.files) {
    add(words, {"--perms", "0644", "--ro-bind-data", fmt::format("{}", text_file(text)), path});
  }
  add(words, {"--remount-ro", "/"});
}

}  // namespace

void enter_bubblewrap(const ConfineOrder& order) {
  // We are run again inside by this descriptor, which has to outlive bwrap's start: the program's file need not be
  // visible there.
  const int self = open("/proc/self/exe", O_RDONLY);
  if (self < 0) give_up_entering("our own program");
  fcntl(order.channel, F_SETFD, 0);
  std::vector<std::string> words = {"bwrap", "--die-with-parent", "--new-session", "--as-pid-1"};
  if (order.user != 0) {
    // We are root: no namespace of users is needed, and process 1 becomes another user.
    add(words, {"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"});
    add(words, {"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});
  } else {
    add(words, {"--unshare-all", "--cap-drop", "ALL"});
  }
  add_view(words, order);
  add(words, {"--", fmt::format("/proc/self/fd/{}", self), "confine", "--inside", fmt::format("{}", order.channel)});
  std::vector<std::string> nothing;  // our environment is not the program's business, nor that of process 1
  execvpe("bwrap", exec_words(words).data(), exec_words(nothing).data());
  give_up_entering("bwrap");
}

}  // namespace paika::sandbox
