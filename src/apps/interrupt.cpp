#include "apps/interrupt.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>

namespace paika::apps {

namespace {

constexpr std::array signals = {SIGINT, SIGTERM};
constexpr auto look_around = std::chrono::milliseconds(20);

// A handler may do little; it sets this, and a thread looks at it.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void note_interrupt(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt() {
  interrupted = false;
  watcher_ = std::jthread([this](const std::stop_token& over) {
    while (!over.stop_requested() && !interrupted) std::this_thread::sleep_for(look_around);
    if (interrupted) source_.request_stop();
  });
  for (const int signal : signals) std::signal(signal, note_interrupt);
}

Interrupt::~Interrupt() {
  for (const int signal : signals) std::signal(signal, SIG_DFL);
}

}  // namespace paika::apps
