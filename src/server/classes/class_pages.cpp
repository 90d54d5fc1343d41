#include "server/classes/class_pages.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "play/record.hpp"
#include "server/classes/assignment_pages.hpp"
#include "server/classes/class_access.hpp"
#include "server/classes/class_board.hpp"
#include "server/classes/exhibitions_api.hpp"
#include "server/git/git_program.hpp"
#include "server/http/answers.hpp"

namespace paika::server {

namespace {

constexpr int games_shown = 20;
constexpr int games_per_page = 50;

Response my_classes(const Call& call, Store& store) {
  ClassStore classes(store);
  const WallTime now = wall_now();
  Json list = Json::array();
  for (const ClassRow& row : classes.taught_by(call.person->id)) {
    list.push_back(class_json({row, call.person->id, true}, now));
  }
  for (const ClassRow& row : classes.joined_by(call.person->id)) {
    if (row.teacher != call.person->id) list.push_back(class_json({row, call.person->id, false}, now));
  }
  return json_response({{"classes", list}});
}

Json ladder_json(const SeenClass& in, ClassStore& classes, const Ladder& ladder) {
  Json json = {{"waiting", classes.count_waiting()}, {"games", classes.count_games(in.row.id)}, {"doing", nullptr}};
  const auto list = ladder.work();
  const auto work =
      std::find_if(list.begin(), list.end(), [&](const LadderWork& one) { return one.class_id == in.row.id; });
  if (work == list.end()) return json;
  Json bots = Json::array();
  for (const BotId id : work->bots) {
    const auto bot = id == 0 ? std::nullopt : classes.bot(id);
    if (bot) bots.push_back(fmt::format("{} ({})", bot->name, bot->owner));
  }
  json["doing"] = {{"what", name(work->kind)}, {"bots", bots}};
  return json;
}

Json members_json(const SeenClass& in, ClassStore& classes) {
  Json list = Json::array();
  for (const MemberRow& member : classes.members(in.row.id)) {
    const auto bots = classes.bots_of(in.row.id, member.person);
    Json last = nullptr;
    if (!bots.empty()) {
      last = {{"bot", bots.front().id},
              {"name", bots.front().name},
              {"state", name(bots.front().state)},
              {"created_ms", bots.front().created}};
    }
    list.push_back({{"account", member.account},
                    {"name", member.name},
                    {"joined_ms", member.joined},
                    {"bots", bots.size()},
                    {"last", last}});
  }
  return list;
}

Response class_page(const Call& call, Store& store, const Ladder& ladder) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return in.error();
  Json body = {{"class", class_json(*in, wall_now())}, {"ladder", ladder_json(*in, classes, ladder)}};
  body["git"] = find_git() ? Json(fmt::format("/git/{}", in->row.id)) : Json(nullptr);
  body["standings"] = Json::array();
  for (const BotRow& bot : classes.ladder(in->row.id)) body["standings"].push_back(standing_json(*in, bot));
  body["mine"] = Json::array();
  for (const BotRow& bot : classes.bots_of(in->row.id, in->viewer)) body["mine"].push_back(bot_json(bot));
  body["games"] = Json::array();
  for (const LadderGameRow& game : classes.games_of_class(in->row.id, 0, games_shown)) {
    body["games"].push_back(game_json(game));
  }
  body["assignments"] = assignment_list(*in, store);
  body["board_open"] = stored_board(classes.board(in->row.id)).open;
  body["exhibition"] = current_exhibition(*in, store);
  if (in->teacher) body["members"] = members_json(*in, classes);
  return tagged_json(call, body);
}

/// Where a page of games begins: before the game of the query; 0: at the last.
Result<LadderGameId> read_before(const Call& call) {
  const auto given = call.request.query.find("before");
  if (given == call.request.query.end()) return 0;
  const auto id = parse_int(given->second);
  if (!id || *id < 1) return fail(R"("before" must be the number of a game)");
  return *id;
}

Response bot_page(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return in.error();
  const auto bot = find_bot(classes, *in, call);
  if (!bot) return bot.error();
  const bool own = in->teacher || bot->person == in->viewer;
  const auto before = read_before(call);
  if (!before) return bad_request(before.error());
  Json body = {{"class", class_json(*in, wall_now())}, {"own", own}};
  body["bot"] = own ? bot_json(*bot) : standing_json(*in, *bot);
  const auto games = classes.games_of_bot(bot->id, *before, games_per_page);
  body["games"] = Json::array();
  for (const LadderGameRow& game : games) body["games"].push_back(game_json(game));
  body["next"] = nullptr;
  if (games.size() == games_per_page) body["next"] = games.back().id;
  return tagged_json(call, body);
}

LongAnswer bot_files(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return {in.error(), {}};
  const auto bot = find_bot(classes, *in, call);
  if (!bot) return {bot.error(), {}};
  if (!in->teacher && bot->person != in->viewer) {
    return {error_response(403, "not_yours", "only a bot's owner and the teacher can see its files"), {}};
  }
  Response response;
  response.body = R"({"files":)";
  return {std::move(response), [id = bot->id, sent = std::size_t{0}](Store& reader) mutable {
            const std::string text = ClassStore(reader).bot_files(id) + "}";
            std::optional<std::string> slice;
            if (sent < text.size()) slice = text.substr(sent, piece_bytes);
            sent += slice ? slice->size() : 0;
            return slice;
          }};
}

/// The record with the names that were kept beside it.
std::string named_record(const LadderGameRow& game, bool with_evidence) {
  auto records = play::parse_records(game.record);
  if (!records || records->size() != 1) return game.record;
  play::GameRecord& record = records->front();
  record.players = game.names;
  if (with_evidence) record.result.remark = game.evidence;
  return play::record_text(record);
}

Response game_page(const Call& call, Store& store) {
  ClassStore classes(store);
  const auto in = enter_class(classes, call);
  if (!in) return in.error();
  const auto id = parse_int(call.params.at("game"));
  const auto game = id ? classes.game(in->row.id, *id) : std::nullopt;
  if (!game) return error_response(404, "no_game", "there is no such game in this class");
  Json body = game_json(*game);
  Json logs = Json::array();
  bool own = in->teacher;
  for (std::size_t side = 0; side < 2; ++side) {
    const bool mine = game->persons.at(side) != 0 && game->persons.at(side) == in->viewer;
    own = own || mine;
    logs.push_back(in->teacher || mine ? Json(game->logs.at(side)) : Json(nullptr));
  }
  body["record"] = named_record(*game, own);
  body["evidence"] = own ? Json(game->evidence) : Json(nullptr);
  body["logs"] = logs;
  return json_response(body);
}

}  // namespace

Response tagged_json(const Call& call, const Json& body) {
  Response response = json_response(body);
  const std::string tag = fmt::format("\"{:016x}\"", std::hash<std::string>()(response.body));
  response.headers.emplace_back("ETag", tag);
  response.headers.emplace_back("Cache-Control", "private, no-cache");
  if (call.request.header("if-none-match").find(tag) != std::string_view::npos) {
    response.status = 304;
    response.body.clear();
  }
  return response;
}

std::vector<Route> class_page_routes(const Ladder& ladder) {
  const auto page = [&ladder](const Call& call, Store& store) { return class_page(call, store, ladder); };
  return {
      {"GET", "/api/classes", Rate::reading, Need::person, SlowHandler{my_classes}},
      {"GET", "/api/classes/{class}", Rate::reading, Need::person, SlowHandler{page}},
      {"GET", "/api/classes/{class}/bots/{bot}", Rate::reading, Need::person, SlowHandler{bot_page}},
      {"GET", "/api/classes/{class}/bots/{bot}/files", Rate::reading, Need::person, LongHandler{bot_files}},
      {"GET", "/api/classes/{class}/games/{game}", Rate::reading, Need::person, SlowHandler{game_page}},
  };
}

}  // namespace paika::server
