// Director: runs a tournament. He puts the games that are due into a queue, from which workers take them, here and on
// other machines, and enters what comes back.
//
// A result counts when the journal has it, and counts once. The journal is all that is needed to go on: a queue that
// was lost is filled again. run() is for one thread; the others may be called from any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "database/job_queue.hpp"
#include "tournament/journal.hpp"
#include "tournament/schedule.hpp"
#include "tournament/standings.hpp"

namespace paika::tournament {

/// A game that somebody plays now.
struct Running {
  Fixture fixture;
  std::string worker;      // empty: here
  std::int64_t since = 0;  // seconds since 1970
};

/// A tournament as it stands.
struct Snapshot {
  Schedule schedule;
  std::vector<FinishedGame> games;  // in the order they ended
  std::vector<Running> running;
  bool draining = false;
};

struct DirectorSettings {
  std::string identity;       // of this tournament among others with the same plan: where its results are
  std::string version;        // workers must have the same
  std::string logs;           // the folder of logs
  bool sends_folders = true;  // workers elsewhere need the folders of programs
};

class Director {
 public:
  /// Takes up where the journal ends. The error: it has games that this tournament does not have, or the folder of a
  /// program cannot be sent.
  [[nodiscard]] static Result<std::unique_ptr<Director>> start(const TournamentPlan& plan, Journal& journal,
                                                               JobQueue queue, DirectorSettings settings);
  Director(const Director&) = delete;
  Director& operator=(const Director&) = delete;

  /// Names the tournament in the queue, so that no result gets into another one.
  [[nodiscard]] const std::string& topic() const { return topic_; }
  /// Works until the tournament is over: no game runs, and no more are due. `stop` ends it earlier; games that run then
  /// are played anew when the tournament is taken up again.
  void run(const std::stop_token& stop);
  /// Lets no more games begin.
  void drain();
  /// Something went wrong with our machine: the tournament stops, to be taken up later.
  void give_up(Error error);

  [[nodiscard]] bool complete() const;
  [[nodiscard]] std::optional<Error> error() const;
  /// Grows with everything that happens.
  [[nodiscard]] std::uint64_t version() const;
  /// The games that ended since the first `known`.
  [[nodiscard]] std::vector<FinishedGame> ended_since(std::size_t known) const;
  [[nodiscard]] Snapshot snapshot() const;

 private:
  Director(const TournamentPlan& plan, Journal& journal, JobQueue queue, DirectorSettings settings);
  [[nodiscard]] Result<void> take_up_journal();
  [[nodiscard]] Result<void> send_folders();
  bool collect();
  void enter(const DoneJob& job);
  void offer();
  void look_at_running();
  void work(const std::stop_token& stop);
  [[nodiscard]] std::string order_for(const Fixture& fixture) const;
  [[nodiscard]] bool is_over() const;

  const TournamentPlan& plan_;
  Journal& journal_;
  JobQueue queue_;
  DirectorSettings settings_;
  std::string topic_;
  std::map<std::string, std::string> hashes_;  // of programs, by folder
  std::set<std::string> offered_;              // games that are in the queue

  mutable std::mutex mutex_;  // of everything below
  std::condition_variable_any changed_;
  Schedule schedule_;
  std::vector<FinishedGame> games_;
  std::vector<Running> running_;
  std::uint64_t version_ = 0;
  bool draining_ = false;
  std::optional<Error> error_;
};

}  // namespace paika::tournament
