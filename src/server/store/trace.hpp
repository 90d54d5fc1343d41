// Trace: what became of a request, wherever it is worked on: its id for logs, and the time it spent waiting for a
// thread, being worked on, and being stored.
//
// A thread has the trace of the request that it works for. Work queues, the writer and what is posted to the network
// thread carry it on, so nobody else need know of it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace paika::server {

class Trace {
 public:
  using Clock = std::chrono::steady_clock;
  using Span = std::atomic<std::chrono::microseconds::rep>;

  /// `what`: for people, such as "POST /api/rooms". `on_end` is called when nothing is done for it any more, by any
  /// thread.
  Trace(std::string id, std::string what, std::function<void(const Trace&)> on_end)
      : id_(std::move(id)), what_(std::move(what)), on_end_(std::move(on_end)) {}
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;
  ~Trace() { on_end_(*this); }

  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] const std::string& what() const noexcept { return what_; }
  [[nodiscard]] std::chrono::microseconds age() const {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun_);
  }

  // In microseconds; work in several places at once counts in each.
  Span waiting{0};
  Span working{0};
  Span storing{0};
  std::atomic<int> status{0};           // of the answer; 0: there is none
  std::atomic<bool> is_endless{false};  // it lasts as long as somebody listens

  /// That of the request for which this thread works; null: for none.
  [[nodiscard]] static std::shared_ptr<Trace> current();
  /// Its id; "" if there is none.
  [[nodiscard]] static std::string current_id();
  /// Adds the time since then.
  static void add(Span& span, Clock::time_point since) {
    span += std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - since).count();
  }

 private:
  std::string id_;
  std::string what_;
  std::function<void(const Trace&)> on_end_;
  Clock::time_point begun_ = Clock::now();
};

/// While it lives, this thread works for a request, or for none.
class TraceScope {
 public:
  explicit TraceScope(std::shared_ptr<Trace> trace);
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;
  ~TraceScope();

 private:
  std::shared_ptr<Trace> before_;
};

/// The call as one that is made for the request for which this thread works now.
template <class... Args>
[[nodiscard]] std::function<void(Args...)> carrying_trace(std::function<void(Args...)> call) {
  auto trace = Trace::current();
  if (!trace || !call) return call;
  return [trace = std::move(trace), call = std::move(call)](Args... args) {
    const TraceScope scope(trace);
    call(std::forward<Args>(args)...);
  };
}

}  // namespace paika::server
