// LadderQueue: what the ladders do next: bots to build and check, and games to play, shared fairly.
//
// Time is shared first among the teachers, then among the classes of one, then among the students of a class whose bots
// wait, with the games of the class as one more of them. A student's bots are built one after the other, so that the
// last that was handed in is the last to be accepted; a bot plays one game at a time.
//
// For one thread at a time; it reads the store and knows nothing of sandboxes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/classes/fair_share.hpp"
#include "server/classes/pairing.hpp"
#include "server/store/classes.hpp"

namespace paika::server {

/// Something that is being done.
struct LadderWork {
  enum class Kind : unsigned char { building, checking, playing };
  Kind kind = Kind::building;
  ClassId class_id;
  std::array<BotId, 2> bots{};  // the second is 0 unless they play
};
[[nodiscard]] std::string_view name(LadderWork::Kind kind) noexcept;

/// The name of a job about this in the queue of jobs, the same whenever it is offered; and what a job of that name is
/// about, if it is one of ours.
[[nodiscard]] std::string job_name(const LadderWork& work);
[[nodiscard]] std::optional<LadderWork> read_job_name(std::string_view name);

/// Something to do: a bot to build and check, or a game.
struct LadderJob {
  std::uint64_t number = 0;  // of the job, from 1
  LadderWork work;
  ClassRow in;
  std::array<BotRow, 2> bots;            // the second only for a game
  std::optional<LadderPairing> pairing;  // of a game
  PersonId student = 0;                  // whose bot is built; 0: a game
  FairShare::Path path;
};

class LadderQueue {
 public:
  /// The next job, which from now on is at work; nothing if there is nothing to do.
  [[nodiscard]] std::optional<LadderJob> take(ClassStore& classes);
  /// The job has ended after so many seconds, well or badly.
  void finish(const LadderJob& job, double seconds);
  /// The bots whose folders are needed at the moment.
  [[nodiscard]] std::set<BotId> bots_at_work() const;

 private:
  struct Candidate;
  [[nodiscard]] std::vector<Candidate> candidates(ClassStore& classes) const;
  [[nodiscard]] std::optional<LadderJob> job_of(ClassStore& classes, const Candidate& candidate) const;
  [[nodiscard]] std::optional<LadderJob> game_in(ClassStore& classes, const ClassRow& in) const;

  FairShare share_;
  std::vector<LadderJob> running_;
  std::uint64_t last_number_ = 0;
};

}  // namespace paika::server
