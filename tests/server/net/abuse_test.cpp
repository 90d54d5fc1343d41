// Clients that send rubbish, too much, too slowly or nothing: each is refused or cut off, and nobody else notices.
#include <array>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "support.hpp"

namespace paika_tests {
namespace {

struct Bad {
  std::string bytes;
  int status;
};

std::string head(std::string_view first_line, std::string_view headers = "Host: localhost\r\n") {
  return std::string(first_line) + "\r\n" + std::string(headers) + "\r\n";
}
std::string with(std::string_view headers) {
  return head("POST / HTTP/1.1", "Host: localhost\r\n" + std::string(headers));
}
std::string at(std::string_view target) { return head("GET " + std::string(target) + " HTTP/1.1"); }

std::vector<Bad> malformed() {
  std::string many;
  for (int i = 0; i < 70; ++i) many += "X-" + std::to_string(i) + ": 1\r\n";
  std::string many_fields = "/?";
  for (int i = 0; i < 70; ++i) many_fields += std::to_string(i) + "=1&";
  return {
      // The first line.
      {"\x16\x03\x01\x02\x01\x01 a hello of TLS \r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET /\r\n\r\n", 400},
      {head("GET / HTTP/1.1 more"), 505},
      {head("GET  / HTTP/1.1"), 400},
      {head(" GET / HTTP/1.1"), 400},
      {head("G@T / HTTP/1.1"), 400},
      {head("G(T / HTTP/1.1"), 400},
      {head("GET / HTTP/2.0"), 505},
      {head("GET / HTTP/0.9"), 505},
      {head("GET / HTTP/1.2"), 505},
      {head("GET / HTTP/1"), 505},
      {head("GET / http/1.1"), 505},
      {head("GET / FTP/1.1"), 505},
      {"GET / HTTP/1.1\nHost: localhost\n\n", 505},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505},
      // The target.
      {head("OPTIONS * HTTP/1.1"), 400},
      {head("CONNECT localhost:80 HTTP/1.1"), 400},
      {at("http://localhost/"), 400},
      {at("nothing"), 400},
      {at("/a/../b"), 400},
      {at("/.."), 400},
      {at("/./a"), 400},
      {at("/%2e%2e/etc/passwd"), 400},
      {at("/..%2fetc"), 400},
      {at("/a%2Fb"), 400},
      {at("//host/path"), 400},
      {at("/a//b"), 400},
      {at("/%00"), 400},
      {at("/a%0d%0ab"), 400},
      {at("/%"), 400},
      {at("/%4"), 400},
      {at("/%zz"), 400},
      {at("/%ff"), 400},
      {at("/\xff"), 400},
      {at("/a#b"), 400},
      {at("/?a=%"), 400},
      {at("/?a=%00"), 400},
      {at("/?a=%c3"), 400},
      {at(many_fields), 400},
      {at("/" + std::string(5000, 'a')), 414},
      // Headers.
      {head("GET / HTTP/1.1", ""), 400},
      {head("GET / HTTP/1.1", "Host: a\r\nHost: b\r\n"), 400},
      {with("Origin: a\r\nOrigin: b\r\n"), 400},
      {with("Authorization: a\r\nauthorization: b\r\n"), 400},
      {with("No colon\r\n"), 400},
      {with(": no name\r\n"), 400},
      {with("Bad Name: x\r\n"), 400},
      {with("Bad\x01Name: x\r\n"), 400},
      {with(std::string("X: a\0b\r\n", 8)), 400},
      {with("X: a\rb\r\n"), 400},
      {with("X : a\r\n"), 400},
      {with(many), 431},
      {with("X: " + std::string(20'000, 'x') + "\r\n"), 431},
      // Bodies.
      {with("Content-Length: -1\r\n"), 400},
      {with("Content-Length: x\r\n"), 400},
      {with("Content-Length: 0x10\r\n"), 400},
      {with("Content-Length: 99999999999999999999999\r\n"), 400},
      {with("Content-Length: 1\r\nContent-Length: 2\r\n"), 400},
      {with("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), 400},
      {with("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), 400},
      {with("Transfer-Encoding: gzip\r\n"), 501},
      {with("Transfer-Encoding: gzip, chunked\r\n"), 501},
      {with("Transfer-Encoding: chunked, gzip\r\n"), 501},
      {head("POST / HTTP/1.0", "Host: a\r\nTransfer-Encoding: chunked\r\n"), 400},
      {with("Content-Length: 262145\r\n"), 413},
      {with("Content-Length: 262145\r\nExpect: 100-continue\r\n"), 413},
      {with("Content-Length: 5\r\nExpect: wonders\r\n"), 417},
      {with("Transfer-Encoding: chunked\r\n") + "x\r\n", 400},
      {with("Transfer-Encoding: chunked\r\n") + "-1\r\nabc\r\n", 400},
      {with("Transfer-Encoding: chunked\r\n") + "fffffffffffffffff\r\nabc\r\n", 400},
      {with("Transfer-Encoding: chunked\r\n") + "ffffffff\r\nabc\r\n", 413},
      {with("Transfer-Encoding: chunked\r\n") + "3\r\nabcdef\r\n", 400},
      {with("Transfer-Encoding: chunked\r\n") + "1;" + std::string(30'000, 'e'), 431},
  };
}

TEST(Abuse, malformed_requests_get_their_error) {
  TestSite site;
  int reached = 0;
  site.on_request = [&](const server::Request&, const std::shared_ptr<server::Reply>& reply) {
    ++reached;
    reply->send(plain("reached"));
  };
  Server running(site);
  const auto all = malformed();
  for (std::size_t i = 0; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    Client client(running.port());
    client.send(all[i].bytes);
    Answer answer = client.response();
    EXPECT_EQ(answer.status, all[i].status);
    EXPECT_NE(answer.body.find("{\"error\":{\"code\":\""), std::string::npos);
    EXPECT_EQ(answer.headers["connection"], "close");
    EXPECT_TRUE(client.read_to_end());
  }
  running.there([&] { EXPECT_EQ(reached, 0); });
  const auto counts = running.counts();
  EXPECT_EQ(counts.malformed + counts.too_large, all.size());
  EXPECT_EQ(counts.requests, 0U);
  EXPECT_TRUE(running.wait([](const auto& now) { return now.connections == 0; }));
}

TEST(Abuse, what_ends_too_early_is_forgotten) {
  TestSite site;
  Server running(site);
  for (const std::string& whole : {request("GET", "/"), request("POST", "/", "", "body")}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      Client client(running.port());
      client.send(whole.substr(0, length));
      client.close_sending();
      EXPECT_EQ(client.read_to_end(), "") << length;
    }
  }
  EXPECT_EQ(running.counts().requests, 0U);
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0; }));
}

/// Sends one byte every 20 ms until the other side closes; whether it did before all were sent.
bool cut_off(Client& client, std::string_view bytes) {
  for (std::size_t sent = 0; sent < bytes.size(); ++sent) {
    if (!client.send(bytes.substr(sent, 1)) || client.read_to_end(20ms)) return true;
  }
  return false;
}

TEST(Abuse, a_head_that_drips_is_cut_at_the_deadline) {
  TestSite site;
  server::NetworkSettings settings;
  settings.header_time = 300ms;
  Server running(site, settings);
  // Each byte comes long before the deadline, the last one long after it.
  const std::string head = request("GET", "/", "X: " + std::string(1000, 'x') + "\r\n");
  Client client(running.port());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(cut_off(client, head));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 250ms);
  // The second head of a connection has the same deadline, from its first byte on.
  Client second(running.port());
  EXPECT_EQ(second.get("/").status, 200);
  std::this_thread::sleep_for(350ms);
  EXPECT_TRUE(cut_off(second, head));
  // And one that says nothing at all.
  const Client silent(running.port());
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.accepted == 3 && counts.connections == 0; }, 2s));
  EXPECT_EQ(running.counts().too_slow, 3U);
}

TEST(Abuse, a_body_that_drips_is_cut_at_the_deadline) {
  TestSite site;
  server::NetworkSettings settings;
  settings.body_time = 300ms;
  Server running(site, settings);
  Client client(running.port());
  client.send(request("POST", "/", "Content-Length: 100000\r\n"));
  EXPECT_TRUE(cut_off(client, std::string(500, 'x')));
  // The client may see its end before the server has counted it.
  EXPECT_TRUE(running.wait([](const server::NetworkCounts& counts) { return counts.too_slow > 0; }));
  EXPECT_EQ(running.counts().too_slow, 1U);
  EXPECT_EQ(running.counts().requests, 0U);
}

TEST(Abuse, idle_connections_end_without_blame) {
  TestSite site;
  server::NetworkSettings settings;
  settings.idle_time = 100ms;
  Server running(site, settings);
  Client client(running.port());
  EXPECT_EQ(client.get("/").status, 200);
  EXPECT_EQ(client.read_to_end(2s), "");
  EXPECT_EQ(running.counts().too_slow, 0U);
}

TEST(Abuse, a_body_is_refused_before_it_is_read) {
  TestSite site;
  Server running(site);
  Client client(running.port());
  const std::string body(1'000'000, 'x');
  client.send(request("POST", "/", "", body));
  EXPECT_EQ(client.response().status, 413);
  // In chunks it is read as far as it may go.
  Client chunks(running.port());
  chunks.send(request("POST", "/", "Transfer-Encoding: chunked\r\n"));
  std::string chunk = "2710\r\n" + std::string(10'000, 'x') + "\r\n";
  for (int i = 0; i < 30; ++i) chunks.send(chunk);
  EXPECT_EQ(chunks.response().status, 413);
  Client exact(running.port());
  exact.send(request("POST", "/", "", body.substr(0, std::size_t{256} * 1024)));
  EXPECT_EQ(exact.response().status, 200);
}

TEST(Abuse, a_client_that_does_not_take_its_answer_is_cut_off) {
  TestSite site;
  site.on_request = [](const server::Request&, const std::shared_ptr<server::Reply>& reply) {
    reply->send(plain(std::string(20'000'000, 'x')));
  };
  server::NetworkSettings settings;
  settings.write_time = 200ms;
  Server running(site, settings);
  Client client(running.port(), 4096);
  client.send(request("GET", "/"));
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.cut_off == 1 && counts.connections == 0; }));
}

TEST(Abuse, endless_requests_of_one_do_not_stop_others) {
  TestSite site;
  Server running(site);
  Client flood(running.port(), 4096);
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += request("GET", "/flood");
  std::thread flooder([&] { flood.send(many); });
  for (int i = 0; i < 20; ++i) {
    Client client(running.port());
    EXPECT_EQ(client.get("/").status, 200);
  }
  flood.close_sending();
  flooder.join();
}

// ---- Random bytes ----

std::string random_http(paika::Random& random) {
  static const std::array<std::string, 12> pieces = {"GET ",
                                                     "POST ",
                                                     "/",
                                                     " HTTP/1.1\r\n",
                                                     "\r\n",
                                                     "Host: a\r\n",
                                                     "Content-Length: 3\r\n",
                                                     "Upgrade: websocket\r\n",
                                                     "Connection: Upgrade\r\n",
                                                     "Transfer-Encoding: chunked\r\n",
                                                     "%2e",
                                                     "?a=b"};
  std::string text = random.one_in(3) ? "" : request("POST", "/x", "", "abc");
  for (std::uint64_t i = random.below(8); i > 0; --i) {
    const std::size_t place = random.index(text.size() + 1);
    if (random.one_in(2)) {
      text.insert(place, pieces[random.index(pieces.size())]);
    } else if (!text.empty() && place < text.size()) {
      text[place] = static_cast<char>(random.below(256));
    } else {
      for (std::uint64_t n = random.below(64); n > 0; --n) text += static_cast<char>(random.below(256));
    }
  }
  return text;
}

TEST(Abuse, random_requests_neither_break_nor_block_it) {
  TestSite site;
  server::NetworkSettings settings;
  settings.header_time = settings.body_time = settings.idle_time = 1s;
  Server running(site, settings);
  paika::Random random(7);
  constexpr int connections = 5000;
  for (int i = 0; i < connections; ++i) {
    Client client(running.port());
    ASSERT_TRUE(client.connected());
    client.send(random_http(random));
    if (random.one_in(2)) client.close_sending();
    if (random.one_in(4)) static_cast<void>(client.read(1, 1ms));
    if (random.one_in(4)) client.reset();
    if (i % 50 == 0) static_cast<void>(running.counts());  // lets a slow machine keep up
  }
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0; }));
  // Many were reset before they were taken, the more the slower the machine is.
  EXPECT_GT(running.counts().accepted, static_cast<std::uint64_t>(connections / 20));
  Client client(running.port());
  EXPECT_EQ(client.get("/alive").body, "GET /alive");
}

TEST(Abuse, random_frames_neither_break_nor_block_it) {
  TestSite site;
  Server running(site);
  paika::Random random(11);
  for (int i = 0; i < 500; ++i) {
    WebClient client(running.port());
    ASSERT_EQ(client.status(), 101);
    std::string bytes;
    for (std::uint64_t frames = 1 + random.below(5); frames > 0; --frames) {
      std::string payload;
      for (std::uint64_t n = random.below(random.one_in(10) ? 70'000 : 140); n > 0; --n)
        payload += random.one_in(200) ? static_cast<char>(random.below(256)) : 'a';
      bytes += frame_bytes(static_cast<int>(random.one_in(3) ? random.below(16) : random.below(2)), payload,
                           !random.one_in(4), !random.one_in(20));
    }
    if (random.one_in(2)) bytes[random.index(bytes.size())] = static_cast<char>(random.below(256));
    client.send(bytes);
    if (random.one_in(2)) static_cast<void>(client.read(1ms));
  }
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0 && counts.sockets == 0; }));
  EXPECT_EQ(TestSite::handlers(), 0);
  WebClient client(running.port());
  client.say("alive");
  EXPECT_EQ(client.hear().payload, "alive");
}

}  // namespace
}  // namespace paika_tests
