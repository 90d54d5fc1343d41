// Games, rules, demonstrations, languages: what is built in comes out whole.
#include "base/catalogue.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/registry.hpp"
#include "play/demo.hpp"
#include "rules/search_traits.hpp"
#include "tests/server/api/caller.hpp"
#include "tests/support/files.hpp"
#include "tests/support/must.hpp"

namespace paika {
namespace {

using paika_tests::Answered;
using paika_tests::api;

TEST(PositionRoutes, have_patterns_of_their_own) {
  std::set<std::string> seen;
  for (const server::Route& route : api().routes()) {
    EXPECT_TRUE(seen.insert(route.method + route.pattern).second) << route.pattern;
    EXPECT_TRUE(route.pattern.starts_with("/api/"));
    EXPECT_EQ(route.need, server::Need::nobody);
  }
  EXPECT_EQ(seen.size(), 20U);
}

TEST(Games, are_listed_with_their_canonical_spec) {
  const Answered answer = api().get("/api/games");
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.type, "application/json");
  const Json games = answer.json().at("games");
  ASSERT_EQ(games.size(), 4U);
  for (const Json& game : games) {
    const auto opened = open_game(game.at("spec").get<std::string>());
    ASSERT_TRUE(opened);
    EXPECT_EQ((*opened)->notation().spec(), game.at("spec"));
    EXPECT_EQ((*opened)->info().name, game.at("name"));
    EXPECT_EQ(api().get("/api/games/{name}", {{"name", game.at("name").get<std::string>()}}).json(), game);
  }
  EXPECT_EQ(games.at(2).at("spec"), "othello:8x8");
}

TEST(Games, answer_to_their_other_names_and_nothing_else) {
  EXPECT_EQ(api().get("/api/games/{name}", {{"name", "BlackWhite"}}).json().at("name"), "othello");
  const Answered none = api().get("/api/games/{name}", {{"name", "chess"}});
  EXPECT_EQ(none.status, 404);
  EXPECT_EQ(none.code(), "not_found");
  const Json levels = api().get("/api/games").json().at("levels");
  ASSERT_EQ(levels.size(), static_cast<std::size_t>(full_level));
  std::set<std::string> names;
  for (const Json& level : levels) {
    EXPECT_EQ(level.at("level"), names.size() + 1);
    names.insert(level.at("name").get<std::string>());
    EXPECT_FALSE(level.at("description").get<std::string>().empty());
  }
  EXPECT_EQ(names.size(), levels.size()) << "names differ";
  EXPECT_EQ(api().get("/api/games", {}, {{"nmae", "x"}}).status, 400);
  EXPECT_EQ(api().get("/api/games/{name}", {{"name", "othello"}}, {{"x", ""}}).code(), "bad_request");
}

TEST(Rules, are_the_documents_themselves) {
  for (const GameInfo* info : all_games()) {
    // Malagasy has no translation of them: that is answered in English, and says so.
    for (const auto& [asked, folder, language] :
         {std::tuple{"en", "", "en"}, std::tuple{"fr", "fr/", "fr"}, std::tuple{"mg", "", "en"}}) {
      const Answered answer = api().get("/api/games/{name}/rules", {{"name", info->name}}, {{"lang", asked}});
      ASSERT_EQ(answer.status, 200);
      EXPECT_EQ(answer.body,
                paika_tests::read_whole(std::string(PAIKA_SOURCE_DIR) + "/docs/rules/" + folder + info->name + ".md"));
      EXPECT_EQ(answer.type, "text/markdown; charset=utf-8");
      EXPECT_EQ(answer.header("Content-Language"), language);
      EXPECT_EQ(answer.header("Cache-Control"), "public, max-age=3600");
    }
  }
  EXPECT_EQ(api().get("/api/games/{name}/rules", {{"name", "2pw"}}).status, 200);
  EXPECT_EQ(api().get("/api/games/{name}/rules", {{"name", "go"}}).status, 404);
  EXPECT_EQ(api().get("/api/games/{name}/rules", {{"name", "othello"}}, {{"lang", "xx"}}).status, 400);
}

TEST(Pages, are_not_sent_to_who_has_them) {
  const Answered first = api().get("/api/games");
  const std::string tag = first.header("ETag");
  ASSERT_GE(tag.size(), 4U);
  const Answered again = api().get("/api/games", {}, {}, {{"if-none-match", "\"other\", " + tag}});
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.body.empty());
  EXPECT_EQ(api().get("/api/games", {}, {}, {{"if-none-match", "\"other\""}}).status, 200);
  EXPECT_NE(api().get("/api/languages").header("ETag"), tag);
}

TEST(Languages, are_listed_and_have_their_messages) {
  EXPECT_EQ(api().get("/api/languages").body, R"({"languages":["en","fr","mg"]})");
  EXPECT_EQ(api().get("/api/messages/{lang}", {{"lang", "en"}}).body, "{}");
  for (const char* code : {"fr", "mg"}) {
    const Answered answer = api().get("/api/messages/{lang}", {{"lang", code}});
    const Catalogue catalogue = paika_tests::must(catalogue_of(code), code);
    EXPECT_EQ(answer.header("Content-Language"), code);
    const Json messages = answer.json();
    EXPECT_EQ(messages.size(), catalogue.size());
    EXPECT_EQ(messages.at("White"), catalogue.say(phrase_of("White")));
  }
  const Answered none = api().get("/api/messages/{lang}", {{"lang", "../en"}});
  EXPECT_EQ(none.status, 404);
  EXPECT_EQ(none.code(), "not_found");
}

TEST(Demos, are_listed_by_game_and_language) {
  const Json all = api().get("/api/demos").json().at("demos");
  EXPECT_EQ(all.size(), play::demo_names().size());
  const Json some = api().get("/api/demos", {}, {{"game", "2pw"}, {"lang", "fr"}}).json().at("demos");
  EXPECT_GT(some.size(), 0U);
  EXPECT_LT(some.size(), all.size());
  for (const Json& demo : some) EXPECT_EQ(demo.at("game"), "wildebeest");
  EXPECT_EQ(api().get("/api/demos", {}, {{"game", "chess"}}).status, 404);
  EXPECT_EQ(api().get("/api/demos", {}, {{"lang", "chess"}}).status, 400);
}

TEST(Demos, tell_the_turns_one_after_the_other) {
  for (const std::string& name : play::demo_names()) {
    const Json demo = api().get("/api/demos/{name}", {{"name", name}}).json();
    const auto game = open_game(demo.at("spec").get<std::string>());
    ASSERT_TRUE(game);
    auto session = paika_tests::must((*game)->start_from_text(demo.at("start").get<std::string>()), name);
    for (const Json& step : demo.at("steps")) {
      if (step.at("move").is_null()) {
        EXPECT_TRUE(step.at("refusal").is_null());
        EXPECT_TRUE(step.at("effects").empty());
        continue;
      }
      const auto played = session->try_play(step.at("move").get<std::string>());
      EXPECT_EQ(played.has_value(), step.at("refusal").is_null()) << name << step;
      if (!played) {
        EXPECT_EQ(step.at("refusal").at("clause"), played.error().clause);
      }
      EXPECT_EQ(step.at("effects").empty(), !played);
      EXPECT_EQ(step.at("effects").size(), step.at("sentences").size());
      EXPECT_EQ(step.at("position"), session->position_text());
    }
  }
}

TEST(Demos, speak_languages) {
  const Json demo = api().get("/api/demos/{name}", {{"name", "fanorona-chain"}}, {{"lang", "fr"}}).json();
  EXPECT_EQ(demo.at("title"), "Une chaîne de prises");
  bool refused = false;
  for (const Json& step : demo.at("steps")) {
    if (step.at("refusal").is_null()) continue;
    refused = true;
    EXPECT_EQ(step.at("refusal").at("rules"), "docs/rules/fanorona.md");
    EXPECT_NE(step.at("refusal").at("message").get<std::string>().find("chaîne"), std::string::npos);
  }
  EXPECT_TRUE(refused);
  const Answered none = api().get("/api/demos/{name}", {{"name", "nothing"}});
  EXPECT_EQ(none.status, 404);
  EXPECT_NE(none.message().find("fanorona-chain"), std::string::npos);
}

}  // namespace
}  // namespace paika
