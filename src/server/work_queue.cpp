#include "server/work_queue.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

#include "server/http/answers.hpp"

namespace paika::server {

namespace {

/// Lets everything else go first. A machine that does not allow it is no reason not to work.
void be_nice(int niceness) {
  if (niceness <= 0) return;
  const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
  static_cast<void>(::setpriority(PRIO_PROCESS, thread, niceness));
}

std::string person_share(PersonId person) { return fmt::format("person {}", person); }

std::vector<std::string> payers_of(const Client& client) {
  std::vector<std::string> payers;
  if (!client.address.empty()) payers.push_back(client.address);
  if (client.person != 0) payers.push_back(person_share(client.person));
  return payers;
}

/// A person whose address is not known is as good as an address.
std::string lane_of(const std::vector<std::string>& payers) { return payers.empty() ? "" : payers.front(); }

}  // namespace

/// How much each payer has. To be used from any thread.
class WorkQueue::Shares {
 public:
  [[nodiscard]] bool reached(const std::string& payer, std::size_t cap) const {
    const std::scoped_lock lock(mutex_);
    const auto found = counts_.find(payer);
    return found != counts_.end() && found->second >= cap;
  }
  void take(const std::vector<std::string>& payers) {
    const std::scoped_lock lock(mutex_);
    for (const std::string& payer : payers) ++counts_[payer];
  }
  void release(const std::vector<std::string>& payers) {
    const std::scoped_lock lock(mutex_);
    for (const std::string& payer : payers) {
      const auto count = counts_.find(payer);
      if (--count->second == 0) counts_.erase(count);
    }
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::size_t> counts_;
};

class WorkQueue::Share {
 public:
  Share(std::shared_ptr<Shares> all, std::vector<std::string> payers)
      : all_(std::move(all)), payers_(std::move(payers)) {
    all_->take(payers_);
  }
  Share(const Share&) = delete;
  Share& operator=(const Share&) = delete;
  ~Share() { all_->release(payers_); }

 private:
  std::shared_ptr<Shares> all_;
  std::vector<std::string> payers_;
};

WorkQueue::WorkQueue(int threads, const Caps& caps, int niceness, int threads_per_address)
    : caps_(caps), threads_per_address_(threads_per_address), shares_(std::make_shared<Shares>()) {
  for (int i = 0; i < threads; ++i) {
    threads_.emplace_back([this, niceness](const std::stop_token& stop) { work(stop, niceness); });
  }
}

void WorkQueue::close() {
  std::deque<Lane> dropped;
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    dropped.swap(lanes_);
    waiting_ = further_ = 0;
  }
  for (std::jthread& thread : threads_) thread.request_stop();
  changed_.notify_all();
  threads_.clear();
}

std::optional<WorkQueue::Full> WorkQueue::full_for(const Client& client) const {
  if (closed_ || waiting_ >= caps_.total) return Full::queue;
  const bool full = shares_->reached(client.address, caps_.per_address) ||
                    (client.person != 0 && shares_->reached(person_share(client.person), caps_.per_person));
  return full ? std::optional(Full::client) : std::nullopt;
}

bool WorkQueue::takes(const Client& client) const {
  const std::scoped_lock lock(mutex_);
  return !full_for(client);
}

tl::expected<WorkQueue::Ticket, WorkQueue::Full> WorkQueue::submit(const Client& client, Work work) {
  Ticket ticket = 0;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto full = full_for(client)) return tl::unexpected(*full);
    ticket = add(client, hold(client), std::move(work));
  }
  changed_.notify_one();
  return ticket;
}

std::shared_ptr<const WorkQueue::Share> WorkQueue::hold(const Client& client) const {
  return std::make_shared<Share>(shares_, payers_of(client));
}

void WorkQueue::submit_further(const Client& client, Work work) {
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return;
    add(client, nullptr, std::move(work));
  }
  changed_.notify_one();
}

WorkQueue::Ticket WorkQueue::add(const Client& client, std::shared_ptr<const Share> share, Work work) {
  const Ticket ticket = ++last_ticket_;
  put_into_lane({ticket, lane_of(payers_of(client)), std::move(share), std::move(work),
                 follows_requests_ ? Trace::current() : nullptr});
  return ticket;
}

void WorkQueue::put_into_lane(Item item) {
  ++count_of(item);
  const auto found = std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& l) { return l.name == item.lane; });
  Lane& into = found != lanes_.end() ? *found : lanes_.emplace_back(Lane{item.lane, {}});
  into.items.push_back(std::move(item));
}

void WorkQueue::withdraw(Ticket ticket) {
  Item dropped;  // destroyed without the lock: what it holds may call us
  const std::scoped_lock lock(mutex_);
  for (auto lane = lanes_.begin(); lane != lanes_.end(); ++lane) {
    const auto item =
        std::find_if(lane->items.begin(), lane->items.end(), [&](const Item& i) { return i.ticket == ticket; });
    if (item == lane->items.end()) continue;
    dropped = std::move(*item);
    lane->items.erase(item);
    if (lane->items.empty()) lanes_.erase(lane);
    --count_of(dropped);
    return;
  }
}

std::deque<WorkQueue::Lane>::iterator WorkQueue::next_lane() {
  return std::find_if(lanes_.begin(), lanes_.end(), [this](const Lane& lane) {
    const auto found = running_of_.find(lane.name);
    return lane.name.empty() || found == running_of_.end() || found->second < threads_per_address_;
  });
}

WorkQueue::Item WorkQueue::take_next() {
  const auto lane = next_lane();
  Lane taken = std::move(*lane);
  lanes_.erase(lane);
  Item item = std::move(taken.items.front());
  taken.items.pop_front();
  if (!taken.items.empty()) lanes_.push_back(std::move(taken));
  --count_of(item);
  return item;
}

std::size_t WorkQueue::waiting() const {
  const std::scoped_lock lock(mutex_);
  return waiting_ + further_;
}

std::size_t WorkQueue::waiting_before(const Client& client) const {
  const std::scoped_lock lock(mutex_);
  const std::string lane = lane_of(payers_of(client));
  const auto own = std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& l) { return l.name == lane; });
  const std::size_t mine = own == lanes_.end() ? 0 : own->items.size();
  const std::size_t others = lanes_.size() - (own == lanes_.end() ? 0 : 1);
  return std::min(waiting_ + further_, mine + (mine + 1) * others);  // one of each other lane before each of its own
}

std::size_t WorkQueue::running() const {
  const std::scoped_lock lock(mutex_);
  return running_;
}

void WorkQueue::do_traced(const Item& item, const std::stop_token& stop) {
  const TraceScope scope(item.trace);
  if (item.trace) Trace::add(item.trace->waiting, item.since);
  const auto begun = Trace::Clock::now();
  item.work(stop);
  if (item.trace) Trace::add(item.trace->working, begun);
}

void WorkQueue::work(const std::stop_token& stop, int niceness) {
  be_nice(niceness);
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return next_lane() != lanes_.end(); })) {
    if (stop.stop_requested()) return;
    Item item = take_next();
    ++running_;
    ++running_of_[item.lane];
    lock.unlock();
    do_traced(item, stop);
    item.work = nullptr;  // what it holds is released before it counts as done
    item.trace = nullptr;
    item.share = nullptr;
    lock.lock();
    --running_;
    if (--running_of_[item.lane] == 0) running_of_.erase(item.lane);
    // A thread may have gone to sleep because this address had its share.
    if (!lanes_.empty()) changed_.notify_one();
  }
}

Response full_response(WorkQueue::Full full) {
  if (full == WorkQueue::Full::queue) return busy_response();
  return error_response(429, "too_often",
                        "you, or your address, have too much waiting already: try again when it is done",
                        {{"retry_after_ms", 2000}});
}

// ---- The queues of a server ----

namespace {

constexpr int read_threads = 2;
constexpr int position_threads = 2;
constexpr int password_threads = 1;
constexpr int room_threads = 2;
constexpr int export_threads = 2;
constexpr int outside_threads = 4;
// The network and what people wait for in games go first, then passwords and questions, then the engine's moves,
// analyses last. What is nice may be pushed aside while the system gives it memory or takes it back, and whoever asks
// for memory then waits: so the server keeps its own (apps/serve.cpp).
constexpr int password_niceness = 5;
constexpr int position_niceness = 5;
constexpr int engine_niceness = 10;
constexpr int analysis_niceness = 19;
constexpr int git_niceness = 5;
constexpr int clone_threads = 4;
// Most of them only wait: a class hands in at the same time, behind one address.
constexpr int push_threads = 40;
constexpr int push_threads_per_address = 32;

/// So that an address which takes all it can get leaves one for the others.
int analysis_threads(int workers, int remote) { return std::max(2, remote > 0 ? remote : workers); }

}  // namespace

WorkQueues::WorkQueues(int workers, double rate_factor, int remote_analyses)
    : reads(read_threads, scaled(read_caps, rate_factor), 0, read_threads - 1),
      positions(position_threads, scaled(position_caps, rate_factor), position_niceness, position_threads - 1),
      passwords(password_threads, scaled(password_caps, rate_factor), password_niceness),
      rooms(room_threads, scaled(room_read_caps, rate_factor), 0, room_threads - 1),
      exports(export_threads, scaled(export_caps, rate_factor), 0, export_threads - 1),
      engines(workers, scaled(engine_caps, rate_factor), engine_niceness),
      analyses(analysis_threads(workers, remote_analyses), scaled(analysis_caps, rate_factor), analysis_niceness,
               analysis_threads(workers, remote_analyses) - 1),
      clones(clone_threads, scaled(clone_caps, rate_factor), git_niceness, clone_threads - 1),
      pushes(push_threads, scaled(push_caps, rate_factor), git_niceness, push_threads_per_address),
      outside(outside_threads, scaled(outside_caps, rate_factor), 0, outside_threads - 1) {
  engines.leave_requests();  // a move is answered long before the engine's
}

void WorkQueues::close() {
  for (WorkQueue* queue :
       {&outside, &pushes, &clones, &analyses, &engines, &exports, &rooms, &passwords, &positions, &reads})
    queue->close();
}

}  // namespace paika::server
