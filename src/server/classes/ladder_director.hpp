// LadderDirector: decides what the ladders of all classes do next, has it done by workers, here and on other machines,
// and enters what comes of it.
//
// What is due goes into the queue of jobs in fair order (ladder_queue.hpp), only a little more than is being done, and
// what nobody has taken yet is put in order again when something new comes. A result counts once: a game by its pair
// and leg in the store, a verdict by the state of its bot. Builds, checks and games all have a limit of time, so that
// everybody's turn comes. A game of slow bots may last for minutes: if a bot has waited for a while, the game that
// began last is broken off and played again later.
//
// Of several servers with one queue one directs: who has the job to do so. All of it is for one thread.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "database/job_queue.hpp"
#include "engine/json.hpp"
#include "server/classes/ladder_queue.hpp"
#include "server/store/classes.hpp"
#include "server/store/writer.hpp"
#include "tournament/job.hpp"

namespace paika::server {

struct LadderCounts {
  std::uint64_t games = 0, accepted = 0, refused = 0, failures = 0;
  std::uint64_t put_off = 0;  // games that were broken off for a bot that waited
};

/// What is in the whole queue of jobs, and what happened there.
struct QueueStats {
  std::vector<JobDepth> depths;
  std::vector<JobCount> counts;
};

struct LadderDirectorDeps {
  std::string version;                                           // of the workers
  std::function<bool(Writer::Job)> commit;                       // waits until it is on the disk; false if it failed
  std::function<void(std::string_view event, const Json&)> log;  // to the log
  std::function<void(BotId, std::string_view progress)> on_progress;  // all that was said while it is built and checked
};

class LadderDirector {
 public:
  /// The topic of its jobs.
  static constexpr std::string_view topic = "ladder";

  /// Of a queue that no other server uses, nobody else directs, whatever is left there of one that was killed.
  LadderDirector(JobQueue queue, std::unique_ptr<Store> reader, LadderDirectorDeps deps, bool is_alone);

  /// True if this server directs, from now on if nobody else does. To be asked every few seconds.
  [[nodiscard]] bool lead();
  /// Enters what has come and offers what is due. `changed`: there may be something new in the store.
  void step(bool changed);
  /// Looks at what others do, in place of step().
  void look();
  /// Lets another server direct at once.
  void resign();

  /// True if something is in the queue, so that steps must come soon.
  [[nodiscard]] bool is_busy() const { return !offered_.empty(); }
  /// True if jobs are there for workers.
  [[nodiscard]] bool has_jobs() const { return has_jobs_; }
  /// What is being done at the moment.
  [[nodiscard]] const std::vector<LadderWork>& work() const { return work_; }
  [[nodiscard]] const LadderCounts& counts() const { return counts_; }
  [[nodiscard]] const QueueStats& queue_stats() const { return queue_stats_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// A job that is in the queue.
  struct Offered {
    LadderJob job;
    tournament::GameJob game;                // of a game
    std::optional<Clock::time_point> taken;  // when a worker was first seen with it
    bool checked = false;                    // a bot: its games have begun
  };
  /// What became of a result.
  enum class Entry : unsigned char {
    entered,
    outdated,  // the bot was withdrawn, or another server has decided it
    rejected,
    failed
  };

  void watch_running();
  void note_bot(Offered& offered, const RunningJob& job);
  void collect();
  [[nodiscard]] Entry enter_game(const Offered& offered, const DoneJob& done);
  [[nodiscard]] Entry enter_verdict(const Offered& offered, const DoneJob& done);
  [[nodiscard]] Entry set_state(BotId bot, BotState state, const std::string& report);
  void end_lost();
  void drop_decided();
  void take_back();
  void make_room();
  [[nodiscard]] bool somebody_waits();
  void offer();
  [[nodiscard]] bool offer_bot(const LadderJob& job);
  [[nodiscard]] bool offer_game(const LadderJob& job);
  /// The hash of what was built of a bot; nothing, and it waits to be built again, if that is gone.
  [[nodiscard]] std::optional<std::string> pack_of(const BotRow& bot);
  void put(const std::string& name, std::string_view kind, std::string order, const std::string& request,
           Offered offered);
  void end(const std::string& name, std::chrono::milliseconds took);
  void tidy_files();
  void count_jobs();

  JobQueue queue_;
  std::unique_ptr<Store> reader_;
  ClassStore classes_;
  LadderDirectorDeps deps_;
  std::optional<TakenJob> lead_;
  LadderQueue due_;
  std::map<std::string, Offered> offered_;  // by the name of the job
  std::map<BotId, std::string> packs_;      // of bots that are on a ladder or were lately
  bool is_due_ = true;                      // there may be something to offer
  bool has_jobs_ = false;
  Clock::time_point looked_, made_room_, tidied_, counted_;
  std::map<BotId, Clock::time_point> waiting_since_;
  std::vector<LadderWork> work_;
  LadderCounts counts_;
  QueueStats queue_stats_;
};

}  // namespace paika::server
