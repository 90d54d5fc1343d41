// Reports: a tournament as a table for the terminal, as CSV and as JSON. Pages are in report_page.hpp.
#pragma once

#include <string>
#include <string_view>

#include "tournament/director.hpp"

namespace paika::tournament {

/// How far a tournament is.
enum class Progress : unsigned char { running, draining, stopped, complete };

[[nodiscard]] std::string_view name(Progress progress) noexcept;

/// All that reports tell.
struct Report {
  const TournamentPlan& plan;
  const Snapshot& snapshot;
  Standings standings;
  Progress progress = Progress::running;
  std::int64_t updated = 0;  // seconds since 1970; 0: not told
};

[[nodiscard]] Report report_of(const TournamentPlan& plan, const Snapshot& snapshot, Progress progress);

/// The table and the crosstable as lines of text.
[[nodiscard]] std::string table_text(const Report& report);
/// A game that ended in one line: "r1.t1.g1.othello:6x6  alpha 1-0 beta  (blocked)".
[[nodiscard]] std::string game_line(const FinishedGame& game);
/// "1-0", "0-1" or "1/2-1/2", for whoever moved first.
[[nodiscard]] std::string_view score_text(const FinishedGame& game) noexcept;
/// "½", "3", "3½".
[[nodiscard]] std::string points_text(int half_points);

/// One line a player.
[[nodiscard]] std::string standings_csv(const Report& report);
/// One line a game.
[[nodiscard]] std::string games_csv(const Report& report);

/// The state as docs/tournaments.md describes it.
[[nodiscard]] Json state_json(const Report& report);

/// True if programs played without a sandbox.
[[nodiscard]] bool unsafe(const Report& report);

}  // namespace paika::tournament
