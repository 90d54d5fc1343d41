// The last step before a confined program runs: limits, user, filter, environment.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.hpp"
#include "sandbox/confine.hpp"
#include "sandbox/confine_filter.hpp"

namespace paika::sandbox {

namespace {

/// The system's own limit of processes lies above the watcher's, which so has time to see what happened and to tell it.
constexpr int spare_processes = 100;

[[noreturn]] void cannot_run(std::string_view what) {
  const std::string text = fmt::format("paika: {}: {}\n", what, std::strerror(errno));
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  _exit(127);
}

/// Never above the limit that is there: only the privileged may raise it.
void limit(__rlimit_resource resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return;
  if (now.rlim_max != RLIM_INFINITY && most > now.rlim_max) most = now.rlim_max;
  const rlimit wanted{most, most};
  if (setrlimit(resource, &wanted) != 0) cannot_run("cannot set a limit");
}

void set_limits(const ConfineOrder& order) {
  const BotLimits& limits = order.confinement.limits;
  // Without a sandbox all programs of the same user count together, so that only a user of its own can be limited.
  if (order.confinement.sandbox != Sandbox::none || order.user != 0) {
    limit(RLIMIT_NPROC, static_cast<rlim_t>(limits.processes) + spare_processes);
  }
  limit(RLIMIT_NOFILE, static_cast<rlim_t>(limits.open_files));
  limit(RLIMIT_FSIZE, limits.written);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_MEMLOCK, 0);
  if (limits.cpu_seconds > 0) limit(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_seconds) + 2);
}

/// Closes what is no standard stream; the one that is left closes when the program is run.
void close_all_but(int kept) {
  if (kept <= STDERR_FILENO) {
    close_range(STDERR_FILENO + 1, ~0U, 0);
    return;
  }
  fcntl(kept, F_SETFD, FD_CLOEXEC);
  const auto number = static_cast<unsigned>(kept);
  if (number > STDERR_FILENO + 1) close_range(STDERR_FILENO + 1, number - 1, 0);
  close_range(number + 1, ~0U, 0);
}

/// Signals as every program expects them; what is ignored would stay so.
void settle_signals() {
  for (int signal = 1; signal < NSIG; ++signal) static_cast<void>(std::signal(signal, SIG_DFL));
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// If the machine runs out of memory, a bot goes first.
void go_first_without_memory() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!write(file, "1000", 4));
  close(file);
}

void become_user(uid_t user) {
  if (user == 0) return;
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) {
    cannot_run("cannot become another user");
  }
}

std::vector<std::string> clean_environment(const std::string& home) {
  return {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8"};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

void become_program(const ConfineOrder& order) {
  const bool sandboxed = order.confinement.sandbox != Sandbox::none;
  std::vector<std::string> words = order.words;
  const std::string home = order.scratch.empty() ? "/tmp" : order.scratch;
  std::vector<std::string> variables = clean_environment(home);
  close_all_but(order.life);
  settle_signals();
  go_first_without_memory();
  set_limits(order);
  become_user(order.user);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const std::string& folder = order.folder.empty() ? home : order.folder;
  if (chdir(folder.c_str()) != 0) cannot_run("cannot enter " + in_quotes(folder, 200));
  if (sandboxed && !install_filter()) cannot_run("cannot set the filter of system calls");
  go_on_only_if_watched(order);
  if (sandboxed) {
    execvpe(words[0].c_str(), pointers(words).data(), pointers(variables).data());
  } else {
    execvp(words[0].c_str(), pointers(words).data());
  }
  cannot_run("cannot run " + in_quotes(words[0], 200));
}

void go_on_only_if_watched(const ConfineOrder& order) {
  pollfd life{order.life, 0, 0};
  if (order.life >= 0 && poll(&life, 1, 0) > 0) _exit(125);
}

void give_up_entering(const std::string& what) {
  const std::string text = fmt::format("paika: the sandbox cannot be set up: {}: {}\n", what, std::strerror(errno));
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  _exit(125);
}

}  // namespace paika::sandbox
