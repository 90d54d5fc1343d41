// Requests have ids that responses and logs tell, wherever they are worked on; slow ones say where their time went.
#include "server/tracer.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

#include "server/store/writer.hpp"
#include "server/work_queue.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika_tests {

namespace {

using namespace std::chrono_literals;
using paika::Json;
using server::Reply;
using server::Request;
using server::Response;
using server::Trace;

/// Its response may come after the test has looked for one.
class NotedReply final : public Reply {
 public:
  void send(Response response) override { noted = std::move(response); }
  [[nodiscard]] std::shared_ptr<server::Subscriber> stream(Response head) override {
    noted = std::move(head);
    return nullptr;
  }

  Response noted;
};

struct FakeSite final : server::Site {
  std::function<void(std::shared_ptr<Reply>)> work;
  void answer(Request, std::shared_ptr<Reply> reply) override { work(std::move(reply)); }
  [[nodiscard]] std::variant<std::unique_ptr<server::SocketHandler>, Response> open_socket(
      const Request&, std::shared_ptr<server::Subscriber>) override {
    return Response{};
  }
};

class TracerTest : public StoreTest {
 protected:
  /// Asks; what comes later is noted in the reply.
  std::shared_ptr<NotedReply> ask(const std::string& id, bool behind_proxy, std::chrono::milliseconds slow = 0ms) {
    tracer = std::make_unique<server::Tracer>(site, log, server::TracerSettings{behind_proxy, slow});
    Request request;
    request.method = "POST";
    request.path = "/api/things";
    if (!id.empty()) request.headers["x-request-id"] = id;
    auto reply = std::make_shared<NotedReply>();
    tracer->answer(std::move(request), reply);
    return reply;
  }
  static std::string id_of(const std::shared_ptr<NotedReply>& reply) {
    for (const auto& [name, value] : reply->noted.headers) {
      if (name == "X-Request-Id") return value;
    }
    return "";
  }

  FakeSite site;
  std::mutex mutex;
  std::vector<Json> lines;
  server::Log log{server::LogLevel::info, [this](std::string_view line) {
                    const std::scoped_lock lock(mutex);
                    lines.push_back(Json::parse(line));
                  }};
  std::unique_ptr<server::Tracer> tracer;
};

TEST_F(TracerTest, the_id_of_a_proxy_is_believed_and_no_other) {
  std::string inside;
  site.work = [&](const std::shared_ptr<Reply>& reply) {
    inside = Trace::current_id();
    log.write(server::LogLevel::info, "worked");
    reply->send({});
  };
  EXPECT_EQ(id_of(ask("from-proxy.1", true)), "from-proxy.1");
  EXPECT_EQ(inside, "from-proxy.1");
  EXPECT_EQ(lines.back()["request"], "from-proxy.1");
  EXPECT_EQ(Trace::current_id(), "") << "this thread works for nobody any more";
  log.write(server::LogLevel::info, "alone");
  EXPECT_FALSE(lines.back().contains("request"));
  const std::string own = id_of(ask("from-proxy.1", false));
  EXPECT_TRUE(server::is_request_id(own));
  EXPECT_NE(own, "from-proxy.1");
  for (const std::string& bad :
       {std::string("short"), std::string(65, 'a'), std::string("with blanks"), std::string("line\nbreak"),
        std::string("quote\"quote"), std::string("non-ascii-\xC3\xA9")}) {
    EXPECT_NE(id_of(ask(bad, true)), bad);
  }
}

TEST_F(TracerTest, queues_and_the_writer_carry_the_id_on_and_slow_requests_say_where_the_time_went) {
  std::vector<std::string> ids;
  std::atomic<bool> done = false;
  const auto note = [&] {
    const std::scoped_lock lock(mutex);
    ids.push_back(Trace::current_id());
  };
  {
    server::Writer writer(std::move(store), [](const std::function<void()>& call) { call(); });
    server::WorkQueue queue(1, 10, 0);
    site.work = [&](const std::shared_ptr<Reply>& reply) {
      ASSERT_TRUE(queue.submit([](const std::stop_token&) { std::this_thread::sleep_for(30ms); }));
      ASSERT_TRUE(queue.submit([&, reply](const std::stop_token&) {
        note();
        std::this_thread::sleep_for(20ms);
        writer.submit(
            [&](server::Store&) {
              note();
              std::this_thread::sleep_for(10ms);
            },
            [&, reply](const auto&) {
              note();
              reply->send({201, "text/plain", "", {}});
              done = true;
            });
      }));
    };
    static_cast<void>(ask("request-17", true, 1ms));
    while (!done) std::this_thread::yield();
  }
  EXPECT_EQ(ids, std::vector<std::string>(3, "request-17"));
  ASSERT_EQ(lines.size(), 1U);
  const Json& slow = lines.front();
  EXPECT_EQ(slow["event"], "slow_request");
  EXPECT_EQ(slow["request"], "request-17");
  EXPECT_EQ(slow["what"], "POST /api/things");
  EXPECT_GE(slow["waiting_ms"].get<double>(), 29);
  EXPECT_GE(slow["working_ms"].get<double>(), 49);
  EXPECT_GE(slow["storing_ms"].get<double>(), 9);
  EXPECT_GE(slow["ms"].get<double>(), 59);
  EXPECT_EQ(tracer->times().slow, 1U);
  EXPECT_GT(tracer->times().seconds, 0.05);
}

TEST_F(TracerTest, a_request_may_end_after_the_tracer) {
  std::shared_ptr<Reply> late;
  site.work = [&](std::shared_ptr<Reply> reply) { late = std::move(reply); };
  static_cast<void>(ask("request-18", true, 1ms));
  std::this_thread::sleep_for(3ms);
  tracer.reset();
  late.reset();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines.front()["request"], "request-18");
}

TEST_F(TracerTest, streams_are_not_slow_requests) {
  site.work = [](const std::shared_ptr<Reply>& reply) {
    static_cast<void>(reply->stream({}));
    std::this_thread::sleep_for(3ms);
  };
  EXPECT_FALSE(id_of(ask("", true, 1ms)).empty());
  EXPECT_TRUE(lines.empty());
}

}  // namespace

}  // namespace paika_tests
