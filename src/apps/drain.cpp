#include "apps/drain.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>

namespace paika::apps {

namespace {

constexpr std::array signals = {SIGINT, SIGTERM};
constexpr auto look_around = std::chrono::milliseconds(20);

// A handler may do little; it counts, and a thread looks at it.
std::atomic<int> count = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void note_signal(int signal) {
  if (++count >= 2) std::signal(signal, SIG_DFL);
}

}  // namespace

Drain::Drain() {
  count = 0;
  watcher_ = std::jthread([this](const std::stop_token& over) {
    while (!over.stop_requested() && count < 2) {
      if (count >= 1) drain_.request_stop();
      std::this_thread::sleep_for(look_around);
    }
    if (count >= 1) drain_.request_stop();
    if (count >= 2) stop_.request_stop();
  });
  for (const int signal : signals) std::signal(signal, note_signal);
}

Drain::~Drain() {
  for (const int signal : signals) std::signal(signal, SIG_DFL);
}

}  // namespace paika::apps
