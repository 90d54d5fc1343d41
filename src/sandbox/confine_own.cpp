// Sandbox of our own, for machines without bubblewrap: namespaces of users (unless we are root), mounts, processes,
// network, messages and names, and a root folder that holds only what a program may see.
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/confine.hpp"
#include "sandbox/confine_view.hpp"

namespace paika::sandbox {

namespace {

namespace fs = std::filesystem;

/// Where the new root is built, in our own view only. What lies under the real one is opened before.
constexpr const char* site = "/tmp";

void must(bool done, const std::string& what) {
  if (!done) give_up_entering(what);
}

void write_text(const std::string& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  must(file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()), path);
  close(file);
}

/// New namespaces; whoever is not root gets one of users first, in which it is itself.
void leave_the_world(bool root) {
  const uid_t user = getuid();
  const gid_t group = getgid();
  if (!root) {
    must(unshare(CLONE_NEWUSER) == 0, "a namespace of users");
    write_text("/proc/self/setgroups", "deny");
    write_text("/proc/self/uid_map", fmt::format("{} {} 1", user, user));
    write_text("/proc/self/gid_map", fmt::format("{} {} 1", group, group));
  }
  must(unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS) == 0, "namespaces");
  static_cast<void>(unshare(CLONE_NEWCGROUP));  // not every system has them
}

/// A copy of a part of the file system, not mounted anywhere yet.
struct Part {
  std::string path;
  int tree = -1;
  bool folder = true;
};

Part copy_of(const std::string& path, bool writable) {
  Part part{path, open_tree(AT_FDCWD, path.c_str(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE), true};
  must(part.tree >= 0, path);
  struct stat about{};
  must(fstatat(part.tree, "", &about, AT_EMPTY_PATH) == 0, path);
  part.folder = S_ISDIR(about.st_mode);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (writable ? 0 : MOUNT_ATTR_RDONLY);
  if (path.starts_with("/dev/")) attributes.attr_set = MOUNT_ATTR_NOSUID;
  must(mount_setattr(part.tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes) == 0, path);
  return part;
}

void put(const Part& part) {
  const std::string place = site + part.path;
  std::error_code error;
  fs::create_directories(part.folder ? fs::path(place) : fs::path(place).parent_path(), error);
  if (!part.folder && !fs::exists(place, error)) write_text(place, "");
  must(move_mount(part.tree, "", AT_FDCWD, place.c_str(), MOVE_MOUNT_F_EMPTY_PATH) == 0, part.path);
  close(part.tree);
}

/// To be called by process 1 of the new namespace, whose /proc it is.
void build_root(const ConfineOrder& order) {
  must(mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "a view of our own");
  const View view = view_of(order);
  std::vector<Part> parts;
  for (const std::string& device : view.devices) parts.push_back(copy_of(device, true));
  for (const std::string& path : view.readable) parts.push_back(copy_of(path, false));
  must(mount("tmpfs", site, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m") == 0, "a new root");
  for (const char* folder : {"/etc", "/proc", "/dev", "/tmp"})
    must(mkdir((std::string(site) + folder).c_str(), 0755) == 0, folder);
  must(mount("proc", (std::string(site) + "/proc").c_str(), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0,
       "/proc");
  const std::string options =
      fmt::format("mode=1777,size={},nr_inodes={}", order.confinement.limits.written, max_files);
  must(mount("tmpfs", (std::string(site) + "/tmp").c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0,
       "/tmp");
  for (const auto& [path, target] : view.links) must(symlink(target.c_str(), (site + path).c_str()) == 0, path);
  for (const auto& [path, text] : view.files) write_text(site + path, text);
  for (const Part& part : parts) put(part);
  must(chdir(site) == 0, "the new root");
  must(syscall(SYS_pivot_root, ".", ".") == 0, "changing to the new root");
  must(umount2(".", MNT_DETACH) == 0 && chdir("/") == 0, "leaving the old root");
  must(mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, nullptr) == 0,
       "a root to read");
}

/// Runs our own program anew, so that nothing of what this process knows is in the memory of process 1.
[[noreturn]] void run_process_one(int self, int channel) {
  std::vector<std::string> words = {"paika", "confine", "--inside", fmt::format("{}", channel)};
  std::vector<std::string> nothing;
  fcntl(channel, F_SETFD, 0);
  fexecve(self, exec_words(words).data(), exec_words(nothing).data());
  give_up_entering("our own program");
}

}  // namespace

void enter_own_sandbox(const ConfineOrder& order) {
  const int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  must(self >= 0, "our own program");
  leave_the_world(order.user != 0);
  const pid_t first = fork();
  must(first >= 0, "a process");
  if (first == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    go_on_only_if_watched(order.channel);
    build_root(order);
    run_process_one(self, order.channel);
  }
  close_range(0, ~0U, 0);
  int status = 0;
  while (waitpid(first, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) _exit(128 + WTERMSIG(status));
  _exit(WEXITSTATUS(status));
}

}  // namespace paika::sandbox
