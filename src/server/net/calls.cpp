#include "server/net/calls.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

namespace paika::server::net {

void Calls::post(std::function<void()> call) {
  {
    const std::lock_guard lock(mutex_);
    if (over_) return;
    posted_.push_back(std::move(call));
    // The first one wakes the thread; it takes all that came meanwhile.
    if (posted_.size() > 1) return;
  }
  asio::post(context_.executor(), [this] { run_posted(); });
}

void Calls::run_posted() {
  std::vector<std::function<void()>> calls;
  {
    const std::lock_guard lock(mutex_);
    calls.swap(posted_);
  }
  for (auto& call : calls) {
    static_cast<void>(context_.attempt("a call", call));
    call = nullptr;
  }
}

void Calls::after(std::chrono::milliseconds time, std::function<void()> call) {
  // The clock counts nanoseconds: a time beyond all reason would wrap around.
  const std::chrono::milliseconds longest = std::chrono::days(3650);
  const auto added = later_.emplace(SteadyClock::now() + std::min(time, longest), std::move(call));
  if (added == later_.begin()) set_timer();
}

void Calls::set_timer() {
  if (later_.empty()) return;
  // A wait that is replaced ends with an error and does nothing.
  timer_.expires_at(later_.begin()->first);
  timer_.async_wait([this](const ErrorCode& error) {
    if (!error) run_due();
  });
}

void Calls::run_due() {
  // What a call adds, even for now, has its turn the next time: others must not starve.
  const auto now = SteadyClock::now();
  std::vector<std::function<void()>> due;
  while (!later_.empty() && later_.begin()->first <= now) {
    due.push_back(std::move(later_.begin()->second));
    later_.erase(later_.begin());
  }
  for (auto& call : due) {
    static_cast<void>(context_.attempt("a timed call", call));
    call = nullptr;
  }
  set_timer();
}

void Calls::drop_all() {
  std::vector<std::function<void()>> posted;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
    posted.swap(posted_);
  }
  timer_.cancel();
  // Taken out first: what a function holds may, when it is destroyed, call us again.
  const auto later = std::exchange(later_, {});
}

}  // namespace paika::server::net
