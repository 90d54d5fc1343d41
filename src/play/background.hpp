// Background: one piece of work at a time on a thread of its own, that can be stopped and waited for.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

namespace paika::play {

/// To be used by one thread, apart from the work itself.
class Background {
 public:
  Background() = default;
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  ~Background() { stop(); }

  /// True from run() until the work is done.
  [[nodiscard]] bool running() const { return running_; }

  /// Begins work; it must end soon after a stop was requested. Requires !running(). False if the
  /// machine gives no thread.
  [[nodiscard]] bool run(std::function<void(const std::stop_token&)> work) {
    wait();
    running_ = true;
    try {
      thread_ = std::jthread([this, work = std::move(work)](const std::stop_token& stop) {
        work(stop);
        running_ = false;
      });
    } catch (const std::system_error&) {
      running_ = false;
      return false;
    }
    return true;
  }

  /// Requests a stop and waits for the end of the work, if there is any.
  void stop() {
    thread_.request_stop();
    wait();
  }

  /// Waits for the end of the work, however long it takes.
  void wait() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> running_ = false;
  std::jthread thread_;
};

/// Waits until a stop is requested.
void wait_for_stop(const std::stop_token& stop);

}  // namespace paika::play
