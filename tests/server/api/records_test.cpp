// Records and pictures over the API.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/picture.hpp"
#include "play/record.hpp"
#include "tests/server/api/caller.hpp"
#include "tests/support/files.hpp"
#include "tests/support/session.hpp"
#include "tests/support/xml.hpp"

namespace paika {
namespace {

using paika_tests::Answered;
using paika_tests::api;

constexpr const char* reading = "/api/records/read";
constexpr const char* writing = "/api/records/write";

Json read(const std::string& text) { return api().post(reading, {{"text", text}}).json(); }

TEST(Records, are_read_with_every_position) {
  for (const auto& path : paika_tests::files_in(std::string(PAIKA_TEST_DATA) + "/plays", ".record")) {
    const std::string text = paika_tests::read_whole(path);
    const Answered answer = api().post(reading, {{"text", text}});
    ASSERT_EQ(answer.status, 200) << path << answer.body;
    const auto records = paika_tests::must(play::parse_records(text), "records");
    const Json json = answer.json();
    EXPECT_EQ(json.at("format"), "paika");
    ASSERT_EQ(json.at("records").size(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      const Json& told = json.at("records").at(i);
      EXPECT_EQ(told.at("spec"), records[i].spec);
      EXPECT_EQ(told.at("players"), Json(records[i].players));
      EXPECT_EQ(told.at("clocks").size(), 2U);
      EXPECT_EQ(told.at("result").at("verdict"), name(records[i].result.verdict));
      ASSERT_EQ(told.at("moves").size(), records[i].turns.size());
      const auto session = paika_tests::session_at(records[i].spec, told.at("start").get<std::string>());
      for (const Json& turn : told.at("moves")) {
        EXPECT_EQ(turn.at("mover"), session->board().to_move == Player::first ? "first" : "second");
        ASSERT_TRUE(session->try_play(turn.at("move").get<std::string>()));
        EXPECT_EQ(turn.at("position"), session->position_text());
        EXPECT_FALSE(turn.at("effects").empty());
        EXPECT_FALSE(turn.at("steps").empty());
      }
    }
  }
}

TEST(Records, keep_clocks_times_and_scores) {
  const Json record =
      read(
          "paika-record 1\nspec othello:6x6\nfirst Ann\nsecond B\xc3\xb6rje\nfirst-limits time=1s\n"
          "second-limits clock=60s+500ms\nnote hello\nopening 1\n"
          "move c2 time=1500us score=-31 depth=9\nmove d2\nresult first_wins resigned\nremark why\nend\n")
          .at("records")
          .at(0);
  EXPECT_EQ(record.at("players").dump(), "[\"Ann\",\"B\xc3\xb6rje\"]");
  EXPECT_EQ(record.at("clocks").dump(), R"([{"move_ms":1000},{"base_ms":60000,"increment_ms":500}])");
  EXPECT_EQ(record.at("notes").dump(), R"(["hello"])");
  EXPECT_EQ(record.at("opening"), 1);
  EXPECT_EQ(record.at("moves").at(0).at("time_us"), 1500);
  EXPECT_EQ(record.at("moves").at(0).at("score"), -0.31);
  EXPECT_EQ(record.at("moves").at(0).at("depth"), 9);
  EXPECT_FALSE(record.at("moves").at(1).contains("time_us"));
  EXPECT_EQ(record.at("result").dump(), R"({"verdict":"first_wins","reason":"resigned","remark":"why"})");
}

TEST(Records, that_are_none_are_refused) {
  for (const std::string& text :
       {std::string("rubbish"), std::string("paika-record 1\nspec othello\nmove a1\nresult ongoing none\nend\n"),
        std::string("(;GM[Chess];)"), std::string("(;"), std::string("paika-record 1\n")}) {
    const Answered answer = api().post(reading, {{"text", text}});
    EXPECT_EQ(answer.status, 422) << answer.body;
    EXPECT_EQ(answer.code(), "bad_record");
  }
  EXPECT_EQ(read("").at("records").size(), 0U);
  EXPECT_EQ(api().post(reading, {{"text", 1}}).status, 400);
  EXPECT_EQ(api().post(reading, {{"txt", ""}}).status, 400);
  EXPECT_EQ(api().post(reading, {{"text", std::string(200'001, '#')}}).status, 400);
}

TEST(Records, are_bounded_in_number_turns_and_squares) {
  std::string many;
  for (int i = 0; i < 101; ++i) many += "paika-record 1\nspec wildebeest\nresult ongoing none\nend\n";
  EXPECT_EQ(api().post(reading, {{"text", many}}).status, 422);
  std::string turns = "paika-record 1\nspec abalone:99x26\n";
  for (int i = 0; i < 500; ++i) turns += i % 2 == 0 ? "move a1b2\n" : "move b2a1\n";
  EXPECT_EQ(api().post(reading, {{"text", turns + "result ongoing none\nend\n"}}).status, 422);
  for (int i = 0; i < 2000; ++i) turns += "move a1b2\n";
  EXPECT_NE(api().post(reading, {{"text", turns}}).message().find("2000 can be read"), std::string::npos);
}

TEST(Records, come_back_as_they_were_written) {
  const Answered answer = api().post(writing, {{"spec", "othello"},
                                               {"moves", {"D3", "c5"}},
                                               {"players", {"Ann", "<b>&"}},
                                               {"result", {{"verdict", "draw"}, {"reason", "agreed"}}}});
  ASSERT_EQ(answer.status, 200) << answer.body;
  const std::string text = answer.json().at("text").get<std::string>();
  const Json record = read(text).at("records").at(0);
  EXPECT_EQ(record.at("spec"), "othello:8x8");
  EXPECT_EQ(record.at("players").dump(), R"(["Ann","<b>&"])");
  EXPECT_EQ(record.at("moves").at(0).at("move"), "d3");
  EXPECT_EQ(record.at("result").at("reason"), "agreed");
}

TEST(Records, have_the_result_of_the_rules) {
  const Json open = api().post(writing, {{"spec", "othello"}}).json();
  EXPECT_NE(open.at("text").get<std::string>().find("result ongoing none"), std::string::npos);
  const Json over =
      api()
          .post(writing,
                {{"spec", "fanorona:3x3,sacrifice=off,limit=0"}, {"start", "w.b/.../... w 0"}, {"moves", {"a3a2W"}}})
          .json();
  EXPECT_TRUE(over.contains("error")) << "a3a2W takes nothing";
  const Json won =
      api()
          .post(writing,
                {{"spec", "fanorona:3x3,sacrifice=off,limit=0"}, {"start", "w.b/.../... w 0"}, {"moves", {"a3b3A"}}})
          .json();
  EXPECT_NE(won.at("text").get<std::string>().find("result first_wins eliminated"), std::string::npos) << won;
  EXPECT_NE(won.at("text").get<std::string>().find("start w.b/.../... w 0"), std::string::npos) << won;
}

TEST(Records, that_cannot_be_are_not_written) {
  const auto code = [](const Json& body) { return api().post(writing, body).code(); };
  EXPECT_EQ(code({{"spec", "othello"}, {"result", {{"verdict", "draw"}, {"reason", "board_full"}}}}), "bad_record");
  EXPECT_EQ(code({{"spec", "othello"}, {"result", {{"verdict", "lost"}}}}), "bad_request");
  EXPECT_EQ(code({{"spec", "othello"}, {"result", "draw"}}), "bad_request");
  EXPECT_EQ(code({{"spec", "othello"}, {"result", {{"x", "draw"}}}}), "bad_request");
  EXPECT_EQ(code({{"spec", "othello"}, {"players", {"a", "b", "c"}}}), "bad_request");
  EXPECT_EQ(code({{"spec", "othello"}, {"players", {std::string(201, 'a')}}}), "bad_request");
  EXPECT_EQ(code({{"spec", "othello"}, {"format", "pgn"}}), "bad_request");
  EXPECT_EQ(code({{"spec", "othello"}, {"moves", {"a1"}}}), "illegal");
  EXPECT_EQ(code({{"spec", "othello"}, {"start", "?"}}), "bad_position");
  EXPECT_EQ(code({{"spec", "abalone"}, {"format", "ggf"}}), "bad_record");
}

TEST(Records, of_a_name_with_a_line_end_stay_one_record) {
  const Answered answer = api().post(writing, {{"spec", "othello"}, {"players", {"a\nmove a1\nend", "b"}}});
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(read(answer.json().at("text").get<std::string>()).at("records").size(), 1U);
}

TEST(Records, of_othello_speak_ggf) {
  const std::string text = api()
                               .post(writing, {{"spec", "othello"}, {"moves", {"d3", "c5"}}, {"format", "ggf"}})
                               .json()
                               .at("text")
                               .get<std::string>();
  EXPECT_TRUE(text.starts_with("(;GM[Othello]"));
  const Json json = read(text);
  EXPECT_EQ(json.at("format"), "ggf");
  EXPECT_EQ(json.at("records").at(0).at("moves").size(), 2U);
}

// ---- Scenes and pictures ----

TEST(Scenes, are_given_for_a_spec) {
  const Answered answer = api().get("/api/scene", {}, {{"spec", "fanorona"}});
  ASSERT_EQ(answer.status, 200);
  EXPECT_EQ(answer.json().at("spec"), "fanorona:9x5");
  EXPECT_EQ(answer.header("Cache-Control"), "public, max-age=3600");
  EXPECT_EQ(api().get("/api/scene", {}, {{"spec", "fanorona"}}, {{"if-none-match", answer.header("ETag")}}).status,
            304);
  const Json cards = api().get("/api/scene", {}, {{"spec", "wildebeest"}}).json();
  const Json bare = api().get("/api/scene", {}, {{"spec", "wildebeest"}, {"cards", "0"}}).json();
  EXPECT_FALSE(cards.at("pieces").at(0).at("card").empty());
  EXPECT_FALSE(cards.at("signs").empty());
  for (const Json& piece : bare.at("pieces")) EXPECT_TRUE(piece.at("card").empty());
  EXPECT_TRUE(bare.at("signs").empty());
  EXPECT_EQ(bare.at("grid"), cards.at("grid"));
  EXPECT_EQ(api().get("/api/scene", {}, {{"spec", "othello"}, {"cards", "no"}}).code(), "bad_request");
  EXPECT_EQ(api().get("/api/scene").status, 400);
  EXPECT_EQ(api().get("/api/scene", {}, {{"spec", "x\xff\"<"}}).code(), "bad_spec");
  EXPECT_EQ(api().get("/api/scene", {}, {{"spec", "othello"}, {"position", ""}}).status, 400);
}

TEST(PictureRoute, gives_svg) {
  const char* route = "/api/position/picture.svg";
  const Answered answer = api().get(route, {}, {{"spec", "othello"}, {"theme", "dark"}, {"flip", "1"}, {"move", "d3"}});
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.type, "image/svg+xml");
  EXPECT_EQ(paika_tests::Xml(answer.body).fault(), "");
  const auto session = paika_tests::session_at("othello");
  PictureSettings settings{PictureTheme::dark, true, {}};
  const Board before = session->board();
  const auto turn = session->try_play("d3");
  ASSERT_TRUE(turn);
  settings.last = session->notation().effects(before, *turn);
  EXPECT_EQ(answer.body, picture_svg(*session, settings));
  EXPECT_EQ(api().get(route, {}, {{"spec", "othello"}, {"move", "a1"}}).code(), "illegal");
  EXPECT_EQ(api().get(route, {}, {{"spec", "othello"}, {"theme", "pink"}}).status, 400);
  EXPECT_EQ(api().get(route, {}, {{"spec", "othello"}, {"flip", "yes"}}).status, 400);
  EXPECT_EQ(api().get(route, {}, {{"spec", "othello"}, {"position", "\xff\xfe"}}).code(), "bad_position");
  EXPECT_EQ(api().get(route, {}, {{"spec", "othello"}, {"moves", "d3"}}).status, 400);
}

}  // namespace
}  // namespace paika
