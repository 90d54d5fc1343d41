// ProgressReporter: adds up what several threads have done, and tells now and then how far the work is.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

namespace paika {

class ProgressReporter {
 public:
  using OnProgress = std::function<void(double done)>;

  /// `on_progress` is given the part of `total` that is done, 0 to 1, from any thread, one at a time, no sooner than
  /// `every` after the last time. Empty: nobody wants to know.
  ProgressReporter(std::uint64_t total, std::chrono::milliseconds every, OnProgress on_progress)
      : total_(std::max<std::uint64_t>(total, 1)), every_(every), on_progress_(std::move(on_progress)) {}

  /// So much more is done. From any thread.
  void operator()(std::uint64_t more) {
    const std::uint64_t done = done_.fetch_add(more, std::memory_order_relaxed) + more;
    if (!on_progress_) return;
    // Whoever finds another one telling has nothing to add: he works on.
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || Clock::now() < next_) return;
    next_ = Clock::now() + every_;
    on_progress_(static_cast<double>(done) / static_cast<double>(total_));
  }

  /// So much is done in all, whatever was counted before.
  void set_done(std::uint64_t done) noexcept { done_.store(done, std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;

  std::uint64_t total_;
  std::chrono::milliseconds every_;
  OnProgress on_progress_;
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  Clock::time_point next_;
};

}  // namespace paika
