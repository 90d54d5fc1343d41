// The referee: plays one game between two players by the rules, and by their limits of time.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/game.hpp"
#include "play/game_player.hpp"
#include "play/record.hpp"

namespace paika::play {

/// One side of a game: who plays it, and with which limits.
struct Side {
  GamePlayer& game_player;
  SearchLimits limits;  // clock: the one the game begins with
};

/// What is to be played.
struct GamePlan {
  GamePtr game;
  std::string start;                 // a position's text; empty: the game's own start
  std::vector<std::string> opening;  // legal turns that are played before the players are asked
  std::uint64_t number = 0;          // of the game in its match
  int max_turns = 0;                 // drawn when so many turns were played, the opening included; 0: no limit
  Milliseconds margin{10};           // a turn may be so much later than its limit
  Milliseconds max_total{0};         // a side that has used more time in the whole game loses; 0: no limit
};

/// How a side used its time.
struct Timing {
  int turns = 0;
  std::chrono::microseconds total{0};
  std::chrono::microseconds slowest{0};
  /// The turn that came nearest to its limit of time, or went furthest beyond (then more than 0).
  std::optional<std::chrono::microseconds> max_over;

  void add(std::chrono::microseconds time, std::optional<std::chrono::microseconds> allowed);
  void add(const Timing& other);
};

struct GameReport {
  GameRecord record;
  std::array<Timing, 2> timings;
  std::optional<Failure> failure;  // of the side that lost by it
  bool stopped = false;            // then the game is unfinished
};

/// Plays a game; sides[0] moves first. Requires a plan whose start and opening are legal, with a
/// game that is not over after them.
[[nodiscard]] GameReport play_game(const GamePlan& plan, const std::array<Side, 2>& sides, const std::stop_token& stop);

}  // namespace paika::play
