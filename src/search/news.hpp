// News: what a searching thread has found out so far, for another one that waits for it.
//
// The one who waits sleeps, so on a busy machine the system wakes him in time, while the one who works
// may not get the processor back for a while: the best turn known is taken then, and nobody is late.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <utility>

#include "search/stop.hpp"

namespace paika {

/// One writer, one reader.
template <class Report>
class News {
 public:
  explicit News(Report first) : latest_(std::move(first)) {}

  void publish(Report report, bool is_last) {
    {
      const std::scoped_lock lock(mutex_);
      latest_ = std::move(report);
      last_ = is_last;
      ++version_;
    }
    changed_.notify_all();
  }

  /// Waits until there is something newer than at the last call; no longer than the deadline, and not
  /// after a stop was requested. True if there is.
  bool wait(SearchClock::time_point deadline, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto newer = [this] { return version_ != seen_; };
    const bool found = stop.stop_possible() ? changed_.wait_until(lock, stop, deadline, newer)
                                            : changed_.wait_until(lock, deadline, newer);
    seen_ = version_;
    return found;
  }

  [[nodiscard]] bool last() const {
    const std::scoped_lock lock(mutex_);
    return last_;
  }
  [[nodiscard]] Report latest() const {
    const std::scoped_lock lock(mutex_);
    return latest_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  Report latest_;
  std::uint64_t version_ = 0;
  std::uint64_t seen_ = 0;
  bool last_ = false;
};

}  // namespace paika
