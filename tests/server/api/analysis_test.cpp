// Analysis and values over the API: streams that end, bounds that hold, tables that are told.
#include <chrono>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <thread>

#include "engine/solver.hpp"
#include "engine/tables.hpp"
#include "rules/search_traits.hpp"
#include "server/api/position_site.hpp"
#include "tests/server/api/caller.hpp"
#include "tests/support/cpu_time.hpp"
#include "tests/support/session.hpp"
#include "tests/support/tables.hpp"

namespace paika {
namespace {

using paika_tests::api;
using paika_tests::Caller;

constexpr const char* analysis = "/api/position/analysis";
constexpr const char* values = "/api/position/values";

TEST(Analysis, tells_depths_and_then_the_best_turn) {
  const auto [lines, error] = api().stream(analysis, {{"spec", "othello"}, {"time_ms", 400}, {"lines", 3}});
  ASSERT_FALSE(error);
  ASSERT_GE(lines.size(), 2U);
  int depth = 0;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    EXPECT_FALSE(lines[i].contains("done"));
    EXPECT_GE(lines[i].at("depth").get<int>(), depth);
    depth = lines[i].at("depth").get<int>();
    ASSERT_GE(lines[i].at("lines").size(), 1U);
  }
  const Json& last = lines.back();
  EXPECT_EQ(last.at("done"), true);
  EXPECT_EQ(last.at("best"), last.at("lines").at(0).at("moves").at(0));
  EXPECT_EQ(last.at("lines").size(), 3U);
  EXPECT_FALSE(last.contains("table"));
  EXPECT_TRUE(last.at("reasons").is_array());
  EXPECT_TRUE(paika_tests::session_at("othello")->read_turn(last.at("best").get<std::string>()));
  for (const char* key : {"score", "exact", "at_most", "moves"})
    EXPECT_TRUE(last.at("lines").at(0).contains(key)) << key;
}

TEST(Analysis, says_nothing_of_a_position_of_a_rated_game) {
  server::PositionApi settings;
  settings.in_rated_play = [](const Session& session) { return session.turns_played() == 1; };
  const server::PositionSite site(settings);
  const auto code = [&](const char* path, const char* body) {
    const auto response = site.answer("POST", path, body, [](std::string_view) { return false; });
    return response.status == 200 ? std::string() : Json::parse(response.body)["error"]["code"].get<std::string>();
  };
  for (const char* path : {analysis, values}) {
    EXPECT_EQ(code(path, R"({"spec":"othello","moves":["d3"]})"), "in_play") << path;
    EXPECT_NE(code(path, R"({"spec":"othello"})"), "in_play") << path;
  }
}

TEST(Analysis, keeps_its_time_on_large_boards) {
  for (const char* spec : {"fanorona:13x13", "othello:26x26", "abalone:99x26", "wildebeest"}) {
    const auto took = paika_tests::cpu_time([&] {
      const auto [lines, error] = api().stream(analysis, {{"spec", spec}, {"time_ms", 50}, {"level", full_level}});
      EXPECT_FALSE(error);
      ASSERT_FALSE(lines.empty());
      EXPECT_EQ(lines.back().at("done"), true);
    });
    EXPECT_LT(took, std::chrono::seconds(10)) << spec;
  }
}

TEST(Analysis, keeps_its_time_where_there_are_very_many_turns) {
  const char* many =
      "bb..bb..bb..b/.bb..bb..bb../..bb..bb..bb./b..bb...b..bb/bb..bb..bb..b/.bb..bb..bb../..bb..wbb.bb./"
      "b..bb..bb..bb/bb..bb..bb..b/.bb..bb..bb../..bb..bb...bb/...bb..bb..bb/bb..bbb.bb..b w 0";
  const auto took = paika_tests::cpu_time([&] {
    const auto [lines, error] =
        api().stream(analysis, {{"spec", "fanorona:13x13"}, {"position", many}, {"time_ms", 50}, {"lines", 10}});
    EXPECT_FALSE(error);
    EXPECT_EQ(lines.back().at("done"), true);
  });
  EXPECT_LT(took, std::chrono::seconds(1));
}

TEST(Analysis, stops_when_nobody_listens) {
  const auto took = paika_tests::cpu_time([] {
    const auto [lines, error] =
        api().stream(analysis, {{"spec", "othello"}, {"time_ms", 30'000}}, [](const Json&) { return false; });
    EXPECT_FALSE(error);
    EXPECT_EQ(lines.size(), 1U) << "nothing is sent to who does not listen";
  });
  EXPECT_LT(took, std::chrono::seconds(1));
}

TEST(Analysis, stops_when_the_server_does) {
  std::stop_source stop;
  const std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop.request_stop();
  });
  const auto took = paika_tests::cpu_time([&] {
    const auto [lines, error] =
        api().stream(analysis, {{"spec", "wildebeest"}, {"time_ms", 30'000}}, {}, stop.get_token());
    EXPECT_FALSE(error);
  });
  EXPECT_LT(took, std::chrono::seconds(2));
}

TEST(Analysis, refuses_what_it_cannot_do) {
  const auto status = [](const Json& body) {
    const auto [lines, error] = api().stream(analysis, body);
    EXPECT_TRUE(lines.empty());
    return error ? error->status : 200;
  };
  EXPECT_EQ(status({{"spec", "othello"}, {"time_ms", 0}}), 400);
  EXPECT_EQ(status({{"spec", "othello"}, {"time_ms", 30'001}}), 400);
  EXPECT_EQ(status({{"spec", "othello"}, {"time_ms", "1"}}), 400);
  EXPECT_EQ(status({{"spec", "othello"}, {"lines", 201}}), 400);
  EXPECT_EQ(status({{"spec", "othello"}, {"level", full_level + 1}}), 400);
  EXPECT_EQ(status({{"spec", "othello"}, {"depth", 0}}), 400);
  EXPECT_EQ(status({{"spec", "othello"}, {"nodes", -5}}), 400);
  EXPECT_EQ(status({{"spec", "othello"}, {"dpeth", 1}}), 400);
  EXPECT_EQ(status({{"spec", "chess"}}), 400);
  EXPECT_EQ(status({{"spec", "othello"}, {"position", "x"}}), 422);
  EXPECT_EQ(status({{"spec", "othello"}, {"moves", {"a1"}}}), 422);
  EXPECT_EQ(status({{"spec", "fanorona:3x3,limit=10"}, {"position", "w../.../..b w 10"}}), 409);
}

/// A folder with the table of a small game.
class Tables : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new paika_tests::TemporaryFolder();
    const auto solver = paika_tests::must(open_solver(spec_), spec_);
    SolveSettings settings;
    settings.memory = std::uint64_t{256} << 20;
    settings.table = table_path(folder_->path().string(), solver->label());
    paika_tests::must_do(solver->solve(settings));
  }
  static void TearDownTestSuite() {
    delete folder_;
    folder_ = nullptr;
  }
  [[nodiscard]] static Caller caller() {
    server::PositionApi with_tables;
    with_tables.tables = folder_->path().string();
    return Caller(with_tables);
  }

  static constexpr const char* spec_ = "fanorona:3x3,limit=0";
  static inline paika_tests::TemporaryFolder* folder_ = nullptr;
};

TEST_F(Tables, tell_the_value_of_a_position_and_its_turns) {
  const auto answer = caller().post(values, {{"spec", spec_}, {"line", true}});
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json json = answer.json();
  const auto session = paika_tests::session_at(spec_);
  EXPECT_EQ(json.at("moves").size(), session->count_turns());
  EXPECT_EQ(json.at("moves").at(0).at("value"), json.at("value")) << "the best turn keeps the value";
  EXPECT_EQ(json.at("table").get<std::string>().find('/'), std::string::npos) << "no path of the machine";
  EXPECT_EQ(json.at("line").empty(), json.at("value").at("value") == "draw");
  EXPECT_FALSE(caller().post(values, {{"spec", spec_}}).json().contains("line"));
}

TEST_F(Tables, tell_the_value_of_a_finished_game) {
  const Json json = caller().post(values, {{"spec", spec_}, {"position", ".../.w./... b 5"}}).json();
  EXPECT_EQ(json.at("value").dump(), R"({"value":"loss","loss_in":0})");
  EXPECT_TRUE(json.at("moves").empty());
}

TEST_F(Tables, are_used_by_the_analysis) {
  const auto [lines, error] = caller().stream(analysis, {{"spec", spec_}, {"time_ms", 50}});
  ASSERT_FALSE(error);
  EXPECT_EQ(lines.back().at("table").get<std::string>().find('/'), std::string::npos);
}

TEST(TablesOfFewStones, are_used_by_values_analysis_and_review) {
  const char* const spec = "fanorona:7x3,sacrifice=off,limit=0";
  const char* const position = "w...b../......./.w....b w 0";
  const paika_tests::TemporaryFolder folder;
  const auto solver = paika_tests::must(open_solver(spec, 4), spec);
  SolveSettings settings;
  settings.table = table_path(folder.path().string(), solver->label());
  settings.distances = false;
  paika_tests::must_do(solver->solve(settings));
  server::PositionApi with_tables;
  with_tables.tables = folder.path().string();
  const Caller caller(with_tables);
  // docs/solving.md: two moves draw and all others lose.
  const Json valued = caller.post(values, {{"spec", spec}, {"position", position}}).json();
  EXPECT_EQ(valued.at("value").dump(), R"({"value":"draw"})");
  ASSERT_EQ(valued.at("moves").size(), 6U);
  EXPECT_EQ(valued.at("moves").at(5).at("value").dump(), R"({"value":"loss"})") << "how soon, nobody knows";
  const auto [lines, error] =
      caller.stream(analysis, {{"spec", spec}, {"position", position}, {"time_ms", 50}, {"lines", 6}});
  ASSERT_FALSE(error);
  EXPECT_TRUE(lines.back().contains("table"));
  ASSERT_EQ(lines.back().at("lines").size(), 6U);
  for (const Json& line : lines.back().at("lines")) EXPECT_EQ(line.at("exact"), true);
  // The start of the game is not in the table: there the analysis searches.
  const auto [searched, failed] = caller.stream(analysis, {{"spec", spec}, {"time_ms", 50}});
  ASSERT_FALSE(failed);
  EXPECT_FALSE(searched.back().contains("table"));
  // Of six stones the search looks up what the captures lead to, and so finds a win that it cannot see by itself.
  const Json six{{"spec", spec}, {"position", "b.w.w../......./.b.w..b w 0"}, {"depth", 5}};
  const auto [probed, broken] = caller.stream(analysis, six);
  ASSERT_FALSE(broken);
  EXPECT_FALSE(probed.back().contains("table"));
  EXPECT_EQ(probed.back().at("lines").at(0).value("value", ""), "win");
  const auto [alone, stopped] = Caller().stream(analysis, six);
  ASSERT_FALSE(stopped);
  EXPECT_FALSE(alone.back().at("lines").at(0).contains("value"));
  const auto [reviewed, refused] =
      caller.stream("/api/review", {{"spec", spec}, {"start", position}, {"moves", {"b1a1"}}, {"time_ms", 50}});
  ASSERT_FALSE(refused);
  const Json& move = reviewed.back().at("moves").at(0);
  EXPECT_EQ(move.at("could").dump(), R"({"value":"draw"})");
  EXPECT_EQ(move.at("did").dump(), R"({"value":"loss"})");
}

TEST_F(Tables, are_not_there_for_every_game) {
  for (const auto& none : {caller().post(values, {{"spec", "othello"}}), api().post(values, {{"spec", spec_}})}) {
    EXPECT_EQ(none.status, 200);
    EXPECT_TRUE(none.json().at("table").is_null());
    EXPECT_TRUE(none.json().at("value").is_null());
    EXPECT_TRUE(none.json().at("moves").empty());
  }
  EXPECT_EQ(caller().post(values, {{"spec", "fanorona"}, {"lines", true}}).code(), "bad_request");
  EXPECT_EQ(caller().post(values, {{"spec", "fanorona"}, {"line", 1}}).code(), "bad_request");
}

TEST_F(Tables, are_listed_with_what_is_counted_in_them) {
  std::ofstream(folder_->path() / "broken.table") << "rubbish";
  std::ofstream(folder_->path() / "notes.txt") << "no table";
  const auto answer = caller().get("/api/tables");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const Json tables = answer.json().at("tables");
  ASSERT_EQ(tables.size(), 1U);
  const Json& table = tables.at(0);
  EXPECT_EQ(table.at("spec"), spec_);
  EXPECT_GT(table.at("bytes"), 0);
  std::uint64_t positions = 0;
  std::uint64_t valued = 0;
  for (const Json& tier : table.at("tiers")) {
    positions += tier.at("positions").get<std::uint64_t>();
    for (const char* kind : {"wins", "losses", "draws", "void"}) valued += tier.at(kind).get<std::uint64_t>();
  }
  EXPECT_EQ(table.at("positions"), positions);
  EXPECT_EQ(valued, positions);
  EXPECT_EQ(answer.body.find(folder_->path().string()), std::string::npos) << "no path of the machine";
  EXPECT_TRUE(api().get("/api/tables").json().at("tables").empty());
  EXPECT_EQ(caller().get("/api/tables", {}, {{"spec", spec_}}).code(), "bad_request");
}

TEST_F(Tables, that_are_damaged_are_told_without_their_path) {
  const paika_tests::TemporaryFolder bad;
  const auto solver = paika_tests::must(open_solver(spec_), spec_);
  std::ofstream(table_path(bad.path().string(), solver->label())) << "rubbish";
  server::PositionApi with_tables;
  with_tables.tables = bad.path().string();
  const auto answer = Caller(with_tables).post(values, {{"spec", spec_}});
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.code(), "bad_table");
  EXPECT_EQ(answer.body.find(bad.path().string()), std::string::npos);
}

}  // namespace
}  // namespace paika
