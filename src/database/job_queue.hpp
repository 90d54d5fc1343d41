// JobQueue: work for whoever has time, in a database that several processes, or machines, share.
//
// Who takes a job has it for a while, the lease, and renews that as long as he works. If he does not, because he died,
// hangs or was cut off, the job is there for the next one. Each taking has a number, the fence: only the last one to
// take a job can finish it, so what comes of a job counts once, however often it was worked on.
//
// Jobs of one subject, such as a tournament, have a topic of their own and in it a name; their kind says what somebody
// must be able to do who takes them. What a job needs beside its order, such as the files of programs, is kept under
// its hash.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "database/database.hpp"

namespace paika {

/// A job as it is put into the queue.
struct NewJob {
  std::string topic;
  std::string name;
  std::string kind;
  std::string version;  // of the workers that it is for
  std::string order;    // what is to be done
  std::string request;  // by which logs tell where it comes from; empty: from no request
};

/// Who takes jobs, and which.
struct JobTaker {
  std::string name;
  std::string version;
  std::vector<std::string> kinds;
  std::string topic;  // empty: any
};

/// A job that somebody has taken.
struct TakenJob {
  std::int64_t id = 0;
  std::string topic;
  std::string name;
  std::string kind;
  std::string order;
  std::string request;
  std::int64_t fence = 0;
};

/// A job that somebody works on, for those who look on.
struct RunningJob {
  std::string name;
  std::string worker;
  std::int64_t since_ms = 0;  // of 1970
  std::int64_t fence = 0;
  std::string phase;     // how far it is, in a word
  std::string progress;  // what was said since it was taken
};

struct DoneJob {
  std::string name;
  std::string worker;
  std::string result;
  std::chrono::milliseconds took{0};
  std::string progress;
};

/// What waits and runs of a kind of jobs.
struct JobDepth {
  std::string kind;
  std::int64_t waiting = 0;
  std::int64_t running = 0;
  std::chrono::milliseconds oldest{0};  // so long the first of those that wait has waited
};

/// What happened to jobs of a kind since the queue was made: "taken", "expired" (the lease ran out), "given_back",
/// "done", "rejected" (the result made no sense), "worked_ms", and "within_N" of those done within N seconds that were
/// not done within the N before.
struct JobCount {
  std::string kind;
  std::string what;
  std::int64_t count = 0;
};
/// The bounds in seconds by which durations are counted; longer ones are "within_0".
inline constexpr std::array<int, 8> duration_bounds = {1, 3, 10, 30, 100, 300, 1000, 3000};

/// One connection, for one thread. What fails throws StoreError.
class JobQueue {
 public:
  /// A job whose taker has not renewed it for so long is free again.
  static constexpr std::chrono::milliseconds lease{10'000};

  /// A file of SQLite, made if there is none, or a PostgreSQL URL.
  [[nodiscard]] static Result<JobQueue> open(const std::string& where);

  // ---- For those who want something done ----

  /// Nothing happens if the topic has a job of that name.
  void add(const NewJob& job);
  /// How many wait to be taken.
  [[nodiscard]] std::int64_t count_waiting(std::string_view topic);
  /// Of all jobs of the topic, whatever their state.
  [[nodiscard]] std::set<std::string> names(std::string_view topic);
  [[nodiscard]] std::vector<RunningJob> running(std::string_view topic);
  /// Results that were not removed yet, the first done first.
  [[nodiscard]] std::vector<DoneJob> done(std::string_view topic);
  /// Also a job that is being worked on: the worker learns it when it renews the lease.
  void remove(std::string_view topic, std::string_view name);
  /// Removes a job that nobody has taken yet; false if there is none.
  [[nodiscard]] bool take_back(std::string_view topic, std::string_view name);
  /// Removes the jobs that nobody works on.
  void withdraw(std::string_view topic);
  /// Removes all jobs of the topic, whoever works on them; its files stay.
  void clear(std::string_view topic);
  /// Removes everything of the topic, its files too.
  void close(std::string_view topic);
  /// A file that is there already stays as it is.
  void add_file(std::string_view topic, std::string_view hash, std::string_view bytes);
  /// The same under a name of the topic's own, which may get other bytes later.
  void set_file(std::string_view topic, std::string_view name, std::string_view bytes);
  /// Removes the files of a topic that are not among these and were not added within ten minutes.
  void keep_files(std::string_view topic, const std::set<std::string>& hashes);
  /// Removes the jobs of a kind, of any topic, that were added so long ago.
  void drop_old(std::string_view kind, std::chrono::milliseconds age);
  /// Counts a result that made no sense.
  void reject(std::string_view kind);

  // ---- For those who do it ----

  /// A job that nobody works on: of the topics the one with the fewest running, and of its jobs the oldest.
  [[nodiscard]] std::optional<TakenJob> take(const JobTaker& taker);
  /// Goes on for another lease, with what is to be told of the work since the last time and how far it is by now; false
  /// if the job is somebody else's by now, or was removed.
  [[nodiscard]] bool renew(const TakenJob& job, std::string_view said = "", std::string_view phase = "");
  /// Gives the result; false if the job is somebody else's by now.
  [[nodiscard]] bool finish(const TakenJob& job, std::string_view result);
  /// Lets somebody else do it.
  void give_back(const TakenJob& job);
  /// Nothing if there is no such file.
  [[nodiscard]] std::optional<std::string> file(std::string_view topic, std::string_view hash);
  [[nodiscard]] bool has_file(std::string_view topic, std::string_view hash);
  /// The versions of those for whom there is something in the queue, or was until its result is fetched.
  [[nodiscard]] std::vector<std::string> versions();

  // ---- For those who look on ----

  [[nodiscard]] std::vector<JobDepth> depths();
  [[nodiscard]] std::vector<JobCount> counts();

 private:
  void count(std::string_view kind, std::string_view what, std::int64_t by = 1);

  explicit JobQueue(Database database) : database_(std::make_unique<Database>(std::move(database))) {}

  std::unique_ptr<Database> database_;
};

}  // namespace paika
