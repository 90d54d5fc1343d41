// Wake: lets one coroutine sleep until something happens.
#pragma once

#include <utility>

#include "server/net/types.hpp"

namespace paika::server::net {

/// One sleeper, any number of calls; a call while nobody sleeps is remembered, once. On the network thread only.
class Wake {
 public:
  explicit Wake(const Executor& executor) : timer_(executor) {}

  void call() {
    called_ = true;
    timer_.cancel();
  }
  /// Sleeps until it is called.
  [[nodiscard]] Task<void> wait() {
    timer_.expires_at(SteadyClock::time_point::max());
    co_await sleep();
    called_ = false;
  }
  /// The same for at most a time; false if nobody called.
  [[nodiscard]] Task<bool> wait_for(std::chrono::milliseconds time) {
    timer_.expires_after(time);
    co_await sleep();
    co_return std::exchange(called_, false);
  }

 private:
  [[nodiscard]] Task<void> sleep() {
    ErrorCode error;
    if (!called_) co_await timer_.async_wait(into(error));
  }

  Timer timer_;
  bool called_ = false;
};

}  // namespace paika::server::net
