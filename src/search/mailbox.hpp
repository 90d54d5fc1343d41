// Mailbox: what a searching thread has found out so far, for another one that waits for it.
//
// The one who waits sleeps, so on a busy machine the system wakes him in time, while the one who works
// may not get the processor back for a while: the best turn known is taken then, and nobody is late. For
// the same reason they share no lock: one who holds it may be without a processor for as long.
#pragma once

#include <atomic>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <memory>
#include <semaphore.h>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "search/search_control.hpp"

namespace paika {

/// A semaphore that is posted without a lock. (The waiting with a deadline of the standard library's semaphore,
/// as g++ 12 has it, polls with pauses of up to 64 ms.)
class Semaphore {
 public:
  Semaphore() { sem_init(&handle_, 0, 0); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;
  ~Semaphore() { sem_destroy(&handle_); }

  void post() { sem_post(&handle_); }
  /// Waits until it is posted, or was since the last wait; false at the deadline.
  bool wait_until(SearchClock::time_point deadline) {
    static_assert(std::is_same_v<SearchClock, std::chrono::steady_clock>, "the clock is CLOCK_MONOTONIC");
    const auto since = deadline.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
    const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(since - seconds);
    const timespec until{static_cast<std::time_t>(seconds.count()), static_cast<long>(rest.count())};
    int result = 0;
    do {
      result = sem_clockwait(&handle_, CLOCK_MONOTONIC, &until);
    } while (result != 0 && errno == EINTR);
    return result == 0;
  }

 private:
  sem_t handle_{};
};

/// One writer, one reader. All but publish() is the reader's.
template <class Report>
class Mailbox {
 public:
  explicit Mailbox(Report first) : latest_(std::move(first)) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox() { delete waiting_.load(); }

  void publish(Report report, bool is_last) {
    auto message = std::make_unique<Message>(Message{std::move(report), is_last});
    delete waiting_.exchange(message.release());
    semaphore_.post();
  }

  /// Waits until there is something newer than at the last call; no longer than the deadline, and not
  /// after a stop was requested. True if there is.
  bool wait(SearchClock::time_point deadline, const std::stop_token& stop) {
    const std::stop_callback post(stop, [this] { semaphore_.post(); });
    for (;;) {
      if (collect()) return true;
      if (stop.stop_requested() || !semaphore_.wait_until(deadline)) return collect();
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
  struct Message {
    Report report;
    bool is_last;
  };

  /// Takes what the writer left, if anything.
  bool collect() {
    const std::unique_ptr<Message> message(waiting_.exchange(nullptr));
    if (!message) return false;
    latest_ = std::move(message->report);
    last_ = message->is_last;
    return true;
  }

  std::atomic<Message*> waiting_{nullptr};
  Semaphore semaphore_;
  Report latest_;
  bool last_ = false;
};

}  // namespace paika
