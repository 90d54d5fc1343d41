#include "server/work_queue.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace paika::server {

namespace {

/// Lets everything else go first. A machine that does not allow it is no reason not to work.
void be_nice(int niceness) {
  if (niceness <= 0) return;
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  static_cast<void>(::setpriority(PRIO_PROCESS, thread, niceness));
}

}  // namespace

WorkQueue::WorkQueue(int threads, std::size_t max_queue, int niceness) : max_queue_(max_queue) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this, niceness](const std::stop_token& stop) { work(stop, niceness); });
  }
}

void WorkQueue::close() {
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    queue_.clear();
  }
  for (std::jthread& thread : threads_) thread.request_stop();
  changed_.notify_all();
  threads_.clear();
}

bool WorkQueue::submit(Work work) {
  {
    const std::scoped_lock lock(mutex_);
    if (closed_ || queue_.size() >= max_queue_) return false;
    queue_.push_back(std::move(work));
  }
  changed_.notify_one();
  return true;
}

std::size_t WorkQueue::waiting() const {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

std::size_t WorkQueue::running() const {
  const std::scoped_lock lock(mutex_);
  return running_;
}

void WorkQueue::work(const std::stop_token& stop, int niceness) {
  be_nice(niceness);
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return !queue_.empty(); })) {
    if (stop.stop_requested()) return;
    Work next = std::move(queue_.front());
    queue_.pop_front();
    ++running_;
    lock.unlock();
    next(stop);
    next = nullptr;  // what it holds is released before it counts as done
    lock.lock();
    --running_;
  }
}

}  // namespace paika::server
