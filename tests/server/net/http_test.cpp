// HTTP as good clients speak it: what the site sees, what comes back, in which order.
#include <gtest/gtest.h>
#include <stdexcept>

#include "support.hpp"

namespace paika_tests {
namespace {

TEST(Http, a_request_reaches_the_site_whole) {
  TestSite site;
  server::Request seen;
  site.on_request = [&](server::Request request, std::shared_ptr<server::Reply> reply) {
    seen = std::move(request);
    reply->send(plain("ok"));
  };
  Server running(site);
  Client client(running.port());
  client.send(request("POST", "/a%20b/c?x=1&y=%C3%A9+z&x=2", "Cookie: one=1; two=2\r\nX-Thing:  v \r\n", "hello"));
  const Answer answer = client.response();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "ok");
  EXPECT_EQ(answer.headers.at("content-type"), "text/plain");
  EXPECT_EQ(answer.headers.at("connection"), "keep-alive");
  EXPECT_TRUE(answer.headers.at("date").ends_with(" GMT"));
  EXPECT_EQ(seen.method, "POST");
  EXPECT_EQ(seen.path, "/a b/c");
  EXPECT_EQ(seen.query.at("x"), "2");
  EXPECT_EQ(seen.query.at("y"), "\xC3\xA9 z");
  EXPECT_EQ(seen.header("x-thing"), "v");
  EXPECT_EQ(seen.header("missing"), "");
  EXPECT_EQ(seen.cookie("two"), "2");
  EXPECT_EQ(seen.body, "hello");
  EXPECT_EQ(seen.address, "127.0.0.1");
  EXPECT_FALSE(seen.secure);
}

TEST(Http, a_proxy_is_believed_only_where_there_is_one) {
  TestSite site;
  site.on_request = [&](const server::Request& request, const std::shared_ptr<server::Reply>& reply) {
    reply->send(plain(request.address + (request.secure ? " secure" : " open")));
  };
  const std::string headers = "X-Forwarded-For: 6.6.6.6, 10.1.2.3\r\nX-Forwarded-Proto: https\r\n";
  {
    Server running(site);
    Client client(running.port());
    client.send(request("GET", "/", headers));
    EXPECT_EQ(client.response().body, "127.0.0.1 open");
  }
  server::NetworkSettings settings;
  settings.behind_proxy = true;
  Server running(site, settings);
  Client client(running.port());
  client.send(request("GET", "/", headers));
  EXPECT_EQ(client.response().body, "10.1.2.3 secure");
  client.send(request("GET", "/", "X-Forwarded-For: rubbish\r\nX-Forwarded-Proto: http\r\n"));
  EXPECT_EQ(client.response().body, "127.0.0.1 open");
  client.send(request("GET", "/", "X-Forwarded-For: 2001:DB8::0:1\r\n"));
  EXPECT_EQ(client.response().body, "2001:db8::1 open");
}

TEST(Http, pipelined_requests_are_answered_in_order) {
  TestSite site;
  std::vector<std::shared_ptr<server::Reply>> waiting;
  Server* server_of = nullptr;
  site.on_request = [&](const server::Request& request, const std::shared_ptr<server::Reply>& reply) {
    // Every other one is answered later.
    if (request.path.back() % 2 == 0) return reply->send(plain(request.path));
    server_of->network().after(20ms, [reply, path = request.path] { reply->send(plain(path)); });
  };
  Server running(site);
  server_of = &running;
  Client client(running.port());
  std::string all;
  for (char c = '0'; c <= '9'; ++c)
    all += request(c == '5' ? "POST" : "GET", std::string("/") + c, "", c == '5' ? "body" : "");
  client.send(all);
  for (char c = '0'; c <= '9'; ++c) EXPECT_EQ(client.response().body, std::string("/") + c);
  EXPECT_EQ(running.counts().requests, 10U);
  EXPECT_EQ(running.counts().accepted, 1U);
}

TEST(Http, a_request_may_come_byte_by_byte) {
  TestSite site;
  Server running(site);
  Client client(running.port());
  for (const char c : request("POST", "/slow", "", "body")) {
    client.send({&c, 1});
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(client.response().body, "POST /slow");
}

TEST(Http, head_gets_the_length_without_the_body) {
  TestSite site;
  Server running(site);
  Client client(running.port());
  client.send(request("HEAD", "/x") + request("GET", "/y"));
  const Answer head = client.response(true);
  EXPECT_EQ(head.headers.at("content-length"), "7");  // HEAD /x
  EXPECT_EQ(client.response().body, "GET /y");
}

TEST(Http, statuses_without_a_body_have_none) {
  TestSite site;
  site.on_request = [](const server::Request& request, const std::shared_ptr<server::Reply>& reply) {
    server::Response response = plain("not to be sent");
    response.status = request.path == "/204" ? 204 : 304;
    reply->send(std::move(response));
  };
  Server running(site);
  Client client(running.port());
  client.send(request("GET", "/204") + request("GET", "/304") + request("GET", "/end", "Connection: close\r\n"));
  const auto all = client.read_to_end();
  ASSERT_TRUE(all);
  EXPECT_EQ(all->find("not to be sent"), std::string::npos);
  EXPECT_EQ(all->find("Content-Length"), std::string::npos);
}

TEST(Http, chunked_bodies_and_expectations) {
  TestSite site;
  site.on_request = [](const server::Request& request, const std::shared_ptr<server::Reply>& reply) {
    // A trailer is no header.
    reply->send(plain(request.body + "|" + std::string(request.header("x-late"))));
  };
  Server running(site);
  Client client(running.port());
  client.send(request("POST", "/", "Transfer-Encoding: chunked\r\nTrailer: X-Late\r\n") +
              "3\r\nabc\r\n4;ext=1\r\ndefg\r\n0\r\nX-Late: no\r\n\r\n");
  EXPECT_EQ(client.response().body, "abcdefg|");
  client.send(request("POST", "/", "Expect: 100-continue\r\nContent-Length: 4\r\n"));
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("wxyz");
  EXPECT_EQ(client.response().body, "wxyz|");
}

TEST(Http, connections_end_when_the_client_asks) {
  TestSite site;
  Server running(site);
  Client client(running.port());
  client.send(request("GET", "/", "Connection: close\r\n"));
  EXPECT_EQ(client.response().headers.at("connection"), "close");
  EXPECT_EQ(client.read_to_end(), "");
  Client old(running.port());
  old.send("GET /old HTTP/1.0\r\n\r\n");
  const auto all = old.read_to_end();
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->ends_with("\r\n\r\nGET /old"));
  Client kept(running.port());
  kept.send("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(kept.response().body, "GET /old");
  EXPECT_EQ(kept.get("/again").body, "GET /again");
}

TEST(Http, a_large_answer_arrives_whole) {
  TestSite site;
  std::string large(3'000'000, 'x');
  for (std::size_t i = 0; i < large.size(); i += 1000) large[i] = static_cast<char>('a' + i / 1000 % 26);
  site.on_request = [&](const server::Request&, const std::shared_ptr<server::Reply>& reply) {
    reply->send(plain(large));
  };
  Server running(site);
  Client client(running.port(), 8192);
  EXPECT_TRUE(client.get("/").body == large);
  EXPECT_GT(running.counts().bytes_out, large.size());
}

TEST(Http, a_forgotten_reply_is_a_500_and_goes_on) {
  TestSite site;
  site.on_request = [](const server::Request&, const std::shared_ptr<server::Reply>&) {};
  Server running(site);
  Client client(running.port());
  for (int i = 0; i < 2; ++i) {
    const Answer answer = client.get("/");
    EXPECT_EQ(answer.status, 500);
    EXPECT_NE(answer.body.find("\"code\":\"internal\""), std::string::npos);
    EXPECT_TRUE(answer.headers.contains("content-security-policy"));
  }
}

TEST(Http, a_site_that_throws_is_a_500_and_the_end_of_that_connection) {
  TestSite site;
  site.on_request = [](const server::Request& request, const std::shared_ptr<server::Reply>& reply) {
    if (request.path == "/sent") reply->send(plain("sent"));
    if (request.path == "/int") throw 5;
    throw std::runtime_error("a bug");
  };
  server::NetworkSettings settings;
  std::vector<std::string> lines;
  settings.log = [&](std::string_view line) { lines.emplace_back(line); };
  Server running(site, settings);
  for (const std::string path : {"/", "/int", "/sent"}) {
    Client client(running.port());
    const Answer answer = client.get(path);
    EXPECT_EQ(answer.status, path == "/sent" ? 200 : 500);
    EXPECT_EQ(answer.headers.at("connection"), "close");
    EXPECT_EQ(client.read_to_end(), "");
  }
  running.there([&] {
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_NE(lines[0].find("a bug"), std::string::npos);
  });
}

TEST(Http, a_reply_may_outlive_its_client_and_the_network) {
  TestSite site;
  std::vector<std::shared_ptr<server::Reply>> kept;
  site.on_request = [&](const server::Request&, std::shared_ptr<server::Reply> reply) {
    kept.push_back(std::move(reply));
  };
  {
    Server running(site);
    Client client(running.port());
    client.send(request("GET", "/"));
    Client gone(running.port());
    gone.send(request("GET", "/"));
    ASSERT_TRUE(running.wait([](const auto& counts) { return counts.requests == 2; }));
    gone.reset();
    running.there([&] { kept.back()->send(plain("to nobody")); });
    EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 1; }));
  }
  const auto subscriber = kept.front()->stream(plain(""));
  EXPECT_TRUE(subscriber->closed());
  subscriber->send("x");
  bool told = false;
  subscriber->when_closed([&] { told = true; });
  EXPECT_TRUE(told);
}

TEST(Http, headers_of_the_site_cannot_break_the_format) {
  TestSite site;
  site.on_request = [](const server::Request&, const std::shared_ptr<server::Reply>& reply) {
    server::Response response = plain("body");
    response.headers = {{"X-Good", "yes"},
                        {"X-Bad", "a\r\nSet-Cookie: x=y"},
                        {"Bad Name", "v"},
                        {"Content-Length", "1"},
                        {"Connection", "upgrade"}};
    reply->send(std::move(response));
  };
  Server running(site);
  Client client(running.port());
  const Answer answer = client.get("/");
  EXPECT_EQ(answer.body, "body");
  EXPECT_EQ(answer.headers.at("x-good"), "yes");
  EXPECT_FALSE(answer.headers.contains("x-bad"));
  EXPECT_FALSE(answer.headers.contains("set-cookie"));
  EXPECT_FALSE(answer.headers.contains("bad name"));
  EXPECT_EQ(answer.headers.at("connection"), "keep-alive");
}

}  // namespace
}  // namespace paika_tests
