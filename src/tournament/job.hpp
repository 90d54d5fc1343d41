// Job: one game of a tournament with all that is needed to play it, here or on another machine; and what came of it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "protocols/participant.hpp"
#include "rules/outcome.hpp"
#include "tournament/plan.hpp"
#include "tournament/schedule.hpp"

namespace paika::tournament {

struct JobPlayer {
  std::string name;
  std::string text;  // "engine:…" or "bot:COMMAND"
  protocols::BotProtocol protocol = protocols::BotProtocol::ugi;
  std::string folder;  // where its files are on this machine; empty: none
  /// What else its program may read on this machine. A worker is told by its own person (`paika worker --read`), never
  /// by the tournament.
  std::vector<std::string> readable{};

  [[nodiscard]] bool is_bot() const { return text.starts_with("bot:"); }
};

struct GameJob {
  std::string id;
  std::string spec;
  std::string start;                 // a position's text; empty: the game's own start
  std::vector<std::string> opening;  // turns by nobody's choice
  std::uint64_t number = 0;          // for players who choose by chance
  int max_turns = 0;
  std::string settings;       // of both players
  Milliseconds max_total{0};  // a player who has used more time in the whole game loses; 0: no limit
  std::array<JobPlayer, 2> players;
  protocols::SandboxPolicy policy;
};

struct SideReport {
  int turns = 0;
  std::int64_t total_us = 0;
  std::int64_t slowest_us = 0;
  std::optional<std::int64_t> max_over_us;  // as in play::Timing
  std::string log;                          // a file's name in the folder of logs; empty: none

  friend bool operator==(const SideReport&, const SideReport&) = default;
};

/// A game that is over.
struct FinishedGame {
  std::string id;
  std::string spec;
  std::array<std::string, 2> players;  // names, by the order in which they move
  Verdict verdict = Verdict::draw;     // not ongoing
  std::string reason;
  std::string failure;   // the name of the failure by which the loser lost; empty: by the rules
  std::string evidence;  // what the failure was about
  std::string record;    // play::record_text
  std::array<SideReport, 2> sides;
  std::string sandbox;     // that held programs; "none": they were free; empty: no programs played
  std::string worker;      // who played it; empty: the tournament itself
  std::int64_t ended = 0;  // seconds since 1970

  /// Half points of the player who moved first.
  [[nodiscard]] int half_points() const {
    return verdict == Verdict::draw ? 1 : verdict == Verdict::first_wins ? 2 : 0;
  }
  friend bool operator==(const FinishedGame&, const FinishedGame&) = default;
};

/// The job of a game of the plan. Takes a moment where the opening is by chance and must be balanced.
[[nodiscard]] GameJob make_job(const TournamentPlan& plan, const Fixture& fixture);

/// The name of a log in the folder of logs: the game's id and the player's name, fit for a file.
[[nodiscard]] std::string log_name(const std::string& id, const std::string& player);
/// A game's id fit for a file and an address: "r1.t1.g1.othello-6x6".
[[nodiscard]] std::string file_name(const std::string& id);

/// Plays a game; nothing if it was stopped. Programs' logs go to files in `logs`, which is made. A player who cannot be
/// made loses. The error is one of our machine, not of a player.
[[nodiscard]] Result<std::optional<FinishedGame>> play_job(const GameJob& job, const std::string& logs,
                                                           const std::stop_token& stop);

// ---- As JSON ----

[[nodiscard]] Json to_json(const FinishedGame& game);
/// Refuses what is not a finished game with a legal record.
[[nodiscard]] Result<FinishedGame> read_finished(const Json& json);
[[nodiscard]] Json to_json(const GameJob& job);
[[nodiscard]] Result<GameJob> read_job(const Json& json);

}  // namespace paika::tournament
