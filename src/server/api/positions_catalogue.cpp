// Games, rules, demonstrations, languages and messages: everything that is built in, written out once.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "engine/effect_text.hpp"
#include "engine/json.hpp"
#include "engine/level_names.hpp"
#include "engine/registry.hpp"
#include "engine/rules_text.hpp"
#include "play/demo.hpp"
#include "rules/spec.hpp"
#include "server/api/positions_parts.hpp"
#include "server/api/positions_request.hpp"

namespace paika::server {

namespace {

constexpr const char* json_type = "application/json";
constexpr const char* markdown_type = "text/markdown; charset=utf-8";

/// By what a page is about and, where there are several, the language: {"fanorona-chain", "fr"}.
using Pages = std::map<std::pair<std::string, std::string>, Page, std::less<>>;

void add_page(Pages& pages, std::string what, std::string language, const Json& json) {
  Page page(json_type, json.dump(), language);
  pages.emplace(std::pair(std::move(what), std::move(language)), std::move(page));
}

// ---- Games and rules ----

Json game_json(const GameInfo& info) {
  const auto game = open_game(info.name);
  PAIKA_CHECK(game.has_value());
  Json json = to_json(info);
  json["spec"] = (*game)->notation().spec();
  return json;
}

struct GamePages {
  Pages games;  // "" for the list
  Pages rules;
};

GamePages write_games() {
  GamePages pages;
  Json list = Json::array();
  for (const GameInfo* info : all_games()) {
    list.push_back(game_json(*info));
    add_page(pages.games, info->name, "", list.back());
    for (const Language& language : all_languages()) {
      const auto rules = rules_in(info->name, language.code);
      if (!rules) continue;  // a game of another program's list need not have its document here
      pages.rules.emplace(std::pair(info->name, language.code),
                          Page(markdown_type, std::string(rules->markdown), rules->language));
    }
  }
  Json levels = Json::array();
  for (int level = weakest_level; level <= full_level; ++level) {
    const LevelName& name = level_name(level);
    levels.push_back({{"level", level}, {"name", name.name}, {"description", name.description}});
  }
  add_page(pages.games, "", "", {{"games", list}, {"levels", levels}});
  return pages;
}

const GamePages& game_pages() {
  static const GamePages pages = write_games();
  return pages;
}

Response one_game(const Call& call) {
  if (const auto known = only_fields(query_object(call), {}); !known) return bad_request(known.error());
  const auto info = find_game(call.params.at("name"));
  if (!info) return not_found(info.error());
  return give(call, game_pages().games.at({(*info)->name, ""}));
}

Response rules_of(const Call& call) {
  const Json query = query_object(call);
  if (const auto known = only_fields(query, {"lang"}); !known) return bad_request(known.error());
  // Whoever asks for a language that the document is not translated into gets English, and is told so.
  const auto language = read_language(query);
  if (!language) return language.error();
  const auto info = find_game(call.params.at("name"));
  if (!info) return not_found(info.error());
  const auto page = game_pages().rules.find(std::pair((*info)->name, language->code));
  if (page == game_pages().rules.end()) return not_found(fail("{} has no rules document", (*info)->name).value());
  return give(call, page->second);
}

// ---- Demonstrations ----

Json demo_step_json(Session& session, const play::DemoStep& step, const Language& language) {
  const Notation& notation = session.notation();
  const Board before = session.board();
  Json json{{"caption", step.caption.in(language.code)}};
  json["move"] = step.text.empty() ? Json(nullptr) : Json(step.text);
  const Turn& turn = step.turn ? *step.turn : step.refused ? *step.refused : Turn();
  json["steps"] = turn_json(notation, turn);
  std::vector<Effect> effects;
  if (step.turn) {
    effects = notation.effects(before, turn);
    session.play(turn);
  }
  json["effects"] = effects_json(notation, effects);
  json["sentences"] = effect_sentences(notation, before, effects, *language.catalogue);
  json["position"] = session.position_text();
  json["refusal"] = step.refusal ? refusal_in(language, notation, *step.refusal) : Json(nullptr);
  return json;
}

Json demo_heading(const play::Demo& demo, const Language& language) {
  return {{"name", demo.name},
          {"game", demo.game->info().name},
          {"spec", demo.game->notation().spec()},
          {"title", demo.title.in(language.code)}};
}

Json demo_json(const play::Demo& demo, const Language& language) {
  Json json = demo_heading(demo, language);
  json["start"] = demo.game->notation().position_text(demo.start);
  const auto session = demo.game->start_from(demo.start);
  Json& steps = json["steps"] = Json::array();
  for (const play::DemoStep& step : demo.steps) steps.push_back(demo_step_json(*session, step, language));
  return json;
}

struct DemoPages {
  Pages demos;
  Pages lists;  // by the name of a game; "" for all
};

DemoPages write_demos() {
  DemoPages pages;
  std::vector<play::Demo> demos;
  for (const std::string& name : play::demo_names()) {
    auto demo = play::find_demo(name);
    PAIKA_CHECK(demo.has_value());
    demos.push_back(std::move(*demo));
  }
  std::vector<std::string> games = {""};
  for (const GameInfo* info : all_games()) games.push_back(info->name);
  for (const Language& language : all_languages()) {
    for (const play::Demo& demo : demos) add_page(pages.demos, demo.name, language.code, demo_json(demo, language));
    for (const std::string& game : games) {
      Json list = Json::array();
      for (const play::Demo& demo : demos) {
        if (game.empty() || demo.game->info().name == game) list.push_back(demo_heading(demo, language));
      }
      add_page(pages.lists, game, language.code, {{"demos", list}});
    }
  }
  return pages;
}

const DemoPages& demo_pages() {
  static const DemoPages pages = write_demos();
  return pages;
}

Response demo_list(const Call& call) {
  const Json query = query_object(call);
  if (const auto known = only_fields(query, {"game", "lang"}); !known) return bad_request(known.error());
  const auto language = read_language(query);
  if (!language) return language.error();
  const auto game = read_text(query, "game");
  if (!game) return game.error();
  std::string name;
  if (!game->empty()) {
    const auto info = find_game(*game);
    if (!info) return not_found(info.error());
    name = (*info)->name;
  }
  return give(call, demo_pages().lists.at({name, language->code}));
}

Response one_demo(const Call& call) {
  const Json query = query_object(call);
  if (const auto known = only_fields(query, {"lang"}); !known) return bad_request(known.error());
  const auto language = read_language(query);
  if (!language) return language.error();
  const std::string& name = call.params.at("name");
  const auto found = demo_pages().demos.find(std::pair(name, language->code));
  if (found != demo_pages().demos.end()) return give(call, found->second);
  return not_found(Error{
      fmt::format("there is no demonstration {}; there are {}", in_quotes(name), listed(play::demo_names(), "and"))});
}

// ---- Languages ----

Pages write_messages() {
  Pages pages;
  for (const Language& language : all_languages()) {
    Json messages = Json::object();
    for (const auto& [english, translation] : language.catalogue->patterns()) messages[english] = translation;
    add_page(pages, "", language.code, messages);
  }
  return pages;
}

const Pages& message_pages() {
  static const Pages pages = write_messages();
  return pages;
}

Response messages_of(const Call& call) {
  if (const auto known = only_fields(query_object(call), {}); !known) return bad_request(known.error());
  const auto found = message_pages().find(std::pair(std::string(), call.params.at("lang")));
  if (found != message_pages().end()) return give(call, found->second);
  return not_found(Error{fmt::format("there is no language {}; the languages are {}", in_quotes(call.params.at("lang")),
                                     listed(languages(), "and"))});
}

/// A handler that always gives one page.
QuickHandler constant(const Page& (*page)()) {
  return [page](const Call& call) {
    if (const auto known = only_fields(query_object(call), {}); !known) return bad_request(known.error());
    return give(call, page());
  };
}

const Page& language_page() {
  static const Page page(json_type, Json{{"languages", languages()}}.dump(), "");
  return page;
}
const Page& game_list() { return game_pages().games.at({"", ""}); }

}  // namespace

std::vector<Route> catalogue_routes(const PositionApi& api) {
  // A server writes them now and not at the first request: that would make the network wait.
  if (api.write_now) {
    std::ignore = game_pages();
    std::ignore = demo_pages();
    std::ignore = message_pages();
  }
  const auto route = [](std::string pattern, QuickHandler handler) {
    return Route{"GET", std::move(pattern), Rate::reading, Need::nobody, std::move(handler)};
  };
  return {route("/api/languages", constant(language_page)),
          route("/api/messages/{lang}", messages_of),
          route("/api/games", constant(game_list)),
          route("/api/games/{name}", one_game),
          route("/api/games/{name}/rules", rules_of),
          route("/api/demos", demo_list),
          route("/api/demos/{name}", one_demo)};
}

}  // namespace paika::server
