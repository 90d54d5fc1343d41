// Plans for tests: small ones, made without files.
#pragma once

#include <string>

#include "tests/support/must.hpp"
#include "tournament/plan.hpp"

namespace paika_tests {

/// A plan of `players` engines p0, p1, … that play othello:6x6 at few nodes.
inline paika::tournament::TournamentPlan plan_of(paika::tournament::System system, int players, int legs = 1,
                                                 int rounds = 0, std::uint64_t seed = 1) {
  using namespace paika::tournament;
  PlanEntries entries;
  entries.place = "test";
  entries.tournament = {{"system", std::string(name(system)), "test"},
                        {"games", std::string("othello:6x6"), "test"},
                        {"legs", std::int64_t{legs}, "test"},
                        {"seed", static_cast<std::int64_t>(seed), "test"},
                        {"settings", std::string("nodes=20,hash=1"), "test"}};
  if (rounds > 0) entries.tournament.push_back({"rounds", std::int64_t{rounds}, "test"});
  for (int i = 0; i < players; ++i) {
    entries.players.push_back({{"name", "p" + std::to_string(i), "test"}, {"engine", std::string(), "test"}});
    entries.player_places.emplace_back("test");
  }
  return must(build_plan(entries), "plan");
}

}  // namespace paika_tests
