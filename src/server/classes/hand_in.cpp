#include "server/classes/hand_in.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "server/http/answers.hpp"
#include "server/store/trace.hpp"

namespace paika::server {

namespace {

constexpr WallTime a_day = std::chrono::milliseconds(std::chrono::hours(24)).count();

/// The description among the files, as the beginning of what a request would say; an empty object if there is none.
Result<Json> read_description(const std::vector<BotFile>& files) {
  const auto found =
      std::find_if(files.begin(), files.end(), [](const BotFile& file) { return file.path == bot_description; });
  if (found == files.end()) return Json::object();
  auto object = read_object(found->content);
  if (!object) return fail("{}: {}", bot_description, object.error().message);
  if (const auto known = only_fields(*object, {"name", "build", "run", "protocol"}); !known) {
    return fail("{}: {}", bot_description, known.error().message);
  }
  return object;
}

}  // namespace

Entered<void> may_hand_in(ClassStore& classes, const SeenClass& in, WallTime now) {
  if (!classes.member(in.row.id, in.viewer)) {
    return refuse(403, "members_of_class", "only members can submit bots: join the class with its code");
  }
  if (in.row.state != ClassState::open) return refuse(409, "locked", "the class is locked: it no longer takes bots");
  if (!takes_bots(in.row, now)) return refuse(409, "deadline", "the deadline of the class has passed");
  if (classes.uploads_since(in.row.id, in.viewer, now - a_day) >= in.row.uploads_per_day) {
    return refuse(409, "enough_today",
                  fmt::format("you have submitted {} bots in 24 hours, which is the most the class allows",
                              in.row.uploads_per_day));
  }
  return {};
}

Entered<BotRow> add_handed_in(ClassStore& classes, const SeenClass& in, const BotRequest& bot, WallTime now) {
  if (auto may = may_hand_in(classes, in, now); !may) return tl::unexpected(may.error());
  BotRow row = bot.row;
  row.class_id = in.row.id;
  row.person = in.viewer;
  row.created = now;
  auto added = classes.add_bot(row, bot.files);
  classes.note_request(added.id, Trace::current_id());
  return added;
}

Result<BotRequest> read_pushed_bot(const std::vector<BotFile>& files, std::string_view name) {
  auto body = read_description(files);
  if (!body) return tl::unexpected(body.error());
  if (!body->contains("name")) (*body)["name"] = name;
  if (!body->contains("run")) {
    std::vector<std::string> paths;
    for (const BotFile& file : files) paths.push_back(file.path);
    const BotCommands guessed = guessed_commands(paths);
    if (guessed.run.empty()) {
      return fail(R"(how is the bot started? Write it into {}: {{"run": "./bot", "build": "make"}})", bot_description);
    }
    (*body)["run"] = guessed.run;
    if (!body->contains("build")) (*body)["build"] = guessed.build;
  }
  (*body)["files"] = bot_files_json(files);
  return read_bot(*body);
}

BotCommands guessed_commands(const std::vector<std::string>& paths) {
  const auto named = [&](std::string_view name) { return std::find(paths.begin(), paths.end(), name) != paths.end(); };
  const auto ending = [&](std::initializer_list<std::string_view> endings) -> std::string {
    for (const std::string_view one : endings) {
      const auto found =
          std::find_if(paths.begin(), paths.end(), [&](const auto& path) { return path.ends_with(one); });
      if (found != paths.end()) return *found;
    }
    return "";
  };
  if (named("bot.py")) return {"", "python3 bot.py"};
  if (const std::string python = ending({".py"}); !python.empty()) return {"", "python3 '" + python + "'"};
  if (const std::string script = ending({".js", ".mjs"}); !script.empty()) return {"", "node '" + script + "'"};
  if (const std::string java = ending({".java"}); !java.empty()) {
    const std::string file = java.substr(java.rfind('/') + 1);
    return {"javac -d . '" + java + "'", "java " + file.substr(0, file.size() - 5)};
  }
  if (named("Makefile")) return {"make", "./bot"};
  std::vector<std::string> sources;
  for (const std::string& path : paths) {
    if (path.ends_with(".cpp") || path.ends_with(".cc")) sources.push_back("'" + path + "'");
  }
  if (!sources.empty()) return {fmt::format("g++ -O2 -std=c++20 -o bot {}", fmt::join(sources, " ")), "./bot"};
  if (const std::string shell = ending({".sh"}); !shell.empty()) return {"", "sh '" + shell + "'"};
  return {};
}

}  // namespace paika::server
