// Targets, queries, cookies, UTF-8 and addresses as they come from outside.
#include "server/http/target.hpp"

#include <gtest/gtest.h>

#include "server/http/address.hpp"
#include "server/http/site.hpp"

namespace paika::server {
namespace {

TEST(Targets, good_ones_are_decoded) {
  const auto target = parse_target("/api/rooms/a%20b%3F?x=1&x=2&empty=&bare&&a+b=%26%3D+%0A&%C3%A9=%E2%82%AC");
  ASSERT_TRUE(target);
  EXPECT_EQ(target->path, "/api/rooms/a b?");
  const std::map<std::string, std::string, std::less<>> expected = {
      {"x", "2"}, {"empty", ""}, {"bare", ""}, {"a b", "&= \n"}, {"\xC3\xA9", "\xE2\x82\xAC"}};
  EXPECT_EQ(target->query, expected);
  for (const auto& [text, path] : std::vector<std::pair<std::string, std::string>>{{"/", "/"},
                                                                                   {"/a/", "/a/"},
                                                                                   {"/a+b", "/a+b"},
                                                                                   {"/...", "/..."},
                                                                                   {"/.well-known/x", "/.well-known/x"},
                                                                                   {"/a..b", "/a..b"},
                                                                                   {"/%25", "/%"},
                                                                                   {"/a?", "/a"},
                                                                                   {"/a?/../b", "/a"}}) {
    const auto read = parse_target(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->path, path);
  }
}

TEST(Targets, what_is_doubtful_is_refused) {
  for (const std::string text : {"",           "*",
                                 "a",          "http://h/",
                                 "?",          "//",
                                 "/a//b",      "/a//",
                                 "/.",         "/..",
                                 "/a/.",       "/a/..",
                                 "/a/../b",    "/%2e",
                                 "/%2E%2e/x",  "/.%2e/x",
                                 "/a%2fb",     "/a%2F..%2Fb",
                                 "/%",         "/%1",
                                 "/%g1",       "/%1g",
                                 "/% 1",       "/%+1",
                                 "/%-1",       "/%00",
                                 "/%1f",       "/%7f",
                                 "/a%0a",      "/a b",
                                 "/a\tb",      "/a#b",
                                 "/\x7f",      "/\xc3\xa9",
                                 "/%c3",       "/%c0%af",
                                 "/%ed%a0%80", "/%f5%80%80%80",
                                 "/?%",        "/?a=%0",
                                 "/?%00=a",    "/?a=%00",
                                 "/?a=%ff",    "/?a=\xff"}) {
    const auto target = parse_target(text);
    ASSERT_FALSE(target) << text;
    EXPECT_FALSE(target.error().message.empty());
    EXPECT_LT(target.error().message.size(), 300U);
  }
  EXPECT_FALSE(parse_target(std::string_view("/a\0b", 4)));
  EXPECT_FALSE(parse_target("/" + std::string(max_target, 'a')));
  EXPECT_TRUE(parse_target("/" + std::string(max_target - 1, 'a')));
  std::string many = "/?";
  for (std::size_t i = 0; i < max_query_fields; ++i) many += "a&";
  EXPECT_TRUE(parse_target(many));
  EXPECT_FALSE(parse_target(many + "a"));
}

TEST(Cookies, the_first_of_a_name_counts) {
  const std::string header = "a=1; session=first; b=\"two words\";session=second; =x; bare; empty=;c=d=e";
  EXPECT_EQ(cookie_value(header, "session"), "first");
  EXPECT_EQ(cookie_value(header, "a"), "1");
  EXPECT_EQ(cookie_value(header, "b"), "two words");
  EXPECT_EQ(cookie_value(header, "c"), "d=e");
  for (const char* name : {"empty", "bare", "missing", "sess", "A", "two"})
    EXPECT_EQ(cookie_value(header, name), "") << name;
  EXPECT_EQ(cookie_value("", "a"), "");
  EXPECT_EQ(cookie_value(";;;", "a"), "");
  EXPECT_EQ(cookie_value("a=\"", "a"), "\"");
  Request request;
  request.headers["cookie"] = header;
  EXPECT_EQ(request.cookie("session"), "first");
  EXPECT_EQ(Request{}.cookie("session"), "");
}

TEST(Utf8, is_told_from_what_is_not) {
  for (const char* good :
       {"", "abc", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8E\xB2", "\xF4\x8F\xBF\xBF", "\xEF\xBF\xBF", "\x7f"})
    EXPECT_TRUE(is_utf8(good));
  for (const char* bad : {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xED\xA0\x80",
                          "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x82",
                          "a\xE2\x82"
                          "b"})
    EXPECT_FALSE(is_utf8(bad));
}

TEST(Addresses, have_one_form) {
  EXPECT_EQ(plain_address("127.0.0.1"), "127.0.0.1");
  EXPECT_EQ(plain_address("::ffff:10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(plain_address("2001:DB8:0:0::1"), "2001:db8::1");
  EXPECT_EQ(plain_address("fe80::1%eth0"), "fe80::1");
  for (const char* bad : {"", "x", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1.2.3.4:80", "[::1]", ":::", "unknown"})
    EXPECT_EQ(plain_address(bad), std::nullopt) << bad;
  EXPECT_EQ(plain_address(std::string_view("1.2.3.4\0x", 9)), std::nullopt);
  EXPECT_EQ(client_of("10.0.0.1"), "10.0.0.1");
  EXPECT_EQ(client_of("2001:db8:0:7:1:2:3:4"), client_of("2001:db8:0:7::9"));
  EXPECT_NE(client_of("2001:db8:0:7::1"), client_of("2001:db8:0:8::1"));
  EXPECT_EQ(client_of("2001:db8:0:7::1"), "2001:db8:0:7::/64");
  EXPECT_EQ(client_of("rubbish"), "rubbish");
  for (const char* own : {"127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"}) EXPECT_TRUE(is_loopback(own));
  for (const char* other : {"128.0.0.1", "0.0.0.0", "::", "::2", "localhost"}) EXPECT_FALSE(is_loopback(other));
}

}  // namespace
}  // namespace paika::server
