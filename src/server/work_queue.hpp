// WorkQueue: threads for work that would hold up the network: engine thinking, passwords, long lists.
//
// A work queue has a fixed number of threads and a bounded queue. When that is full, work is turned away at once
// instead of making everybody wait. Addresses take turns: however much one of them asks for, the work of another waits
// for that which runs and for one piece of each other address, not for the whole queue.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <tl/expected.hpp>
#include <unordered_map>
#include <vector>

#include "server/http/limits.hpp"
#include "server/http/site.hpp"
#include "server/store/trace.hpp"

namespace paika::server {

class WorkQueue {
 public:
  /// The stop is requested when the work queue closes.
  using Work = std::function<void(const std::stop_token&)>;
  /// Names work that was taken.
  using Ticket = std::uint64_t;
  /// What is full if work is not taken: what the client may have at a time, or the whole queue.
  enum class Full : unsigned char { client, queue };
  /// A place in what a client may have at a time, as long as it lives. It may outlive the queue.
  class Share;

  /// `caps.total` counts new work that waits, the others what waits, runs or is held. `niceness` above 0 lets
  /// everything else on the machine go first (Linux: as `nice`). No address has more than `threads_per_address` of the
  /// threads at a time: where work takes long, one is left for the others.
  WorkQueue(int threads, const Caps& caps, int niceness, int threads_per_address = std::numeric_limits<int>::max());
  /// A queue that bounds nobody's share.
  WorkQueue(int threads, std::size_t max_queue, int niceness)
      : WorkQueue(threads, Caps{max_queue, no_cap, no_cap}, niceness) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue() { close(); }

  /// What it does from now on counts as nobody's request, whoever asks for it.
  void leave_requests() { follows_requests_ = false; }
  /// Stops what runs and waits for it, drops what waits; nothing is taken any more.
  void close();

  /// Takes work of a client, or says what is full. From any thread.
  [[nodiscard]] tl::expected<Ticket, Full> submit(const Client& client, Work work);
  /// Keeps a place of the client's for work that goes on in further parts. From any thread.
  [[nodiscard]] std::shared_ptr<const Share> hold(const Client& client) const;
  /// Takes the next part of work whose client has a place held: it waits for its turn, however much waits already, and
  /// fills the queue for nobody.
  void submit_further(const Client& client, Work work);
  /// Takes work of the server itself; false if too much waits already.
  [[nodiscard]] bool submit(Work work) { return submit(Client{}, std::move(work)).has_value(); }
  /// Drops work that nobody wants any more, if it still waits. From any thread.
  void withdraw(Ticket ticket);
  /// True if work of the client would be taken now.
  [[nodiscard]] bool takes(const Client& client) const;
  [[nodiscard]] std::size_t waiting() const;
  /// How much of that would come before one more piece of the client's work.
  [[nodiscard]] std::size_t waiting_before(const Client& client) const;
  [[nodiscard]] std::size_t running() const;

 private:
  static constexpr std::size_t no_cap = std::numeric_limits<std::size_t>::max();

  struct Item {
    Ticket ticket = 0;
    std::string lane;
    std::shared_ptr<const Share> share;  // null: a further part
    Work work;
    std::shared_ptr<Trace> trace;  // of the request that it is for; null: of none
    Trace::Clock::time_point since = Trace::Clock::now();
  };
  class Shares;
  /// What one address waits for.
  struct Lane {
    std::string name;
    std::deque<Item> items;
  };

  void work(const std::stop_token& stop, int niceness);
  static void do_traced(const Item& item, const std::stop_token& stop);
  [[nodiscard]] std::optional<Full> full_for(const Client& client) const;
  Ticket add(const Client& client, std::shared_ptr<const Share> share, Work work);
  void put_into_lane(Item item);
  /// Where it counts while it waits.
  [[nodiscard]] std::size_t& count_of(const Item& item) { return item.share ? waiting_ : further_; }
  /// The lane whose turn it is; the end if all that waits is of addresses which have their threads already.
  [[nodiscard]] std::deque<Lane>::iterator next_lane();
  /// Takes the first item of that lane, which there must be.
  [[nodiscard]] Item take_next();

  Caps caps_;
  int threads_per_address_;
  bool follows_requests_ = true;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Lane> lanes_;                           // none is empty; the first one's turn is next
  std::shared_ptr<Shares> shares_;                   // never null
  std::unordered_map<std::string, int> running_of_;  // how many threads each lane has
  Ticket last_ticket_ = 0;
  std::size_t waiting_ = 0;  // new work
  std::size_t further_ = 0;  // further parts that wait
  std::size_t running_ = 0;
  bool closed_ = false;
  std::vector<std::jthread> threads_;  // last: they use all the others
};

/// 429 too_often if the client has too much in the queue, 503 busy if all have.
[[nodiscard]] Response full_response(WorkQueue::Full full);

/// The queues of a server, so that no kind of work waits for another.
struct WorkQueues {
  /// `workers` threads think about games, as many about analyses, which let those go first; or `remote_analyses` wait
  /// for those who do that elsewhere.
  WorkQueues(int workers, double rate_factor, int remote_analyses = 0);
  void close();

  WorkQueue reads;      // from the store: lists, profiles
  WorkQueue positions;  // questions about positions, uploads
  WorkQueue passwords;
  WorkQueue rooms;    // rooms and missed events for the hub
  WorkQueue exports;  // long answers, a piece at a time
  WorkQueue engines;  // moves in games
  WorkQueue analyses;
  WorkQueue clones;   // requests of git that only read
  WorkQueue pushes;   // each waits for the verdict on a bot
  WorkQueue outside;  // waits for servers of others: single sign-on
};

}  // namespace paika::server
