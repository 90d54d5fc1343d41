#include "server/classes/tournaments.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t max_state_bytes = std::uintmax_t{32} << 20U;
constexpr std::uintmax_t max_log_shown = std::uintmax_t{4} << 20U;
constexpr std::size_t max_tournament_name = 100;
constexpr std::size_t max_listed = 200;

template <class T>
using Found = tl::expected<T, Response>;

/// A name that is one file's beside others, and no way out of the folder.
bool is_plain(std::string_view name) {
  const auto fits = [](char c) {
    return is_digit(c) || (lowered(c) >= 'a' && lowered(c) <= 'z') || c == '-' || c == '_' || c == '.' || c == '+';
  };
  return !name.empty() && name.size() <= max_tournament_name && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), fits);
}

std::string read_file(const fs::path& path, std::uintmax_t most) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::error_code error;
  text.resize(std::min(fs::file_size(path, error), most));
  if (error) return "";
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// A list of a state, empty if it is not one.
const Json& list_of(const Json& state, const char* key) {
  static const Json none = Json::array();
  const auto found = state.find(key);
  return found != state.end() && found->is_array() ? *found : none;
}

std::string text_of(const Json& object, const char* key) {
  if (!object.is_object()) return "";
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// The commands of players and the names of logs are the organiser's business.
void leave_out_private(Json& state) {
  if (state.contains("players") && state["players"].is_array()) {
    for (Json& player : state["players"]) {
      if (player.is_object()) player.erase("player");
    }
  }
  if (state.contains("games") && state["games"].is_array()) {
    for (Json& game : state["games"]) {
      if (game.is_object()) game.erase("logs");
    }
  }
}

/// A state file as it was last read.
struct Read {
  fs::file_time_type time;
  std::uintmax_t size = 0;
  std::shared_ptr<const Json> state;  // nothing: it makes no sense
  std::shared_ptr<const std::string> page;
};

class Tournaments {
 public:
  explicit Tournaments(std::string folder) : folder_(std::move(folder)) {}

  Response list() {
    Json rows = Json::array();
    std::vector<std::string> names;
    std::error_code error;
    if (!folder_.empty()) {
      for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().stem().string();
        if (it->path().extension() == ".toml" && is_plain(name)) names.push_back(name);
      }
    }
    std::sort(names.begin(), names.end());
    if (names.size() > max_listed) names.resize(max_listed);
    for (const std::string& name : names) rows.push_back(row_of(name));
    return json_response({{"tournaments", rows}});
  }

  Response page(const Call& call) {
    const auto read = state_of(call.params.at("name"));
    if (!read) return read.error();
    Response response;
    const std::string tag = fmt::format("\"{:016x}\"", std::hash<std::string>()(*read->page));
    response.headers.emplace_back("ETag", tag);
    response.headers.emplace_back("Cache-Control", "private, no-cache");
    if (call.request.header("if-none-match").find(tag) != std::string_view::npos) {
      response.status = 304;
    } else {
      response.body = *read->page;
    }
    return response;
  }

  Response game(const Call& call) {
    const auto found = find_game(call);
    if (!found) return found.error();
    const std::string record = record_of(call.params.at("name"), call.params.at("game"));
    if (record.empty()) return error_response(404, "no_game", "the results file does not hold this game");
    Json body = *found;
    body.erase("logs");
    body["record"] = record;
    return json_response(body);
  }

  Response log(const Call& call) {
    const std::string& name = call.params.at("name");
    const auto game = find_game(call);
    if (!game) return game.error();
    const auto read = state_of(name);
    if (!read) return read.error();
    const auto given = call.request.query.find("player");
    const std::string player = given == call.request.query.end() ? "" : given->second;
    const Json& players = list_of(*game, "players");
    const auto side = std::find(players.begin(), players.end(), Json(player));
    if (side == players.end()) return bad_request({R"("player" must be one of the two players of the game)"});
    if (!owns(*read->state, player, *call.person)) {
      return error_response(403, "not_yours", "only a bot's owner can see its log");
    }
    const Json& logs = list_of(*game, "logs");
    const auto index = static_cast<std::size_t>(side - players.begin());
    const std::string file = index < logs.size() && logs[index].is_string() ? logs[index].get<std::string>() : "";
    std::error_code error;
    const fs::path path = fs::path(folder_) / (name + ".logs") / file;
    if (!is_plain_log(file) || !fs::is_regular_file(fs::symlink_status(path, error))) {
      return error_response(404, "no_log", "there is no log of this game");
    }
    Response response;
    response.type = "text/plain; charset=utf-8";
    response.body = plain_text(read_file(path, max_log_shown));
    return response;
  }

 private:
  /// Names of logs are made of a game's id and a player's name: longer, but of the same signs.
  static bool is_plain_log(std::string_view name) {
    return name.size() <= 3 * max_tournament_name && name.find('/') == std::string_view::npos && !name.empty() &&
           name.front() != '.' && name.find('\0') == std::string_view::npos;
  }

  static bool owns(const Json& state, const std::string& player, const Person& person) {
    const Json& players = list_of(state, "players");
    return person.member && std::any_of(players.begin(), players.end(), [&](const Json& one) {
             return text_of(one, "name") == player && lowered(text_of(one, "owner")) == lowered(person.name);
           });
  }

  Json row_of(const std::string& name) {
    Json row = {{"name", name}, {"title", name}, {"status", "waiting"}, {"played", 0}, {"expected", 0}};
    std::error_code error;
    if (!fs::exists(state_path(name), error)) return row;
    const auto read = state_of(name);
    if (!read) {
      row["status"] = "unreadable";
      return row;
    }
    const Json& state = *read->state;
    if (const std::string title = text_of(state, "name"); !title.empty()) row["title"] = title;
    if (const std::string status = text_of(state, "status"); !status.empty()) row["status"] = status;
    for (const char* key : {"played", "expected"}) {
      if (state.contains(key) && state[key].is_number_integer()) row[key] = state[key];
    }
    return row;
  }

  [[nodiscard]] fs::path state_path(const std::string& name) const {
    return fs::path(folder_) / (name + ".state.json");
  }

  /// The state of a tournament, read anew if its file has changed.
  Found<Read> state_of(const std::string& name) {
    std::error_code error;
    if (folder_.empty() || !is_plain(name) || !fs::is_regular_file(fs::path(folder_) / (name + ".toml"), error)) {
      return refuse(404, "no_tournament", "there is no such tournament");
    }
    const fs::path path = state_path(name);
    const auto time = fs::last_write_time(path, error);
    const auto size = error ? 0 : fs::file_size(path, error);
    if (error) return refuse(404, "not_begun", "the tournament has not started yet");
    const std::scoped_lock lock(mutex_);
    Read& read = reads_[name];
    if (read.page == nullptr || read.time != time || read.size != size) read = read_state(name, time, size);
    if (read.state == nullptr) {
      return refuse(500, "bad_state", fmt::format("{}.state.json is not the state of a tournament", name));
    }
    return read;
  }

  [[nodiscard]] Read read_state(const std::string& name, fs::file_time_type time, std::uintmax_t size) const {
    Read read{time, size, nullptr, std::make_shared<const std::string>()};
    if (size > max_state_bytes) return read;
    Json state = Json::parse(read_file(state_path(name), max_state_bytes), nullptr, false);
    if (!state.is_object() || !state.contains("paika_tournament_state")) return read;
    read.state = std::make_shared<const Json>(state);
    leave_out_private(state);
    read.page = std::make_shared<const std::string>(json_response({{"tournament", name}, {"state", state}}).body);
    return read;
  }

  Found<Json> find_game(const Call& call) {
    const auto read = state_of(call.params.at("name"));
    if (!read) return tl::unexpected(read.error());
    for (const Json& game : list_of(*read->state, "games")) {
      if (text_of(game, "id") == call.params.at("game")) return game;
    }
    return refuse(404, "no_game", "there is no such game, or it has not ended");
  }

  /// Looks through the results file line by line: each is {"check": …, "entry": {…}}. The line must be whole; what it
  /// holds was checked when it was written.
  [[nodiscard]] std::string record_of(const std::string& name, const std::string& id) const {
    std::ifstream file(fs::path(folder_) / (name + ".results"), std::ios::binary);
    const std::string wanted = Json(id).dump();
    for (std::string line; std::getline(file, line);) {
      if (line.find(wanted) == std::string::npos) continue;
      const Json json = Json::parse(line, nullptr, false);
      if (!json.is_object() || !json.contains("entry")) continue;
      if (text_of(json["entry"], "id") == id) return text_of(json["entry"], "record");
    }
    return "";
  }

  std::string folder_;
  std::mutex mutex_;
  std::map<std::string, Read> reads_;
};

}  // namespace

std::vector<Route> tournament_routes(const std::string& folder) {
  const auto all = std::make_shared<Tournaments>(folder);
  const auto slow = [all](Response (Tournaments::*function)(const Call&)) {
    return SlowHandler{[all, function](const Call& call, Store&) { return ((*all).*function)(call); }};
  };
  return {
      {"GET", "/api/tournaments", Rate::reading, Need::nobody,
       SlowHandler{[all](const Call&, Store&) { return all->list(); }}},
      {"GET", "/api/tournaments/{name}", Rate::reading, Need::nobody, slow(&Tournaments::page)},
      {"GET", "/api/tournaments/{name}/games/{game}", Rate::reading, Need::nobody, slow(&Tournaments::game)},
      {"GET", "/api/tournaments/{name}/games/{game}/log", Rate::reading, Need::person, slow(&Tournaments::log)},
  };
}

}  // namespace paika::server
