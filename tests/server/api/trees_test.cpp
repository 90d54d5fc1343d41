// Trees and reviews over the API.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "study/tree_text.hpp"
#include "tests/server/api/caller.hpp"
#include "tests/study/random_tree.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::Answered;
using paika_tests::api;
using server::Response;

constexpr const char* trees_read = "/api/trees/read";
constexpr const char* trees_write = "/api/trees/write";

constexpr const char* tree_file =
    "[Game \"othello\"]\n[First \"Ann\"]\n[Second \"\"]\n[Result \"*\"]\n[Date \"2026\"]\n\n"
    "{Before.} 1. f5! {[%clock 0:05:00] [%arrow a1 b2 red] [%circle c3] Words.} 1... d6\n(1... f6 2. e6) 2. c3?! *\n";

Json tree_in(const std::string& file) {
  const Answered answer = api().post(trees_read, {{"text", file}});
  EXPECT_EQ(answer.status, 200) << answer.body;
  return answer.json().at("trees").at(0);
}

TEST(Trees, are_read_with_everything_they_hold) {
  const Json tree = tree_in(tree_file);
  EXPECT_EQ(tree.at("spec"), "othello:8x8");
  EXPECT_EQ(tree.at("players").dump(), R"(["Ann",""])");
  EXPECT_EQ(tree.at("tags").dump(), R"([["Date","2026"]])");
  ASSERT_EQ(tree.at("nodes").size(), 6U);
  EXPECT_EQ(tree.at("nodes").at(0).dump(), R"({"seat":"first","comment":"Before."})");
  EXPECT_EQ(tree.at("nodes").at(1).dump(),
            R"({"parent":0,"move":"f5","seat":"first","mark":"!","comment":"Words.","shapes":)"
            R"([{"from":"a1","to":"b2","colour":"red"},{"from":"c3","to":"c3","colour":"green"}],"clock_ms":300000})");
  int second = 0;
  for (const Json& node : tree.at("nodes")) second += node.at("seat") == "second" ? 1 : 0;
  EXPECT_EQ(second, 2);
}

TEST(Trees, of_all_games_come_back_as_they_were_sent) {
  Random random(5);
  for (const char* const spec : {"fanorona:5x5", "abalone", "othello:6x6", "wildebeest"}) {
    const study::GameTree tree = paika_tests::random_tree(spec, 60, random);
    const std::string file = study::tree_text(tree);
    const Json json = tree_in(file);
    const Answered written = api().post(trees_write, {{"tree", json}});
    ASSERT_EQ(written.status, 200) << written.body;
    EXPECT_EQ(written.json().at("text"), file);
    const Json again = api().post(trees_read, {{"tree", json}}).json();
    EXPECT_TRUE(again.at("faults").empty());
    EXPECT_EQ(api().post(trees_write, {{"tree", again.at("trees").at(0)}}).json().at("text"), file);
  }
}

TEST(Trees, leave_out_what_the_rules_refuse_and_say_so) {
  Json tree = tree_in(tree_file);
  tree["nodes"].push_back({{"parent", 1}, {"move", "a1"}});
  tree["nodes"].push_back({{"parent", 6}, {"move", "c3"}});
  tree["nodes"].push_back({{"parent", 1}, {"move", "F4"}});
  const Json checked = api().post(trees_read, {{"tree", tree}}).json();
  ASSERT_EQ(checked.at("faults").size(), 1U);
  EXPECT_EQ(checked.at("faults").at(0).at("node"), 6);
  EXPECT_NE(checked.at("faults").at(0).at("message").get<std::string>().find("a1"), std::string::npos);
  EXPECT_EQ(checked.at("trees").at(0).at("nodes").size(), 7U);
  EXPECT_EQ(checked.at("trees").at(0).at("nodes").back().at("move"), "f4");
  const Answered refused = api().post(trees_write, {{"tree", tree}});
  EXPECT_EQ(refused.status, 422);
  EXPECT_NE(refused.body.find("node 6"), std::string::npos);
}

TEST(Trees, take_the_result_of_the_rules_where_another_cannot_be) {
  Json tree = tree_in(tree_file);
  tree["result"] = {{"verdict", "first_wins"}, {"reason", "resigned"}, {"remark", ""}};
  EXPECT_NE(api().post(trees_write, {{"tree", tree}}).body.find("1-0"), std::string::npos);
  tree["result"] = {{"verdict", "first_wins"}, {"reason", "checkmate"}, {"remark", ""}};
  EXPECT_EQ(api().post(trees_write, {{"tree", tree}}).body.find("1-0"), std::string::npos);
}

TEST(Trees, of_other_formats_are_read_and_written) {
  EXPECT_EQ(tree_in("f5d6c3\n").at("nodes").size(), 4U);
  EXPECT_EQ(tree_in("paika-record 1\nspec othello:6x6\nmove c2\nresult ongoing none\nend\n").at("nodes").size(), 2U);
  const Answered written = api().post(trees_write, {{"tree", tree_in(tree_file)}, {"format", "transcript"}});
  EXPECT_EQ(written.json().at("text"), "f5d6c3\n");
  EXPECT_EQ(api().post(trees_write, {{"tree", tree_in(tree_file)}, {"format", "papyrus"}}).status, 422);
  EXPECT_EQ(api().post(trees_read, {{"text", "what is this?"}}).status, 422);
}

TEST(Trees, that_are_not_what_they_must_be_are_refused) {
  const auto with = [](std::size_t node, const char* field, const Json& value) {
    Json tree = tree_in(tree_file);
    tree["nodes"][node][field] = value;
    return api().post(trees_read, {{"tree", tree}}).status;
  };
  EXPECT_EQ(with(1, "parent", 1), 400);
  EXPECT_EQ(with(1, "parent", -1), 400);
  EXPECT_EQ(with(1, "parent", "0"), 400);
  EXPECT_EQ(with(2, "move", ""), 400);
  EXPECT_EQ(with(1, "mark", "!!!"), 400);
  EXPECT_EQ(with(1, "comment", 5), 400);
  EXPECT_EQ(with(1, "shapes", Json::array({{{"from", "z9"}, {"to", "a1"}}})), 400);
  EXPECT_EQ(with(1, "shapes", Json::array({{{"from", "a1"}, {"to", "a1"}, {"colour", "pink"}}})), 400);
  EXPECT_EQ(with(1, "shapes", "a1"), 400);
  EXPECT_EQ(with(1, "clock_ms", -1), 400);
  EXPECT_EQ(with(1, "colour", "red"), 400);
  EXPECT_EQ(with(1, "mark", "??"), 200);
  for (const Json& tree : {Json(7), Json{{"spec", "chess"}}, Json{{"spec", "othello"}, {"nodes", 3}},
                           Json{{"spec", "othello"}, {"tags", {{"not a name", "x"}}}}}) {
    EXPECT_EQ(api().post(trees_read, {{"tree", tree}}).status, 400) << tree;
  }
  EXPECT_EQ(api().post(trees_read, {{"tree", {{"spec", "othello"}, {"start", "rubbish"}}}}).status, 422);
}

TEST(Trees, that_are_too_large_are_refused_before_they_are_played) {
  std::string many = "[Game \"othello\"]\n\n";
  for (int i = 0; i < 12'000; ++i) many += "f5 ";
  EXPECT_EQ(api().post(trees_read, {{"text", many + "*\n"}}).status, 422);
  std::string games;
  for (int i = 0; i < 101; ++i) games += "[Game \"othello\"]\n\n*\n\n";
  EXPECT_NE(api().post(trees_read, {{"text", games}}).body.find("101 games"), std::string::npos);
  Json nodes = Json::array({Json::object()});
  for (int i = 0; i < 5'000; ++i) nodes.push_back({{"parent", 0}, {"move", "f5"}});
  EXPECT_EQ(api().post(trees_read, {{"tree", {{"spec", "othello"}, {"nodes", nodes}}}}).status, 400);
}

constexpr const char* reviewing = "/api/review";
constexpr const char* solved = "abalone:3x3,captures=1";

TEST(Reviews, tell_how_far_they_are_and_then_what_every_move_was_worth) {
  const auto [lines, error] =
      api().stream(reviewing, {{"spec", solved}, {"moves", {"b1b2", "c3c2", "b2c3"}}, {"time_ms", 400}});
  ASSERT_FALSE(error);
  ASSERT_EQ(lines.size(), 9U) << "four positions, each looked up and then thought about";
  EXPECT_NEAR(lines[0].at("progress").get<double>(), 1.0 / 8, 1e-9);
  EXPECT_NEAR(lines[7].at("progress").get<double>(), 1.0, 1e-9);
  const Json& last = lines.back();
  EXPECT_EQ(last.at("done"), true);
  ASSERT_EQ(last.at("moves").size(), 3U);
  EXPECT_EQ(last.at("moves").at(2).at("grade"), "mistake");
  EXPECT_EQ(last.at("turning_points").at(0), 3);
  EXPECT_EQ(last.at("chances").size(), 4U);
  EXPECT_LT(last.at("players").at(0).at("accuracy"), last.at("players").at(1).at("accuracy"));
}

TEST(Reviews, end_when_nobody_listens) {
  const auto [lines, error] = api().stream(reviewing, {{"spec", solved}, {"moves", {"b1b2", "c3c2"}}, {"time_ms", 100}},
                                           [](const Json&) { return false; });
  ASSERT_FALSE(error);
  EXPECT_EQ(lines.size(), 1U);
}

TEST(Reviews, are_exact_in_endings) {
  Json moves = Json::array();
  const auto session = paika_tests::session_at("othello:6x6");
  while (!session->outcome().over()) {
    std::string first;
    session->for_each_turn([&](const ListedTurn& turn) {
      first = turn.text;
      return false;
    });
    moves.push_back(first);
    ASSERT_TRUE(session->try_play(first));
  }
  const auto [lines, error] =
      api().stream(reviewing, {{"spec", "othello:6x6"}, {"moves", moves}, {"time_ms", 100}, {"max_empty", 6}});
  ASSERT_FALSE(error);
  const Json& last = lines.back().at("moves").back();
  EXPECT_TRUE(last.contains("did")) << last;
  EXPECT_TRUE(last.contains("discs_lost")) << last;
}

TEST(Reviews, say_nothing_of_a_rated_game_that_goes_on) {
  server::PositionApi settings;
  settings.in_rated_play = [](const Session& session) { return session.turns_played() == 1; };
  const paika_tests::Caller caller(settings);
  const auto [lines, error] = caller.stream(reviewing, {{"spec", solved}, {"moves", {"b1b2", "c3c2"}}});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->status, 409);
}

TEST(Reviews, refuse_what_cannot_be_reviewed) {
  const auto status = [](const Json& body) { return api().stream(reviewing, body).second.value_or(Response{}).status; };
  EXPECT_EQ(status({{"spec", solved}}), 400);
  EXPECT_EQ(status({{"spec", solved}, {"moves", {"b1b2"}}, {"opening", 2}}), 400);
  EXPECT_EQ(status({{"spec", solved}, {"moves", {"b1b2"}}, {"max_empty", 30}}), 400);
  EXPECT_EQ(status({{"spec", solved}, {"moves", {"a1a9"}}}), 422);
  EXPECT_EQ(status({{"spec", "chess"}, {"moves", {"e4"}}}), 400);
}

}  // namespace
}  // namespace paika
