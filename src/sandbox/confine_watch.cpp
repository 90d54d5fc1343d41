// The watcher: starts a program in a sandbox, watches what it uses, and tells how it ended.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "base/text.hpp"
#include "sandbox/channel.hpp"
#include "sandbox/confine.hpp"
#include "sandbox/confine_view.hpp"
#include "sandbox/folder_copy.hpp"
#include "sandbox/limit_watch.hpp"

namespace paika::sandbox {

namespace {

namespace fs = std::filesystem;
using play::Ending;
using Clock = std::chrono::steady_clock;

constexpr auto look_every = std::chrono::milliseconds(20);
/// How long process 1 may take to do what it is told, and what it stopped to stand still, on a very busy machine.
constexpr int time_to_obey_ms = 4000;
/// So much is kept of what the program writes to standard error.
constexpr std::size_t max_error_bytes = std::size_t{1} << 20;

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

int open_dir(int where, const std::string& path) {
  return openat(where, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

class Watcher {
 public:
  Watcher(ConfineOrder order, int control, std::optional<Cgroup> group)
      : order_(std::move(order)), control_(control), watch_(order_.confinement, std::move(group)) {}
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;
  ~Watcher() {
    for (const int file : {life_, channel_, errors_, home_}) {
      if (file >= 0) close(file);
    }
  }

  /// Runs the program to its end and tells it.
  Result<Ending> run() {
    if (auto begun = begin(); !begun) return tl::unexpected(begun.error());
    while (!ended()) {
      if (const auto broken = step()) {
        verdict_ = broken;
        break;
      }
    }
    // The kernel may have ended it for a limit.
    if (const auto broken = watch_.check(); broken && verdict_ && verdict_->detail.empty()) verdict_ = broken;
    const auto over = over_.value_or(Clock::now());
    auto use = watch_.use();
    end_all();
    bring_back();
    use.used = std::max(use.used, watch_.use().used);
    // Clearing away takes time that the program does not need.
    use.waited += std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - over);
    report(play::use_line(use));
    Ending ending = with_reason(verdict_.value_or(Ending{}));
    report(play::status_line(ending));
    return ending;
  }

 private:
  /// A shell that found no such command does not say why.
  [[nodiscard]] Ending with_reason(Ending ending) const {
    const bool not_found = ending.kind == Ending::Kind::exited && ending.number == play::not_found_status;
    if (!not_found || order_.words.size() != 3 || order_.words[1] != "-c") return ending;
    const View view = view_of(order_);
    const auto visible = [&](const std::string& path) {
      std::error_code error;
      const std::string real = fs::weakly_canonical(path, error).string();
      return !sandboxed() || std::any_of(view.readable.begin(), view.readable.end(), [&](const std::string& folder) {
        return real == folder || real.starts_with(folder + "/");
      });
    };
    ending.detail = play::not_found_reason(order_.words[2], order_.folder, program_path, visible);
    return ending;
  }

  [[nodiscard]] bool sandboxed() const { return order_.confinement.sandbox != Sandbox::none; }

  void report(const std::string& line) const {
    if (control_ >= 0) static_cast<void>(!send(control_, line.data(), line.size(), MSG_NOSIGNAL));
  }

  Result<void> begin() {
    std::array<int, 2> errors{};
    const auto channel = open_channel();
    if (!channel || pipe2(errors.data(), O_CLOEXEC | O_NONBLOCK) != 0) return fail("no pipe: {}", std::strerror(errno));
    channel_ = (*channel)[0];
    if (sandboxed() && !send_order(channel_, order_)) return fail("the command is too long");
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    child_ = fork();
    if (child_ < 0) return fail("no process: {}", std::strerror(errno));
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(channel_);
      order_.channel = (*channel)[1];
      go_on_only_if_watched(order_.channel);
      fcntl(errors[1], F_SETFL, 0);
      dup2(errors[1], STDERR_FILENO);
      enter();
    }
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    for (const int theirs : {errors[1], (*channel)[1]}) close(theirs);
    errors_ = errors[0];
    life_ = static_cast<int>(syscall(SYS_pidfd_open, child_, 0));
    // The program's pipes are its own now: who reads them shall see their end.
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0) return fail("cannot open /dev/null: {}", std::strerror(errno));
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    if (sandboxed()) return {};
    if (auto begun = watch_.begin({child_, -1, -1}); !begun) return begun;
    let_run();
    return {};
  }

  void let_run() {
    watch_.set_running(true);
    static_cast<void>(send_word(channel_, ChannelWord::go));
  }

  [[noreturn]] void enter() const {
    switch (order_.confinement.sandbox) {
      case Sandbox::bubblewrap: enter_bubblewrap(order_);
      case Sandbox::own: enter_own_sandbox(order_);
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
    std::array<pollfd, 4> watched = {pollfd{life_, POLLIN, 0}, pollfd{errors_, POLLIN, 0}, pollfd{control_, POLLIN, 0},
                                     pollfd{sandboxed() ? channel_ : -1, POLLIN, 0}};
    const auto until_look = std::chrono::ceil<std::chrono::milliseconds>(next_look_ - Clock::now()).count();
    const int found = poll(watched.data(), watched.size(), static_cast<int>(std::max<std::int64_t>(until_look, 0)));
    if (found > 0 && watched[1].revents != 0) pass_errors_on();
    if (found > 0 && watched[2].revents != 0 && !follow()) {
      return Ending{Ending::Kind::signalled, SIGKILL, "it is no longer needed"};
    }
    if (found > 0 && watched[3].revents != 0) {
      if (auto obeyed = obey_process_one(); !obeyed) return cannot_begin(obeyed.error().message);
    }
    if (found > 0 && watched[0].revents != 0) return std::nullopt;
    // However often the program wakes us: it cannot make us read all of /proc as fast as it writes.
    if (Clock::now() < next_look_) return std::nullopt;
    next_look_ = Clock::now() + look_every;
    return watch_.check();
  }

  /// Does what process 1 waits for.
  Result<void> obey_process_one() {
    if (first_ < 0) return let_begin();
    const auto word = receive_word(channel_);
    if (!word) close(std::exchange(channel_, -1));
    if (word == ChannelWord::ended) look_at_what_is_left();
    return {};
  }

  /// The program has ended, and what it leaves will when we have looked.
  void look_at_what_is_left() {
    over_ = Clock::now();
    if (!verdict_) verdict_ = watch_.check();
    static_cast<void>(send_word(channel_, ChannelWord::ended));
  }

  /// Process 1 is there, and everything is made ready for the program before it begins.
  Result<void> let_begin() {
    const auto hello = receive_hello(channel_);
    if (!hello) {
      close(std::exchange(channel_, -1));  // it has ended, and said why
      return {};
    }
    first_ = hello->process;
    if (auto begun = watch_.begin(*hello); !begun) return begun;
    const std::string home = fs::path(home_inside).filename().string();
    if (mkdirat(hello->tmp, home.c_str(), 0700) == 0) home_ = open_dir(hello->tmp, home);
    if (home_ < 0) return fail("its home: {}", std::strerror(errno));
    if (!order_.scratch.empty()) {
      const int scratch = open_dir(AT_FDCWD, order_.scratch);
      auto copied = copy_folder(scratch, home_, bounds(), order_.user);
      close(scratch);
      if (!copied) return copied;
    }
    if (order_.user != 0 && fchown(home_, order_.user, order_.user) != 0) return fail("its home has another owner");
    let_run();
    if (paused_) set_paused(true);
    return {};
  }

  [[nodiscard]] CopyBounds bounds() const { return {order_.confinement.limits.written, max_files}; }

  static Ending cannot_begin(const std::string& why) {
    const std::string text = fmt::format("paika: the sandbox cannot be set up: {}\n", why);
    static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
    return {Ending::Kind::exited, 125, ""};
  }

  /// Does what we are told by who started us; false if that is gone.
  bool follow() {
    std::array<char, 64> text{};
    const ssize_t count = recv(control_, text.data(), text.size(), 0);
    if (count <= 0) return count < 0 && errno == EINTR;
    const std::string_view message(text.data(), static_cast<std::size_t>(count));
    if (message == play::pause_message || message == play::resume_message) set_paused(message == play::pause_message);
    // The time that was used before a pause is told when all stands still.
    if (message == play::pause_message || message == play::use_message) report(play::use_line(watch_.use()));
    return true;
  }

  /// Stops or continues all that runs inside.
  void set_paused(bool paused) {
    paused_ = paused;
    if (sandboxed() && (first_ < 0 || channel_ < 0)) return;  // nothing runs yet, or any more
    if (paused) watch_.set_running(false);
    if (!sandboxed()) {
      for (const ProcessUse& use : watch_.processes()) kill(use.process, paused ? SIGSTOP : SIGCONT);
    } else {
      command(paused ? ChannelWord::pause : ChannelWord::resume);
    }
    if (paused) return wait_until_still();
    watch_.set_running(true);
  }

  /// To stop, a process needs the processor once more, which on a busy machine takes its time: whoever is to move next
  /// shall not have to share it.
  void wait_until_still() {
    const auto deadline = Clock::now() + std::chrono::milliseconds(time_to_obey_ms);
    while (!watch_.still() && Clock::now() < deadline) usleep(1000);
  }

  /// Has process 1 do something, and waits until it is done.
  void command(ChannelWord word) {
    if (!send_word(channel_, word)) return;
    pollfd done{channel_, POLLIN, 0};
    while (poll(&done, 1, time_to_obey_ms) > 0) {
      const auto answer = receive_word(channel_);
      if (!answer || *answer == word) return;
      if (*answer == ChannelWord::ended) look_at_what_is_left();  // others are answers that came too late
    }
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
    const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (first_ > 0 && child_ > 0) kill(first_, SIGKILL);
    for (int round = 0; round < 500; ++round) {
      if (!sandboxed() || round > 50) {
        for (const ProcessUse& use : descendants(read_processes(proc), getpid())) kill(use.process, SIGKILL);
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
    close(proc);
    if (errors_ >= 0) pass_errors_on();
  }

  /// What the program left in its home goes to the scratch folder. Nobody is there any more who could change it.
  void bring_back() {
    if (home_ < 0 || order_.scratch.empty()) return;
    const int scratch = open_dir(AT_FDCWD, order_.scratch);
    const auto copied = replace_folder(home_, scratch, bounds());
    close(scratch);
    if (!copied) verdict_ = Ending{Ending::Kind::output, 0, copied.error().message};
  }

  ConfineOrder order_;
  int control_;
  LimitWatch watch_;
  pid_t child_ = -1;
  pid_t first_ = -1;  // process 1 of the sandbox
  int life_ = -1;
  int channel_ = -1;
  int errors_ = -1;
  int home_ = -1;
  bool paused_ = false;
  Clock::time_point next_look_;
  std::size_t error_bytes_ = 0;
  std::optional<Clock::time_point> over_;  // since then nothing of it runs but what it left
  std::optional<Ending> verdict_;
};

/// The socket of who started us; -1 if there is none.
int take_control() {
  const char* text = std::getenv(play::control_variable);
  const auto number = text == nullptr ? std::nullopt : parse_int(text);
  if (!number || *number <= STDERR_FILENO || fcntl(static_cast<int>(*number), F_SETFD, FD_CLOEXEC) != 0) return -1;
  unsetenv(play::control_variable);
  return static_cast<int>(*number);
}

/// The control group for an order; nothing where there need be none.
Result<std::optional<Cgroup>> group_for(const Confinement& confinement) {
  if (confinement.accounting == Accounting::sampled) return std::nullopt;
  const int own = confinement.sandbox == Sandbox::none ? 0 : 1;
  auto group =
      Cgroup::make({confinement.limits.memory, confinement.limits.processes + own, getpriority(PRIO_PROCESS, 0)});
  if (group) return std::move(*group);
  if (confinement.accounting == Accounting::any) return std::nullopt;
  return tl::unexpected(group.error());
}

}  // namespace

Result<std::string> real_folder(const std::string& folder) {
  std::error_code error;
  const fs::path path = fs::canonical(folder, error);
  if (error || !fs::is_directory(path, error)) return fail("there is no folder {}", in_quotes(folder, 200));
  return path.string();
}

Result<Ending> confine(ConfineOrder order) {
  const int control = take_control();
  if (control < 0) prctl(PR_SET_PDEATHSIG, SIGKILL);
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
    if (order.confinement.sandbox == Sandbox::none && !order.scratch.empty()) give_away(order.scratch, order.user);
  }
  auto group = group_for(order.confinement);
  if (!group) return tl::unexpected(group.error());
  return Watcher(std::move(order), control, std::move(*group)).run();
}

}  // namespace paika::sandbox
