// The teacher's export: who has handed in what, and how it plays, as CSV, JSON and an archive of the files.
#include <algorithm>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "server/classes/bot_files.hpp"
#include "server/classes/class_access.hpp"
#include "server/classes/class_pages.hpp"
#include "server/classes/tar.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

/// A member with the bot that counts: the one on the ladder, else none.
struct Line {
  MemberRow member;
  std::optional<BotRow> bot;
  std::optional<BotRow> last;  // that was handed in
  std::size_t bots = 0;
  int rank = 0;  // 0: not on the ladder
};

std::vector<Line> lines_of(ClassStore& classes, const SeenClass& in) {
  std::vector<Line> lines;
  const auto ladder = classes.ladder(in.row.id);
  for (const MemberRow& member : classes.members(in.row.id)) {
    Line line{member, std::nullopt, std::nullopt, 0, 0};
    const auto bots = classes.bots_of(in.row.id, member.person);
    line.bots = bots.size();
    if (!bots.empty()) line.last = bots.front();
    const auto on =
        std::find_if(ladder.begin(), ladder.end(), [&](const BotRow& bot) { return bot.person == member.person; });
    if (on != ladder.end()) {
      line.bot = *on;
      line.rank = static_cast<int>(on - ladder.begin()) + 1;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// A field of CSV. What a spreadsheet would take for a formula gets an apostrophe in front.
std::string field(std::string text) {
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string date_text(WallTime time) {
  const std::chrono::sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds(time)};
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::floor<std::chrono::seconds>(at)));
}

Response as_file(std::string type, std::string body, const std::string& name) {
  Response response;
  response.type = std::move(type);
  response.body = std::move(body);
  response.headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}\"", name));
  return response;
}

Response export_csv(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_as_teacher(classes, call);
  if (!in) return in.error();
  std::string text =
      "account,name,rank,bot,number,state,rating,deviation,games,wins,draws,losses,bots handed in,last handed in,"
      "last state\r\n";
  for (const Line& line : lines_of(classes, *in)) {
    text += fmt::format("{},{},", field(line.member.account), field(line.member.name));
    if (line.bot) {
      const BotRow& bot = *line.bot;
      text +=
          fmt::format("{},{},{},{},{:.0f},{:.0f},{},{},{},{},", line.rank, field(bot.name), bot.number, name(bot.state),
                      bot.rating.value, bot.rating.deviation, bot.games(), bot.wins, bot.draws, bot.losses);
    } else {
      text += ",,,,,,,,,,";
    }
    text += fmt::format("{},{},{}\r\n", line.bots, line.last ? date_text(line.last->created) : "",
                        line.last ? name(line.last->state) : "");
  }
  return as_file("text/csv; charset=utf-8", std::move(text), fmt::format("class-{}.csv", in->row.id));
}

Response export_json(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_as_teacher(classes, call);
  if (!in) return in.error();
  Json body = {{"class", class_json(*in, wall_now())}, {"members", Json::array()}};
  for (const Line& line : lines_of(classes, *in)) {
    body["members"].push_back({{"account", line.member.account},
                               {"name", line.member.name},
                               {"joined_ms", line.member.joined},
                               {"rank", line.rank == 0 ? Json(nullptr) : Json(line.rank)},
                               {"bots", line.bots},
                               {"ladder", line.bot ? bot_json(*line.bot) : Json(nullptr)},
                               {"last", line.last ? bot_json(*line.last) : Json(nullptr)}});
  }
  return as_file("application/json", json_response(body).body, fmt::format("class-{}.json", in->row.id));
}

/// The files of the bots on the ladder; of members without one, those of their last bot.
Response export_files(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_as_teacher(classes, call);
  if (!in) return in.error();
  std::vector<TarEntry> entries;
  for (const Line& line : lines_of(classes, *in)) {
    const auto& bot = line.bot ? line.bot : line.last;
    if (!bot) continue;
    // Account names are plain and unique.
    const std::string folder = fmt::format("class-{}/{}", in->row.id, line.member.account);
    const std::int64_t time = bot->created / 1000;
    entries.push_back({folder + "/bot.json", bot_json(*bot).dump(1), time});
    const auto files = read_bot_files(Json::parse(classes.bot_files(bot->id), nullptr, false));
    if (!files) continue;
    for (const BotFile& file : *files) entries.push_back({folder + "/files/" + file.path, file.content, time});
  }
  auto archive = tar_archive(entries);
  if (!archive) return error_response(500, "internal", archive.error().message);
  return as_file("application/x-tar", std::move(*archive), fmt::format("class-{}.tar", in->row.id));
}

}  // namespace

std::vector<Route> class_export_routes() {
  return {
      {"GET", "/api/classes/{class}/export.csv", Rate::position, Need::person, SlowHandler{export_csv}},
      {"GET", "/api/classes/{class}/export.json", Rate::position, Need::person, SlowHandler{export_json}},
      {"GET", "/api/classes/{class}/submissions.tar", Rate::position, Need::person, SlowHandler{export_files}},
  };
}

}  // namespace paika::server
