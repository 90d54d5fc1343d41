#include "search/helpers.hpp"

#include <system_error>

namespace paika {

HelperThreads::HelperThreads(int count) {
  threads_.reserve(static_cast<std::size_t>(count));
  try {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this, i](const std::stop_token& stop) { live(stop, i); });
    // NOLINTNEXTLINE(bugprone-empty-catch): the system gives no more threads; fewer help, the result is as good
  } catch (const std::system_error&) {
  }
}

HelperThreads::~HelperThreads() { wait(); }

void HelperThreads::start(std::function<void(int)> work) {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return busy_ == 0; });
  work_ = std::move(work);
  busy_ = count();
  ++round_;
  wake_.notify_all();
}

void HelperThreads::wait() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return busy_ == 0; });
}

bool HelperThreads::wait_until(std::chrono::steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  return idle_.wait_until(lock, deadline, [this] { return busy_ == 0; });
}

void HelperThreads::live(const std::stop_token& stop, int index) {
  std::uint64_t done = 0;
  for (;;) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait(lock, stop, [&] { return round_ != done; })) return;
    done = round_;
    lock.unlock();
    work_(index);
    lock.lock();
    if (--busy_ == 0) idle_.notify_all();
  }
}

}  // namespace paika
