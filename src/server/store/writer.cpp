#include "server/store/writer.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "server/store/trace.hpp"

namespace paika::server {

namespace {

/// So many jobs share one commit at most: enough for any load, and the first of them does not wait for ever.
constexpr std::size_t max_jobs_per_commit = 1000;

constexpr const char* closed_message = "the store is closed";

struct Item {
  Writer::Job job;
  Writer::Done done;
  std::optional<std::string> failure;
};

/// So short that it takes no memory.
constexpr const char* no_memory = "out of memory";
constexpr auto wait_for_memory = std::chrono::milliseconds(10);

/// What `work` gives, as soon as there is memory for it: what was committed must be told, and what waits be done.
template <class Work>
auto with_memory(Work work) {
  while (true) {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(wait_for_memory);
    }
  }
}

/// What went wrong, inside a catch block.
std::string current_failure() noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return no_memory;
    } catch (const std::exception& error) {
      return error.what();
    } catch (...) {
      return "something unknown failed";
    }
  } catch (const std::bad_alloc&) {
    return no_memory;
  }
}

void fail_with(Item& item, const std::string& why) noexcept {
  try {
    item.failure = why;
  } catch (const std::bad_alloc&) {
    item.failure = no_memory;
  }
}

/// Does the jobs in one transaction; afterwards each is committed or knows its failure. True if there was a commit.
bool commit(Store& store, std::vector<Item>& items) noexcept {
  try {
    store.atomically([&] {
      for (Item& item : items) {
        try {
          store.atomically([&] { item.job(store); });
        } catch (...) {
          item.failure = current_failure();
        }
      }
    });
    return true;
  } catch (...) {
    const std::string why = current_failure();
    for (Item& item : items) {
      if (!item.failure) fail_with(item, why);
    }
    return false;
  }
}

using Batch = std::shared_ptr<std::vector<Item>>;

/// One call that tells them all, in order.
std::function<void()> reporting(const Batch& items) {
  // Jobs end on this thread, with all they hold; only the news travels.
  for (Item& item : *items) item.job = nullptr;
  return [items] {
    for (const Item& item : *items) {
      if (item.done) item.done(item.failure);
    }
    // What they hold ends with the report, such as a request's trace, and not with the next batch.
    items->clear();
  };
}

}  // namespace

class Writer::Impl {
 public:
  Impl(std::unique_ptr<Store> store, Post post) : store_(std::move(store)), post_(std::move(post)) {
    thread_ = std::thread([this] { work(); });
  }

  void submit(Item item) {
    {
      const std::scoped_lock lock(mutex_);
      if (!closing_) {
        queue_.push_back(std::move(item));
        changed_.notify_one();
        return;
      }
    }
    item.failure = closed_message;
    auto items = std::make_shared<std::vector<Item>>();
    items->push_back(std::move(item));
    post_(reporting(items));
  }

  void finish(bool reports) {
    const std::scoped_lock alone(finishing_);
    {
      const std::scoped_lock lock(mutex_);
      closing_ = true;
      reports_ = reports;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

  [[nodiscard]] std::size_t waiting() const {
    const std::scoped_lock lock(mutex_);
    return queue_.size();
  }
  [[nodiscard]] std::uint64_t commits() const { return commits_; }
  [[nodiscard]] bool is_deposed() const { return is_deposed_; }

 private:
  void work() {
    const auto next = [this] { return with_memory([this] { return take(); }); };
    for (Batch items = next(); !items->empty(); items = next()) {
      if (commit(*store_, *items)) {
        ++commits_;
      } else {
        is_deposed_ = store_->is_deposed();
      }
      if (reports()) with_memory([&] { post_(reporting(items)); });
    }
  }

  /// The jobs that wait, once there are some; none when all is done.
  Batch take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    const auto count = static_cast<std::ptrdiff_t>(std::min(queue_.size(), max_jobs_per_commit));
    // The memory first: jobs that have left the queue are in the batch.
    auto items = std::make_shared<std::vector<Item>>(static_cast<std::size_t>(count));
    std::move(queue_.begin(), queue_.begin() + count, items->begin());
    queue_.erase(queue_.begin(), queue_.begin() + count);
    return items;
  }

  [[nodiscard]] bool reports() const {
    const std::scoped_lock lock(mutex_);
    return reports_;
  }

  std::unique_ptr<Store> store_;
  Post post_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  bool closing_ = false;
  bool reports_ = true;
  std::atomic<std::uint64_t> commits_ = 0;
  std::atomic<bool> is_deposed_ = false;
  std::mutex finishing_;  // who finishes waits for the thread, one after the other
  std::thread thread_;
};

Writer::Writer(std::unique_ptr<Store> store, Post post)
    : impl_(std::make_unique<Impl>(std::move(store), std::move(post))) {}

Writer::~Writer() { impl_->finish(false); }

void Writer::submit(Job job, Done done) {
  if (const auto trace = Trace::current()) {
    job = carrying_trace(std::move(job));
    done = [trace, done = carrying_trace(std::move(done)), since = Trace::Clock::now()](const auto& failure) {
      Trace::add(trace->storing, since);
      if (done) done(failure);
    };
  }
  impl_->submit({std::move(job), std::move(done), std::nullopt});
}
void Writer::finish() { impl_->finish(true); }
std::size_t Writer::waiting() const { return impl_->waiting(); }
std::uint64_t Writer::commits() const { return impl_->commits(); }
bool Writer::is_deposed() const { return impl_->is_deposed(); }

}  // namespace paika::server
