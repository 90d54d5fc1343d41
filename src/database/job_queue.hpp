// JobQueue: work for whoever has time, in a database that several processes, or machines, share.
//
// Who takes a job has it for a while, the lease, and renews that as long as he works. If he does not, because he died,
// hangs or was cut off, the job is there for the next one. Each taking has a number, the fence: only the last one to
// take a job can finish it, so what comes of a job counts once, however often it was worked on.
//
// Jobs of one subject, such as a tournament, have a topic of their own and in it a name. What a job needs beside its
// order, such as the files of programs, is kept under its hash.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "database/database.hpp"

namespace paika {

/// A job that somebody has taken.
struct TakenJob {
  std::int64_t id = 0;
  std::string topic;
  std::string name;
  std::string order;  // what is to be done
  std::int64_t fence = 0;
};

/// A job that somebody works on, for those who look on.
struct RunningJob {
  std::string name;
  std::string worker;
  std::int64_t since_ms = 0;  // of 1970
};

struct DoneJob {
  std::string name;
  std::string worker;
  std::string result;
};

/// One connection, for one thread. What fails throws StoreError.
class JobQueue {
 public:
  /// A job whose taker has not renewed it for so long is free again.
  static constexpr std::chrono::milliseconds lease{10'000};

  /// A file of SQLite, made if there is none, or a PostgreSQL URL.
  [[nodiscard]] static Result<JobQueue> open(const std::string& where);

  // ---- For those who want something done ----

  /// Adds a job for workers of this version; nothing happens if the topic has one of that name.
  void add(std::string_view topic, std::string_view name, std::string_view version, std::string_view order);
  /// How many wait to be taken.
  [[nodiscard]] std::int64_t count_waiting(std::string_view topic);
  [[nodiscard]] std::vector<RunningJob> running(std::string_view topic);
  /// Results that were not removed yet, the first done first.
  [[nodiscard]] std::vector<DoneJob> done(std::string_view topic);
  void remove(std::string_view topic, std::string_view name);
  /// Removes the jobs that nobody works on.
  void withdraw(std::string_view topic);
  /// Removes everything of the topic, its files too.
  void close(std::string_view topic);
  void add_file(std::string_view topic, std::string_view hash, std::string_view bytes);

  // ---- For those who do it ----

  /// The oldest job that nobody works on, of any topic if none is named.
  [[nodiscard]] std::optional<TakenJob> take(std::string_view worker, std::string_view version,
                                             std::string_view topic = "");
  /// Goes on for another lease; false if the job is somebody else's by now, or was withdrawn.
  [[nodiscard]] bool renew(const TakenJob& job);
  /// Gives the result; false if the job is somebody else's by now.
  [[nodiscard]] bool finish(const TakenJob& job, std::string_view result);
  /// Lets somebody else do it.
  void give_back(const TakenJob& job);
  /// Nothing if there is no such file.
  [[nodiscard]] std::optional<std::string> file(std::string_view topic, std::string_view hash);

 private:
  explicit JobQueue(Database database) : database_(std::make_unique<Database>(std::move(database))) {}

  std::unique_ptr<Database> database_;
};

}  // namespace paika
