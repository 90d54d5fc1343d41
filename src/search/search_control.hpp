// When a search must stop: told so, out of time, or out of nodes.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>

#include "search/types.hpp"

namespace paika {

using SearchClock = std::chrono::steady_clock;

/// How long a search may take. `soft`: start no new depth after it; `hard`: stop in the middle; `grace`
/// after that it is not waited for any more.
struct TimePlan {
  Milliseconds soft{Milliseconds::max()};
  Milliseconds hard{Milliseconds::max()};
  Milliseconds grace{0};

  [[nodiscard]] bool limited() const { return hard != Milliseconds::max(); }
};

/// Shares out the time. `turns_left`: about how many more turns the player will have to make; `lag`: how
/// much later than it wanted the machine has let him go on before.
[[nodiscard]] TimePlan plan_time(const SearchLimits& limits, int turns_left, Milliseconds lag = {});

/// Shared by the threads of one search. The first thread looks at the clock and at the outside; the
/// others only at the flag.
class SearchControl {
 public:
  SearchControl(SearchClock::time_point start, const TimePlan& plan, std::uint64_t nodes, std::stop_token outside)
      : start_(start), plan_(plan), max_nodes_(nodes), outside_(std::move(outside)) {}

  [[nodiscard]] bool set() const noexcept { return flag_.load(std::memory_order_relaxed); }
  void stop() noexcept { flag_.store(true, std::memory_order_relaxed); }
  /// Looks at the clock and at the outside; for the first thread.
  bool look() noexcept {
    if (outside_.stop_requested() || (plan_.limited() && elapsed() >= plan_.hard)) stop();
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

 private:
  std::atomic<bool> flag_{false};
  SearchClock::time_point start_;
  TimePlan plan_;
  std::uint64_t max_nodes_;
  std::stop_token outside_;
};

}  // namespace paika
