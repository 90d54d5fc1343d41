#include "tournament/report.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace paika::tournament {

namespace {

std::string failures_text(const Standing& row) {
  std::vector<std::string> words;
  for (const auto& [failure, count] : row.failures) words.push_back(fmt::format("{} {}", failure, count));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::size_t max_name(const TournamentPlan& plan) {
  std::size_t longest = 6;
  for (const PlannedPlayer& player : plan.players) longest = std::max(longest, player.name.size());
  return longest;
}

/// A grid of points would be wider than any terminal beyond this.
constexpr std::size_t max_in_crosstable = 24;

std::string crosstable_text(const Report& report) {
  const auto& rows = report.standings.rows;
  if (rows.size() > max_in_crosstable) return "";
  const std::size_t width = max_name(report.plan);
  constexpr int cell_width = 7;
  std::string text = fmt::format("\n{:>{}}", "", width + 4);
  for (std::size_t i = 0; i < rows.size(); ++i) text += fmt::format("{:>{}}", i + 1, cell_width);
  text += "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("{:>3} {:<{}}", i + 1, report.plan.players[rows[i].player].name, width);
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const Cell& cell = report.standings.cells[rows[i].player][rows[j].player];
      const std::string words = i == j              ? "-"
                                : cell.games() == 0 ? "."
                                                    : fmt::format("{:g}/{}", cell.half_points() / 2.0, cell.games());
      text += fmt::format("{:>{}}", words, cell_width);
    }
    text += "\n";
  }
  return text;
}

/// A text as a field of CSV; one that a spreadsheet would take for a formula is kept from it.
std::string csv_field(std::string_view text) {
  std::string field(text);
  if (!field.empty() && std::string_view("=+-@").find(field.front()) != std::string_view::npos) field.insert(0, "'");
  if (field.find_first_of(",\"\n\r") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

Json standing_json(const Report& report, const Standing& row) {
  return {{"place", row.place},
          {"player", report.plan.players[row.player].name},
          {"wins", row.all.wins},
          {"draws", row.all.draws},
          {"losses", row.all.losses},
          {"byes", row.byes},
          {"points", row.points()},
          {"buchholz", row.buchholz / 2.0},
          {"sonneborn_berger", row.sonneborn},
          {"elo", row.elo},
          {"elo_error", row.error},
          {"los", row.superiority},
          {"failures", row.failures},
          {"moves", row.turns},
          {"average_ms", row.average_ms},
          {"slowest_ms", row.slowest_ms}};
}

Json pairings_json(const Report& report) {
  Json pairings = Json::array();
  for (const Pairing& pairing : report.snapshot.schedule.pairings()) {
    const auto points = half_points(pairing, report.snapshot.schedule.results());
    Json ids = Json::array();
    for (const Fixture& game : pairing.games) ids.push_back(game.id);
    const auto& players = report.plan.players;
    pairings.push_back({{"round", pairing.round},
                        {"table", pairing.table},
                        {"players", {players[pairing.a].name, pairing.b ? Json(players[*pairing.b].name) : Json()}},
                        {"points", {points[0] / 2.0, points[1] / 2.0}},
                        {"games", ids}});
  }
  return pairings;
}

Json cells_json(const Report& report) {
  Json rows = Json::array();
  for (const auto& cells : report.standings.cells) {
    Json row = Json::array();
    for (const Cell& cell : cells) {
      row.push_back(cell.games() == 0 ? Json() : Json({cell.wins, cell.draws, cell.losses}));
    }
    rows.push_back(row);
  }
  return rows;
}

Json games_json(const Report& report) {
  Json games = Json::array();
  for (const FinishedGame& game : report.snapshot.games) {
    games.push_back({{"id", game.id},
                     {"spec", game.spec},
                     {"players", game.players},
                     {"result", name(game.verdict)},
                     {"reason", game.reason},
                     {"failure", game.failure},
                     {"evidence", game.evidence},
                     {"moves", {game.sides[0].turns, game.sides[1].turns}},
                     {"logs", {game.sides[0].log, game.sides[1].log}},
                     {"sandbox", game.sandbox},
                     {"worker", game.worker},
                     {"ended", game.ended}});
  }
  return games;
}

}  // namespace

std::string_view name(Progress progress) noexcept {
  switch (progress) {
    case Progress::running: return "running";
    case Progress::draining: return "draining";
    case Progress::stopped: return "stopped";
    case Progress::complete: return "complete";
  }
  return "";
}

Report report_of(const TournamentPlan& plan, const Snapshot& snapshot, Progress progress) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {plan, snapshot, standings_of(plan, snapshot.schedule, snapshot.games), progress,
          std::chrono::duration_cast<std::chrono::seconds>(now).count()};
}

std::string points_text(int half_points) {
  if (half_points % 2 == 0) return fmt::format("{}", half_points / 2);
  return half_points == 1 ? "½" : fmt::format("{}½", half_points / 2);
}

std::string_view score_text(const FinishedGame& game) noexcept {
  return game.verdict == Verdict::draw ? "1/2-1/2" : game.verdict == Verdict::first_wins ? "1-0" : "0-1";
}

std::string game_line(const FinishedGame& game) {
  std::string line =
      fmt::format("{}  {} {} {}  ({}", game.id, game.players[0], score_text(game), game.players[1], game.reason);
  if (!game.evidence.empty()) line += ": " + game.evidence;
  return line + ")";
}

bool unsafe(const Report& report) {
  return std::any_of(report.snapshot.games.begin(), report.snapshot.games.end(),
                     [](const FinishedGame& game) { return game.sandbox == "none"; });
}

std::string table_text(const Report& report) {
  const std::size_t width = max_name(report.plan);
  const std::size_t played = report.snapshot.games.size();
  std::string text = fmt::format("{}: {}, {}; {} of {} games, {}\n", report.plan.name, name(report.plan.system),
                                 fmt::join(report.plan.games, " "), played,
                                 std::max(report.snapshot.schedule.expected_games(), played), name(report.progress));
  text += fmt::format("{:>3} {:<{}} {:>7} {:>5} {:>5} {:>5} {:>7} {:>7} {:>7}  {}\n", "", "player", width, "points",
                      "won", "drawn", "lost", "Elo", "+-", "LOS", "failures");
  for (std::size_t i = 0; i < report.standings.rows.size(); ++i) {
    const Standing& row = report.standings.rows[i];
    const bool last = i + 1 == report.standings.rows.size();
    std::string line = fmt::format("{:>3} {:<{}} {:>7} {:>5} {:>5} {:>5} {:>+7.0f} {:>7.0f} {:>7}  {}", row.place,
                                   report.plan.players[row.player].name, width, fmt::format("{:.1f}", row.points()),
                                   row.all.wins, row.all.draws, row.all.losses, row.elo, row.error,
                                   last ? "" : fmt::format("{:.0f} %", 100 * row.superiority), failures_text(row));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += crosstable_text(report);
  if (unsafe(report)) text += "\nprograms played without a sandbox (--unsafe-bots)\n";
  return text;
}

std::string standings_csv(const Report& report) {
  std::string text =
      "place,player,points,games,wins,draws,losses,byes,buchholz,sonneborn_berger,elo,elo_error,los,moves,average_ms,"
      "slowest_ms,failures\n";
  for (const Standing& row : report.standings.rows) {
    text +=
        fmt::format("{},{},{:.1f},{},{},{},{},{},{:.1f},{:.2f},{:.1f},{:.1f},{:.4f},{},{:.3f},{:.3f},{}\n", row.place,
                    csv_field(report.plan.players[row.player].name), row.points(), row.all.games(), row.all.wins,
                    row.all.draws, row.all.losses, row.byes, row.buchholz / 2.0, row.sonneborn, row.elo, row.error,
                    row.superiority, row.turns, row.average_ms, row.slowest_ms, csv_field(failures_text(row)));
  }
  return text;
}

std::string games_csv(const Report& report) {
  std::string text =
      "game,spec,first,second,result,reason,failure,evidence,moves_first,moves_second,sandbox,worker,ended\n";
  for (const FinishedGame& game : report.snapshot.games) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(game.id), csv_field(game.spec),
                        csv_field(game.players[0]), csv_field(game.players[1]), score_text(game),
                        csv_field(game.reason), csv_field(game.failure), csv_field(game.evidence), game.sides[0].turns,
                        game.sides[1].turns, csv_field(game.sandbox), csv_field(game.worker), game.ended);
  }
  return text;
}

Json state_json(const Report& report) {
  Json players = Json::array();
  for (const PlannedPlayer& player : report.plan.players) {
    players.push_back({{"name", player.name}, {"player", player.text}, {"owner", player.owner}});
  }
  Json standings = Json::array();
  for (const Standing& row : report.standings.rows) standings.push_back(standing_json(report, row));
  Json running = Json::array();
  for (const Running& game : report.snapshot.running) {
    const auto& names = report.plan.players;
    running.push_back({{"id", game.fixture.id},
                       {"spec", report.plan.games[game.fixture.spec]},
                       {"players", {names[game.fixture.players[0]].name, names[game.fixture.players[1]].name}},
                       {"worker", game.worker},
                       {"since", game.since}});
  }
  return {{"paika_tournament_state", 1},
          {"name", report.plan.name},
          {"system", name(report.plan.system)},
          {"specs", report.plan.games},
          {"seed", report.plan.seed},
          {"rounds", report.plan.rounds},
          {"legs", report.plan.legs},
          {"status", name(report.progress)},
          {"updated", report.updated},
          {"played", report.snapshot.games.size()},
          {"expected", std::max(report.snapshot.schedule.expected_games(), report.snapshot.games.size())},
          {"unsafe", unsafe(report)},
          {"players", players},
          {"standings", standings},
          {"crosstable", cells_json(report)},
          {"pairings", pairings_json(report)},
          {"games", games_json(report)},
          {"running", running}};
}

}  // namespace paika::tournament
