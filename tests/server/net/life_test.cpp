// The network as a whole: binding, many connections, its limits, calls, and stopping.
#include <algorithm>
#include <atomic>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <latch>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>

#include "support.hpp"
#include "tests/support/must.hpp"

namespace paika_tests {
namespace {

using std::chrono::steady_clock;

/// A patience that no test survives: what stops within it has not waited for its end.
constexpr auto endless = 24h;

TEST(Life, an_address_that_cannot_be_had_is_explained) {
  server::NetworkSettings settings;
  const auto first = must(server::Network::open(settings), "the network");
  EXPECT_NE(first->port(), 0);
  settings.port = first->port();
  const auto taken = server::Network::open(settings);
  ASSERT_FALSE(taken);
  EXPECT_NE(taken.error().message.find("is taken"), std::string::npos);
  EXPECT_NE(taken.error().message.find(std::to_string(settings.port)), std::string::npos);
  settings.port = 0;
  for (const std::string address : {"nonsense", "", "1.2.3", "203.0.113.7"}) {
    settings.address = address;
    EXPECT_FALSE(server::Network::open(settings)) << address;
  }
  settings.address = "localhost";
  EXPECT_TRUE(server::Network::open(settings));
}

TEST(Life, a_network_that_never_ran_ends) {
  const auto network = must(server::Network::open({}), "the network");
  const auto held = std::make_shared<int>(1);
  network->post([held] {});
  const Client waiting(network->port());
  EXPECT_TRUE(waiting.connected());
}

TEST(Life, two_thousand_idle_connections) {
  rlimit files{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = files.rlim_max;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &files), 0);
  const auto wanted = std::min<std::size_t>(2000, (files.rlim_cur - 200) / 2);
  TestSite site;
  Server running(site);
  std::vector<Client> clients;
  for (std::size_t i = 0; i < wanted; ++i) {
    clients.emplace_back(running.port());
    ASSERT_TRUE(clients.back().connected());
  }
  EXPECT_TRUE(running.wait([&](const auto& counts) { return counts.connections == wanted; }));
  // A newcomer and the oldest are served.
  Client newcomer(running.port());
  EXPECT_EQ(newcomer.get("/").status, 200);
  EXPECT_EQ(clients.front().get("/").status, 200);
  running.stop(endless);  // idle connections are not waited for
  EXPECT_EQ(running.network().counts().connections, 0U);
  EXPECT_EQ(clients.back().read_to_end(), "");
}

TEST(Life, more_connections_than_allowed_are_turned_away) {
  for (const bool per_address : {false, true}) {
    TestSite site;
    server::NetworkSettings settings;
    (per_address ? settings.max_per_address : settings.max_connections) = 3;
    Server running(site, settings);
    std::vector<Client> clients;
    for (int i = 0; i < 3; ++i) clients.emplace_back(running.port());
    EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 3; }));
    Client fourth(running.port());
    const auto answer = fourth.read_to_end();
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->starts_with("HTTP/1.1 503 "));
    EXPECT_NE(answer->find("\"too_many_connections\""), std::string::npos);
    EXPECT_EQ(running.counts().turned_away, 1U);
    EXPECT_EQ(clients[0].get("/").status, 200);
    clients[0].close();
    EXPECT_TRUE(running.wait([](const auto& counts) { return counts.connections == 2; }));
    Client fifth(running.port());
    EXPECT_EQ(fifth.get("/").status, 200);
  }
}

/// One more than the largest descriptor in use.
int next_descriptor() {
  const int descriptor = ::dup(0);
  ::close(descriptor);
  return descriptor;
}

TEST(Life, a_machine_without_descriptors_is_waited_for) {
  TestSite site;
  server::NetworkSettings settings;
  std::atomic<int> logged = 0;
  settings.log = [&](std::string_view) { ++logged; };
  const auto network = must(server::Network::open(settings), "the network");
  std::vector<Client> clients;
  for (int i = 0; i < 8; ++i) clients.emplace_back(network->port());
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = static_cast<rlim_t>(next_descriptor()) + 3;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  std::thread thread([&] { network->run(site); });
  EXPECT_EQ(clients[0].get("/").status, 200);
  while (logged == 0) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(logged, 1);
  EXPECT_EQ(clients[0].get("/").status, 200);
  ::setrlimit(RLIMIT_NOFILE, &before);
  for (Client& client : clients) EXPECT_EQ(client.get("/").status, 200);
  network->stop(0ms);
  thread.join();
}

TEST(Life, posted_calls_run_in_order_and_timed_ones_by_time) {
  TestSite site;
  server::NetworkSettings settings;
  std::vector<std::string> logged;
  settings.log = [&](std::string_view line) { logged.emplace_back(line); };
  Server running(site, settings);
  std::vector<int> order;
  for (int i = 0; i < 1000; ++i) running.network().post([&order, i] { order.push_back(i); });
  running.there([&] {
    EXPECT_EQ(order.size(), 1000U);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    order.clear();
  });
  bool nested = false;
  const auto begin = steady_clock::now();
  std::latch last(2);
  running.there([&] {
    running.network().after(60ms, [&] {
      order.push_back(3);
      last.count_down();
    });
    running.network().after(20ms, [&] { order.push_back(1); });
    running.network().after(40ms, [&] {
      order.push_back(2);
      running.network().after(0ms, [&] {
        nested = true;
        last.count_down();
      });
    });
    running.network().after(0ms, [&] { order.push_back(0); });
    running.network().after(0ms, [] { throw std::runtime_error("a bug"); });
  });
  last.wait();
  running.there([&] {
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_TRUE(nested);
    EXPECT_EQ(logged.size(), 1U);
  });
  EXPECT_GE(steady_clock::now() - begin, 60ms);
}

TEST(Life, many_threads_may_post) {
  TestSite site;
  Server running(site);
  int count = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5000; ++i) running.network().post([&] { ++count; });
    });
  }
  for (auto& thread : threads) thread.join();
  running.there([&] { EXPECT_EQ(count, 20'000); });
}

TEST(Life, calls_are_dropped_at_the_end) {
  TestSite site;
  const auto held = std::make_shared<int>(1);
  Server running(site);
  running.there([&] { running.network().after(1h, [held] {}); });
  running.stop(endless);  // returns although a call is an hour away
  running.network().post([held] { FAIL(); });
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Life, stopping_finishes_what_is_under_way) {
  TestSite site;
  std::shared_ptr<server::Reply> waiting;
  std::shared_ptr<server::Subscriber> stream;
  int closed = 0;
  site.on_request = [&](const server::Request& request, std::shared_ptr<server::Reply> reply) {
    if (request.path == "/stream") {
      stream = reply->stream(plain(""));
      stream->send("line");
    } else if (request.path == "/wait") {
      waiting = std::move(reply);
    } else {
      reply->send(plain("now"));
    }
  };
  site.on_socket = [&](const server::Request&, const std::shared_ptr<server::Subscriber>&) {
    TestSite::Socket socket;
    socket.closed = [&] { ++closed; };
    return socket;
  };
  Server running(site);
  Client idle(running.port());
  EXPECT_EQ(idle.get("/").status, 200);
  Client asking(running.port());
  asking.send(request("GET", "/wait"));
  Client listening(running.port());
  listening.send(request("GET", "/stream"));
  WebClient socket(running.port());
  ASSERT_TRUE(running.wait([](const auto& counts) { return counts.sockets == 1 && counts.streams == 1; }));
  std::thread stopper([&] { running.stop(endless); });
  EXPECT_EQ(idle.read_to_end(), "");
  const Frame frame = socket.hear();
  EXPECT_EQ(frame.code(), 1001);
  socket.send(frame_bytes(8, close_payload(1001)));
  EXPECT_EQ(socket.client().read_to_end(), "");
  socket.client().close();
  EXPECT_EQ(listening.response().body, "line\n");
  listening.close();
  Client late(running.port());
  EXPECT_TRUE(!late.connected() || late.read_to_end() == "");
  running.network().post([&] { std::exchange(waiting, nullptr)->send(plain("at last")); });
  const Answer answer = asking.response();
  EXPECT_EQ(answer.body, "at last");
  EXPECT_EQ(answer.headers.at("connection"), "close");
  asking.close();
  stopper.join();
  EXPECT_EQ(closed, 1);
  EXPECT_EQ(TestSite::handlers(), 0);
}

TEST(Life, stopping_ends_when_patience_does) {
  TestSite site;
  std::vector<std::shared_ptr<server::Reply>> kept;
  std::shared_ptr<server::Subscriber> subscriber;
  int closed = 0;
  site.on_request = [&](const server::Request&, std::shared_ptr<server::Reply> reply) {
    kept.push_back(std::move(reply));
  };
  site.on_socket = [&](const server::Request&, std::shared_ptr<server::Subscriber> opened) {
    subscriber = std::move(opened);
    TestSite::Socket socket;
    socket.closed = [&] { ++closed; };
    return socket;
  };
  Server running(site);
  Client asking(running.port());
  asking.send(request("GET", "/"));
  Client dripping(running.port());
  dripping.send("GET / HT");
  WebClient deaf(running.port(), "/", "", 4096);
  running.there([&] { subscriber->send(std::string(900'000, 'x')); });
  ASSERT_TRUE(running.wait([](const auto& counts) { return counts.requests == 2; }));
  const auto begin = steady_clock::now();
  running.stop(300ms);
  EXPECT_GE(steady_clock::now() - begin, 290ms);
  EXPECT_EQ(running.network().counts().connections, 0U);
  EXPECT_EQ(closed, 1);
  EXPECT_TRUE(subscriber->closed());
  EXPECT_EQ(TestSite::handlers(), 0);
  kept.clear();
}

TEST(Life, stopping_in_the_middle_of_traffic) {
  for (int round = 0; round < 10; ++round) {
    TestSite site;
    Server running(site);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&running, t] {
        for (int i = 0; i < 200; ++i) {
          if (t == 0) {
            WebClient client(running.port());
            client.say("x");
            if (client.hear(100ms).opcode != 1) return;
          } else {
            Client client(running.port());
            if (client.get("/").status != 200) return;
          }
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * round));
    running.stop(endless);
    EXPECT_EQ(running.network().counts().connections, 0U);
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(TestSite::handlers(), 0);
  }
}

}  // namespace
}  // namespace paika_tests
