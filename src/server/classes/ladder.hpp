// Ladder: the threads that build and check the bots of classes, and let those that were accepted play.
//
// Each worker does one thing at a time, whatever the queue gives it next (ladder_queue.hpp); builds, checks and games
// all have a limit of time, so that everybody's turn comes. A game of slow bots may last for minutes: if a bot has
// waited for a while and all workers are busy, the game that began last is broken off and played again later. What was
// under way when the server ended is begun anew: a bot waits again, a game was never counted.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "engine/json.hpp"
#include "sandbox/confinement.hpp"
#include "server/classes/ladder_queue.hpp"
#include "server/classes/workshop.hpp"
#include "server/store/classes.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

struct LadderSettings {
  std::string database;  // it opens a reader of its own
  std::string folder;    // for the bots' files; made when it is needed
  bool unsafe = false;   // without a sandbox, if that was asked for by name
  bool weak = false;     // in a sandbox whose limits the kernel does not enforce, if that was asked for by name
  int workers = 1;
  int niceness = 10;
  std::vector<std::string> readable{};  // files and folders that all bots may read beside their own
};

/// What a ladder needs of the world around it.
struct LadderDeps {
  Writer& writer;
  std::function<void(std::string_view event, const Json& fields)> log_event;  // to the log, from any thread
};

struct LadderCounts {
  std::uint64_t games = 0, accepted = 0, refused = 0, failures = 0;
  std::uint64_t put_off = 0;  // games that were broken off for a bot that waited
};

/// What a bot's building and checking say, for somebody who waits for it.
class BotTranscript {
 public:
  /// `changed` is called, on any thread, when there is more.
  explicit BotTranscript(std::function<void()> changed) : changed_(std::move(changed)) {}
  void add(std::string_view text);
  /// What was said since the last time.
  [[nodiscard]] std::string take();

 private:
  std::mutex mutex_;
  std::string text_;
  std::size_t added_ = 0;
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

  /// The sandbox that bots are kept in; an error if there is none that holds and nobody said that it is fine. Takes a
  /// moment the first time: not for the network thread.
  [[nodiscard]] Result<sandbox::Sandbox> sandbox() const;
  /// What is done at the moment.
  [[nodiscard]] std::vector<LadderWork> work() const;
  [[nodiscard]] LadderCounts counts() const;

 private:
  void run(const std::stop_token& stop);
  /// Does the next thing; false if there is nothing to do.
  [[nodiscard]] bool step(Store& reader, const std::stop_token& stop);
  /// The next job, once there is a sandbox; folders that nobody needs any more are removed.
  [[nodiscard]] std::optional<LadderJob> take(Store& reader, const std::stop_token& stop);
  [[nodiscard]] bool has_workshop(ClassStore& classes);
  /// Changes the queue, and what the pages are told of it.
  void change_queue(const std::function<void(LadderQueue&)>& change);
  /// Looks after bots that wait for long games.
  void watch(const std::stop_token& stop);
  /// True if a bot has waited for so long that a game is to make room for it. `seen` tells since when bots wait.
  [[nodiscard]] bool somebody_waits(ClassStore& classes, std::map<BotId, std::chrono::steady_clock::time_point>& seen);
  /// Breaks off the game that began last, if it has lasted for a while.
  void put_off_game();
  /// Both are false if nothing came of it: the storage failed, or we were told to stop.
  [[nodiscard]] bool examine(ClassStore& classes, const LadderJob& job, const std::stop_token& stop);
  [[nodiscard]] bool play(const LadderJob& job, const std::stop_token& stop);
  /// Tells those who follow a bot.
  void say(BotId bot, std::string_view text);
  /// Takes a bot off the list of those that were withdrawn; true if it was there.
  [[nodiscard]] bool was_withdrawn(BotId bot);
  /// Keeps something and waits until it is on the disk. False if that failed, or we were told to stop.
  bool commit(Writer::Job job, const std::stop_token& stop);
  void wait(const std::stop_token& stop, std::uint64_t seen);
  [[nodiscard]] std::uint64_t changes() const;

  LadderSettings settings_;
  LadderDeps deps_;

  std::mutex choosing_;  // one worker at a time takes a job; the next four are guarded by it
  LadderQueue queue_;
  std::unique_ptr<Workshop> workshop_;
  bool restarted_ = false;
  bool reported_no_sandbox_ = false;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::uint64_t changes_ = 0;  // counts what may have made something new to do
  std::vector<LadderWork> work_;
  LadderCounts counts_;
  struct RunningGame {
    std::chrono::steady_clock::time_point began;
    std::stop_source stop;
  };
  std::map<std::uint64_t, RunningGame> games_;  // by the number of the job
  std::map<BotId, std::weak_ptr<BotTranscript>> followed_;
  std::set<BotId> withdrawn_;
  std::vector<std::jthread> threads_;  // last: they use all the others
};

}  // namespace paika::server
