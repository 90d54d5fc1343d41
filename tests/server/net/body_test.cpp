// Long bodies: made only as the client takes them.
#include <algorithm>
#include <atomic>
#include <ctime>
#include <gtest/gtest.h>

#include "support.hpp"

namespace paika_tests {
namespace {

/// A body of so many pieces, which counts those that were asked for.
class Pieces final : public server::BodySource {
 public:
  Pieces(int pieces, std::size_t bytes, std::atomic<int>& made, int fails_at)
      : pieces_(pieces), bytes_(bytes), made_(made), fails_at_(fails_at) {}

  void next(Ready ready) override {
    const int number = made_++;
    if (number == fails_at_) return ready(std::nullopt);
    ready(number < pieces_ ? std::string(bytes_, static_cast<char>('a' + number % 26)) : std::string());
  }

 private:
  int pieces_;
  std::size_t bytes_;
  std::atomic<int>& made_;
  int fails_at_;
};

struct LongBodies {
  TestSite site;
  std::atomic<int> made = 0;
  explicit LongBodies(int pieces, std::size_t bytes, int fails_at = -1) {
    site.on_request = [this, pieces, bytes, fails_at](const server::Request& request,
                                                      const std::shared_ptr<server::Reply>& reply) {
      if (request.path == "/short") return reply->send(plain("short"));
      server::Response response = plain("begin ");
      response.rest = std::make_shared<Pieces>(pieces, bytes, made, fails_at);
      reply->send(std::move(response));
    };
  }
};

TEST(LongBodies, come_whole_and_the_connection_stays) {
  LongBodies bodies(3, 5);
  Server running(bodies.site);
  Client client(running.port());
  const Answer answer = client.get("/long");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("transfer-encoding"), "chunked");
  EXPECT_EQ(answer.headers.count("content-length"), 0U);
  EXPECT_EQ(answer.body, "begin aaaaabbbbbccccc");
  EXPECT_EQ(client.get("/short").body, "short");
}

TEST(LongBodies, an_old_client_gets_bare_pieces_and_head_none) {
  LongBodies bodies(2, 3);
  Server running(bodies.site);
  Client old(running.port());
  old.send("GET /long HTTP/1.0\r\n\r\n");
  const auto all = old.read_to_end();
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->ends_with("\r\n\r\nbegin aaabbb")) << *all;
  const int before = bodies.made;
  Client head(running.port());
  head.send(request("HEAD", "/long"));
  EXPECT_EQ(head.response(true).status, 200);
  EXPECT_EQ(bodies.made, before) << "nothing is made for nobody";
}

TEST(LongBodies, of_a_client_that_does_not_read_cost_a_bounded_buffer) {
  constexpr int pieces = 1000;
  constexpr std::size_t bytes = 100'000;
  LongBodies bodies(pieces, bytes);
  server::NetworkSettings settings;
  settings.write_time = 400ms;
  Server running(bodies.site, settings);
  {
    Client client(running.port(), 4096);
    client.send(request("GET", "/long"));
    ASSERT_TRUE(running.wait([&](const auto&) { return bodies.made > 0; }));
    // Cut off when it has taken nothing for a while, long before the end.
    EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0; }));
  }
  EXPECT_EQ(running.counts().cut_off, 1U);
  EXPECT_LT(bodies.made, pieces / 5) << "the system's own buffers take some";
}

TEST(LongBodies, that_fail_are_broken_off_and_not_ended) {
  LongBodies bodies(10, 5, 2);
  Server running(bodies.site);
  Client client(running.port());
  client.send(request("GET", "/long"));
  const auto all = client.read_to_end();
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->ends_with("bbbbb\r\n")) << *all;
  EXPECT_EQ(all->find("\r\n0\r\n"), std::string::npos) << "a client must see that it is not all";
}

TEST(LongBodies, whose_client_goes_are_forgotten) {
  TestSite site;
  server::BodySource::Ready late;
  class Never final : public server::BodySource {
   public:
    explicit Never(Ready& kept) : kept_(kept) {}
    void next(Ready ready) override { kept_ = std::move(ready); }

   private:
    Ready& kept_;
  };
  site.on_request = [&](const server::Request&, const std::shared_ptr<server::Reply>& reply) {
    server::Response response = plain("x");
    response.rest = std::make_shared<Never>(late);
    reply->send(std::move(response));
  };
  Server running(site);
  Client client(running.port());
  client.send(request("GET", "/long"));
  ASSERT_NE(client.read_until("x\r\n"), "");
  running.stop(100ms);  // it waits for a piece that does not come, and is cut
  late("too late");     // nobody is there any more
}

TEST(Responses, that_nobody_reads_cannot_fill_the_memory) {
  TestSite site;
  site.on_request = [](const server::Request& request, const std::shared_ptr<server::Reply>& reply) {
    reply->send(plain(request.path == "/large" ? std::string(4'000'000, 'x') : "small"));
  };
  server::NetworkSettings settings;
  settings.max_unsent_bytes = 20'000'000;
  Server running(site, settings);
  std::vector<Client> unread;
  for (int i = 0; i < 59; ++i) {
    unread.emplace_back(running.port(), 4096);
    unread.back().send(request("GET", "/large"));
  }
  ASSERT_TRUE(running.wait([](const auto& counts) { return counts.requests == 59; }));
  EXPECT_LE(running.counts().unsent_bytes, settings.max_unsent_bytes + 1'000'000);
  Client other(running.port());
  EXPECT_EQ(other.get("/small").body, "small");
  EXPECT_EQ(other.get("/large").status, 503);
  unread.clear();
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.unsent_bytes == 0; }));
  EXPECT_EQ(other.get("/large").body.size(), 4'000'000U);
}

TEST(Tasks, the_longest_on_the_network_thread_is_known) {
  TestSite site;
  Server running(site);
  Client client(running.port());
  EXPECT_EQ(client.get("/x").status, 200);
  const auto before = running.counts().max_task;
  EXPECT_GT(before, 0ns);
  running.there([] {
    const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 10;
    while (std::clock() < end) continue;
  });
  EXPECT_EQ(client.get("/x").status, 200);
  EXPECT_GT(running.counts().max_task, before);
  EXPECT_GT(running.counts().max_task, 10ms);
}

}  // namespace
}  // namespace paika_tests
