// Matches: many games between A and B, in pairs with swapped colours, on several threads.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/game.hpp"
#include "play/game_player.hpp"
#include "play/openings.hpp"
#include "play/referee.hpp"
#include "play/settings.hpp"
#include "play/statistics.hpp"

namespace paika::play {

/// Makes a player for one thread of a match. Called once a thread and side.
using MakeGamePlayer = std::function<Result<std::unique_ptr<GamePlayer>>()>;

/// One of the two who play a match.
struct MatchEntry {
  std::string text;
  SearchLimits limits;
  MakeGamePlayer make;
};

/// The entry for a player of `game`. A program is listened to until its turn is later than `margin`; what it
/// writes to standard error is added to the file `error_log`, or is shown if that is empty.
[[nodiscard]] MatchEntry enter(const GamePtr& game, const PlayerText& player, Milliseconds margin,
                               const std::string& error_log = "");

struct MatchPlan {
  GamePtr game;
  std::array<MatchEntry, 2> entries;  // A and B
  std::string start;                  // a position's text; empty: the game's own start
  /// Openings that are given: each pair begins at the next of these positions, and after the last at the first again.
  /// Empty: openings by chance from `start`, as the next members tell.
  std::vector<std::string> starts;
  std::uint64_t pairs = 1;
  int opening_plies = 0;
  int balance = 0;         // openings with a larger advantage are left out (hundredths of a piece); 0: all are taken
  std::uint64_t seed = 0;  // of the openings
  int threads = 1;
  int max_turns = 0;
  Milliseconds margin{10};
  std::optional<Sprt> sprt;
};

/// What happened so far; A is number 0, B number 1.
struct MatchScore {
  PairCounts pairs{};                   // for A
  std::array<std::uint64_t, 2> wins{};  // games
  std::uint64_t draws = 0;
  std::uint64_t first_wins = 0;  // games won by whoever moved first
  std::uint64_t second_wins = 0;
  std::array<Timing, 2> timings;
  std::array<std::array<std::uint64_t, play::failures.size()>, 2> failures{};  // by Failure
  std::uint64_t turns = 0;
  std::uint64_t too_long = 0;  // games drawn for their length
  std::string last_failure;    // what the last one was about
  std::uint64_t different_openings = 0;

  [[nodiscard]] std::uint64_t games() const { return wins[0] + wins[1] + draws; }
};

/// What a match tells while it goes on; called by one thread at a time.
struct MatchListener {
  std::function<void(const GameRecord&)> game_ended;
  std::function<void(const MatchScore&)> pair_ended;
};

/// Plays until all pairs are played, the test is decided, or `stop` is requested; then games that are
/// not finished are dropped, and so is the first game of a pair without its second. The error is that
/// of a player that cannot be made or started at all.
[[nodiscard]] Result<MatchScore> play_match(const MatchPlan& plan, const MatchListener& listener,
                                            const std::stop_token& stop);

}  // namespace paika::play
