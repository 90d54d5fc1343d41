// BackgroundReader: reads from the store on other threads, so that the network thread never waits for the disk.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "server/store/thread_reader.hpp"
#include "server/work_queue.hpp"

namespace paika::server {

class BackgroundReader {
 public:
  /// All of it outlives the reader. `post` hands a function to the network thread.
  BackgroundReader(WorkQueue& queue, std::string database, std::function<void(std::function<void()>)> post)
      : queue_(queue), database_(std::move(database)), post_(std::move(post)) {}

  /// Calls read(Store&) on a thread of the queue, then done(its result, or what failed) on the network thread. What is
  /// full, and nothing is called, if too much waits already, of the client or of all.
  template <class Read, class Done>
  [[nodiscard]] tl::expected<void, WorkQueue::Full> run(const Client& client, Read read, Done done) {
    const auto taken = queue_.submit(client, work(std::move(read), std::move(done)));
    if (!taken) return tl::unexpected(taken.error());
    return {};
  }
  /// Keeps a place of the client's for something that is read in further parts.
  [[nodiscard]] std::shared_ptr<const WorkQueue::Share> hold(const Client& client) const { return queue_.hold(client); }
  /// The same as run() for the next part of that: it waits for its turn, however much waits already.
  template <class Read, class Done>
  void run_further(const Client& client, Read read, Done done) {
    queue_.submit_further(client, work(std::move(read), std::move(done)));
  }
  /// The same for what the server wants itself; false if too much waits already.
  template <class Read, class Done>
  [[nodiscard]] bool run(Read read, Done done) {
    return run(Client{}, std::move(read), std::move(done)).has_value();
  }

  [[nodiscard]] std::size_t waiting() const { return queue_.waiting(); }

 private:
  template <class Read, class Done>
  [[nodiscard]] WorkQueue::Work work(Read read, Done done) const {
    using Found = tl::expected<decltype(read(std::declval<Store&>())), std::string>;
    return [database = database_, post = post_, read = std::move(read),
            done = std::move(done)](const std::stop_token&) mutable {
      // Shared, for a function that is posted must be copyable and what was found need not be.
      auto found = std::make_shared<Found>(tl::unexpected<std::string>("the storage cannot be opened"));
      try {
        if (Store* const store = thread_reader(database)) *found = read(*store);
      } catch (const std::exception& error) {
        *found = tl::unexpected<std::string>(error.what());
      }
      post([found, done = std::move(done)]() mutable { done(std::move(*found)); });
    };
  }

  WorkQueue& queue_;
  std::string database_;
  std::function<void(std::function<void()>)> post_;
};

}  // namespace paika::server
