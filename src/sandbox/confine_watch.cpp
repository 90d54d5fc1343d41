// The watcher: starts a program in a sandbox, watches what it uses, and tells how it ended.
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"
#include "sandbox/confine.hpp"
#include "sandbox/process_use.hpp"

namespace paika::sandbox {

namespace {

namespace fs = std::filesystem;
using play::Ending;

constexpr int look_every_ms = 20;
/// Files are looked at less often than processes: in every tenth look.
constexpr int looks_per_file_look = 10;
/// So many files and folders may be written, whatever their size.
constexpr std::uint64_t max_files = 10'000;
/// So much is kept of what the program writes to standard error.
constexpr std::size_t max_error_bytes = std::size_t{1} << 20;

std::string bytes_text(std::uint64_t bytes) {
  constexpr double mebi = 1024.0 * 1024.0;
  const double size = static_cast<double>(bytes) / mebi;
  return size < 1024 ? fmt::format("{:.1f} MiB", size) : fmt::format("{:.2f} GiB", size / 1024);
}

/// Users that nobody else has: no system gives out numbers so high by itself.
constexpr uid_t first_user = 0x70000000;

/// The scratch folder and all in it gets a new owner; links are not followed.
void give_away(const std::string& folder, uid_t user) {
  static_cast<void>(lchown(folder.c_str(), user, user));
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    static_cast<void>(lchown(it->path().c_str(), user, user));
  }
}

struct Written {
  std::uint64_t bytes = 0;
  std::uint64_t files = 0;
};

Written written_in(const std::string& folder) {
  Written written;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && it != end && written.files <= max_files;
       it.increment(error)) {
    std::error_code gone;
    ++written.files;
    if (it->symlink_status(gone).type() != fs::file_type::regular) continue;
    const auto size = it->file_size(gone);
    if (!gone) written.bytes += size;
  }
  return written;
}

class Watcher {
 public:
  Watcher(ConfineOrder order, int status_file) : order_(std::move(order)), status_file_(status_file) {}
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() {
    for (const int file : {life_, info_, errors_, proc_, whole_proc_}) {
      if (file >= 0) close(file);
    }
  }

  Result<Ending> run() {
    if (auto begun = begin(); !begun) return tl::unexpected(begun.error());
    while (!ended()) {
      if (const auto broken = step()) {
        verdict_ = broken;
        break;
      }
    }
    end_all();
    return verdict_.value_or(Ending{});
  }

 private:
  Result<void> begin() {
    std::array<int, 2> info{};
    std::array<int, 2> errors{};
    std::array<int, 2> life{};  // nothing is written to it, and its end is ours
    if (pipe2(life.data(), O_CLOEXEC) != 0 || pipe2(info.data(), O_CLOEXEC) != 0 ||
        pipe2(errors.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
      return fail("no pipe: {}", std::strerror(errno));
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    child_ = fork();
    if (child_ < 0) return fail("no process: {}", std::strerror(errno));
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(life[1]);
      order_.life = life[0];
      go_on_only_if_watched(order_);
      fcntl(errors[1], F_SETFL, 0);
      dup2(errors[1], STDERR_FILENO);
      enter({info[1]});
    }
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    for (const int theirs : {info[1], errors[1], life[0]}) close(theirs);
    info_ = info[0];
    errors_ = errors[0];
    life_ = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
    // The program's pipes are its own now: who reads them shall see their end.
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    return {};
  }

  [[noreturn]] void enter(InfoPipe info) const {
    switch (order_.confinement.sandbox) {
      case Sandbox::bubblewrap: enter_bubblewrap(order_, info);
      case Sandbox::own: enter_own_sandbox(order_, info);
      case Sandbox::none: break;
    }
    become_program(order_);
  }

  /// True when the process we started has ended; then it is known how.
  bool ended() {
    int status = 0;
    const pid_t done = waitpid(child_, &status, WNOHANG);
    if (done == 0 || (done < 0 && errno == EINTR)) return false;
    if (!verdict_) verdict_ = done == child_ ? play::ending_of(status) : Ending{};
    child_ = -1;
    return true;
  }

  /// Waits a moment, then looks. What is not allowed any more ends it all.
  std::optional<Ending> step() {
    std::array<pollfd, 4> watched = {pollfd{life_, POLLIN, 0}, pollfd{errors_, POLLIN, 0}, pollfd{status_file_, 0, 0},
                                     pollfd{info_, POLLIN, 0}};
    const int found = poll(watched.data(), watched.size(), look_every_ms);
    if (found > 0 && watched[1].revents != 0) pass_errors_on();
    if (found > 0 && watched[2].revents != 0) return Ending{Ending::Kind::signalled, SIGKILL, "it is no longer needed"};
    if (found > 0 && watched[3].revents != 0) hear_first();
    if (found > 0 && watched[0].revents != 0) return std::nullopt;
    return look();
  }

  /// The number of process 1 is told: its /proc shows exactly what is inside. bwrap tells more, and must be heard to
  /// the end.
  void hear_first() {
    std::array<char, 256> text{};
    const ssize_t count = read(info_, text.data(), text.size());
    if (count > 0) {
      told_.append(text.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      close(std::exchange(info_, -1));
    }
    const auto begin = std::find_if(told_.begin(), told_.end(), [](char c) { return is_digit(c); });
    const auto end = std::find_if(begin, told_.end(), [](char c) { return !is_digit(c); });
    if (end == told_.end()) return;  // more digits may follow
    if (const auto number = parse_int({begin, end})) first_ = static_cast<pid_t>(*number);
  }

  /// Its /proc is there only when its root is; until then the whole machine's does, which takes longer to read.
  std::vector<ProcessUse> processes() {
    if (proc_ < 0 && first_ > 0) {
      const std::string inside = root_inside() + "/proc";
      std::error_code error;
      // Who looks in from outside is nobody there: only the machine's own /proc knows a "self" for us.
      (void)fs::read_symlink(inside + "/self", error);
      if (error && fs::exists(inside + "/1", error)) {
        proc_ = open(inside.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      }
    }
    if (proc_ >= 0) return read_processes(proc_);
    return descendants(read_processes(whole_proc()), getpid());
  }

  /// The program's file system, seen from outside.
  [[nodiscard]] std::string root_inside() const { return fmt::format("/proc/{}/root", first_); }

  int whole_proc() {
    if (whole_proc_ < 0) whole_proc_ = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return whole_proc_;
  }

  std::optional<Ending> look() {
    const BotLimits& limits = order_.confinement.limits;
    const auto all = processes();
    const int proc = proc_ >= 0 ? proc_ : whole_proc();
    std::uint64_t memory = 0;
    int threads = 0;
    double seconds = 0;
    for (const ProcessUse& use : all) {
      memory += use.resident;
      threads += use.threads;
      seconds += use.seconds;
    }
    if (memory > limits.memory) {
      memory = 0;
      for (const ProcessUse& use : all) memory += proportional_memory(proc, use.process, use.resident);
    }
    if (memory > limits.memory) {
      return Ending{Ending::Kind::memory, 0,
                    fmt::format("{}, more than its {}", bytes_text(memory), bytes_text(limits.memory))};
    }
    // Process 1 of the sandbox and what starts the program are not the program's.
    if (threads > limits.processes + own_processes) {
      return Ending{Ending::Kind::signalled, SIGKILL,
                    fmt::format("it had more than its {} processes and threads", limits.processes)};
    }
    if (limits.cpu_seconds > 0 && seconds > limits.cpu_seconds) {
      return Ending{Ending::Kind::processor, 0,
                    fmt::format("{:.1f} s, more than its {} s", seconds, limits.cpu_seconds)};
    }
    return ++looks_ % looks_per_file_look == 0 ? look_at_files(all, proc) : std::nullopt;
  }

  std::optional<Ending> look_at_files(const std::vector<ProcessUse>& all, int proc) {
    const std::uint64_t most = order_.confinement.limits.written;
    Written written;
    if (!order_.scratch.empty()) written = written_in(order_.scratch);
    for (const ProcessUse& use : all) written.bytes += nameless_bytes(proc, use.process);
    for (const char* folder : {"/tmp", "/dev/shm"}) {
      struct statvfs about{};
      if (proc_ < 0 || statvfs((root_inside() + folder).c_str(), &about) != 0) continue;
      written.files += about.f_files - about.f_ffree;
    }
    if (written.files > max_files) {
      return Ending{Ending::Kind::output, 0, fmt::format("more than {} files", max_files)};
    }
    if (written.bytes <= most) return std::nullopt;
    return Ending{
        Ending::Kind::output, 0,
        fmt::format("{} in its scratch folder, more than its {}", bytes_text(written.bytes), bytes_text(most))};
  }

  void pass_errors_on() {
    std::array<char, 1 << 14> text{};
    const ssize_t count = read(errors_, text.data(), text.size());
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) close(std::exchange(errors_, -1));
    if (count <= 0 || error_bytes_ >= max_error_bytes) return;
    error_bytes_ += static_cast<std::size_t>(count);
    static_cast<void>(!write(STDERR_FILENO, text.data(), static_cast<std::size_t>(count)));
    if (error_bytes_ < max_error_bytes) return;
    constexpr std::string_view enough = "\npaika: the rest of what the program writes here is not kept\n";
    static_cast<void>(!write(STDERR_FILENO, enough.data(), enough.size()));
  }

  /// Ends whatever is left, and waits until it is gone: we inherit every process whose parent ends.
  void end_all() {
    if (first_ > 0 && child_ > 0) kill(first_, SIGKILL);
    for (int round = 0; round < 500; ++round) {
      if (order_.confinement.sandbox == Sandbox::none || round > 50) {
        for (const ProcessUse& use : descendants(read_processes(whole_proc()), getpid())) kill(use.process, SIGKILL);
      } else if (child_ > 0) {
        kill(child_, SIGKILL);
      }
      pid_t gone = 0;
      while ((gone = waitpid(-1, nullptr, WNOHANG)) > 0) {
        if (gone == child_) child_ = -1;
      }
      if (gone < 0 && errno == ECHILD) break;
      usleep(round < 10 ? 1000 : 10'000);
    }
    if (errors_ >= 0) pass_errors_on();
  }

  static constexpr int own_processes = 3;

  ConfineOrder order_;
  int status_file_;
  pid_t child_ = -1;
  pid_t first_ = -1;  // process 1 of the sandbox
  int life_ = -1;
  int info_ = -1;
  int errors_ = -1;
  std::string told_;  // what came of the number of process 1
  int proc_ = -1;
  int whole_proc_ = -1;
  int looks_ = 0;
  std::size_t error_bytes_ = 0;
  std::optional<Ending> verdict_;
};

/// Where the end is to be told; -1 if nobody asked.
int take_status_file() {
  const char* text = std::getenv(play::status_variable);
  const auto number = text == nullptr ? std::nullopt : parse_int(text);
  if (!number || *number <= STDERR_FILENO || fcntl(static_cast<int>(*number), F_SETFD, FD_CLOEXEC) != 0) return -1;
  unsetenv(play::status_variable);
  return static_cast<int>(*number);
}

}  // namespace

Result<std::string> real_folder(const std::string& folder) {
  std::error_code error;
  const fs::path path = fs::canonical(folder, error);
  if (error || !fs::is_directory(path, error)) return fail("there is no folder {}", in_quotes(folder, 200));
  return path.string();
}

Result<Ending> confine(ConfineOrder order) {
  const int status_file = take_status_file();
  if (status_file < 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (std::string* folder : {&order.folder, &order.scratch}) {
    if (folder->empty()) continue;
    auto real = real_folder(*folder);
    if (!real) return tl::unexpected(real.error());
    *folder = *real;
  }
  for (std::string& path : order.confinement.readable) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) return fail("there is nothing to read at {}", in_quotes(path, 200));
    path = real.string();
  }
  for (const std::string& path : {order.folder, order.scratch}) {
    if (path == "/") return fail("a bot cannot have the whole file system as its folder: give it one of its own");
  }
  if (getuid() == 0) {
    struct stat about{};
    constexpr mode_t open_to_others = S_IROTH | S_IXOTH;
    if (!order.folder.empty() && stat(order.folder.c_str(), &about) == 0 &&
        (about.st_mode & open_to_others) != open_to_others) {
      return fail("bots of root run as another user, who may not read {}: chmod -R o+rX would allow it",
                  in_quotes(order.folder, 200));
    }
    order.user = first_user + static_cast<uid_t>(getpid());
    if (!order.scratch.empty()) give_away(order.scratch, order.user);
  }
  auto ending = Watcher(order, status_file).run();
  if (ending && status_file >= 0) {
    const std::string line = status_line(*ending) + "\n";
    static_cast<void>(!write(status_file, line.data(), line.size()));
  }
  return ending;
}

}  // namespace paika::sandbox
