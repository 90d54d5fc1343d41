// Ladder: bots of classes are built and checked, and those that were accepted play, by workers of this process and of
// others (ladder_director.hpp decides what is done).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "database/job_worker.hpp"
#include "engine/json.hpp"
#include "sandbox/confinement.hpp"
#include "server/classes/ladder_director.hpp"

namespace paika::server {

struct LadderSettings {
  std::string database;   // it opens a reader of its own
  std::string queue;      // where the queue of jobs is
  bool is_shared = true;  // other servers may use that queue too
  std::string folder;     // for what our own workers need; made when it is needed
  std::string version;    // of the workers that may help
  bool unsafe = false;    // without a sandbox, if that was asked for by name
  bool weak = false;      // in a sandbox whose limits the kernel does not enforce, if that was asked for by name
  int workers = 1;        // of our own; 0: all is left to others
  int niceness = 10;
  std::vector<std::string> readable{};  // files and folders that all bots may read beside their own
};

/// What a ladder needs of the world around it.
struct LadderDeps {
  Writer& writer;
  std::function<void(std::string_view event, const Json& fields)> log_event;  // to the log, from any thread
};

/// What a bot's building and checking say, for somebody who waits for it.
class BotTranscript {
 public:
  /// `changed` is called, on any thread, when there is more.
  explicit BotTranscript(std::function<void()> changed) : changed_(std::move(changed)) {}
  /// All that was said up to now; what is new is added. Less than before: it begins anew.
  void append(std::string_view progress);
  /// What was said since the last time.
  [[nodiscard]] std::string take();

 private:
  std::mutex mutex_;
  std::string text_;
  std::size_t length_ = 0;
  std::function<void()> changed_;
};

class Ladder {
 public:
  /// Begins to work at once.
  Ladder(LadderSettings settings, LadderDeps deps);
  Ladder(const Ladder&) = delete;
  Ladder& operator=(const Ladder&) = delete;
  ~Ladder() { close(); }

  /// Ends what is under way and waits for it.
  void close();
  /// There may be something new to do. From any thread.
  void poke();

  /// Lets somebody hear what is said of a bot, as long as the transcript is kept. From any thread; early enough if the
  /// bot is not stored yet.
  [[nodiscard]] std::shared_ptr<BotTranscript> follow(BotId bot, std::function<void()> changed);
  /// Nobody waits for this bot any more: it is refused, unless its state is final already. From any thread.
  void withdraw(BotId bot);

  /// An error if bots cannot be built and played here: there is no sandbox that holds, and nobody said that it is fine.
  /// Takes a moment the first time: not for the network thread.
  [[nodiscard]] Result<void> takes_bots() const;
  /// What is done at the moment.
  [[nodiscard]] std::vector<LadderWork> work() const;
  [[nodiscard]] LadderCounts counts() const;
  /// What was in the whole queue of jobs some seconds ago at most.
  [[nodiscard]] QueueStats queue_stats() const;

 private:
  void run(const std::stop_token& stop);
  [[nodiscard]] std::unique_ptr<LadderDirector> open_director(const std::stop_token& stop);
  /// One look at the queue; how long the next one can wait.
  [[nodiscard]] std::chrono::milliseconds step(LadderDirector& director, bool changed, std::uint64_t failures);
  [[nodiscard]] Result<sandbox::Sandbox> sandbox() const;
  void start_workers();
  void work(const std::stop_token& stop, const JobWorkerSettings& settings);
  /// Tells those who follow a bot.
  void report(BotId bot, std::string_view progress);
  /// Keeps something and waits until it is on the disk. False if that failed, or we were told to stop.
  bool commit(Writer::Job job, const std::stop_token& stop);

  LadderSettings settings_;
  LadderDeps deps_;
  bool tried_workers_ = false;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t changes_ = 0;  // counts what may have made something new to do
  std::vector<LadderWork> work_;
  LadderCounts counts_;
  QueueStats queue_stats_;
  std::map<BotId, std::weak_ptr<BotTranscript>> followed_;
  std::vector<std::jthread> workers_;
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace paika::server
