#include "apps/interrupt.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>

namespace paika::apps {

namespace {

constexpr std::array signals = {SIGINT, SIGTERM};
constexpr auto look_around = std::chrono::milliseconds(20);

// A handler may do little; it counts down, and a thread looks at it.
std::atomic<std::size_t> steps_left = 0;
static_assert(std::atomic<std::size_t>::is_always_lock_free);

void note_signal(int signal) {
  if (steps_left > 0) --steps_left;
  if (steps_left == 0) std::signal(signal, SIG_DFL);
}

}  // namespace

Interrupt::Interrupt(std::size_t steps) : sources_(steps) {
  steps_left = steps;
  watcher_ = std::jthread([this](const std::stop_token& over) {
    for (std::size_t done = 0; done < sources_.size();) {
      if (sources_.size() - steps_left > done) {
        sources_[done++].request_stop();
      } else if (over.stop_requested()) {
        return;
      } else {
        std::this_thread::sleep_for(look_around);
      }
    }
  });
  for (const int signal : signals) std::signal(signal, note_signal);
}

Interrupt::~Interrupt() {
  for (const int signal : signals) std::signal(signal, SIG_DFL);
}

}  // namespace paika::apps
