// Standings: the table of a tournament, from its games.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tournament/job.hpp"
#include "tournament/schedule.hpp"

namespace paika::tournament {

/// What a player made against another one.
struct Cell {
  int wins = 0;
  int draws = 0;
  int losses = 0;

  [[nodiscard]] int games() const { return wins + draws + losses; }
  [[nodiscard]] int half_points() const { return 2 * wins + draws; }
};

struct Standing {
  std::size_t player = 0;  // of the plan
  int place = 1;
  Cell all;
  int byes = 0;
  int half_points = 0;   // with those of byes
  int reached = 0;       // a knockout: the last round played or passed; one more for the winner
  int buchholz = 0;      // half points of all opponents, once for each meeting
  double sonneborn = 0;  // points of those beaten, and half of those drawn with, for each game
  double elo = 0;
  double error = 0;                     // 95 %
  double superiority = 0.5;             // over the next in the table; 0.5 for the last
  std::map<std::string, int> failures;  // games lost by them, by name
  int turns = 0;
  double average_ms = 0;
  double slowest_ms = 0;

  [[nodiscard]] double points() const { return half_points / 2.0; }
};

struct Standings {
  std::vector<Standing> rows;            // the first is the best
  std::vector<std::vector<Cell>> cells;  // by the plan's players: row against column
};

/// Requires a schedule that has the games' results.
[[nodiscard]] Standings standings_of(const TournamentPlan& plan, const Schedule& schedule,
                                     const std::vector<FinishedGame>& games);

}  // namespace paika::tournament
