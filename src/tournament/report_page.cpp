#include "tournament/report_page.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/text.hpp"
#include "engine/picture.hpp"
#include "engine/registry.hpp"
#include "play/record.hpp"
#include "play/start.hpp"

namespace paika::tournament {

namespace {

constexpr std::string_view style = R"(
:root{color-scheme:light dark;--ink:#222;--dim:#666;--line:#ccc;--ground:#fbfaf7;--card:#fff;--win:#2c7a4b;--loss:#a33}
@media(prefers-color-scheme:dark){:root{--ink:#e6e4df;--dim:#a5a29b;--line:#444;--ground:#1b1a18;--card:#242321;
--win:#6fce95;--loss:#f08a80}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--ground);max-width:72rem;margin:0 auto;
padding:1.5rem}
h1{font-size:1.7rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}p{color:var(--dim);margin:.2rem 0}
.wide{overflow-x:auto}table{border-collapse:collapse;background:var(--card);font-variant-numeric:tabular-nums}
th,td{padding:.3rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th{color:var(--dim);font-weight:600}.l{text-align:left}.w{white-space:normal;text-align:left}
.win{color:var(--win);font-weight:600}.loss{color:var(--loss);font-weight:600}a{color:inherit}
.board svg{max-width:100%;max-height:70vh;height:auto;width:auto}button{font:inherit;padding:.3rem .9rem;margin-right:.4rem}
ol{columns:8rem;padding-left:2.5rem}ol button{border:0;background:none;padding:0 .3rem;color:inherit;cursor:pointer}
ol .now{font-weight:700;text-decoration:underline}.note{border-left:4px solid var(--loss);padding-left:.7rem}
)";

std::string page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width, "
      "initial-scale=1\"><title>{}</title><style>{}</style></head>\n<body>\n{}</body></html>\n",
      xml_escaped(title), style, body);
}

std::string standings_table(const Report& report) {
  std::string text =
      "<div class=\"wide\"><table><thead><tr><th>Place</th><th class=\"l\">Player</th><th>Points</th><th>Won</th>"
      "<th>Drawn</th><th>Lost</th><th>Byes</th><th title=\"Buchholz\">BH</th><th "
      "title=\"Sonneborn-Berger\">SB</th><th>Elo</th><th>&plusmn; 95 "
      "%</th>"
      "<th title=\"Likelihood of superiority over the next\">LOS</th><th title=\"Milliseconds per move\">ms</th><th "
      "class=\"l\">Failures</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < report.standings.rows.size(); ++i) {
    const Standing& row = report.standings.rows[i];
    const PlannedPlayer& player = report.plan.players[row.player];
    std::vector<std::string> failures;
    for (const auto& [failure, count] : row.failures) failures.push_back(fmt::format("{} {}", failure, count));
    const bool last = i + 1 == report.standings.rows.size();
    text += fmt::format(
        "<tr><td>{}</td><th class=\"l\" title=\"{}\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{:.2f}</td><td>{:+.0f}</td><td>{:.0f}</td><td>{}</td><td>{:.1f}</td><td "
        "class=\"l\">{}</td></tr>\n",
        row.place, xml_escaped(player.owner.empty() ? player.text : player.owner), xml_escaped(player.name),
        points_text(row.half_points), row.all.wins, row.all.draws, row.all.losses, row.byes, points_text(row.buchholz),
        row.sonneborn, row.elo, row.error, last ? "" : fmt::format("{:.0f} %", 100 * row.superiority), row.average_ms,
        xml_escaped(fmt::format("{}", fmt::join(failures, ", "))));
  }
  return text + "</tbody></table></div>\n";
}

std::string crosstable(const Report& report) {
  const auto& rows = report.standings.rows;
  std::string text = "<div class=\"wide\"><table><thead><tr><th></th><th></th>";
  for (std::size_t i = 0; i < rows.size(); ++i) text += fmt::format("<th>{}</th>", i + 1);
  text += "</tr></thead><tbody>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += fmt::format("<tr><td>{}</td><th class=\"l\">{}</th>", i + 1,
                        xml_escaped(report.plan.players[rows[i].player].name));
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const Cell& cell = report.standings.cells[rows[i].player][rows[j].player];
      if (i == j || cell.games() == 0) {
        text += i == j ? "<td>&times;</td>" : "<td></td>";
        continue;
      }
      const int over = cell.wins - cell.losses;
      text += fmt::format("<td class=\"{}\" title=\"+{} ={} -{}\">{}/{}</td>",
                          over > 0   ? "win"
                          : over < 0 ? "loss"
                                     : "",
                          cell.wins, cell.draws, cell.losses, points_text(cell.half_points()), cell.games());
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string games_table(const Report& report, bool failures_only) {
  std::string text =
      "<div class=\"wide\"><table><thead><tr><th class=\"l\">Game</th><th class=\"l\">First</th><th>Result</th>"
      "<th class=\"l\">Second</th><th class=\"l\">Reason</th><th class=\"l\">Evidence</th></tr></thead><tbody>\n";
  for (const FinishedGame& game : report.snapshot.games) {
    if (failures_only && game.failure.empty()) continue;
    text += fmt::format(
        "<tr><td class=\"l\"><a href=\"games/{}.html\">{}</a></td><td class=\"l\">{}</td><td>{}</td><td "
        "class=\"l\">{}</td>"
        "<td class=\"l\">{}</td><td class=\"w\">{}</td></tr>\n",
        file_name(game.id), xml_escaped(game.id), xml_escaped(game.players[0]), score_text(game),
        xml_escaped(game.players[1]), xml_escaped(game.reason), xml_escaped(game.evidence));
  }
  return text + "</tbody></table></div>\n";
}

bool any_failure(const Report& report) {
  for (const FinishedGame& game : report.snapshot.games) {
    if (!game.failure.empty()) return true;
  }
  return false;
}

/// Drawings that differ little, as lists of pieces that are kept once: most of a drawing is the same board.
class Frames {
 public:
  void add(std::string_view svg) {
    std::string frame;
    while (!svg.empty()) {
      const auto end = svg.find('>');
      const std::size_t size = end == std::string_view::npos ? svg.size() : end + 1;
      const std::string piece(svg.substr(0, size));
      svg.remove_prefix(size);
      const auto [found, fresh] = numbers_.try_emplace(piece, pieces_.size());
      if (fresh) pieces_.push_back(piece);
      frame += fmt::format("{}{}", frame.empty() ? "" : ",", found->second);
    }
    frames_ += fmt::format("{}[{}]", frames_.empty() ? "" : ",", frame);
  }

  [[nodiscard]] std::string pieces() const { return script_safe(Json(pieces_).dump(-1, ' ', true)); }
  [[nodiscard]] const std::string& frames() const { return frames_; }

  /// JSON that can stand in a script element.
  static std::string script_safe(const std::string& json) {
    std::string out;
    for (const char c : json) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
    return out;
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> pieces_;
  std::string frames_;
};

constexpr std::string_view game_script = R"(
let at = 0;
const board = document.querySelector('.board'), turns = [...document.querySelectorAll('ol button')];
function show(n) {
  at = Math.max(0, Math.min(frames.length - 1, n));
  board.innerHTML = frames[at].map((i) => pieces[i]).join('');
  turns.forEach((b, i) => b.classList.toggle('now', i + 1 === at));
  document.getElementById('at').textContent = at + ' / ' + (frames.length - 1);
}
turns.forEach((b, i) => b.addEventListener('click', () => show(i + 1)));
const steps = {first: () => show(0), back: () => show(at - 1), next: () => show(at + 1), last: () => show(frames.length - 1)};
for (const [id, step] of Object.entries(steps)) document.getElementById(id).addEventListener('click', step);
addEventListener('keydown', (e) => {
  const keys = {ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last'};
  if (keys[e.key]) { e.preventDefault(); steps[keys[e.key]](); }
});
show(0);
)";

/// Reports can be made again at any time: they need not be on the disk when this returns.
Result<void> write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return fail("cannot write {}", in_quotes(path.string(), 200));
  return {};
}

}  // namespace

std::string index_page(const Report& report) {
  std::string body =
      fmt::format("<h1>{}</h1>\n<p>{}, {}. {} games played, {}. Seed {}.</p>\n", xml_escaped(report.plan.name),
                  name(report.plan.system), xml_escaped(fmt::format("{}", fmt::join(report.plan.games, ", "))),
                  report.snapshot.games.size(), name(report.progress), report.plan.seed);
  if (unsafe(report)) body += "<p class=\"note\">Programs played without a sandbox (--unsafe-bots).</p>\n";
  body += "<h2>Standings</h2>\n" + standings_table(report);
  body += "<h2>Crosstable</h2>\n" + crosstable(report);
  if (any_failure(report)) body += "<h2>Games lost by failure</h2>\n" + games_table(report, true);
  body += "<h2>Games</h2>\n" + games_table(report, false);
  return page(report.plan.name, body);
}

Result<std::string> game_page(const FinishedGame& game) {
  const auto records = play::parse_records(game.record);
  if (!records) return tl::unexpected(records.error());
  const play::GameRecord& record = records->front();
  const auto opened = open_game(record.spec);
  if (!opened) return tl::unexpected(opened.error());
  const auto session = play::known_start(**opened, record.start);
  Frames frames;
  frames.add(picture_svg(*session, {}));
  std::string list;
  for (const play::RecordedTurn& turn : record.turns) {
    const Turn steps = *session->read_turn(turn.text);
    PictureSettings settings;
    settings.last = session->notation().effects(session->board(), steps);
    session->play(steps);
    frames.add(picture_svg(*session, settings));
    list += fmt::format("<li><button>{}</button></li>", xml_escaped(turn.text));
  }
  std::string body =
      fmt::format("<p><a href=\"../index.html\">All games</a></p>\n<h1>{} {} {}</h1>\n<p>{}, ended by {}.</p>\n",
                  xml_escaped(game.players[0]), score_text(game), xml_escaped(game.players[1]), xml_escaped(game.id),
                  xml_escaped(game.reason));
  if (!game.evidence.empty()) body += fmt::format("<p class=\"note\">{}</p>\n", xml_escaped(game.evidence));
  body += fmt::format(
      "<div class=\"board\"></div>\n<p><button id=\"first\">&#124;&lt;</button><button id=\"back\">&lt;</button>"
      "<button id=\"next\">&gt;</button><button id=\"last\">&gt;&#124;</button> <span "
      "id=\"at\"></span></p>\n<ol>{}</ol>\n"
      "<script>\nconst pieces = {};\nconst frames = [{}];{}</script>\n",
      list, frames.pieces(), frames.frames(), game_script);
  return page(game.id, body);
}

Result<void> write_reports(const Report& report, const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path root(folder);
  std::error_code error;
  fs::create_directories(root / "games", error);
  if (error) return fail("cannot create the folder {}: {}", (root / "games").string(), error.message());
  std::string records;
  for (const FinishedGame& game : report.snapshot.games) {
    records += game.record + "\n";
    const fs::path path = root / "games" / (file_name(game.id) + ".html");
    const auto text = game_page(game);
    if (!text) return tl::unexpected(text.error());
    if (auto written = write_text(path, *text); !written) return written;
  }
  const std::array<std::pair<const char*, std::string>, 5> files = {
      {{"index.html", index_page(report)},
       {"standings.csv", standings_csv(report)},
       {"games.csv", games_csv(report)},
       {"report.json", state_json(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"},
       {"records.txt", records}}};
  for (const auto& [file, text] : files) {
    if (auto written = write_text(root / file, text); !written) return written;
  }
  return {};
}

}  // namespace paika::tournament
