// Bodies of requests that the site takes piece by piece.
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "support.hpp"

namespace paika_tests {
namespace {

/// Takes pieces until there are `most` bytes or no more come, then answers with how it was.
struct Taker : std::enable_shared_from_this<Taker> {
  std::shared_ptr<server::BodySource> body;
  std::shared_ptr<server::Reply> reply;
  std::size_t most = 0;
  std::string all;

  void take() {
    if (all.size() >= most) return reply->send(plain("enough"));
    body->next([self = shared_from_this()](std::optional<std::string> piece) {
      if (!piece) return self->reply->send(plain("broken"));
      if (piece->empty()) return self->reply->send(plain("whole " + self->all));
      self->all += *piece;
      self->take();
    });
  }
};

struct TakingSite {
  TestSite site;
  std::shared_ptr<server::BodySource> unused;  // of a path that takes nothing yet

  explicit TakingSite(std::size_t most = 1 << 20) {
    site.on_request = [this, most](server::Request request, const std::shared_ptr<server::Reply>& reply) {
      if (request.path == "/up/none") return reply->send(plain("no"));
      if (request.path == "/up/later") {
        unused = request.rest;
        return reply->send(plain("later"));
      }
      if (!request.rest) return reply->send(plain("given " + request.body));
      const auto taker = std::make_shared<Taker>();
      taker->body = request.rest;
      taker->reply = reply;
      taker->most = most;
      taker->take();
    };
  }

  static server::NetworkSettings settings() {
    server::NetworkSettings settings;
    settings.stream_prefix = "/up/";
    settings.max_stream_bytes = 1000;
    settings.max_body_bytes = 100;
    return settings;
  }
};

TEST(TakenBodies, come_in_pieces_and_the_connection_stays) {
  TakingSite taking;
  Server running(taking.site, TakingSite::settings());
  Client client(running.port());
  client.send(request("POST", "/up/x", "", std::string(500, 'a')));
  EXPECT_EQ(client.response().body, "whole " + std::string(500, 'a'));
  client.send("POST /up/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
  client.send("4\r\ndefg\r\n0\r\n\r\n");
  EXPECT_EQ(client.response().body, "whole abcdefg");
  client.send(request("POST", "/up/x"));
  EXPECT_EQ(client.response().body, "whole ");
  client.send(request("POST", "/other", "", "xyz"));
  EXPECT_EQ(client.response().body, "given xyz") << "all other bodies come with the request";
}

TEST(TakenBodies, what_is_not_taken_is_not_read) {
  TakingSite taking(3);
  Server running(taking.site, TakingSite::settings());
  for (const char* path : {"/up/none", "/up/some"}) {
    Client client(running.port());
    client.send("POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nabcdef");
    const Answer answer = client.response();
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.headers.at("connection"), "close") << path;
    EXPECT_TRUE(client.read_to_end()) << path;
  }
}

TEST(TakenBodies, who_asks_first_is_told_when_it_is_wanted) {
  TakingSite taking;
  Server running(taking.site, TakingSite::settings());
  const std::string head = " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
  Client client(running.port());
  client.send("POST /up/x" + head);
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("abc");
  EXPECT_EQ(client.response().body, "whole abc");
  Client other(running.port());
  other.send("POST /up/none" + head);
  EXPECT_EQ(other.response().status, 200) << "without another word";
}

TEST(TakenBodies, have_limits_of_size_and_time) {
  TakingSite taking;
  server::NetworkSettings settings = TakingSite::settings();
  settings.body_time = 200ms;
  Server running(taking.site, settings);
  Client declared(running.port());
  declared.send("POST /up/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1001\r\n\r\n");
  EXPECT_EQ(declared.response().status, 413);
  Client chunked(running.port());
  chunked.send("POST /up/x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 11; ++i) chunked.send("64\r\n" + std::string(100, 'x') + "\r\n");
  EXPECT_EQ(chunked.response().status, 413);
  Client slow(running.port());
  slow.send("POST /up/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  const auto end = slow.read_to_end();
  ASSERT_TRUE(end);
  EXPECT_EQ(*end, "") << "who stops is cut off";
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.too_slow == 1; }));
}

TEST(TakenBodies, end_with_their_client_and_with_their_connection) {
  TakingSite taking;
  Server running(taking.site, TakingSite::settings());
  {
    Client gone(running.port());
    gone.send("POST /up/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc");
  }
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0; }));
  Client client(running.port());
  client.send(request("POST", "/up/later", "", "abc"));
  EXPECT_EQ(client.response().body, "later");
  std::optional<std::string> piece = "something";
  running.there([&] {
    taking.unused->next([&](std::optional<std::string> given) { piece = std::move(given); });
    taking.unused = nullptr;
  });
  EXPECT_EQ(piece, std::nullopt) << "too late";
}

}  // namespace
}  // namespace paika_tests
