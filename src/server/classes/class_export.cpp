// The teacher's export: who has handed in what, and how it plays, as CSV, JSON and an archive of the files.
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "base/text.hpp"
#include "server/classes/bot_files.hpp"
#include "server/classes/class_access.hpp"
#include "server/classes/class_pages.hpp"
#include "server/classes/csv.hpp"
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

/// The members of a class, one line at a time: reports and files are long, so only what is asked for is read.
class ClassLines {
 public:
  ClassLines(ClassStore& classes, SeenClass in) : in_(std::move(in)), members_(classes.members(in_.row.id)) {
    for (const BotRow& bot : classes.ladder(in_.row.id)) ladder_.push_back(bot.id);
  }

  [[nodiscard]] const SeenClass& seen() const noexcept { return in_; }
  [[nodiscard]] bool at_end() const noexcept { return at_ == members_.size(); }
  /// The line of the next member. Requires !at_end().
  [[nodiscard]] Line line(ClassStore& classes) const {
    Line line{members_[at_], std::nullopt, std::nullopt, 0, 0};
    const auto bots = classes.bots_of(in_.row.id, line.member.person);
    line.bots = bots.size();
    if (!bots.empty()) line.last = bots.front();
    for (const BotRow& bot : bots) {
      const auto on = std::find(ladder_.begin(), ladder_.end(), bot.id);
      if (on == ladder_.end()) continue;
      line.bot = bot;
      line.rank = static_cast<int>(on - ladder_.begin()) + 1;
    }
    return line;
  }
  [[nodiscard]] bool at_first() const noexcept { return at_ == 0; }
  void go_on() noexcept { ++at_; }

 private:
  SeenClass in_;
  std::vector<MemberRow> members_;
  std::vector<BotId> ladder_;  // best first
  std::size_t at_ = 0;
};

std::string csv_line(const Line& line) {
  std::string text = fmt::format("{},{},", csv_field(line.member.account), csv_field(line.member.name));
  if (line.bot) {
    const BotRow& bot = *line.bot;
    text += fmt::format("{},{},{},{},{:.0f},{:.0f},{},{},{},{},", line.rank, csv_field(bot.name), bot.number,
                        name(bot.state), bot.rating.value, bot.rating.deviation, bot.games(), bot.wins, bot.draws,
                        bot.losses);
  } else {
    text += ",,,,,,,,,,";
  }
  return text + fmt::format("{},{},{}\r\n", line.bots, line.last ? date_text(line.last->created) : "",
                            line.last ? name(line.last->state) : "");
}

LongAnswer export_csv(const Call& call, Store& store) {
  ClassStore classes(store);
  auto in = enter_as_teacher(classes, call);
  if (!in) return {in.error(), {}};
  const auto lines = std::make_shared<ClassLines>(classes, std::move(*in));
  const std::string head =
      "account,name,rank,bot,number,state,rating,deviation,games,wins,draws,losses,bots handed in,last handed in,"
      "last state\r\n";
  return {as_file("text/csv; charset=utf-8", head, fmt::format("class-{}.csv", lines->seen().row.id)),
          pieces_of([lines](Store& reader) -> std::optional<std::string> {
            if (lines->at_end()) return std::nullopt;
            ClassStore own(reader);
            std::string text = csv_line(lines->line(own));
            lines->go_on();
            return text;
          })};
}

Json line_json(const Line& line) {
  return {{"account", line.member.account},
          {"name", line.member.name},
          {"joined_ms", line.member.joined},
          {"rank", line.rank == 0 ? Json(nullptr) : Json(line.rank)},
          {"bots", line.bots},
          {"ladder", line.bot ? bot_json(*line.bot) : Json(nullptr)},
          {"last", line.last ? bot_json(*line.last) : Json(nullptr)}};
}

LongAnswer export_json(const Call& call, Store& store) {
  ClassStore classes(store);
  auto in = enter_as_teacher(classes, call);
  if (!in) return {in.error(), {}};
  const auto lines = std::make_shared<ClassLines>(classes, std::move(*in));
  const std::string head =
      fmt::format(R"({{"class":{},"members":[)", json_response(class_json(lines->seen(), wall_now())).body);
  const auto ended = std::make_shared<bool>(false);
  return {as_file("application/json", head, fmt::format("class-{}.json", lines->seen().row.id)),
          pieces_of([lines, ended](Store& reader) -> std::optional<std::string> {
            if (*ended) return std::nullopt;
            *ended = lines->at_end();
            if (*ended) return "]}";
            ClassStore own(reader);
            std::string text = (lines->at_first() ? "" : ",") + json_response(line_json(lines->line(own))).body;
            lines->go_on();
            return text;
          })};
}

/// The part of the archive with the files of a member's bot on the ladder; without one, those of the last bot.
std::string archived(ClassStore& classes, const ClassId& id, const Line& line) {
  const auto& bot = line.bot ? line.bot : line.last;
  if (!bot) return "";
  // Account names are plain and unique.
  const std::string folder = fmt::format("class-{}/{}", id, line.member.account);
  const std::int64_t time = bot->created / 1000;
  std::vector<TarEntry> entries = {{folder + "/bot.json", bot_json(*bot).dump(1), time}};
  auto files = read_bot_files(Json::parse(classes.bot_files(bot->id), nullptr, false));
  if (files) {
    for (BotFile& file : *files) entries.push_back({folder + "/files/" + file.path, std::move(file.content), time});
  }
  auto archive = tar_entries(entries);
  if (!archive) throw std::runtime_error(archive.error().message);
  return std::move(*archive);
}

LongAnswer export_files(const Call& call, Store& store) {
  ClassStore classes(store);
  auto in = enter_as_teacher(classes, call);
  if (!in) return {in.error(), {}};
  struct Walk {
    ClassLines lines;
    std::size_t sent = 0;  // bytes of the next member's part
    bool ended = false;
  };
  const auto walk = std::make_shared<Walk>(Walk{ClassLines(classes, std::move(*in))});
  const std::string name = fmt::format("class-{}.tar", walk->lines.seen().row.id);
  return {as_file("application/x-tar", "", name), pieces_of([walk](Store& reader) -> std::optional<std::string> {
            if (walk->ended) return std::nullopt;
            walk->ended = walk->lines.at_end();
            if (walk->ended) return tar_end();
            // A bot may have a megabyte: it is read anew for each piece instead of being kept for a slow client.
            ClassStore own(reader);
            const std::string part = archived(own, walk->lines.seen().row.id, walk->lines.line(own));
            std::string slice = part.substr(std::min(walk->sent, part.size()), piece_bytes);
            walk->sent += slice.size();
            if (walk->sent < part.size()) return slice;
            walk->sent = 0;
            walk->lines.go_on();
            return slice;
          })};
}

}  // namespace

std::vector<Route> class_export_routes() {
  return {
      {"GET", "/api/classes/{class}/export.csv", Rate::position, Need::person, LongHandler{export_csv}},
      {"GET", "/api/classes/{class}/export.json", Rate::position, Need::person, LongHandler{export_json}},
      {"GET", "/api/classes/{class}/submissions.tar", Rate::position, Need::person, LongHandler{export_files}},
  };
}

}  // namespace paika::server
