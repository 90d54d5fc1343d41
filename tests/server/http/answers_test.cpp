// JSON answers, errors and bodies.
#include "server/http/answers.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/http/wire.hpp"
#include "tests/server/http/headers.hpp"

namespace paika::server {
namespace {

TEST(Answers, errors_have_one_shape) {
  const Response response = error_response(409, "taken", "both seats are taken", {{"room", "x"}, {"code", "no"}});
  EXPECT_EQ(response.status, 409);
  EXPECT_EQ(response.type, "application/json");
  EXPECT_EQ(response.body, R"({"error":{"code":"taken","message":"both seats are taken","room":"x"}})");
  EXPECT_EQ(error_json("a", "b", Json(5)).dump(), R"({"error":{"code":"a","message":"b"}})");
  EXPECT_EQ(bad_request(Error{"why"}).status, 400);
}

TEST(Answers, never_throw_for_bytes_that_are_no_text) {
  const Response response = error_response(400, "x\xff", "\xc3( \xed\xa0\x80", {{"k\xff", "\xff"}});
  EXPECT_TRUE(Json::accept(response.body));
}

TEST(Answers, refusals_have_their_status) {
  for (const auto& [code, status] : std::vector<std::pair<std::string, int>>{{"illegal", 422},
                                                                             {"late", 409},
                                                                             {"over", 409},
                                                                             {"not_begun", 409},
                                                                             {"not_yours", 403},
                                                                             {"taken", 409},
                                                                             {"no_offer", 409},
                                                                             {"too_often", 429},
                                                                             {"bad_request", 400},
                                                                             {"new_one", 409}}) {
    const Response response = refusal_response({code, "why", {}});
    EXPECT_EQ(response.status, status) << code;
    EXPECT_EQ(Json::parse(response.body)["error"]["code"], code);
  }
  const Response slow = refusal_response({"too_often", "wait", {{"retry_after_ms", 1500}}});
  EXPECT_EQ(header_of(slow, "Retry-After"), "2");
  EXPECT_EQ(Json::parse(slow.body)["error"]["retry_after_ms"], 1500);
  EXPECT_EQ(header_of(error_response(429, "x", "y", {{"retry_after_ms", -5}}), "Retry-After"), "1");
}

TEST(Bodies, objects_are_read) {
  const auto object = read_object(" {\"a\": [1, {\"b\": null}], \"s\": \"[{[{[{[{[{[{[{[{[{:\\\"\", \"a\": 2} ");
  ASSERT_TRUE(object);
  EXPECT_EQ((*object)["a"], 2);
  EXPECT_TRUE(read_object("{}"));
  std::string deep = "{\"a\":";
  EXPECT_TRUE(read_object(deep + std::string(15, '[') + std::string(15, ']') + "}"));
}

TEST(Bodies, everything_else_is_refused_and_placed) {
  for (const std::string text : {"",
                                 "  ",
                                 "{",
                                 "}",
                                 "[]",
                                 "5",
                                 "\"x\"",
                                 "null",
                                 "{\"a\":}",
                                 "{\"a\" 1}",
                                 "{'a':1}",
                                 "{\"a\":1,}",
                                 "{\"a\":1} x",
                                 "{\"a\":01}",
                                 "{\"a\":1e999}",
                                 "{\"a\":\"\xff\"}",
                                 "{\"a\":\"\\ud800\"}",
                                 "{\"a\":\"\n\"}",
                                 "{\"a\":NaN}",
                                 "nonsense",
                                 "{\"a\":\"",
                                 "{\"a\":\"\\"}) {
    const auto object = read_object(text);
    ASSERT_FALSE(object) << text.size();
    EXPECT_LT(object.error().message.size(), 300U);
    for (const char c : object.error().message) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  }
  EXPECT_EQ(read_object("{\"a\": x}").error().message.substr(0, 7), "byte 7:");
  EXPECT_FALSE(read_object(std::string_view("{\"a\":1}\0", 8)));
}

TEST(Bodies, are_bounded) {
  const std::string deep = "{\"a\":" + std::string(16, '[') + std::string(16, ']') + "}";
  ASSERT_FALSE(read_object(deep));
  EXPECT_NE(read_object(deep).error().message.find("deeper than 16"), std::string::npos);
  EXPECT_FALSE(read_object(std::string(200'000, '[')));
  EXPECT_FALSE(read_object("{\"a\":" + std::string(200'000, '{')));
  std::string wide = "{\"x\":0";
  for (int i = 0; i < 999; ++i) wide += ",\"" + std::to_string(i) + "\":0";
  EXPECT_TRUE(read_object(wide + "}"));
  EXPECT_FALSE(read_object(wide + ",\"y\":0}"));
}

TEST(Fields, by_type) {
  const Json object = Json::parse(
      R"({"t":"x","n":7,"low":-3,"big":18446744073709551615,"f":1.5,"whole":2.0,"b":true,"null":null,"o":{}})");
  EXPECT_EQ(text_field(object, "t", "d"), "x");
  EXPECT_EQ(text_field(object, "missing", "d"), "d");
  EXPECT_EQ(text_field(object, "null", "d"), "d");
  EXPECT_FALSE(text_field(object, "n", "d"));
  EXPECT_EQ(number_field(object, "n", 1, 0, 10), 7);
  EXPECT_EQ(number_field(object, "low", 1, -3, 10), -3);
  EXPECT_EQ(number_field(object, "missing", 1, 5, 10), 1);
  for (const char* bad : {"t", "low", "big", "f", "whole", "b", "o"})
    EXPECT_FALSE(number_field(object, bad, 1, 0, INT64_MAX)) << bad;
  EXPECT_EQ(flag_field(object, "b", false), true);
  EXPECT_EQ(flag_field(object, "null", true), true);
  EXPECT_FALSE(flag_field(object, "n", false));
  EXPECT_NE(flag_field(object, "n", false).error().message.find("\"n\""), std::string::npos);
  EXPECT_NE(number_field(object, "n", 0, 8, 9).error().message.find("from 8 to 9"), std::string::npos);
  EXPECT_TRUE(only_fields(object, {"t", "n", "low", "big", "f", "whole", "b", "null", "o"}));
  const auto typo = only_fields(Json{{"levl", 1}}, {"spec", "level"});
  ASSERT_FALSE(typo);
  EXPECT_NE(typo.error().message.find("level"), std::string::npos);
  EXPECT_NE(typo.error().message.find("levl"), std::string::npos);
}

TEST(Heads, say_what_follows) {
  Response response = json_response(Json{{"a", 1}}, 201);
  response.headers = {{"X-One", "1"}, {"content-length", "99"}, {"X\nTwo", "2"}, {"X-Three", "3\r\nX-Four: 4"}};
  EXPECT_EQ(response_head(response, Framing::length, true, "today"),
            "HTTP/1.1 201 Created\r\nDate: today\r\nContent-Type: application/json\r\nContent-Length: 7\r\nX-One: 1\r\n"
            "Connection: keep-alive\r\n\r\n");
  response.headers.clear();
  EXPECT_EQ(response_head(response, Framing::chunked, false, "today"),
            "HTTP/1.1 201 Created\r\nDate: today\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
            "Connection: close\r\n\r\n");
  response.status = 304;
  EXPECT_EQ(response_head(response, Framing::length, true, "today"),
            "HTTP/1.1 304 Not Modified\r\nDate: today\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(reason_phrase(999), "Unknown");
}

TEST(Answers, bound_the_fields_of_each_object) {
  std::string many = "{\"list\": [";
  for (int i = 0; i < 3'000; ++i) many += R"({"a": 1, "b": 2},)";
  EXPECT_TRUE(read_object(many + "{}]}"));
  std::string wide = "{\"in\": {";
  for (int i = 0; i < 1'001; ++i) wide += "\"" + std::to_string(i) + "\": 1,";
  EXPECT_FALSE(read_object(wide + "\"end\": 1}}"));
  EXPECT_FALSE(read_object("]]]]{}"));
}

}  // namespace
}  // namespace paika::server
