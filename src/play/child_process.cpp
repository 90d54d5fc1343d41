#include "play/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "base/text.hpp"

namespace paika::play {

namespace {

using Clock = ChildProcess::Clock;

/// How long a program may take to end after its input was closed.
constexpr auto time_to_end = std::chrono::milliseconds(500);
/// How often we look whether we were told to stop.
constexpr auto look_around = std::chrono::milliseconds(50);

/// Both ends of a pipe; what is still open is closed with the object.
struct Pipe {
  std::array<int, 2> ends = {-1, -1};

  Pipe() = default;
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) close(end);
    }
  }
  [[nodiscard]] bool open() { return pipe2(ends.data(), O_CLOEXEC) == 0; }
  [[nodiscard]] int release(std::size_t which) { return std::exchange(ends[which], -1); }
};

/// Milliseconds until `deadline` for poll: 0 if it has passed, rounded up so that we never wake too soon.
int poll_time(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
}

/// Keeps SIGPIPE from this thread while it writes, and takes back one that the writing raised.
class NoBrokenPipeSignal {
 public:
  NoBrokenPipeSignal() {
    sigemptyset(&broken_pipe_);
    sigaddset(&broken_pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe_, &before_);
  }
  NoBrokenPipeSignal(const NoBrokenPipeSignal&) = delete;
  NoBrokenPipeSignal& operator=(const NoBrokenPipeSignal&) = delete;
  ~NoBrokenPipeSignal() {
    if (sigismember(&before_, SIGPIPE) == 1) return;
    const timespec at_once{};
    while (sigtimedwait(&broken_pipe_, nullptr, &at_once) >= 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t broken_pipe_{};
  sigset_t before_{};
};

/// The log opened for adding to it, or a file that swallows everything; -1 if there is not even that.
int open_log(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  const int log = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  return log >= 0 ? log : open("/dev/null", O_WRONLY | O_CLOEXEC);
}

/// What posix_spawn is told of files and signals; set up once a start.
class SpawnPlan {
 public:
  /// A program without `child_errors` (-1) has our standard error.
  SpawnPlan(int child_input, int child_output, int child_errors) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, child_input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files_, child_output, STDOUT_FILENO);
    if (child_errors >= 0) posix_spawn_file_actions_adddup2(&files_, child_errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD}) sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }

  /// The error number, 0 if the process runs.
  [[nodiscard]] int run(const std::string& command, pid_t& process) const {
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = command;
    const std::array<char*, 4> words = {shell.data(), option.data(), text.data(), nullptr};
    return posix_spawn(&process, "/bin/sh", &files_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const std::string& command, const std::string& error_log) {
  Pipe input;
  Pipe output;
  Pipe errors;  // only one end of it is used
  pid_t process = -1;
  int error = 0;
  if (!input.open() || !output.open()) {
    error = errno;
  } else {
    if (!error_log.empty()) errors.ends[1] = open_log(error_log);
    error = SpawnPlan(input.ends[0], output.ends[1], errors.ends[1]).run(command, process);
  }
  if (error != 0) return fail("cannot start {}: {}", in_quotes(command), std::strerror(error));
  fcntl(input.ends[1], F_SETFL, O_NONBLOCK);
  fcntl(output.ends[0], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<ChildProcess>(new ChildProcess(process, input.release(1), output.release(0)));
}

ChildProcess::ChildProcess(pid_t process, int to_child, int from_child)
    : process_(process), to_child_(to_child), from_child_(from_child) {}

ChildProcess::~ChildProcess() {
  close(to_child_);
  close(from_child_);
  // The group is killed before its leader is reaped: until then its number cannot belong to others.
  (void)ended_by(Clock::now() + time_to_end);
  kill(-process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool ChildProcess::ended_by(Clock::time_point deadline) const {
  for (auto pause = std::chrono::milliseconds(1);; pause = std::min(2 * pause, std::chrono::milliseconds(20))) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return true;
    if (ended.si_pid == process_) return true;
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(pause);
  }
}

bool ChildProcess::closed() const {
  pollfd watched{from_child_, 0, 0};
  return at_end_ || (poll(&watched, 1, 0) > 0 && (watched.revents & POLLHUP) != 0);
}

tl::expected<void, ChildProcess::Trouble> ChildProcess::take_bytes() {
  std::array<char, 1 << 14> bytes{};
  const ssize_t count = read(from_child_, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (count <= 0) {
    at_end_ = true;
    return {};
  }
  bytes_heard_ += static_cast<std::size_t>(count);
  if (bytes_heard_ > most_bytes) return tl::unexpected(Trouble::flood);
  lines_.add({bytes.data(), static_cast<std::size_t>(count)});
  return {};
}

tl::expected<void, ChildProcess::Trouble> ChildProcess::wait(bool to_write, Clock::time_point deadline) {
  std::array<pollfd, 2> watched = {pollfd{at_end_ ? -1 : from_child_, POLLIN, 0},
                                   pollfd{to_write ? to_child_ : -1, POLLOUT, 0}};
  if (poll(watched.data(), watched.size(), poll_time(deadline)) <= 0) return {};
  if ((watched[1].revents & (POLLERR | POLLNVAL)) != 0) return tl::unexpected(Trouble::closed);
  if (watched[0].revents != 0) return take_bytes();
  return {};
}

tl::expected<void, ChildProcess::Trouble> ChildProcess::write_line(std::string_view text, Clock::time_point deadline) {
  const std::string line = std::string(text) + "\n";
  std::string_view left = line;
  for (;;) {
    {
      const NoBrokenPipeSignal quiet;
      const ssize_t count = write(to_child_, left.data(), left.size());
      if (count > 0) left.remove_prefix(static_cast<std::size_t>(count));
      if (count < 0 && errno != EAGAIN && errno != EINTR) return tl::unexpected(Trouble::closed);
    }
    if (left.empty()) return {};
    // A program that waits for us to read before it reads is heard meanwhile.
    if (const auto waited = wait(true, deadline); !waited) return waited;
    if (Clock::now() >= deadline) return tl::unexpected(Trouble::timeout);
  }
}

tl::expected<std::string, ChildProcess::Trouble> ChildProcess::read_line(Clock::time_point deadline,
                                                                         const std::stop_token& stop) {
  for (;;) {
    if (auto line = lines_.next()) {
      if (line->too_long) return tl::unexpected(Trouble::flood);
      return std::move(line->text);
    }
    if (at_end_) return tl::unexpected(Trouble::closed);
    if (stop.stop_requested()) return tl::unexpected(Trouble::stopped);
    const auto now = Clock::now();
    if (const auto waited = wait(false, std::min(deadline, now + look_around)); !waited) {
      return tl::unexpected(waited.error());
    }
    // What came with the deadline still counts; the next round finds it.
    if (now >= deadline) {
      if (auto line = lines_.next(); line && !line->too_long) return std::move(line->text);
      return tl::unexpected(Trouble::timeout);
    }
  }
}

std::string_view words_for(ChildProcess::Trouble trouble) noexcept {
  switch (trouble) {
    case ChildProcess::Trouble::timeout: return "it did not answer in time";
    case ChildProcess::Trouble::closed: return "it has ended";
    case ChildProcess::Trouble::flood: return "it sent more than anybody can read";
    case ChildProcess::Trouble::stopped: return "it was stopped";
  }
  return "";
}

}  // namespace paika::play
