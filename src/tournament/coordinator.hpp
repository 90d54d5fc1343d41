// Coordinator: hands out the games of a tournament and takes their results, from threads here and from workers
// elsewhere.
//
// A result counts when the journal has it, and counts once, whoever brings it and however often. All calls may come
// from any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

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

class Coordinator {
 public:
  /// Takes up where the journal ends. The error: it has games that this tournament does not have.
  [[nodiscard]] static Result<std::unique_ptr<Coordinator>> start(const TournamentPlan& plan, Journal& journal);

  /// A game to play; nothing if there is none at the moment, or no more are handed out.
  [[nodiscard]] std::optional<Fixture> try_take(const std::string& worker);
  /// The same, but waits; nothing only when no more games are handed out.
  [[nodiscard]] std::optional<Fixture> take(const std::stop_token& stop);
  /// A game that was taken will not be played to its end.
  void give_back(const std::string& id);
  /// Enters a result; false if the game is unknown or was entered before.
  bool finish(const FinishedGame& game);
  /// Hands out no more games.
  void drain();
  /// Something went wrong with our machine: the tournament stops, to be taken up later.
  void give_up(Error error);

  /// No game runs, and none will be handed out.
  [[nodiscard]] bool over() const;
  /// Waits until over(), or until `stop`.
  void wait_until_over(const std::stop_token& stop);
  [[nodiscard]] bool complete() const;
  [[nodiscard]] std::optional<Error> error() const;
  /// Grows with everything that happens.
  [[nodiscard]] std::uint64_t version() const;
  /// The games that ended since the first `known`.
  [[nodiscard]] std::vector<FinishedGame> ended_since(std::size_t known) const;
  [[nodiscard]] Snapshot snapshot() const;

 private:
  Coordinator(const TournamentPlan& plan, Journal& journal) : plan_(plan), journal_(journal), schedule_(plan) {}
  [[nodiscard]] bool handing_out() const { return !draining_ && !error_ && !schedule_.complete(); }
  [[nodiscard]] bool over_locked() const { return running_.empty() && !handing_out(); }
  [[nodiscard]] std::optional<Fixture> take_locked(const std::string& worker);

  const TournamentPlan& plan_;
  Journal& journal_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  Schedule schedule_;
  std::vector<FinishedGame> games_;
  std::map<std::string, Running> running_;
  std::uint64_t version_ = 0;
  bool draining_ = false;
  std::optional<Error> error_;
};

}  // namespace paika::tournament
