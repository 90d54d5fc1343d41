// Many games at once, and what their results mean.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/tune/arena.hpp"

namespace paika::tune {

/// One spec with the two players who meet in it.
struct Pairing {
  std::shared_ptr<const Arena> arena;
  Player a;
  Player b;
};

struct PlayPlan {
  int games = 1000;
  int threads = 2;
  std::uint64_t seed = 1;
  bool paired = false;  // games 2n and 2n+1 have one opening, with sides exchanged
  GamePlan game;        // as far as it is the same for all
};

/// Plays game i in pairing i (or i / 2 if paired) modulo their number. The result depends on the plan
/// only, not on the number of threads. `tell(done)` is called from time to time, on one thread.
[[nodiscard]] std::vector<PlayedGame> play(const std::vector<Pairing>& pairings, const PlayPlan& plan,
                                           const std::function<void(int done)>& tell = {});

struct MatchResult {
  int wins = 0;
  int draws = 0;
  int losses = 0;
  double elo = 0;
  double error = 0;  // half the width of the 95 % interval
};

/// What paired games say about player a.
[[nodiscard]] MatchResult judge(const std::vector<PlayedGame>& games);

}  // namespace paika::tune
