#include "tournament/report_page.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_map>

#include "base/text.hpp"
#include "engine/picture.hpp"
#include "engine/registry.hpp"
#include "play/autosave.hpp"
#include "play/record.hpp"
#include "play/start.hpp"
#include "tournament/report_charts.hpp"

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
.chart{max-width:100%;height:auto}.legend span{margin-right:1rem}
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

/// Where the games of a page are: in pages of their own, or in this one.
enum class GamesAt : unsigned char { own_pages, this_page };

std::string games_table(const Report& report, bool failures_only, GamesAt where) {
  std::string text =
      "<div class=\"wide\"><table><thead><tr><th class=\"l\">Game</th><th class=\"l\">First</th><th>Result</th>"
      "<th class=\"l\">Second</th><th class=\"l\">Reason</th><th class=\"l\">Evidence</th></tr></thead><tbody>\n";
  for (std::size_t i = 0; i < report.snapshot.games.size(); ++i) {
    const FinishedGame& game = report.snapshot.games[i];
    if (failures_only && game.failure.empty()) continue;
    const std::string place =
        where == GamesAt::this_page ? fmt::format("#game-{}", i) : fmt::format("games/{}.html", file_name(game.id));
    text += fmt::format(
        "<tr><td class=\"l\"><a href=\"{}\">{}</a></td><td class=\"l\">{}</td><td>{}</td><td "
        "class=\"l\">{}</td>"
        "<td class=\"l\">{}</td><td class=\"w\">{}</td></tr>\n",
        place, xml_escaped(game.id), xml_escaped(game.players[0]), score_text(game), xml_escaped(game.players[1]),
        xml_escaped(game.reason), xml_escaped(game.evidence));
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
    ++count_;
  }

  [[nodiscard]] std::string pieces() const { return script_safe(Json(pieces_).dump(-1, ' ', true)); }
  [[nodiscard]] const std::string& frames() const { return frames_; }
  [[nodiscard]] std::size_t count() const noexcept { return count_; }

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
  std::size_t count_ = 0;
};

/// Adds the positions of a game; the texts of its turns, or the error of a bad record.
Result<std::vector<std::string>> add_game(Frames& frames, const FinishedGame& game) {
  const auto records = play::parse_records(game.record);
  if (!records) return tl::unexpected(records.error());
  const play::GameRecord& record = records->front();
  const auto opened = open_game(record.spec);
  if (!opened) return tl::unexpected(opened.error());
  const auto session = play::known_start(**opened, record.start);
  frames.add(picture_svg(*session, {}));
  std::vector<std::string> turns;
  for (const play::RecordedTurn& turn : record.turns) {
    const Turn steps = *session->read_turn(turn.text);
    PictureSettings settings;
    settings.last = session->notation().effects(session->board(), steps);
    session->play(steps);
    frames.add(picture_svg(*session, settings));
    turns.push_back(turn.text);
  }
  return turns;
}

/// What walks through a game: `games` has for each its title, its note, its turns and the number of its first frame.
constexpr std::string_view game_script = R"(
let at = 0, game = games[0], turns = [];
const board = document.querySelector('.board'), list = document.querySelector('ol');
function show(n) {
  at = Math.max(0, Math.min(game.turns.length, n));
  board.innerHTML = frames[game.from + at].map((i) => pieces[i]).join('');
  turns.forEach((b, i) => b.classList.toggle('now', i + 1 === at));
  document.getElementById('at').textContent = at + ' / ' + game.turns.length;
}
function load(n) {
  game = games[n];
  document.getElementById('title').textContent = game.title;
  document.getElementById('note').textContent = game.note;
  turns = game.turns.map((text, i) => {
    const button = document.createElement('button');
    button.textContent = text;
    button.addEventListener('click', () => show(i + 1));
    return button;
  });
  list.replaceChildren(...turns.map((button) => {
    const item = document.createElement('li');
    item.append(button);
    return item;
  }));
  show(0);
}
const steps = {first: () => show(0), back: () => show(at - 1), next: () => show(at + 1), last: () => show(game.turns.length)};
for (const [id, step] of Object.entries(steps)) document.getElementById(id).addEventListener('click', step);
addEventListener('keydown', (e) => {
  const keys = {ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last'};
  if (keys[e.key]) { e.preventDefault(); steps[keys[e.key]](); }
});
function follow() { const found = /^#game-(\d+)$/.exec(location.hash); load(found && games[found[1]] ? +found[1] : 0); }
addEventListener('hashchange', () => { follow(); document.getElementById('replay').scrollIntoView(); });
follow();
)";

std::string title_of(const FinishedGame& game) {
  return fmt::format("{} {} {}", game.players[0], score_text(game), game.players[1]);
}

/// The games as the script takes them.
Result<std::string> replay_part(std::span<const FinishedGame> games) {
  Frames frames;
  Json list = Json::array();
  for (const FinishedGame& game : games) {
    const std::size_t from = frames.count();
    const auto turns = add_game(frames, game);
    if (!turns) return tl::unexpected(turns.error());
    const std::string note =
        fmt::format("{}, ended by {}.{}{}", game.id, game.reason, game.evidence.empty() ? "" : " ", game.evidence);
    list.push_back({{"title", title_of(game)}, {"note", note}, {"turns", *turns}, {"from", from}});
  }
  return fmt::format(
      "<section id=\"replay\"><h2 id=\"title\"></h2>\n<p id=\"note\"></p>\n<div class=\"board\"></div>\n"
      "<p><button id=\"first\">&#124;&lt;</button><button id=\"back\">&lt;</button>"
      "<button id=\"next\">&gt;</button><button id=\"last\">&gt;&#124;</button> <span id=\"at\"></span></p>\n"
      "<ol></ol></section>\n<script>\nconst pieces = {};\nconst frames = [{}];\nconst games = {};{}</script>\n",
      frames.pieces(), frames.frames(), Frames::script_safe(list.dump(-1, ' ', true, Json::error_handler_t::replace)),
      game_script);
}

/// Everything but the games themselves.
std::string tables_part(const Report& report, GamesAt where) {
  std::string body =
      fmt::format("<h1>{}</h1>\n<p>{}, {}. {} games played, {}. Seed {}.</p>\n", xml_escaped(report.plan.name),
                  name(report.plan.system), xml_escaped(fmt::format("{}", fmt::join(report.plan.games, ", "))),
                  report.snapshot.games.size(), name(report.progress), report.plan.seed);
  if (unsafe(report)) body += "<p class=\"note\">Programs played without a sandbox (--unsafe-bots).</p>\n";
  body += "<h2>Standings</h2>\n" + standings_table(report);
  body += "<h2>Crosstable</h2>\n" + crosstable(report);
  if (const std::string chart = rating_chart(report); !chart.empty())
    body += "<h2>Ratings, game by game</h2>\n" + chart;
  body += "<h2>Time</h2>\n" + time_table(report);
  if (any_failure(report)) body += "<h2>Games lost by failure</h2>\n" + games_table(report, true, where);
  return body + "<h2>Games</h2>\n" + games_table(report, false, where);
}

}  // namespace

std::string index_page(const Report& report) { return page(report.plan.name, tables_part(report, GamesAt::own_pages)); }

Result<std::string> whole_page(const Report& report) {
  std::string body = tables_part(report, GamesAt::this_page);
  if (!report.snapshot.games.empty()) {
    const auto games = replay_part(report.snapshot.games);
    if (!games) return games;
    body += *games;
  }
  return page(report.plan.name, body);
}

Result<std::string> game_page(const FinishedGame& game) {
  const auto part = replay_part({&game, 1});
  if (!part) return part;
  return page(game.id, "<p><a href=\"../index.html\">All games</a></p>\n" + *part);
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
    if (auto written = play::write_report_file(path.string(), *text); !written) return written;
  }
  const std::array<std::pair<const char*, std::string>, 5> files = {
      {{"index.html", index_page(report)},
       {"standings.csv", standings_csv(report)},
       {"games.csv", games_csv(report)},
       {"report.json", state_json(report).dump(2, ' ', false, Json::error_handler_t::replace) + "\n"},
       {"records.txt", records}}};
  for (const auto& [file, text] : files) {
    if (auto written = play::write_report_file((root / file).string(), text); !written) return written;
  }
  return {};
}

}  // namespace paika::tournament
