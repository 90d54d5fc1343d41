// The routes about positions without a network, as the page has them in itself.
#include "server/api/position_site.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/api/caller.hpp"

namespace {

using paika::server::PositionSite;
using paika_tests::api;
using paika_tests::Json;

const PositionSite& site() {
  static const PositionSite only = [] {
    paika::server::PositionApi api;
    api.analysis_threads = 0;
    return PositionSite(api);
  }();
  return only;
}

paika::server::Response ask(std::string_view method, std::string_view target, std::string_view body = "") {
  return site().answer(method, target, body, [](const std::string&) { return true; });
}

std::string error_code(const paika::server::Response& response) {
  return Json::parse(response.body).at("error").at("code").get<std::string>();
}

TEST(PositionSite, answers_what_the_server_answers) {
  EXPECT_EQ(ask("POST", "/api/position", R"({"spec":"othello:6x6"})").body,
            api().post("/api/position", {{"spec", "othello:6x6"}}).body);
  EXPECT_EQ(ask("GET", "/api/scene?spec=fanorona%3A5x5").body,
            api().get("/api/scene", {}, {{"spec", "fanorona:5x5"}}).body);
  EXPECT_EQ(ask("GET", "/api/games/abalone/rules?lang=fr").body,
            api().get("/api/games/{name}/rules", {{"name", "abalone"}}, {{"lang", "fr"}}).body);
}

TEST(PositionSite, thinks_on_its_caller) {
  std::vector<Json> lines;
  const auto response = site().answer("POST", "/api/position/analysis", R"({"spec":"othello","nodes":5000})",
                                      [&](const std::string& line) {
                                        lines.push_back(Json::parse(line));
                                        return true;
                                      });
  EXPECT_EQ(response.status, 200);
  ASSERT_GT(lines.size(), 2U);
  const auto [threaded, refused] = api().stream("/api/position/analysis", {{"spec", "othello"}, {"nodes", 5000}});
  EXPECT_EQ(lines.back().at("best"), threaded.back().at("best"));
  EXPECT_EQ(lines.back().at("nodes"), threaded.back().at("nodes"));
}

TEST(PositionSite, stops_when_nobody_listens) {
  int told = 0;
  const auto response = site().answer("POST", "/api/position/analysis", R"({"spec":"wildebeest","time_ms":20000})",
                                      [&](const std::string&) { return ++told < 2; });
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(told, 2);
}

TEST(PositionSite, says_what_is_wrong) {
  EXPECT_EQ(ask("POST", "/api/rooms", "{}").status, 404);
  EXPECT_EQ(error_code(ask("POST", "/api/rooms", "{}")), "no_path");
  EXPECT_EQ(ask("GET", "/api/position").status, 404);
  EXPECT_EQ(ask("POST", "/api/position", "{").status, 400);
  EXPECT_EQ(ask("POST", "/api/position?a=%zz", "{}").status, 400);
  EXPECT_EQ(error_code(ask("POST", "/api/position", R"({"spec":"chess"})")), "bad_spec");
  EXPECT_EQ(error_code(ask("POST", "/api/position/values", R"({"spec":"chess"})")), "bad_spec");
}

}  // namespace
