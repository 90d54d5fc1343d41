// WorkQueue: threads for work that would hold up the network: engine thinking, passwords, long lists.
//
// A work queue has a fixed number of threads and a bounded queue. When that is full, work is turned away at once
// instead of making everybody wait.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace paika::server {

class WorkQueue {
 public:
  /// The stop is requested when the work queue closes.
  using Work = std::function<void(const std::stop_token&)>;

  /// `niceness` above 0 lets everything else on the machine go first (Linux: as `nice`).
  WorkQueue(int threads, std::size_t max_queue, int niceness);
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue() { close(); }

  /// Stops what runs and waits for it, drops what waits; nothing is taken any more.
  void close();

  /// False if too much waits already. From any thread.
  [[nodiscard]] bool submit(Work work);
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] std::size_t running() const;

 private:
  void work(const std::stop_token& stop, int niceness);

  std::size_t max_queue_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Work> queue_;
  std::size_t running_ = 0;
  bool closed_ = false;
  std::vector<std::jthread> threads_;  // last: they use all the others
};

}  // namespace paika::server
