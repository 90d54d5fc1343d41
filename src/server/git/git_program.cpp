#include "server/git/git_program.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"

namespace paika::server {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds time_to_end(5);
constexpr std::chrono::milliseconds nap(5);
constexpr std::size_t max_errors = 4096;
constexpr int first_free = 10;  // descriptors of ours are from here on, so that none is in the way of another

// Under the sanitizers our own hook maps terabytes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool bounded_memory = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool bounded_memory = false;
#else
constexpr bool bounded_memory = true;
#endif
#else
constexpr bool bounded_memory = true;
#endif

struct Limit {
  __rlimit_resource resource;
  rlim_t value;
};
constexpr std::array<Limit, 5> limits = {{{RLIMIT_AS, rlim_t{1} << 30},
                                          {RLIMIT_CPU, 60},
                                          {RLIMIT_FSIZE, rlim_t{128} << 20},
                                          {RLIMIT_NOFILE, 256},
                                          {RLIMIT_CORE, 0}}};

/// The configuration of every run; none is read from files.
std::vector<std::pair<std::string, std::string>> configuration(const std::string& hooks) {
  return {{"safe.directory", "*"},
          {"core.hooksPath", hooks.empty() ? "/dev/null" : hooks},
          {"core.bigFileThreshold", "1m"},  // larger ones are never held in memory
          {"core.fsync", "committed,reference"},
          {"receive.fsckObjects", "true"},
          {"receive.maxInputSize", std::to_string(max_push_bytes)},
          {"receive.unpackLimit", "1"},  // packs stay packed: what they unfold to never fills the disk
          {"receive.denyDeletes", "true"},
          {"receive.denyNonFastForwards", "true"},
          {"receive.shallowUpdate", "false"},
          {"receive.advertisePushOptions", "false"},
          {"receive.autogc", "false"},
          {"receive.keepAlive", "5"},
          {"gc.auto", "0"},
          {"maintenance.auto", "false"},
          {"pack.threads", "1"},
          {"pack.windowMemory", "64m"},
          {"http.getanyfile", "false"},
          {"http.uploadpack", "true"},
          {"http.receivepack", "true"}};
}

std::vector<std::string> variables_of(const GitOrder& order) {
  std::vector<std::string> list;
  if (order.as_hook) {
    for (char** variable = environ; *variable != nullptr; ++variable) list.emplace_back(*variable);
    return list;
  }
  list = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent",    "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
          "GIT_CONFIG_GLOBAL=/dev/null",       "GIT_TERMINAL_PROMPT=0"};
  const auto settings = configuration(order.hooks);
  list.push_back(fmt::format("GIT_CONFIG_COUNT={}", settings.size()));
  for (std::size_t i = 0; i < settings.size(); ++i) {
    list.push_back(fmt::format("GIT_CONFIG_KEY_{}={}", i, settings[i].first));
    list.push_back(fmt::format("GIT_CONFIG_VALUE_{}={}", i, settings[i].second));
  }
  list.insert(list.end(), order.variables.begin(), order.variables.end());
  return list;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) list.push_back(text.data());
  list.push_back(nullptr);
  return list;
}

/// Two ends of a pipe or of a socket, closed with it unless they are taken.
class Ends {
 public:
  Ends() = default;
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() {
    for (const int end : ends_) {
      if (end >= 0) ::close(end);
    }
  }
  [[nodiscard]] bool open(bool as_socket) {
    std::array<int, 2> made{-1, -1};
    const int failed =
        as_socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, made.data()) : pipe2(made.data(), O_CLOEXEC);
    if (failed != 0) return false;
    for (std::size_t i = 0; i < 2; ++i) {
      ends_.at(i) = fcntl(made.at(i), F_DUPFD_CLOEXEC, first_free);
      ::close(made.at(i));
    }
    return ends_[0] >= 0 && ends_[1] >= 0;
  }
  [[nodiscard]] int at(std::size_t i) const { return ends_.at(i); }
  /// Ours from now on; non-blocking.
  [[nodiscard]] int take(std::size_t i) {
    const int end = std::exchange(ends_.at(i), -1);
    if (end >= 0) fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
    return end;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

/// What the new process does before it becomes git: only calls that are safe after a fork.
[[noreturn]] void become_git(const char* program, const std::array<int, 4>& ends, const char* folder, char** words,
                             char** variables) {
  setpgid(0, 0);
  for (int number = 0; number < 4; ++number) {
    const int end = ends.at(static_cast<std::size_t>(number));
    if (end >= 0) dup2(end, number);
  }
  for (const Limit& limit : limits) {
    if (limit.resource == RLIMIT_AS && !bounded_memory) continue;
    const rlimit both{limit.value, limit.value};
    setrlimit(limit.resource, &both);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGXFSZ, SIGHUP}) signal(number, SIG_DFL);
  if (*folder == '\0' || chdir(folder) == 0) execve(program, words, variables);
  constexpr int not_started = 127;
  _exit(not_started);
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

/// Reads what there is; false at the end.
bool read_into(int end, std::string& text) {
  std::array<char, 16384> buffer{};
  for (;;) {
    const ssize_t count = ::read(end, buffer.data(), buffer.size());
    if (count > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else {
      return count < 0 && errno == EAGAIN;
    }
    if (static_cast<std::size_t>(count) < buffer.size()) return true;
  }
}

Result<std::string> look_for_git() {
  for (const std::string folder : {"/usr/local/bin", "/usr/bin", "/bin"}) {
    std::string program = folder + "/git";
    if (access(program.c_str(), X_OK) != 0) continue;
    for (const std::string core :
         {"/usr/local/lib/git-core", "/usr/local/libexec/git-core", "/usr/lib/git-core", "/usr/libexec/git-core"}) {
      if (access((core + "/git-http-backend").c_str(), X_OK) == 0) return program;
    }
    return fail("git is installed without git-http-backend");
  }
  return fail("git is not installed");
}

}  // namespace

const Result<std::string>& find_git() {
  static const Result<std::string> found = look_for_git();
  return found;
}

Result<std::unique_ptr<GitProcess>> GitProcess::start(const GitOrder& order) {
  const auto& program = find_git();
  if (!program) return tl::unexpected(program.error());
  Ends in;
  Ends out;
  Ends err;
  Ends hook;
  if (!in.open(true) || !out.open(false) || !err.open(false) || (order.answered && !hook.open(true))) {
    return fail("cannot start git: {}", std::strerror(errno));
  }
  std::vector<std::string> texts = {"git"};
  texts.insert(texts.end(), order.words.begin(), order.words.end());
  std::vector<std::string> settings = variables_of(order);
  const std::vector<char*> words = pointers(texts);
  const std::vector<char*> variables = pointers(settings);
  const std::array<int, 4> theirs = {in.at(0), out.at(1), err.at(1), hook.at(1)};
  const pid_t process = fork();
  if (process < 0) return fail("cannot start git: {}", std::strerror(errno));
  if (process == 0) {
    become_git(program->c_str(), theirs, order.folder.c_str(), const_cast<char**>(words.data()),
               const_cast<char**>(variables.data()));
  }
  setpgid(process, process);  // by whoever is first
  return std::unique_ptr<GitProcess>(
      new GitProcess(process, {in.take(1), out.take(0), err.take(0), order.answered ? hook.take(0) : -1}));
}

GitProcess::~GitProcess() {
  for (const End which : {input, output, errors, hook}) close(which);
  const auto patience = Clock::now() + time_to_end;
  if (!status()) terminate();
  while (!status() && Clock::now() < patience) std::this_thread::sleep_for(nap);
  // Also what it left behind, which has its group.
  ::kill(-process_, SIGKILL);
  while (!status()) std::this_thread::sleep_for(nap);
}

void GitProcess::close(End which) {
  const int end = std::exchange(ends_.at(which), -1);
  if (end >= 0) ::close(end);
}

void GitProcess::terminate() const { ::kill(-process_, SIGTERM); }

std::optional<int> GitProcess::status() {
  int status = 0;
  if (!status_ && waitpid(process_, &status, WNOHANG) == process_) status_ = exit_status(status);
  return status_;
}

Result<GitRun> run_git(const GitOrder& order, std::string_view input, std::size_t max_output, std::chrono::seconds time,
                       const std::stop_token& stop) {
  constexpr int look_again_ms = 100;
  const auto process = GitProcess::start(order);
  if (!process) return tl::unexpected(process.error());
  GitProcess& git = **process;
  const auto deadline = Clock::now() + time;
  GitRun run;
  while (git.end(GitProcess::output) >= 0) {
    if (Clock::now() > deadline || stop.stop_requested())
      return fail("git {} did not end in time", order.words.front());
    if (input.empty()) git.close(GitProcess::input);
    std::array<pollfd, 3> watched = {{{git.end(GitProcess::output), POLLIN, 0},
                                      {git.end(GitProcess::errors), POLLIN, 0},
                                      {git.end(GitProcess::input), POLLOUT, 0}}};
    poll(watched.data(), watched.size(), look_again_ms);
    if (watched[0].revents != 0 && !read_into(git.end(GitProcess::output), run.output)) git.close(GitProcess::output);
    if (watched[1].revents != 0 && !read_into(git.end(GitProcess::errors), run.errors)) git.close(GitProcess::errors);
    if (watched[2].revents != 0) {
      const ssize_t count = ::send(git.end(GitProcess::input), input.data(), input.size(), MSG_NOSIGNAL);
      if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
      if (count < 0 && errno != EAGAIN && errno != EINTR) input = {};
    }
    if (run.output.size() > max_output) return fail("git {} wrote too much", order.words.front());
    if (run.errors.size() > max_errors) run.errors.resize(max_errors);
  }
  while (!git.status()) {
    if (Clock::now() > deadline || stop.stop_requested())
      return fail("git {} did not end in time", order.words.front());
    std::this_thread::sleep_for(nap);
  }
  run.status = *git.status();
  return run;
}

}  // namespace paika::server
