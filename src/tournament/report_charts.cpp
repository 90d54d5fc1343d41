#include "tournament/report_charts.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "engine/picture.hpp"
#include "tournament/ratings.hpp"

namespace paika::tournament {

namespace {

constexpr std::size_t max_points = 60;  // of a curve
constexpr double width = 720;
constexpr double height = 300;
constexpr double left_margin = 56;

/// Told apart by lightness and by dashes too: not everybody sees colours, and pages are printed.
struct LineStyle {
  std::string_view colour;
  std::string_view dashes;
};
constexpr std::array<LineStyle, 8> line_styles = {{{"#1b6ca8", ""},
                                                   {"#b5482a", ""},
                                                   {"#2c7a4b", ""},
                                                   {"#7a4fa3", ""},
                                                   {"#1b6ca8", "6 3"},
                                                   {"#b5482a", "6 3"},
                                                   {"#2c7a4b", "2 3"},
                                                   {"#7a4fa3", "2 3"}}};

/// The ratings of all players after some numbers of games.
struct Curves {
  std::vector<std::size_t> games;
  std::vector<std::vector<double>> elo;  // for each of them, by the plan's players
  double low = 0;
  double high = 0;
};

class Results {
 public:
  explicit Results(const TournamentPlan& plan) {
    for (std::size_t i = 0; i < plan.players.size(); ++i) numbers_[plan.players[i].name] = i;
  }
  void add(const FinishedGame& game) {
    const auto first = numbers_.find(game.players[0]);
    const auto second = numbers_.find(game.players[1]);
    if (first == numbers_.end() || second == numbers_.end()) return;
    Encounter& one = encounters_[{first->second, second->second}];
    one.a = first->second;
    one.b = second->second;
    one.games += 1;
    one.points += game.verdict == Verdict::draw ? 0.5 : game.verdict == Verdict::first_wins ? 1 : 0;
  }
  [[nodiscard]] Ratings ratings() const {
    std::vector<Encounter> list;
    for (const auto& [pair, encounter] : encounters_) list.push_back(encounter);
    return {numbers_.size(), list};
  }

 private:
  std::map<std::string, std::size_t> numbers_;
  std::map<std::pair<std::size_t, std::size_t>, Encounter> encounters_;
};

Curves curves_of(const Report& report) {
  Curves curves;
  Results results(report.plan);
  const std::size_t total = report.snapshot.games.size();
  const std::size_t stride = (total + max_points - 1) / max_points;
  for (std::size_t played = 1; played <= total; ++played) {
    results.add(report.snapshot.games[played - 1]);
    if (played % stride != 0 && played != total) continue;
    const Ratings ratings = results.ratings();
    std::vector<double> now;
    for (std::size_t i = 0; i < report.plan.players.size(); ++i) now.push_back(ratings.elo(i));
    const auto [low, high] = std::minmax_element(now.begin(), now.end());
    curves.low = std::min(curves.low, *low);
    curves.high = std::max(curves.high, *high);
    curves.games.push_back(played);
    curves.elo.push_back(std::move(now));
  }
  return curves;
}

double x_of(const Curves& curves, std::size_t point) {
  const double last = static_cast<double>(curves.games.size() - 1);
  return left_margin + (width - left_margin - 8) * static_cast<double>(point) / std::max(1.0, last);
}
double y_of(const Curves& curves, double elo) {
  const double span = std::max(1.0, curves.high - curves.low);
  return 10 + (height - 34) * (curves.high - elo) / span;
}

std::string axes(const Curves& curves) {
  std::string text;
  for (const double elo : {curves.low, (curves.low + curves.high) / 2, curves.high}) {
    const double y = y_of(curves, elo);
    text += fmt::format(
        "<line x1=\"{0:.0f}\" y1=\"{1:.1f}\" x2=\"{2:.0f}\" y2=\"{1:.1f}\" stroke=\"currentColor\" opacity=\".2\"/>"
        "<text x=\"{3:.0f}\" y=\"{4:.1f}\" text-anchor=\"end\">{5:+.0f}</text>\n",
        left_margin, y, width, left_margin - 6, y + 4, elo);
  }
  text += fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\">1</text><text x=\"{:.0f}\" y=\"{:.0f}\" "
      "text-anchor=\"end\">{} games</text>\n",
      left_margin, height - 4, width, height - 4, curves.games.back());
  return text;
}

}  // namespace

std::string rating_chart(const Report& report) {
  if (report.snapshot.games.size() < 2) return "";
  const Curves curves = curves_of(report);
  std::string lines;
  std::string legend;
  for (std::size_t place = 0; place < report.standings.rows.size(); ++place) {
    const std::size_t player = report.standings.rows[place].player;
    const LineStyle& style = line_styles[place % line_styles.size()];
    std::string points;
    for (std::size_t i = 0; i < curves.games.size(); ++i) {
      points += fmt::format("{:.1f},{:.1f} ", x_of(curves, i), y_of(curves, curves.elo[i][player]));
    }
    const std::string name = xml_escaped(report.plan.players[player].name);
    lines += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" "
        "stroke-dasharray=\"{}\"><title>{}</title>"
        "</polyline>\n",
        points, style.colour, style.dashes, name);
    legend += fmt::format(
        "<span><svg width=\"26\" height=\"8\" aria-hidden=\"true\"><line x1=\"0\" y1=\"4\" x2=\"26\" y2=\"4\" "
        "stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/></svg> {} {:+.0f}</span> ",
        style.colour, style.dashes, name, curves.elo.back()[player]);
  }
  return fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"Elo after each game\" "
      "font-size=\"12\" fill=\"currentColor\">\n{}{}</svg>\n<p class=\"legend\">{}</p>\n",
      width, height, axes(curves), lines, legend);
}

std::string time_table(const Report& report) {
  double slowest = 1;
  for (const Standing& row : report.standings.rows) slowest = std::max(slowest, row.slowest_ms);
  std::string text =
      "<div class=\"wide\"><table><thead><tr><th class=\"l\">Player</th><th>Moves</th><th>Average, ms</th>"
      "<th>Longest, ms</th><th class=\"l\">Average and longest</th><th>All moves, s</th></tr></thead><tbody>\n";
  for (const Standing& row : report.standings.rows) {
    const double scale = 200 / slowest;
    text += fmt::format(
        "<tr><th class=\"l\">{}</th><td>{}</td><td>{:.1f}</td><td>{:.1f}</td><td class=\"l\"><svg width=\"204\" "
        "height=\"12\" aria-hidden=\"true\"><rect y=\"4\" width=\"{:.1f}\" height=\"4\" fill=\"currentColor\" "
        "opacity=\".35\"/><rect width=\"{:.1f}\" height=\"12\" "
        "fill=\"currentColor\"/></svg></td><td>{:.1f}</td></tr>\n",
        xml_escaped(report.plan.players[row.player].name), row.turns, row.average_ms, row.slowest_ms,
        row.slowest_ms * scale, row.average_ms * scale, row.average_ms * row.turns / 1000);
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace paika::tournament
