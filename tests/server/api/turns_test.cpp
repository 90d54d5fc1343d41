// Positions and turns over the API: the same as the engine says, and every bad input has its answer.
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/json.hpp"
#include "tests/server/api/caller.hpp"
#include "tests/support/play_on.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::Answered;
using paika_tests::api;
using paika_tests::play_on;
using paika_tests::session_at;

Json at(const Session& session) { return {{"spec", session.notation().spec()}, {"position", session.position_text()}}; }

void expect_error(const Answered& answer, int status, const std::string& code) {
  EXPECT_EQ(answer.status, status) << answer.body;
  ASSERT_TRUE(answer.json().contains("error")) << answer.body;
  EXPECT_EQ(answer.code(), code);
  EXPECT_FALSE(answer.message().empty());
}

// ---- A position ----

TEST(Position, is_described) {
  const Answered answer = api().post("/api/position", {{"spec", "fanorona"}});
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json json = answer.json();
  const Json expected = session_json(*session_at("fanorona"));
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(json.at(key), value) << key;
  EXPECT_EQ(json.at("mover"), "first");
  EXPECT_EQ(json.at("cells").size(), 44U);
  EXPECT_EQ(json.at("cells").at(0).dump(), R"({"square":"a5","glyph":"b","owner":"second","kind":"o"})");
  EXPECT_EQ(json.at("facts").dump(), R"(["Moves left : 50"])");
  EXPECT_EQ(json.at("sentence"), "White to move");
  EXPECT_EQ(json.at("moves_played"), 0);
}

TEST(Position, tells_what_pieces_are_at_the_moment) {
  const Json where{{"spec", "abalone:4x4,freeze"}, {"position", "(b --b- bb-- b-ww bwww)"}};
  EXPECT_EQ(api().post("/api/position", where).json().at("badges").dump(),
            R"([{"square":"a4","badge":"frozen"},{"square":"b2","badge":"frozen"}])");
  Json turn = where;
  turn["move"] = "a2a1";
  EXPECT_TRUE(api().post("/api/position/play", turn).json().at("badges").is_array());
  EXPECT_EQ(api().post("/api/position", {{"spec", "othello"}}).json().at("badges").size(), 0U);
}

TEST(Position, is_set_up_by_hand) {
  const Json rows = {"......", "......", "..XO..", "..OX..", "......", "......"};
  const Json json = api().post("/api/position", {{"spec", "othello:6x6"}, {"grid", rows}, {"mover", "second"}}).json();
  EXPECT_EQ(json.at("position"), "--------------XO----OX-------------- O");
  Json bad = {{"spec", "othello:6x6"}, {"grid", rows}, {"mover", "third"}};
  expect_error(api().post("/api/position", bad), 400, "bad_request");
  bad["mover"] = "first";
  bad["position"] = "--------------XO----OX-------------- O";
  expect_error(api().post("/api/position", bad), 400, "bad_request");
  bad.erase("position");
  bad["grid"][0] = "?.....";
  expect_error(api().post("/api/position", bad), 422, "bad_position");
}

TEST(Position, follows_moves_and_speaks_languages) {
  const Json json = api().post("/api/position", {{"spec", "othello"}, {"moves", {"d3", "c5"}}, {"lang", "fr"}}).json();
  EXPECT_EQ(json.at("moves_played"), 2);
  EXPECT_EQ(json.at("to_move"), "Black");
  EXPECT_NE(json.at("sentence").get<std::string>().find("Noir"), std::string::npos);
}

TEST(Position, takes_the_size_of_a_board_from_its_text) {
  const auto session = session_at("othello:10x10");
  EXPECT_EQ(
      api().post("/api/position", {{"spec", "othello"}, {"position", session->position_text()}}).json().at("spec"),
      "othello:10x10");
}

TEST(Position, tells_how_a_game_ended) {
  const Json json =
      api().post("/api/position", {{"spec", "fanorona:3x3,limit=10"}, {"position", "w../.../..b w 10"}}).json();
  EXPECT_EQ(json.at("outcome").at("verdict"), "draw");
  EXPECT_EQ(json.at("sentence"), json.at("outcome").at("sentence"));
  EXPECT_EQ(json.at("legal_moves"), 0);
}

TEST(Position, refuses_what_cannot_be) {
  expect_error(api().post("/api/position", Json::object()), 400, "bad_request");
  expect_error(api().post("/api/position", {{"spec", "chess"}}), 400, "bad_spec");
  expect_error(api().post("/api/position", {{"spec", "fanorona:4x4"}}), 400, "bad_spec");
  expect_error(api().post("/api/position", {{"spec", "fanorona:3x3"}, {"position", "www/www/www w 0"}}), 422,
               "bad_position");
  expect_error(api().post("/api/position", {{"spec", "fanorona"}, {"position", "rubbish"}}), 422, "bad_position");
  expect_error(api().post("/api/position", {{"spec", "fanorona"}, {"postion", "x"}}), 400, "bad_request");
  expect_error(api().post("/api/position", {{"spec", 3}}), 400, "bad_request");
  expect_error(api().post("/api/position", {{"spec", "othello"}, {"position", Json::array()}}), 400, "bad_request");
  expect_error(api().post("/api/position", {{"spec", "othello"}, {"moves", "d3"}}), 400, "bad_request");
  expect_error(api().post("/api/position", {{"spec", "othello"}, {"moves", {1, 2}}}), 400, "bad_request");
  expect_error(api().post("/api/position", {{"spec", "othello"}, {"lang", "de"}}), 400, "bad_request");
  expect_error(api().post("/api/position", {{"spec", std::string(10'001, 'a')}}), 400, "bad_request");
  expect_error(api().post("/api/position", {{"spec", "othello"}, {"moves", std::vector<std::string>(2001, "d3")}}), 400,
               "bad_request");
  expect_error(api().post("/api/position", {{"spec", "othello"}, {"moves", {std::string(10'001, 'a')}}}), 400,
               "bad_request");
}

TEST(Position, names_the_move_that_is_refused) {
  const Answered answer = api().post("/api/position", {{"spec", "othello"}, {"moves", {"d3", "a1"}}});
  expect_error(answer, 422, "illegal");
  const Json error = answer.json().at("error");
  EXPECT_EQ(error.at("move"), 2);
  EXPECT_EQ(error.at("clause"), "2.1");
  EXPECT_EQ(error.at("rules"), "docs/rules/othello.md");
  EXPECT_EQ(error.at("squares").dump(), R"(["a1"])");
}

// ---- Its turns ----

class Turns : public testing::TestWithParam<std::string> {};

/// All turns that lie below a prefix, found by `next` alone.
void walk(const Session& session, Json prefix, std::multiset<std::string>& found) {
  Json body = at(session);
  body["prefix"] = prefix;
  body["limit"] = 0;
  const Json json = api().post("/api/position/moves", body).json();
  EXPECT_EQ(json.at("prefix"), prefix);
  EXPECT_TRUE(json.at("moves").empty());
  if (!json.at("move").is_null()) found.insert(json.at("move").get<std::string>());
  for (Json step : json.at("next")) {
    const Json text = step.at("move");
    step.erase("move");
    Json longer = prefix;
    longer.push_back(step);
    std::multiset<std::string> below;
    walk(session, longer, below);
    EXPECT_FALSE(below.empty());
    EXPECT_EQ(!text.is_null(), !text.is_null() && below.contains(text.get<std::string>()));
    found.merge(below);
  }
}

TEST_P(Turns, are_those_of_the_engine) {
  Random random(4);
  const auto session = session_at(GetParam());
  for (int i = 0; i < 4 && !session->outcome().over(); ++i) {
    Json body = at(*session);
    body["limit"] = 1000;
    body["effects"] = true;
    const Json json = api().post("/api/position/moves", body).json();
    std::size_t number = 0;
    const Board board = session->board();
    std::multiset<std::string> texts;
    session->for_each_turn([&](const ListedTurn& turn) {
      EXPECT_LT(number, json.at("moves").size());
      const Json& told = json.at("moves").at(number++);
      EXPECT_EQ(told.at("move"), turn.text);
      EXPECT_EQ(told.at("steps"), turn_json(session->notation(), turn.steps));
      EXPECT_EQ(told.at("position"), turn.position_after);
      EXPECT_EQ(told.at("effects"), effects_json(session->notation(), session->notation().effects(board, turn.steps)));
      texts.insert(turn.text);
      return true;
    });
    EXPECT_EQ(number, json.at("moves").size());
    EXPECT_EQ(json.at("complete"), true);
    EXPECT_EQ(json.at("truncated"), false);
    EXPECT_TRUE(json.at("move").is_null());
    std::multiset<std::string> walked;
    walk(*session, Json::array(), walked);
    EXPECT_EQ(walked, texts);
    play_on(*session, 4, random);
  }
}

INSTANTIATE_TEST_SUITE_P(Games, Turns, testing::Values("fanorona:5x3", "abalone", "othello:6x6", "wildebeest"));

TEST(TurnList, is_cut_where_the_client_wants) {
  const Json json = api().post("/api/position/moves", {{"spec", "wildebeest"}, {"limit", 7}}).json();
  EXPECT_EQ(json.at("moves").size(), 7U);
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("truncated"), false);
  EXPECT_FALSE(json.at("moves").at(0).contains("effects"));
}

TEST(TurnList, refuses_bad_prefixes) {
  const auto ask = [](const Json& prefix) {
    return api().post("/api/position/moves", {{"spec", "fanorona"}, {"prefix", prefix}});
  };
  for (const Json& prefix : std::vector<Json>{"a1",
                                              {1},
                                              {Json::object()},
                                              {{{"step", "jump"}}},
                                              {{{"step", "from"}}},
                                              {{{"step", "from"}, {"square", "z9"}}},
                                              {{{"step", "from"}, {"square", "a1a2"}}},
                                              {{{"step", "approach"}, {"square", "a1"}}},
                                              {{{"step", "from"}, {"square", "a1"}, {"x", 1}}},
                                              {{{"step", 3}}},
                                              {{{"step", "from"}, {"square", 3}}},
                                              Json(std::vector<Json>(401, Json{{"step", "pass"}}))}) {
    expect_error(ask(prefix), 400, "bad_request");
  }
  const Json nothing = ask({{{"step", "pass"}}}).json();
  EXPECT_TRUE(nothing.at("next").empty());
  EXPECT_TRUE(nothing.at("moves").empty());
  EXPECT_EQ(nothing.at("complete"), true);
  expect_error(api().post("/api/position/moves", {{"spec", "fanorona"}, {"limit", 1001}}), 400, "bad_request");
  expect_error(api().post("/api/position/moves", {{"spec", "fanorona"}, {"limit", -1}}), 400, "bad_request");
  expect_error(api().post("/api/position/moves", {{"spec", "fanorona"}, {"effects", 1}}), 400, "bad_request");
}

TEST(TurnList, is_honest_where_there_are_too_many) {
  const char* many =
      "bb..bb..bb..b/.bb..bb..bb../..bb..bb..bb./b..bb..bb..bb/bb..bb..bb..b/.bb..bb..bb../..bb..wb..bb./"
      "b..bb..bb..bb/bb..bb..bb..b/.bb..bb..bb../..bb..bb..bb./b..bb..bb..bb/bb..bb..bb..b w 0";
  const Json body{{"spec", "fanorona:13x13"}, {"position", many}, {"limit", 1000}, {"effects", true}};
  const Answered answer = api().post("/api/position/moves", body);
  const Json json = answer.json();
  EXPECT_EQ(json.at("complete"), false);
  EXPECT_EQ(json.at("truncated"), false) << "the rules were asked";
  EXPECT_EQ(json.at("next").size(), 1U);
  EXPECT_GT(json.at("moves").size(), 0U);
  EXPECT_LT(answer.body.size(), 2'000'000U);
  const Json all = api().post("/api/position", {{"spec", "fanorona:13x13"}, {"position", many}}).json();
  EXPECT_GT(all.at("legal_moves").get<int>(), 200'000);
}

TEST(TurnList, is_empty_when_the_game_is_over) {
  const Json json =
      api().post("/api/position/moves", {{"spec", "fanorona:3x3,limit=10"}, {"position", "w../.../..b w 10"}}).json();
  EXPECT_TRUE(json.at("moves").empty());
  EXPECT_TRUE(json.at("next").empty());
  EXPECT_EQ(json.at("complete"), true);
}

// ---- Playing ----

TEST_P(Turns, are_played_as_text_and_as_steps) {
  Random random(8);
  const auto session = session_at(GetParam());
  for (int i = 0; i < 6 && !session->outcome().over(); ++i) {
    std::vector<ListedTurn> all;
    session->for_each_turn([&](const ListedTurn& turn) {
      all.push_back(turn);
      return true;
    });
    const ListedTurn& turn = all[random.index(all.size())];
    Json body = at(*session);
    body["move"] = turn.text;
    const Json json = api().post("/api/position/play", body).json();
    EXPECT_EQ(json.at("move"), turn.text);
    EXPECT_EQ(json.at("position"), turn.position_after);
    EXPECT_EQ(json.at("effects").size(), json.at("sentences").size());
    body.erase("move");
    body["steps"] = turn_json(session->notation(), turn.steps);
    EXPECT_EQ(api().post("/api/position/play", body).json(), json);
    session->play(turn.steps);
    EXPECT_EQ(json.at("grid"), grid_json(session->notation(), session->board()));
    Json outcome = json.at("outcome");
    EXPECT_EQ(outcome.contains("cause"), session->outcome().over());
    outcome.erase("cause");
    EXPECT_EQ(outcome, outcome_json(session->notation(), session->board(), session->outcome()));
  }
}

TEST(Playing, is_refused_with_the_clause) {
  const Answered chain = api().post("/api/position/play", {{"spec", "fanorona:5x5,sacrifice=off"},
                                                           {"position", "....b/...../b.b../..b../w.... w 0"},
                                                           {"move", "a1b2A,a1W"}});
  expect_error(chain, 422, "illegal");
  EXPECT_EQ(chain.json().at("error").at("clause"), "2.4");
  EXPECT_FALSE(chain.json().at("error").contains("move"));
  expect_error(api().post("/api/position/play", {{"spec", "othello"}, {"move", "zzz"}}), 422, "illegal");
  expect_error(
      api().post("/api/position/play", {{"spec", "othello"}, {"steps", {{{"step", "place"}, {"square", "a1"}}}}}), 422,
      "illegal");
  expect_error(api().post("/api/position/play",
                          {{"spec", "fanorona:3x3,limit=10"}, {"position", "w../.../..b w 10"}, {"move", "a3b3"}}),
               422, "illegal");
}

TEST(Playing, wants_one_turn) {
  expect_error(api().post("/api/position/play", {{"spec", "othello"}}), 400, "bad_request");
  expect_error(api().post("/api/position/play", {{"spec", "othello"}, {"steps", Json::array()}}), 400, "bad_request");
  expect_error(api().post("/api/position/play",
                          {{"spec", "othello"}, {"move", "d3"}, {"steps", {{{"step", "place"}, {"square", "d3"}}}}}),
               400, "bad_request");
}

TEST(Playing, refuses_in_the_language_that_was_asked_for) {
  const Json turn{{"spec", "othello"}, {"move", "a1"}};
  Json french = turn;
  french["lang"] = "fr";
  const Answered english_answer = api().post("/api/position/play", turn);
  const Answered french_answer = api().post("/api/position/play", french);
  expect_error(french_answer, 422, "illegal");
  EXPECT_NE(french_answer.message(), english_answer.message());
  EXPECT_EQ(french_answer.json().at("error").at("clause"), english_answer.json().at("error").at("clause"));
}

TEST(Playing, speaks_languages) {
  const Json json = api().post("/api/position/play", {{"spec", "othello"}, {"move", "d3"}, {"lang", "fr"}}).json();
  EXPECT_NE(json.at("sentences").at(0).get<std::string>().find("Noir"), std::string::npos);
}

// ---- Moves that end the game ----

/// The listed moves that lose at once for who plays them.
std::map<std::string, Json> losing_moves(const Json& where, const std::string& verdict) {
  std::map<std::string, Json> found;
  const Json listed = api().post("/api/position/moves", where).json();
  for (const Json& move : listed.at("moves")) {
    if (move.contains("outcome") && move.at("outcome").at("verdict") == verdict) {
      found.emplace(move.at("move").get<std::string>(), move.at("outcome"));
    }
  }
  return found;
}

TEST(Ends, most_first_moves_of_wildebeest_lose_and_say_why) {
  const auto losing = losing_moves({{"spec", "wildebeest"}}, "second_wins");
  EXPECT_EQ(losing.size(), 23U);
  for (const auto& [move, outcome] : losing) {
    EXPECT_EQ(outcome.at("reason"), "king_lost") << move;
    EXPECT_EQ(outcome.at("clause"), "6.1") << move;
    const std::vector<std::string> cause = outcome.at("cause").get<std::vector<std::string>>();
    ASSERT_EQ(cause.size(), 2U) << move;
    EXPECT_EQ(cause[0], "White's Prince Joey on f1 explodes: 10 pieces in its row (5.4)") << move;
    EXPECT_EQ(cause[1], "White's Prince Joey on f1 explodes and destroys White's King on f0 (5.4)") << move;
  }
  const Json french = losing_moves({{"spec", "wildebeest"}, {"lang", "fr"}}, "second_wins").begin()->second;
  EXPECT_NE(french.at("cause").at(0).get<std::string>().find("explose : 10"), std::string::npos) << french;
}

TEST(Ends, a_move_tells_its_outcome_when_listed_as_when_played) {
  Random random(5);
  for (const char* spec : {"fanorona:3x3", "abalone:3x3,captures=1", "othello:6x6", "wildebeest"}) {
    int ends = 0;
    for (int game = 0; game < 40 && ends < 3; ++game) {
      const auto session = session_at(spec);
      play_on(*session, 1 + static_cast<int>(random.below(32)), random);
      const Json where = at(*session);
      const Json listed = api().post("/api/position/moves", where).json();
      for (const Json& move : listed.at("moves")) {
        Json turn = where;
        turn["move"] = move.at("move");
        const Json played = api().post("/api/position/play", turn).json().at("outcome");
        ASSERT_EQ(move.contains("outcome"), played.at("verdict") != "ongoing") << spec << turn;
        if (!move.contains("outcome")) continue;
        ++ends;
        EXPECT_EQ(move.at("outcome"), played) << spec << turn;
        // One piece decided it: the last stone, the last marble, the king; nobody's where a player only cannot move.
        const std::string reason = played.at("reason").get<std::string>();
        const bool taken = reason == "eliminated" || reason == "captures" || reason == "king_lost";
        EXPECT_EQ(!played.at("cause").empty(), taken) << spec << played;
      }
    }
    EXPECT_GT(ends, 0) << spec;
  }
}

}  // namespace
}  // namespace paika
