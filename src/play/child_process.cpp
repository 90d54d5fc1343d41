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
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "play/scheduling.hpp"

namespace paika::play {

namespace {

using Clock = ChildProcess::Clock;

/// How long a program may take to end after its input was closed.
constexpr auto time_to_end = std::chrono::milliseconds(500);
/// How long a watcher may take to stop what it watches, and to answer at all, on a machine that is very busy.
constexpr auto time_to_answer = std::chrono::milliseconds(10'000);
/// So many times the time allowed a program may wait for processors, beyond that time.
constexpr int max_put_off = 9;
/// How long a watcher may take to end what it watches.
constexpr auto time_to_clear = std::chrono::milliseconds(2000);
/// How long we wait for a program that has closed its output to end too, so that we can say how. A watcher has to
/// clear away what it watched.
constexpr auto time_to_report = std::chrono::milliseconds(300);
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
  [[nodiscard]] bool open_socket() { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0; }
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

/// The number under which a watcher finds its control socket.
constexpr int control_number = 3;

/// What posix_spawn is told of files and signals; set up once a start.
class SpawnPlan {
 public:
  /// A program without `errors` (-1) has our standard error; one without `control` (-1) is no watcher.
  SpawnPlan(int input, int output, int errors, int control, const std::string& folder) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_adddup2(&files_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    if (errors >= 0) posix_spawn_file_actions_adddup2(&files_, errors, STDERR_FILENO);
    if (control >= 0) posix_spawn_file_actions_adddup2(&files_, control, control_number);
    if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&files_, folder.c_str());
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGCHLD, SIGXFSZ}) sigaddset(&signals, signal);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }

  /// The error number, 0 if the process runs.
  [[nodiscard]] int run(const Launch& launch, pid_t& process) const {
    std::vector<std::string> texts = launch.words;
    std::vector<char*> words;
    for (std::string& text : texts) words.push_back(text.data());
    words.push_back(nullptr);
    std::string control = fmt::format("{}={}", control_variable, control_number);
    std::vector<char*> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
    if (launch.watched) variables.push_back(control.data());
    variables.push_back(nullptr);
    return posix_spawnp(&process, words[0], &files_, &attributes_, words.data(), variables.data());
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

/// Moves a pipe's end to a number of `least` or more, so that it is not in the way of another.
void move_up(int& end, int least) {
  if (end < 0 || end >= least) return;
  const int moved = fcntl(end, F_DUPFD_CLOEXEC, least);
  if (moved < 0) return;
  close(std::exchange(end, moved));
}

}  // namespace

struct ChildProcess::Ends {
  Pipe input;
  Pipe output;
  Pipe control;
  Pipe errors;  // only one end of it is used
};

Result<std::unique_ptr<ChildProcess>> ChildProcess::start(const Launch& launch) {
  const auto before = Clock::now();
  Ends ends;
  pid_t process = -1;
  int error = launch.words.empty() ? ENOENT : 0;
  if (error == 0 && (!ends.input.open() || !ends.output.open() || (launch.watched && !ends.control.open_socket()))) {
    error = errno;
  }
  if (error == 0) {
    if (!launch.error_log.empty()) ends.errors.ends[1] = open_log(launch.error_log);
    for (int* end : {&ends.input.ends[0], &ends.output.ends[1], &ends.errors.ends[1], &ends.control.ends[1]}) {
      move_up(*end, control_number + 1);
    }
    error = SpawnPlan(ends.input.ends[0], ends.output.ends[1], ends.errors.ends[1], ends.control.ends[1], launch.folder)
                .run(launch, process);
  }
  if (error != 0) return fail("cannot start {}: {}", in_quotes(launch.text), std::strerror(error));
  fcntl(ends.input.ends[1], F_SETFL, O_NONBLOCK);
  fcntl(ends.output.ends[0], F_SETFL, O_NONBLOCK);
  std::unique_ptr<ChildProcess> child(new ChildProcess(launch, process, ends));
  child->resumed_ = before;
  return child;
}

ChildProcess::ChildProcess(const Launch& launch, pid_t process, Ends& ends)
    : command_(launch.words.size() == 3 && launch.words[1] == "-c" ? launch.words[2] : std::string()),
      folder_(launch.folder),
      max_output_(launch.max_output),
      log_(launch.log_talk ? launch.error_log : std::string()),
      process_(process),
      life_(static_cast<int>(syscall(SYS_pidfd_open, process, 0))),
      to_child_(ends.input.release(1)),
      from_child_(ends.output.release(0)),
      control_(ends.control.release(0)),
      processors_(std::max(launch.processors, 1)) {}

ChildProcess::~ChildProcess() {
  end_input();
  close(from_child_);
  if (!ended_by(Clock::now() + time_to_end) && control_ >= 0) {
    // A watcher to whom nobody listens any more ends all that it watches, even what has left its group.
    close(std::exchange(control_, -1));
    (void)ended_by(Clock::now() + time_to_clear);
  }
  // The group is killed before its leader is reaped: until then its number cannot belong to others.
  kill(-process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  for (const int file : {life_, control_}) {
    if (file >= 0) close(file);
  }
}

void ChildProcess::write_watcher(std::string_view message) const {
  if (control_ >= 0) static_cast<void>(!send(control_, message.data(), message.size(), MSG_NOSIGNAL));
}

bool ChildProcess::read_watcher(Clock::time_point deadline) {
  pollfd readable{control_, POLLIN, 0};
  if (control_ < 0 || poll(&readable, 1, poll_time(deadline)) <= 0) return false;
  std::array<char, 512> text{};
  const ssize_t count = recv(control_, text.data(), text.size(), MSG_DONTWAIT);
  if (count <= 0) return false;
  const std::string_view line(text.data(), static_cast<std::size_t>(count));
  if (const auto use = read_use_line(line)) {
    last_use_ = *use;
    answers_due_ = std::max(answers_due_ - 1, 0);
  } else if (auto ending = read_status_line(line)) {
    ending_ = std::move(ending);
  }
  return true;
}

bool ChildProcess::ask_watcher(std::string_view message) {
  write_watcher(message);
  ++answers_due_;
  const auto deadline = Clock::now() + time_to_answer;
  while (!ending_ && answers_due_ > 0) {
    if (!read_watcher(deadline)) return false;
  }
  return true;
}

ChildProcess::Use ChildProcess::use() const {
  using std::chrono::microseconds;
  if (control_ < 0) return {};
  // What has not been let run yet has only waited.
  const bool runs = last_use_.running_since >= resumed_ || ending_;
  const auto until = runs ? last_use_.running_since : Clock::now();
  const auto to_begin = std::chrono::duration_cast<microseconds>(until - resumed_);
  return {(last_use_.used - use_before_.used) / processors_,
          last_use_.waited - use_before_.waited + std::max(to_begin, microseconds(0)) + receive_delay_};
}

ChildProcess::Use ChildProcess::pause() {
  if (control_ < 0 || std::exchange(paused_, true) || !ask_watcher(pause_message)) return {};
  const Use since_the_last = use();
  use_before_ = last_use_;
  return since_the_last;
}

void ChildProcess::resume() {
  if (!std::exchange(paused_, false)) return;
  resumed_ = Clock::now();
  receive_delay_ = {};
  write_watcher(resume_message);
}

ChildProcess::Clock::time_point ChildProcess::put_off(Clock::time_point deadline) {
  if (Clock::now() < deadline || control_ < 0 || paused_ || ending_ || deadline <= resumed_) return deadline;
  if (!ask_watcher(use_message)) return deadline;
  return deadline + std::min<Clock::duration>(use().waited, max_put_off * (deadline - resumed_));
}

ChildProcess::Trouble ChildProcess::late() {
  while (!ending_ && read_watcher(Clock::now())) {
  }
  return ending_ ? Trouble::closed : Trouble::timeout;
}

void ChildProcess::end_input() {
  resume();
  if (to_child_ >= 0) close(std::exchange(to_child_, -1));
}

std::optional<Ending> ChildProcess::ending() {
  if (!ended_by(Clock::now() + (control_ >= 0 ? time_to_clear : time_to_report))) return std::nullopt;
  while (!ending_ && read_watcher(Clock::now())) {
  }
  if (ending_) return ending_;
  siginfo_t ended{};
  if (waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return std::nullopt;
  if (ended.si_code == CLD_EXITED) {
    Ending ending = ending_of(W_EXITCODE(ended.si_status, 0));
    if (ending.number == not_found_status && !command_.empty()) {
      const char* path = std::getenv("PATH");
      ending.detail = not_found_reason(command_, folder_, path == nullptr ? "" : path,
                                       [](const std::string& /*path*/) { return true; });
    }
    return ending;
  }
  return Ending{Ending::Kind::signalled, ended.si_status, ""};
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

std::string ChildProcess::rest() {
  auto line = lines_.rest();
  if (!line) return "";
  log_.said_by(line->text);
  return std::move(line->text);
}

bool ChildProcess::closed() const {
  std::array<pollfd, 2> watched = {pollfd{from_child_, 0, 0}, pollfd{life_, POLLIN, 0}};
  return at_end_ || (poll(watched.data(), watched.size(), 0) > 0 &&
                     ((watched[0].revents & POLLHUP) != 0 || watched[1].revents != 0));
}

tl::expected<void, ChildProcess::Trouble> ChildProcess::take_bytes() {
  std::array<char, 1 << 14> bytes{};
  const ssize_t count = read(from_child_, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return {};
  if (count <= 0) {
    at_end_ = true;
    return {};
  }
  bytes_read_ += static_cast<std::size_t>(count);
  if (bytes_read_ > max_output_) return tl::unexpected(Trouble::flood);
  lines_.add({bytes.data(), static_cast<std::size_t>(count)});
  return {};
}

tl::expected<void, ChildProcess::Trouble> ChildProcess::wait(bool to_write, Clock::time_point deadline) {
  std::array<pollfd, 3> watched = {pollfd{at_end_ ? -1 : from_child_, POLLIN, 0},
                                   pollfd{to_write ? to_child_ : -1, POLLOUT, 0},
                                   pollfd{at_end_ ? -1 : life_, POLLIN, 0}};
  const auto waited_before = control_ < 0 ? std::chrono::microseconds(0) : own_waiting();
  if (poll(watched.data(), watched.size(), poll_time(deadline)) <= 0) return {};
  if (control_ >= 0) receive_delay_ += own_waiting() - waited_before;
  if ((watched[1].revents & (POLLERR | POLLNVAL)) != 0) return tl::unexpected(Trouble::closed);
  if (watched[0].revents != 0) return take_bytes();
  // It has ended and all it said was read: whoever still holds its pipe is not the program.
  if (watched[2].revents != 0) at_end_ = true;
  return {};
}

tl::expected<void, ChildProcess::Trouble> ChildProcess::write_line(std::string_view text, Clock::time_point deadline) {
  if (to_child_ < 0) return tl::unexpected(Trouble::closed);
  log_.said_to(text);
  const std::string line = std::string(text) + "\n";
  std::string_view left = line;
  for (auto until = deadline;;) {
    {
      const NoBrokenPipeSignal quiet;
      const ssize_t count = write(to_child_, left.data(), left.size());
      if (count > 0) left.remove_prefix(static_cast<std::size_t>(count));
      if (count < 0 && errno != EAGAIN && errno != EINTR) return tl::unexpected(Trouble::closed);
    }
    if (left.empty()) return {};
    // A program that waits for us to read before it reads is heard meanwhile.
    if (const auto waited = wait(true, until); !waited) return waited;
    if (Clock::now() >= until) until = put_off(deadline);
    if (Clock::now() >= until) return tl::unexpected(late());
  }
}

std::optional<tl::expected<std::string, ChildProcess::Trouble>> ChildProcess::next_line() {
  auto line = lines_.next();
  if (!line) return std::nullopt;
  log_.said_by(line->text);
  if (line->too_long) return tl::unexpected(Trouble::flood);
  return std::move(line->text);
}

tl::expected<std::string, ChildProcess::Trouble> ChildProcess::read_line(Clock::time_point deadline,
                                                                         const std::stop_token& stop) {
  for (auto until = deadline;;) {
    if (auto line = next_line()) return std::move(*line);
    if (at_end_) return tl::unexpected(Trouble::closed);
    if (stop.stop_requested()) return tl::unexpected(Trouble::stopped);
    const auto now = Clock::now();
    if (const auto waited = wait(false, std::min(until, now + look_around)); !waited) {
      return tl::unexpected(waited.error());
    }
    if (now < until) continue;
    // What came with the deadline still counts.
    if (auto line = next_line()) return std::move(*line);
    until = put_off(deadline);
    if (now >= until) return tl::unexpected(late());
  }
}

std::string_view words_for(ChildProcess::Trouble trouble) noexcept {
  switch (trouble) {
    case ChildProcess::Trouble::timeout: return "it did not answer in time";
    case ChildProcess::Trouble::closed: return "it has ended";
    case ChildProcess::Trouble::flood: return "it said far too much";
    case ChildProcess::Trouble::stopped: return "it was stopped";
  }
  return "";
}

}  // namespace paika::play
