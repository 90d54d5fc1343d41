// HelperThreads: threads that wait for work, all do the same piece of it, and wait again.
//
// They live as long as the search, since starting a thread can take longer than a fast move. The one
// who gives them work need not wait until they have finished it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace paika {

class HelperThreads {
 public:
  explicit HelperThreads(int count);
  HelperThreads(const HelperThreads&) = delete;
  HelperThreads& operator=(const HelperThreads&) = delete;
  /// Waits for the work under way.
  ~HelperThreads();

  [[nodiscard]] int count() const { return static_cast<int>(threads_.size()); }
  /// Lets each thread i call work(i), 0 <= i < count(). Waits first until earlier work is done.
  void start(std::function<void(int)> work);
  /// Waits until all threads are idle.
  void wait();
  /// The same, but no longer than until `deadline`; true if they are.
  [[nodiscard]] bool wait_until(std::chrono::steady_clock::time_point deadline);

 private:
  void live(const std::stop_token& stop, int index);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::condition_variable idle_;
  std::function<void(int)> work_;
  std::uint64_t round_ = 0;
  int busy_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace paika
