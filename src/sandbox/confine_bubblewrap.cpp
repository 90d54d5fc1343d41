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

/// The file system. Folders in memory are small, and all that is not meant to be written is read-only.
void add_view(std::vector<std::string>& words, const ConfineOrder& order) {
  const View view = view_of(order);
  const std::string small = fmt::format("{}", small_folder_bytes);
  for (const auto& [path, target] : view.links) add(words, {"--symlink", target, path});
  add(words, {"--proc", "/proc", "--dev", "/dev"});
  add(words, {"--perms", "1777", "--size", small, "--tmpfs", "/dev/shm", "--remount-ro", "/dev"});
  add(words, {"--perms", "1777", "--size", small, "--tmpfs", "/tmp"});
  for (const std::string& path : view.readable) {
    add_parents(words, path);
    add(words, {"--ro-bind", path, path});
  }
  for (const auto& [path, text] : view.files) {
    add(words, {"--perms", "0644", "--ro-bind-data", fmt::format("{}", text_file(text)), path});
  }
  if (!order.scratch.empty()) {
    add_parents(words, order.scratch);
    add(words, {"--bind", order.scratch, order.scratch});
  }
  add(words, {"--remount-ro", "/"});
}

}  // namespace

void enter_bubblewrap(const ConfineOrder& order, InfoPipe info) {
  // We are run again inside by this descriptor, which has to outlive bwrap's start: the program's file need not be
  // visible there.
  const int self = open("/proc/self/exe", O_RDONLY);
  if (self < 0) give_up_entering("our own program");
  for (const int kept : {info.write_end, order.life}) fcntl(kept, F_SETFD, 0);
  std::vector<std::string> words = {"bwrap", "--die-with-parent", "--new-session", "--info-fd",
                                    fmt::format("{}", info.write_end)};
  if (order.user != 0) {
    // We are root: no namespace of users is needed, and the last step makes the program another user.
    add(words, {"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"});
    add(words, {"--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"});
  } else {
    add(words, {"--unshare-all", "--cap-drop", "ALL"});
  }
  add_view(words, order);
  add(words, {"--", fmt::format("/proc/self/fd/{}", self)});
  for (std::string& word : confine_words(order, true)) words.push_back(std::move(word));
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp("bwrap", pointers.data());
  give_up_entering("bwrap");
}

}  // namespace paika::sandbox
