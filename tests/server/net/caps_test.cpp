// How many connections one address may have, and who makes room for others when there are too many.
#include <gtest/gtest.h>

#include "tests/server/net/support.hpp"

namespace {

using namespace paika_tests;

constexpr const char* greedy = "127.0.0.2";
constexpr const char* other = "127.0.0.3";

server::NetworkSettings few(std::size_t all, std::size_t per_address) {
  server::NetworkSettings settings;
  settings.max_connections = all;
  settings.max_per_address = per_address;
  return settings;
}

TEST(Caps, an_address_has_only_its_share) {
  TestSite site;
  Server running(site, few(20, 5));
  std::vector<Client> held;
  for (int i = 0; i < 5; ++i) {
    held.emplace_back(running.port(), 0, greedy);
    EXPECT_EQ(held.back().get("/").status, 200);
  }
  Client sixth(running.port(), 0, greedy);
  const auto answer = sixth.read_to_end();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->starts_with("HTTP/1.1 503 "));
  EXPECT_NE(answer->find("\"too_many_connections\""), std::string::npos);
  EXPECT_NE(answer->find("Retry-After:"), std::string::npos);
  Client stranger(running.port(), 0, other);
  EXPECT_EQ(stranger.get("/").status, 200);
  for (Client& client : held) EXPECT_EQ(client.get("/").status, 200) << "those it has stay";
}

TEST(Caps, web_sockets_count_too) {
  TestSite site;
  Server running(site, few(20, 3));
  std::vector<WebClient> held;
  for (int i = 0; i < 3; ++i) {
    held.emplace_back(running.port(), "/socket", "", 0, greedy);
    EXPECT_EQ(held.back().status(), 101);
  }
  EXPECT_EQ(WebClient(running.port(), "/socket", "", 0, greedy).status(), 503);
  EXPECT_EQ(WebClient(running.port(), "/socket", "", 0, other).status(), 101);
  held.pop_back();
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.sockets <= 2; }));
  EXPECT_EQ(WebClient(running.port(), "/socket", "", 0, greedy).status(), 101);
}

TEST(Caps, when_all_are_taken_the_idle_ones_of_the_greediest_make_room) {
  TestSite site;
  Server running(site, few(10, 10));
  std::vector<Client> held;
  for (int i = 0; i < 9; ++i) {
    held.emplace_back(running.port(), 0, greedy);
    EXPECT_EQ(held.back().get("/").status, 200);
  }
  Client friendly(running.port(), 0, "127.0.0.9");
  EXPECT_EQ(friendly.get("/").status, 200);
  EXPECT_EQ(held[0].get("/").status, 200);  // the second is now the one that did nothing for the longest time
  Client newcomer(running.port(), 0, other);
  EXPECT_EQ(newcomer.get("/").status, 200);
  EXPECT_EQ(held[1].read_to_end(), "");
  EXPECT_EQ(friendly.get("/").status, 200);
  for (std::size_t i : {0U, 2U, 8U}) EXPECT_EQ(held[i].get("/").status, 200) << i;
  EXPECT_EQ(running.counts().given_up, 1U);
  // The greediest cannot take places from others in this way.
  Client more(running.port(), 0, greedy);
  const auto answer = more.read_to_end();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->starts_with("HTTP/1.1 503 "));
  EXPECT_EQ(newcomer.get("/").status, 200);
}

TEST(Caps, many_addresses_find_room_beside_one_that_holds_everything) {
  TestSite site;
  Server running(site, few(12, 12));
  std::vector<WebClient> held;
  for (int i = 0; i < 12; ++i) {
    held.emplace_back(running.port(), "/socket", "", 0, greedy);
    ASSERT_EQ(held.back().status(), 101);
  }
  std::vector<Client> others;
  for (const char* from : {"127.0.1.1", "127.0.1.2", "127.0.1.3", "127.0.1.4", "127.0.1.5"}) {
    others.emplace_back(running.port(), 0, from);
    EXPECT_EQ(others.back().get("/").status, 200) << from;
  }
  for (Client& client : others) EXPECT_EQ(client.get("/").status, 200);
  EXPECT_EQ(running.counts().given_up, 5U);
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections <= 12; }));
}

TEST(Caps, what_is_being_answered_is_not_given_up) {
  TestSite site;
  std::vector<std::shared_ptr<server::Reply>> replies;
  site.on_request = [&](server::Request request, std::shared_ptr<server::Reply> reply) {
    if (request.path == "/later") {
      replies.push_back(std::move(reply));
    } else {
      reply->send(plain("now"));
    }
  };
  Server running(site, few(4, 4));
  std::vector<Client> held;
  for (int i = 0; i < 4; ++i) {
    held.emplace_back(running.port(), 0, greedy);
    ASSERT_TRUE(held.back().send(request("GET", "/later")));
  }
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.requests == 4; }));
  Client newcomer(running.port(), 0, other);
  const auto answer = newcomer.read_to_end();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->starts_with("HTTP/1.1 503 "));
  running.there([&] {
    for (const auto& reply : replies) reply->send(plain("at last"));
    replies.clear();
  });
  for (Client& client : held) EXPECT_EQ(client.response().status, 200);
}

TEST(Caps, behind_a_proxy_its_clients_count) {
  TestSite site;
  server::NetworkSettings settings = few(20, 2);
  settings.behind_proxy = true;
  Server running(site, settings);
  const auto from = [](std::string_view address) { return "X-Forwarded-For: " + std::string(address) + "\r\n"; };
  std::vector<WebClient> held;
  for (int i = 0; i < 2; ++i) {
    held.emplace_back(running.port(), "/socket", from("203.0.113.1"));
    EXPECT_EQ(held.back().status(), 101);
  }
  EXPECT_EQ(WebClient(running.port(), "/socket", from("203.0.113.1")).status(), 503);
  EXPECT_EQ(WebClient(running.port(), "/socket", from("203.0.113.2")).status(), 101);
  // IPv6 is counted by its first 64 bits.
  held.emplace_back(running.port(), "/socket", from("2001:db8::1"));
  held.emplace_back(running.port(), "/socket", from("2001:db8::2"));
  EXPECT_EQ(held.back().status(), 101);
  EXPECT_EQ(WebClient(running.port(), "/socket", from("2001:db8::3")).status(), 503);
  EXPECT_EQ(WebClient(running.port(), "/socket", from("2001:db8:0:1::3")).status(), 101);
  // The proxy's own connections are one for all its clients.
  Client proxy(running.port());
  for (const char* client : {"203.0.113.3", "203.0.113.4", "203.0.113.5", "203.0.113.6"}) {
    ASSERT_TRUE(proxy.send(request("GET", "/", from(client))));
    EXPECT_EQ(proxy.response().status, 200) << client;
  }
  ASSERT_TRUE(proxy.send(request("GET", "/", from("203.0.113.1"))));
  EXPECT_EQ(proxy.response().status, 503);
}

}  // namespace
