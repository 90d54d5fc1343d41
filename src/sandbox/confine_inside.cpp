// Inside the sandbox: process 1, and the last step before a confined program runs: limits, user, filter, environment.
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
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.hpp"
#include "sandbox/channel.hpp"
#include "sandbox/confine.hpp"
#include "sandbox/confine_filter.hpp"

namespace paika::sandbox {

namespace {

/// The system's own limit of processes lies above the watcher's, which so has time to see what happened and to tell it.
constexpr int spare_processes = 100;
/// How often all that runs inside is stopped anew while it has to stand still.
constexpr int stop_again_ms = 20;

[[noreturn]] void cannot_run(std::string_view what) {
  const std::string text = fmt::format("paika: {}: {}\n", what, std::strerror(errno));
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  _exit(127);
}

void write_about_self(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(!write(file, text.data(), text.size()));
  close(file);
}

/// Never above the limit that is there: only the privileged may raise it.
void limit(__rlimit_resource resource, rlim_t most) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) return;
  if (now.rlim_max != RLIM_INFINITY && most > now.rlim_max) most = now.rlim_max;
  const rlimit wanted{most, most};
  if (setrlimit(resource, &wanted) != 0) cannot_run("cannot set a limit");
}

/// A limit of 0 keeps files from being written, but where the kernel's core_pattern begins with '|' it starts that
/// program all the same, as root, outside of the sandbox, and feeds it all of the bot's memory. For such patterns 1
/// alone means none (core(5)), and no file has only one byte either. Not being dumpable would not do: execve() makes a
/// process dumpable again. The filter keeps the limit from being set anew. Where it cannot be 1, because ours is 0
/// already, dumps have no memory in them as long as the bot does not want that itself.
void no_core_dumps() {
  limit(RLIMIT_CORE, 1);
  write_about_self("/proc/self/coredump_filter", "0");
}

void set_limits(const ConfineOrder& order) {
  const BotLimits& limits = order.confinement.limits;
  constexpr rlim_t max_signals = 256;
  // Without a sandbox all programs of the same user count together, so that only a user of its own can be limited.
  if (order.confinement.sandbox != Sandbox::none || order.user != 0) {
    limit(RLIMIT_NPROC, static_cast<rlim_t>(limits.processes) + spare_processes);
    limit(RLIMIT_SIGPENDING, max_signals);
  }
  limit(RLIMIT_NOFILE, static_cast<rlim_t>(limits.open_files));
  limit(RLIMIT_FSIZE, limits.written);
  no_core_dumps();
  limit(RLIMIT_MEMLOCK, 0);
  limit(RLIMIT_MSGQUEUE, 0);
  if (limits.cpu_seconds > 0) limit(RLIMIT_CPU, static_cast<rlim_t>(limits.cpu_seconds) + 2);
}

/// Closes what is no standard stream; the one that is left closes when a program is run.
void close_all_but(int kept) {
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

void become_user(uid_t user) {
  if (user == 0) return;
  if (setgroups(0, nullptr) != 0 || setresgid(user, user, user) != 0 || setresuid(user, user, user) != 0) {
    cannot_run("cannot become another user");
  }
}

/// What holds for process 1 as well as for the program.
void confine_self(const ConfineOrder& order) {
  settle_signals();
  write_about_self("/proc/self/oom_score_adj", "1000");  // if the machine runs out of memory, a bot goes first
  set_limits(order);
  become_user(order.user);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

std::vector<std::string> clean_environment(const std::string& home) {
  return {"PATH=" + std::string(program_path), "HOME=" + home, "TMPDIR=" + home, "LANG=C.UTF-8"};
}

void set_filter() {
  if (!install_filter()) cannot_run("cannot set the filter of system calls");
}

/// The program's process: in a session of its own, which has the niceness of its members where the kernel shares the
/// processor among sessions.
[[noreturn]] void run_program_inside(const ConfineOrder& order) {
  setsid();
  prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);  // nobody else is here yet
  write_about_self("/proc/self/autogroup", fmt::format("{}", getpriority(PRIO_PROCESS, 0)));
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const std::string home(home_inside);
  const std::string& folder = order.folder.empty() ? home : order.folder;
  if (chdir(folder.c_str()) != 0) cannot_run("cannot enter " + in_quotes(folder, 200));
  std::vector<std::string> words = order.words;
  std::vector<std::string> variables = clean_environment(home);
  set_filter();
  execvpe(words[0].c_str(), exec_words(words).data(), exec_words(variables).data());
  cannot_run("cannot run " + in_quotes(words[0], 200));
}

/// Lets the watcher look at what the program leaves, which ends with us. On a busy machine the watcher looks so rarely
/// that the program may meet the system's limit of processes, and end for it, before that is seen.
void show_what_is_left(int channel) {
  if (!send_word(channel, ChannelWord::ended)) return;
  while (const auto word = receive_word(channel)) {
    if (*word == ChannelWord::ended) return;
    static_cast<void>(send_word(channel, *word));  // there is nothing to stop or to continue any more
  }
}

/// Takes in whatever has ended; when the program has, everything ends.
void reap(pid_t program, int channel) {
  int status = 0;
  for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
    if (ended != program) continue;
    show_what_is_left(channel);
    _exit(WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
  }
}

/// Does what the watcher says. A signal to all but process 1 reaches every process of the sandbox at once: none can
/// fork away from it.
void obey(int channel, bool& paused) {
  const auto word = receive_word(channel);
  if (!word) _exit(125);
  paused = *word == ChannelWord::pause;
  kill(-1, paused ? SIGSTOP : SIGCONT);
  if (!send_word(channel, *word)) _exit(125);
}

[[noreturn]] void look_after(pid_t program, int channel, int children) {
  for (bool paused = false;;) {
    std::array<pollfd, 2> watched = {pollfd{channel, POLLIN, 0}, pollfd{children, POLLIN, 0}};
    if (poll(watched.data(), watched.size(), paused ? stop_again_ms : -1) < 0 && errno != EINTR) _exit(125);
    if (watched[1].revents != 0) {
      std::array<signalfd_siginfo, 8> told{};
      static_cast<void>(!read(children, told.data(), sizeof told));
      reap(program, channel);
    }
    if (watched[0].revents != 0) {
      obey(channel, paused);
    } else if (paused) {
      kill(-1, SIGSTOP);
    }
  }
}

}  // namespace

void be_process_one(int channel) {
  const auto order = receive_order(channel);
  const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int tmp = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!order || !send_hello(channel, proc, tmp) || receive_word(channel) != ChannelWord::go) _exit(125);
  close_all_but(channel);
  confine_self(*order);
  // A change of user takes back what dies with its parent.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  go_on_only_if_watched(channel);
  // From here on nobody inside can look into this process or change it.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  sigset_t child_signal;
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child_signal, nullptr);
  const int children = signalfd(-1, &child_signal, SFD_CLOEXEC | SFD_NONBLOCK);
  const pid_t program = fork();
  if (program < 0 || children < 0) give_up_entering("a process");
  if (program == 0) run_program_inside(*order);
  for (const int file : {STDIN_FILENO, STDOUT_FILENO}) close(file);  // its pipes are not ours to hold open
  set_filter();
  close(STDERR_FILENO);
  look_after(program, channel, children);
}

void become_program(const ConfineOrder& order) {
  close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  if (receive_word(order.channel) != ChannelWord::go) _exit(125);  // it is counted from now on
  confine_self(order);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  go_on_only_if_watched(order.channel);
  std::string folder = order.folder.empty() ? order.scratch : order.folder;
  if (folder.empty()) folder = "/tmp";
  if (chdir(folder.c_str()) != 0) cannot_run("cannot enter " + in_quotes(folder, 200));
  std::vector<std::string> words = order.words;
  execvp(words[0].c_str(), exec_words(words).data());
  cannot_run("cannot run " + in_quotes(words[0], 200));
}

void go_on_only_if_watched(int channel) {
  pollfd life{channel, 0, 0};
  if (poll(&life, 1, 0) > 0) _exit(125);
}

void give_up_entering(const std::string& what) {
  const std::string text = fmt::format("paika: the sandbox cannot be set up: {}: {}\n", what, std::strerror(errno));
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
  _exit(125);
}

std::vector<char*> exec_words(std::vector<std::string>& texts) {
  std::vector<char*> all;
  all.reserve(texts.size() + 1);
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace paika::sandbox
