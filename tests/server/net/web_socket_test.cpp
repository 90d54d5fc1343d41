// Web sockets: messages, control frames, closing, and clients that break the rules.
#include <gtest/gtest.h>
#include <stdexcept>

#include "support.hpp"

namespace paika_tests {
namespace {

/// A site that remembers what one web socket did.
struct OneSocket {
  TestSite site;
  std::shared_ptr<server::Subscriber> subscriber;
  std::vector<std::string> heard;
  int closed = 0;
  int subscriber_closed = 0;
  OneSocket() {
    site.on_socket = [this](const server::Request&, std::shared_ptr<server::Subscriber> opened) {
      subscriber = std::move(opened);
      subscriber->when_closed([this] { ++subscriber_closed; });
      TestSite::Socket socket;
      socket.received = [this](const std::string& text) {
        if (text == "throw") throw std::runtime_error("a bug");
        heard.push_back(text);
      };
      socket.closed = [this] { ++closed; };
      return socket;
    };
  }
};

bool all_gone(const server::NetworkCounts& counts) { return counts.connections == 0 && counts.sockets == 0; }

TEST(WebSockets, open_and_echo) {
  TestSite site;
  Server running(site);
  WebClient client(running.port());
  EXPECT_EQ(client.status(), 101);
  EXPECT_EQ(client.answer().headers.at("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(client.answer().headers.at("server"), "paika");
  for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{126}, std::size_t{65536}}) {
    client.say(std::string(size, 'x'));
    const Frame frame = client.hear();
    EXPECT_EQ(frame.opcode, 1);
    EXPECT_TRUE(frame.last);
    EXPECT_TRUE(frame.payload == std::string(size, 'x'));
  }
  // The client may have the last one before its being written is counted.
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.messages_out == 4; }));
  const auto counts = running.counts();
  EXPECT_EQ(counts.sockets, 1U);
  EXPECT_EQ(counts.messages_in, 4U);
}

TEST(WebSockets, fragments_and_control_frames_between_them) {
  TestSite site;
  Server running(site);
  WebClient client(running.port());
  client.send(frame_bytes(1, "one ", false) + frame_bytes(9, "ping!") + frame_bytes(0, "two ", false) +
              frame_bytes(10, "unasked") + frame_bytes(0, "three"));
  Frame frame = client.hear();
  EXPECT_EQ(frame.opcode, 10);
  EXPECT_EQ(frame.payload, "ping!");
  EXPECT_EQ(client.hear().payload, "one two three");
  // And the same byte by byte.
  for (const char c : frame_bytes(1, "dr", false) + frame_bytes(0, "ip")) client.send({&c, 1});
  EXPECT_EQ(client.hear().payload, "drip");
}

TEST(WebSockets, the_client_closes) {
  OneSocket one;
  Server running(one.site);
  WebClient client(running.port());
  client.send(frame_bytes(8, close_payload(1000, "bye")));
  const Frame frame = client.hear();
  EXPECT_EQ(frame.opcode, 8);
  EXPECT_EQ(frame.code(), 1000);
  EXPECT_EQ(client.client().read_to_end(), "");
  client.client().close();
  EXPECT_TRUE(running.wait(all_gone));
  running.there([&] {
    EXPECT_EQ(one.closed, 1);
    EXPECT_EQ(one.subscriber_closed, 1);
    EXPECT_TRUE(one.subscriber->closed());
    EXPECT_EQ(TestSite::handlers(), 0);
    one.subscriber->send("nobody hears this");
  });
}

TEST(WebSockets, the_site_closes_after_what_waits) {
  OneSocket one;
  Server running(one.site);
  WebClient client(running.port());
  running.there([&] {
    for (int i = 0; i < 50; ++i) one.subscriber->send(std::to_string(i));
    one.subscriber->close(1008, std::string(200, 'r'));
    one.subscriber->send("too late");
    EXPECT_TRUE(one.subscriber->closed());
    EXPECT_EQ(one.subscriber_closed, 0);
  });
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.hear().payload, std::to_string(i));
  const Frame frame = client.hear();
  EXPECT_EQ(frame.code(), 1008);
  EXPECT_EQ(frame.payload.substr(2), std::string(120, 'r'));
  client.say("not heard");
  client.send(frame_bytes(8, close_payload(1008)));
  EXPECT_EQ(client.client().read_to_end(), "");
  client.client().close();
  EXPECT_TRUE(running.wait(all_gone));
  running.there([&] {
    EXPECT_EQ(one.closed, 1);
    EXPECT_EQ(one.subscriber_closed, 1);
    EXPECT_TRUE(one.heard.empty());
  });
}

TEST(WebSockets, what_was_sent_before_it_was_open_arrives) {
  TestSite site;
  site.on_socket = [](const server::Request&, const std::shared_ptr<server::Subscriber>& subscriber) {
    subscriber->send("first");
    subscriber->close(1000, "done");
    return TestSite::Socket{};
  };
  Server running(site);
  WebClient client(running.port());
  EXPECT_EQ(client.hear().payload, "first");
  EXPECT_EQ(client.hear().code(), 1000);
}

TEST(WebSockets, a_client_that_vanishes_is_noticed) {
  for (const bool reset : {false, true}) {
    OneSocket one;
    Server running(one.site);
    WebClient client(running.port());
    ASSERT_EQ(client.status(), 101);
    if (reset) {
      client.client().reset();
    } else {
      client.client().close();
    }
    EXPECT_TRUE(running.wait(all_gone));
    running.there([&] { EXPECT_EQ(one.closed, 1); });
  }
}

TEST(WebSockets, silent_ones_are_asked_and_then_cut_off) {
  OneSocket one;
  server::NetworkSettings settings;
  settings.ping_time = 100ms;
  Server running(one.site, settings);
  WebClient answering(running.port());
  for (int pings = 0; pings < 5; ++pings) {
    const Frame frame = answering.read();
    ASSERT_EQ(frame.opcode, 9);
    answering.send(frame_bytes(10, frame.payload));
  }
  EXPECT_EQ(running.counts().sockets, 1U);
  EXPECT_EQ(running.counts().too_slow, 0U);
  // From now on it does not answer.
  EXPECT_TRUE(running.wait(all_gone));
  EXPECT_EQ(running.counts().too_slow, 1U);
  running.there([&] { EXPECT_EQ(one.closed, 1); });
}

struct BadFrames {
  std::string_view name;
  std::string bytes;
  int code;  // that it is closed with
};

TEST(WebSockets, bad_frames_close_with_the_right_code) {
  const std::string text(70'000, 'x');
  const std::vector<BadFrames> all = {
      {"binary", frame_bytes(2, "abc"), 1003},
      {"too large", frame_bytes(1, text), 1009},
      {"too large in parts", frame_bytes(1, text.substr(0, 40'000), false) + frame_bytes(0, text.substr(0, 40'000)),
       1009},
      {"an enormous length", std::string("\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03\x04", 14), 1009},
      {"a length beyond all", std::string("\x81\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x02\x03\x04", 14), 1009},
      {"not UTF-8", frame_bytes(1, "abc\xff"), 1007},
      {"a cut character", frame_bytes(1, "abc\xc3"), 1007},
      {"a surrogate", frame_bytes(1, "\xed\xa0\x80"), 1007},
      {"not masked", frame_bytes(1, "abc", true, false), 1002},
      {"reserved bit", std::string("\xc1\x80\x01\x02\x03\x04", 6), 1002},
      {"unknown opcode", frame_bytes(3, "abc"), 1002},
      {"unknown control", frame_bytes(11, "abc"), 1002},
      {"long ping", frame_bytes(9, std::string(126, 'x')), 1002},
      {"split ping", frame_bytes(9, "x", false), 1002},
      {"a part of nothing", frame_bytes(0, "abc"), 1002},
      {"a message within another", frame_bytes(1, "a", false) + frame_bytes(1, "b"), 1002},
      {"close of one byte", frame_bytes(8, "x"), 1002},
      {"close with a reserved code", frame_bytes(8, close_payload(1005)), 1002},
      {"close with a bad reason", frame_bytes(8, close_payload(1000, "\xff")), 1002},
  };
  OneSocket one;
  Server running(one.site);
  for (const BadFrames& bad : all) {
    SCOPED_TRACE(bad.name);
    one.heard.clear();
    WebClient client(running.port());
    ASSERT_EQ(client.status(), 101);
    client.send(bad.bytes);
    const Frame frame = client.hear();
    EXPECT_EQ(frame.opcode, 8);
    EXPECT_EQ(frame.code(), bad.code);
    client.send(frame_bytes(8, close_payload(bad.code)));
    client.client().close();
    EXPECT_TRUE(running.wait(all_gone));
    running.there([&] { EXPECT_TRUE(one.heard.empty()); });
  }
  running.there([&] { EXPECT_EQ(one.closed, static_cast<int>(all.size())); });
  const auto counts = running.counts();
  EXPECT_EQ(counts.too_large, 4U);
  EXPECT_GE(counts.malformed, 10U);
  EXPECT_EQ(TestSite::handlers(), 0);
}

TEST(WebSockets, a_handler_that_throws_closes_with_1011) {
  OneSocket one;
  Server running(one.site);
  WebClient client(running.port());
  client.say("throw");
  EXPECT_EQ(client.hear().code(), 1011);
}

TEST(WebSockets, the_site_refuses_with_a_response) {
  TestSite site;
  std::weak_ptr<server::Subscriber> seen;
  site.on_refusal = [](const server::Request& request) {
    server::Response response = plain("not " + request.path);
    response.status = 403;
    return std::optional(std::move(response));
  };
  Server running(site);
  WebClient client(running.port(), "/x");
  EXPECT_EQ(client.status(), 403);
  EXPECT_EQ(client.answer().body, "not /x");
  EXPECT_EQ(client.client().read_to_end(), "");
}

TEST(WebSockets, bad_handshakes_are_refused) {
  TestSite site;
  Server running(site);
  const std::string upgrade = "Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n";
  const std::string key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const std::vector<std::pair<std::string, int>> all = {
      {request("GET", "/", upgrade + "Sec-WebSocket-Version: 13\r\n"), 400},
      {request("GET", "/", upgrade + key), 426},
      {request("GET", "/", upgrade + key + "Sec-WebSocket-Version: 8\r\n"), 426},
      {request("GET", "/", upgrade + key + key + "Sec-WebSocket-Version: 13\r\n"), 400},
      {request("GET", "/", upgrade + "Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n"), 400},
      {request("GET", "/", upgrade + key + "Sec-WebSocket-Version: 13\r\n") + frame_bytes(1, "early"), 400},
      // No web sockets at all, but good requests.
      {request("POST", "/", upgrade + key + "Sec-WebSocket-Version: 13\r\n"), 200},
      {request("GET", "/", "Connection: Upgrade\r\nUpgrade: h2c\r\n"), 200},
      {request("GET", "/", "Upgrade: websocket\r\n"), 200},
  };
  for (const auto& [bytes, status] : all) {
    Client client(running.port());
    client.send(bytes);
    EXPECT_EQ(client.response().status, status) << bytes.substr(0, 200);
  }
  EXPECT_EQ(TestSite::handlers(), 0);
}

TEST(WebSockets, a_client_that_reads_nothing_is_cut_off) {
  OneSocket one;
  server::NetworkSettings settings;
  settings.max_waiting_bytes = 100'000;
  Server running(one.site, settings);
  WebClient client(running.port(), "/socket", "", 4096);
  ASSERT_EQ(client.status(), 101);
  const auto text = std::make_shared<const std::string>(10'000, 'x');
  bool closed = false;
  int sent = 0;
  for (; sent < 1000 && !closed; ++sent) {
    running.there([&] {
      one.subscriber->send(text);
      closed = one.subscriber->closed();
      EXPECT_EQ(one.subscriber_closed, 0) << "called back from inside";
    });
    client.say("but I talk");
  }
  EXPECT_TRUE(closed);
  EXPECT_LT(sent, 300);  // what the system holds, and 100 kB
  EXPECT_TRUE(running.wait(all_gone));
  EXPECT_EQ(running.counts().cut_off, 1U);
  EXPECT_EQ(text.use_count(), 1);
  running.there([&] {
    EXPECT_EQ(one.subscriber_closed, 1);
    EXPECT_EQ(one.closed, 1);
  });
}

TEST(WebSockets, a_client_that_takes_nothing_for_long_is_cut_off_although_it_talks) {
  OneSocket one;
  server::NetworkSettings settings;
  settings.max_waiting_bytes = 100'000'000;
  settings.write_time = 200ms;
  Server running(one.site, settings);
  WebClient client(running.port(), "/socket", "", 4096);
  running.there([&] { one.subscriber->send(std::string(20'000'000, 'x')); });
  bool gone = false;
  for (int i = 0; i < 100 && !gone; ++i) {
    client.say("hello");
    gone = running.wait(all_gone, 20ms);
  }
  EXPECT_TRUE(gone);
  EXPECT_EQ(running.counts().cut_off, 1U);
}

TEST(WebSockets, a_text_for_many_is_not_copied) {
  TestSite site;
  std::vector<std::shared_ptr<server::Subscriber>> subscribers;
  site.on_socket = [&](const server::Request&, std::shared_ptr<server::Subscriber> subscriber) {
    subscribers.push_back(std::move(subscriber));
    return TestSite::Socket{};
  };
  Server running(site);
  std::vector<std::unique_ptr<WebClient>> clients;
  for (int i = 0; i < 50; ++i) clients.push_back(std::make_unique<WebClient>(running.port()));
  const auto text = std::make_shared<const std::string>("for all");
  running.there([&] {
    for (const auto& subscriber : subscribers) subscriber->send(text);
    EXPECT_EQ(text.use_count(), 51);
  });
  for (const auto& client : clients) EXPECT_EQ(client->hear().payload, "for all");
  EXPECT_TRUE(running.wait([](const auto& counts) { return counts.messages_out == 50; }));
  running.there([&] { EXPECT_EQ(text.use_count(), 1); });
}

}  // namespace
}  // namespace paika_tests
