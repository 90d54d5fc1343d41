// When a search must stop: told so, out of time, or out of nodes.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>

#include "search/time_policy.hpp"

namespace paika {

using SearchClock = std::chrono::steady_clock;

/// Shared by the threads of one search. The first thread looks at the clock and at the outside; the
/// others only at the flag.
class SearchControl {
 public:
  SearchControl(SearchClock::time_point start, const TimePlan& plan, std::uint64_t nodes, std::stop_token outside)
      : start_(start), plan_(plan), hard_(plan.hard), max_nodes_(nodes), outside_(std::move(outside)) {}

  [[nodiscard]] bool set() const noexcept { return flag_.load(std::memory_order_relaxed); }
  void stop() noexcept { flag_.store(true, std::memory_order_relaxed); }
  /// Looks at the clock and at the outside; for the first thread.
  bool look() noexcept {
    if (outside_.stop_requested() || (plan_.limited() && elapsed() >= hard())) stop();
    return set();
  }
  /// For the first thread, as is max_nodes().
  void limit_nodes(std::uint64_t nodes) noexcept { max_nodes_ = std::min(max_nodes_, nodes); }
  [[nodiscard]] std::uint64_t max_nodes() const noexcept { return max_nodes_; }
  [[nodiscard]] Milliseconds elapsed() const {
    return std::chrono::duration_cast<Milliseconds>(SearchClock::now() - start_);
  }
  [[nodiscard]] SearchClock::time_point start() const noexcept { return start_; }
  [[nodiscard]] const TimePlan& plan() const noexcept { return plan_; }
  /// When the search stops in the middle.
  [[nodiscard]] Milliseconds hard() const noexcept { return hard_.load(std::memory_order_relaxed); }
  /// The ending is being solved from here on, which is worth more time; for the first thread.
  void begin_solving() noexcept { hard_.store(plan_.solving, std::memory_order_relaxed); }

 private:
  std::atomic<bool> flag_{false};
  SearchClock::time_point start_;
  TimePlan plan_;
  std::atomic<Milliseconds> hard_;
  std::uint64_t max_nodes_;
  std::stop_token outside_;
};

}  // namespace paika
