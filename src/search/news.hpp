// News: what a searching thread has found out so far, for another one that waits for it.
//
// The one who waits sleeps, so on a busy machine the system wakes him in time, while the one who works
// may not get the processor back for a while: the best turn known is taken then, and nobody is late. For
// the same reason they share no lock: one who holds it may be without a processor for as long.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <semaphore>
#include <stop_token>
#include <utility>

#include "search/stop.hpp"

namespace paika {

/// One writer, one reader. All but publish() is the reader's.
template <class Report>
class News {
 public:
  explicit News(Report first) : latest_(std::move(first)) {}
  News(const News&) = delete;
  News& operator=(const News&) = delete;
  ~News() { delete waiting_.load(); }

  void publish(Report report, bool is_last) {
    auto letter = std::make_unique<Letter>(Letter{std::move(report), is_last});
    delete waiting_.exchange(letter.release());
    bell_.release();
  }

  /// Waits until there is something newer than at the last call; no longer than the deadline, and not
  /// after a stop was requested. True if there is.
  bool wait(SearchClock::time_point deadline, const std::stop_token& stop) {
    const std::stop_callback ring(stop, [this] { bell_.release(); });
    for (;;) {
      if (collect()) return true;
      if (stop.stop_requested() || !bell_.try_acquire_until(deadline)) return collect();
    }
  }

  [[nodiscard]] bool last() {
    collect();
    return last_;
  }
  [[nodiscard]] const Report& latest() {
    collect();
    return latest_;
  }

 private:
  struct Letter {
    Report report;
    bool is_last;
  };

  /// Takes what the writer left, if anything.
  bool collect() {
    const std::unique_ptr<Letter> letter(waiting_.exchange(nullptr));
    if (!letter) return false;
    latest_ = std::move(letter->report);
    last_ = letter->is_last;
    return true;
  }

  std::atomic<Letter*> waiting_{nullptr};
  std::counting_semaphore<> bell_{0};
  Report latest_;
  bool last_ = false;
};

}  // namespace paika
