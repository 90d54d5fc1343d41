// One round of a Swiss tournament.
//
// Who meets whom is a cheapest pairing of everybody. What counts, each before all that follow: nobody meets the same
// player twice, or is free twice; the free player has the fewest points; everybody's colours are balanced within one
// game; points are near; within equal points the upper half meets the lower half of an order by lot. Exact: a round
// without a second meeting is found whenever there is one.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace paika::tournament {

struct SwissPlayer {
  int half_points = 0;
  int balance = 0;  // games begun less games not begun
  int last = 0;     // 1: began the last game; -1: did not; 0: none yet
  bool was_free = false;
  std::vector<std::size_t> met;  // with repetitions
};

struct SwissPair {
  std::size_t a = 0;  // begins
  std::optional<std::size_t> b;
};

/// The pairs of a round, those with most points first. `odd_games`: a meeting has an odd number of games, so that
/// colours matter.
[[nodiscard]] std::vector<SwissPair> swiss_round(const std::vector<SwissPlayer>& players, bool odd_games,
                                                 std::uint64_t seed, int round);

}  // namespace paika::tournament
