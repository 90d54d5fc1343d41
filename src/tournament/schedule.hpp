// Schedule: which games a tournament has, as far as the results so far decide it. No input, no output, no clock: the
// same plan and the same results always give the same games, in whatever order the results come.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tournament/plan.hpp"

namespace paika::tournament {

/// A game that is to be played, or was.
struct Fixture {
  std::string id;  // "r3.t2.g1.othello:8x8": round, table, game at that table, spec
  int round = 1;
  int table = 1;
  std::size_t spec = 0;                  // of the plan's games
  std::array<std::size_t, 2> players{};  // of the plan's players, by the order in which they move
  std::uint64_t opening = 0;             // games with the same number and spec begin alike
};

/// Two players who meet, or one who is free.
struct Pairing {
  int round = 1;
  int table = 1;
  std::size_t a = 0;
  std::optional<std::size_t> b;  // nothing: a has a bye
  std::vector<Fixture> games;
};

/// Half points of the player who moved first: 0, 1 or 2.
using Results = std::map<std::string, int>;

class Schedule {
 public:
  explicit Schedule(const TournamentPlan& plan);

  /// Enters results and finds the pairings that follow from them. Those of games that are not known (yet) are kept.
  void enter(const Results& results);
  void enter(const std::string& id, int half_points) { enter({{id, half_points}}); }

  /// All pairings that are known, by round and table.
  [[nodiscard]] const std::vector<Pairing>& pairings() const { return pairings_; }
  [[nodiscard]] const Results& results() const { return results_; }
  /// The games that are known and have no result, in the order they are to be played; good until the next enter().
  [[nodiscard]] std::vector<const Fixture*> open() const;
  /// True if no game is open and none will follow.
  [[nodiscard]] bool complete() const { return complete_; }
  /// How many games there will be in all; for a knockout, so far as is known.
  [[nodiscard]] std::size_t expected_games() const;

  /// A knockout's winner of a pairing, if it is decided.
  [[nodiscard]] std::optional<std::size_t> winner(const Pairing& pairing) const;

 private:
  void extend();
  void add_round_robin();
  void add_gauntlet();
  bool extend_swiss();
  bool extend_knockout();
  bool extend_match(Pairing& pairing);
  /// The pairing with its games; game 1 is begun by `a` in the first cycle.
  [[nodiscard]] Pairing meet(int round, int table, std::size_t a, std::size_t b, int cycle = 0) const;
  [[nodiscard]] Fixture game(const Pairing& pairing, int number, std::size_t spec, int leg, bool swapped) const;
  [[nodiscard]] bool finished(const Pairing& pairing) const;

  const TournamentPlan& plan_;
  std::vector<Pairing> pairings_;
  Results results_;
  bool complete_ = false;
};

/// Half points that each has in a pairing so far.
[[nodiscard]] std::array<int, 2> half_points(const Pairing& pairing, const Results& results);

}  // namespace paika::tournament
