// Responses of lines that follow one by one.
#include <algorithm>
#include <gtest/gtest.h>

#include "support.hpp"

namespace paika_tests {
namespace {

using server::Subscriber;

/// A site that opens a stream for every request and keeps the last one.
struct Streams {
  TestSite site;
  std::shared_ptr<Subscriber> subscriber;
  int closed = 0;
  Streams() {
    site.on_request = [this](const server::Request& request, const std::shared_ptr<server::Reply>& reply) {
      server::Response head;
      head.type = "application/x-ndjson";
      subscriber = reply->stream(head);
      subscriber->when_closed([this] { ++closed; });
      if (request.path == "/short") {
        for (int i = 0; i < 100; ++i) subscriber->send("{\"n\":" + std::to_string(i) + "}");
        subscriber->close(1000, "");
        subscriber->send("not sent any more");
      }
    };
  }
};

TEST(Streams, lines_come_in_order_and_end) {
  Streams streams;
  Server running(streams.site);
  Client client(running.port());
  const Answer answer = client.get("/short");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.headers.at("transfer-encoding"), "chunked");
  EXPECT_EQ(answer.headers.at("connection"), "close");
  std::string expected;
  for (int i = 0; i < 100; ++i) expected += "{\"n\":" + std::to_string(i) + "}\n";
  EXPECT_EQ(answer.body, expected);
  EXPECT_EQ(client.read_to_end(), "");
  client.close();
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0 && counts.streams == 0; }));
  running.there([&] {
    EXPECT_EQ(streams.closed, 1);
    EXPECT_TRUE(streams.subscriber->closed());
  });
  EXPECT_EQ(running.counts().messages_out, 100U);
}

TEST(Streams, every_line_comes_at_once) {
  Streams streams;
  Server running(streams.site);
  Client client(running.port());
  client.send(request("GET", "/long"));
  EXPECT_NE(client.read_until("\r\n\r\n").find("200 OK"), std::string::npos);
  for (int i = 0; i < 3; ++i) {
    running.there([&] { streams.subscriber->send("line"); });
    EXPECT_EQ(client.read_until("\n\r\n", 1s), "5\r\nline\n\r\n");
  }
  EXPECT_EQ(running.counts().streams, 1U);
}

TEST(Streams, an_old_client_gets_bare_lines_and_head_none) {
  Streams streams;
  Server running(streams.site);
  Client client(running.port());
  client.send("GET /short HTTP/1.0\r\n\r\n");
  const auto all = client.read_to_end();
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->ends_with("{\"n\":98}\n{\"n\":99}\n"));
  EXPECT_EQ(all->find("chunked"), std::string::npos);
  Client head(running.port());
  head.send(request("HEAD", "/long"));
  const auto only = head.read_to_end();
  ASSERT_TRUE(only);
  EXPECT_TRUE(only->ends_with("\r\n\r\n"));
  client.close();
  head.close();
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0; }));
  running.there([&] { EXPECT_EQ(streams.closed, 2); });
}

TEST(Streams, a_client_that_goes_is_noticed_at_once) {
  for (const bool reset : {false, true}) {
    Streams streams;
    Server running(streams.site);
    Client client(running.port());
    client.send(request("GET", "/long"));
    ASSERT_NE(client.read_until("\r\n\r\n"), "");
    if (reset) {
      client.reset();
    } else {
      client.close();
    }
    EXPECT_TRUE(running.wait([](const auto& counts) { return counts.streams == 0 && counts.connections == 0; }, 2s));
    running.there([&] {
      EXPECT_EQ(streams.closed, 1);
      EXPECT_TRUE(streams.subscriber->closed());
    });
  }
}

TEST(Streams, silence_is_filled_with_empty_lines) {
  Streams streams;
  server::NetworkSettings settings;
  settings.ping_time = 50ms;
  Server running(streams.site, settings);
  Client client(running.port());
  client.send(request("GET", "/long"));
  static_cast<void>(client.read_until("\r\n\r\n"));
  EXPECT_EQ(client.read(12, 1s), "1\r\n\n\r\n1\r\n\n\r\n");
}

TEST(Streams, a_client_that_reads_nothing_is_cut_off) {
  Streams streams;
  server::NetworkSettings settings;
  settings.max_waiting_bytes = 100'000;
  Server running(streams.site, settings);
  Client client(running.port(), 4096);
  client.send(request("GET", "/long"));
  ASSERT_TRUE(running.wait([](const auto& counts) { return counts.streams == 1; }));
  const auto line = std::make_shared<const std::string>(10'000, 'x');
  bool closed = false;
  for (int i = 0; i < 1000 && !closed; ++i) {
    running.there([&] {
      streams.subscriber->send(line);
      closed = streams.subscriber->closed();
    });
  }
  EXPECT_TRUE(closed);
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0; }));
  EXPECT_EQ(running.counts().cut_off, 1U);
  EXPECT_EQ(line.use_count(), 1);
  running.there([&] { EXPECT_EQ(streams.closed, 1); });
}

TEST(Streams, a_client_that_reads_too_slowly_is_cut_off_by_time) {
  Streams streams;
  server::NetworkSettings settings;
  settings.max_waiting_bytes = 100'000'000;
  settings.write_time = 200ms;
  Server running(streams.site, settings);
  Client client(running.port(), 4096);
  client.send(request("GET", "/long"));
  ASSERT_TRUE(running.wait([](const auto& counts) { return counts.streams == 1; }));
  running.there([&] { streams.subscriber->send(std::string(20'000'000, 'x')); });
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 0; }, 3s));
  EXPECT_EQ(running.counts().cut_off, 1U);
}

TEST(Streams, who_has_much_to_send_goes_on_when_it_is_taken) {
  Streams streams;
  server::NetworkSettings settings;
  settings.max_waiting_bytes = 100'000;
  Server running(streams.site, settings);
  Client client(running.port());
  client.send(request("GET", "/long"));
  ASSERT_NE(client.read_until("\r\n\r\n"), "");
  // Ten times what may wait, in lines, never more than half of it at once.
  int sent = 0;
  std::size_t most = 0;
  std::function<void()> go_on = [&] {
    while (sent < 1000 && streams.subscriber->waiting_bytes() < settings.max_waiting_bytes / 2) {
      streams.subscriber->send(std::string(1000, static_cast<char>('a' + sent++ % 26)));
      most = std::max(most, streams.subscriber->waiting_bytes());
    }
    if (sent < 1000) {
      streams.subscriber->when_drained(go_on);
    } else {
      streams.subscriber->close(1000, "");
    }
  };
  running.there(go_on);
  const auto all = client.read_to_end();
  ASSERT_TRUE(all);
  EXPECT_EQ(std::count(all->begin(), all->end(), 'l'), 39'000) << "38 or 39 lines of each letter, whole";
  EXPECT_TRUE(all->ends_with("0\r\n\r\n"));
  running.there([&] { EXPECT_LT(most, settings.max_waiting_bytes); });
  EXPECT_EQ(running.counts().cut_off, 0U);
}

TEST(Streams, what_a_client_says_meanwhile_is_forgotten) {
  Streams streams;
  Server running(streams.site);
  Client client(running.port());
  client.send(request("GET", "/long") + request("GET", "/short"));
  static_cast<void>(client.read_until("\r\n\r\n"));
  for (int i = 0; i < 50; ++i) client.send(std::string(10'000, 'x'));
  running.there([&] {
    streams.subscriber->send("end");
    streams.subscriber->close(1000, "");
  });
  EXPECT_EQ(client.read_to_end(), "4\r\nend\n\r\n0\r\n\r\n");
}

}  // namespace
}  // namespace paika_tests
