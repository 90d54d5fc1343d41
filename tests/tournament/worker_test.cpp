// A worker whose coordinator knows the secret and sends what no coordinator should.
#include "tournament/worker.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"
#include "tournament/job.hpp"
#include "tournament/wire.hpp"

namespace paika::tournament {
namespace {

using paika_tests::must;

constexpr const char* secret = "a secret of 24 bytes....";

/// What a worker says after an order, without its signs of life; the worker is stopped then.
std::string answer_to(const Json& order) {
  const paika_tests::TemporaryFolder folder;
  auto listener = must(protocols::Listener::open("127.0.0.1", 0), "listener");
  WorkerSettings settings;
  settings.address = "127.0.0.1:" + std::to_string(listener.port());
  settings.secret = secret;
  settings.version = "1";
  settings.name = "w";
  settings.folder = folder.path().string();
  settings.say = [](const std::string& /*text*/) {};
  std::jthread worker([&](const std::stop_token& stop) { (void)work_for(settings, stop); });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  Wire wire(std::move(must(listener.accept({}), "connection").first));
  must(wire.greet_worker(secret, "1", deadline), "greeting");
  EXPECT_TRUE(wire.send(order, deadline));
  while (true) {
    const auto message = must(wire.receive(deadline), "message");
    if (!message) return "nothing";
    const std::string said = text_in(*message, "say");
    if (said == "failed") return "failed: " + text_in(*message, "why");
    if (said != "ready" && said != "alive") return said;
  }
}

TEST(Worker, orders_that_make_no_sense_are_refused) {
  EXPECT_TRUE(answer_to({{"do", "play"}}).starts_with("failed: this is not a job"));
  EXPECT_TRUE(answer_to({{"do", "play"}, {"job", 5}, {"folders", {1, 2}}}).starts_with("failed: this is not a job"));
}

TEST(Worker, folders_that_are_no_list_are_none) {
  GameJob job;
  job.id = "g";
  job.spec = "othello:6x6";
  job.max_turns = 4;
  job.settings = "nodes=5,hash=1";
  job.players = {JobPlayer{"a", "engine:", {}, ""}, JobPlayer{"b", "engine:", {}, ""}};
  EXPECT_EQ(answer_to({{"do", "play"}, {"job", to_json(job)}, {"folders", {{"a", 1}, {"b", 2}}}, {"key", "k"}}),
            "result");
}

}  // namespace
}  // namespace paika::tournament
