#include "apps/terminal/rescue.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "base/check.hpp"

namespace paika::terminal {

namespace {

constexpr std::array asking_signals = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
constexpr int max_signals = 128;  // more than any system has

/// True for signals that end a program which does nothing about them; SIGKILL, which nobody can catch, is not one.
/// Those of asking_signals are caught before.
bool is_fatal(int signal) {
  switch (signal) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGABRT:
    case SIGQUIT:
    case SIGTRAP:
    case SIGSYS:
    case SIGXCPU:
    case SIGXFSZ:
    case SIGPIPE:
    case SIGALRM:
    case SIGVTALRM:
    case SIGPROF:
    case SIGUSR1:
    case SIGUSR2:
    case SIGPOLL:
    case SIGPWR:
    case SIGSTKFLT: return true;
    default: return signal >= SIGRTMIN && signal <= SIGRTMAX;
  }
}

// What handlers use: plain memory that is written before they can run.
std::array<int, 2> pipe_ends = {-1, -1};
std::array<char, 512> reset_bytes{};
std::size_t reset_size = 0;
termios modes_before{};
bool modes_known = false;
std::atomic<bool> armed = false;
static_assert(std::atomic<bool>::is_always_lock_free);
std::array<struct sigaction, asking_signals.size()> asking_before{};
std::array<struct sigaction, max_signals> fatal_before{};
std::array<char, 65536> crash_stack{};  // a stack that overflowed cannot carry its own handler
std::terminate_handler terminate_before = nullptr;

void pass_signal_on(int signal) {
  const int kept = errno;
  const auto byte = static_cast<unsigned char>(signal);
  // A full pipe holds signals enough.
  if (write(pipe_ends[1], &byte, 1) < 0) errno = kept;
  errno = kept;
}

/// Only calls that are allowed in a signal handler.
void give_terminal_back() {
  if (!armed.exchange(false)) return;
  std::size_t written = 0;
  while (written < reset_size) {
    const ssize_t count = write(STDOUT_FILENO, reset_bytes.data() + written, reset_size - written);
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  if (modes_known) tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
}

void rescue_and_die(int signal) {
  give_terminal_back();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// The reason for ending is printed by the handler before; it should stand on the person's own screen.
[[noreturn]] void rescue_and_terminate() {
  give_terminal_back();
  if (terminate_before != nullptr) terminate_before();
  std::abort();
}

void catch_signal(int signal, void (*handler)(int), int flags, struct sigaction& before) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = flags;
  sigaction(signal, &action, &before);
}

template <class F>
void for_each_fatal(F&& act) {
  for (int signal = 1; signal < max_signals; ++signal) {
    if (is_fatal(signal)) act(signal, fatal_before[static_cast<std::size_t>(signal)]);
  }
}

}  // namespace

Rescue::Rescue() {
  PAIKA_CHECK(pipe_ends[0] < 0);
  PAIKA_CHECK(pipe2(pipe_ends.data(), O_NONBLOCK | O_CLOEXEC) == 0);
  modes_known = tcgetattr(STDIN_FILENO, &modes_before) == 0;
  for (std::size_t i = 0; i < asking_signals.size(); ++i) {
    catch_signal(asking_signals[i], pass_signal_on, SA_RESTART, asking_before[i]);
  }
  stack_t stack{};
  stack.ss_sp = crash_stack.data();
  stack.ss_size = crash_stack.size();
  sigaltstack(&stack, nullptr);
  for_each_fatal([](int signal, struct sigaction& before) {
    catch_signal(signal, rescue_and_die, SA_ONSTACK, before);
    // What was ignored stays so: it ends nothing.
    if (before.sa_handler == SIG_IGN) sigaction(signal, &before, nullptr);
  });
  terminate_before = std::set_terminate(rescue_and_terminate);
}

Rescue::~Rescue() {
  armed = false;
  std::set_terminate(terminate_before);
  for (std::size_t i = 0; i < asking_signals.size(); ++i) sigaction(asking_signals[i], &asking_before[i], nullptr);
  for_each_fatal([](int signal, const struct sigaction& before) { sigaction(signal, &before, nullptr); });
  for (int& end : pipe_ends) {
    close(end);
    end = -1;
  }
}

void Rescue::arm(const std::string& bytes) {
  armed = false;
  reset_size = std::min(bytes.size(), reset_bytes.size());
  std::copy_n(bytes.begin(), reset_size, reset_bytes.begin());
  armed = true;
}

void Rescue::disarm() { armed = false; }

int Rescue::fd() { return pipe_ends[0]; }

int Rescue::take() {
  unsigned char byte = 0;
  return read(pipe_ends[0], &byte, 1) == 1 ? byte : 0;
}

void Rescue::stop_here() {
  struct sigaction ours{};
  struct sigaction usual{};
  usual.sa_handler = SIG_DFL;
  sigemptyset(&usual.sa_mask);
  sigaction(SIGTSTP, &usual, &ours);
  std::raise(SIGTSTP);
  sigaction(SIGTSTP, &ours, nullptr);
}

}  // namespace paika::terminal
