// WorkQueue, LineFeed and Log: the small parts of the server that threads share.
#include "server/work_queue.hpp"

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <nlohmann/json.hpp>

#include "server/line_feed.hpp"
#include "server/log.hpp"

namespace paika::server {
namespace {

TEST(WorkQueue, DoesEverythingItTook) {
  std::atomic<int> done = 0;
  std::latch all(100);
  WorkQueue queue(3, 1000, 0);
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(queue.submit([&](const std::stop_token&) {
      ++done;
      all.count_down();
    }));
  }
  all.wait();
  EXPECT_EQ(done, 100);
}

TEST(WorkQueue, TurnsWorkAwayWhenTooMuchWaits) {
  std::latch begun(1);
  std::latch go(1);
  WorkQueue queue(1, 2, 0);
  ASSERT_TRUE(queue.submit([&](const std::stop_token&) {
    begun.count_down();
    go.wait();
  }));
  begun.wait();
  EXPECT_EQ(queue.running(), 1U);
  EXPECT_TRUE(queue.submit([](const std::stop_token&) {}));
  EXPECT_TRUE(queue.submit([](const std::stop_token&) {}));
  EXPECT_FALSE(queue.submit([](const std::stop_token&) {}));
  EXPECT_EQ(queue.waiting(), 2U);
  go.count_down();
}

TEST(WorkQueue, ClosingStopsWhatRunsAndDropsWhatWaits) {
  std::latch begun(1);
  std::atomic<bool> stopped = false;
  std::atomic<bool> dropped_ran = false;
  WorkQueue queue(1, 10, 0);
  ASSERT_TRUE(queue.submit([&](const std::stop_token& stop) {
    begun.count_down();
    while (!stop.stop_requested()) std::this_thread::yield();
    stopped = true;
  }));
  ASSERT_TRUE(queue.submit([&](const std::stop_token&) { dropped_ran = true; }));
  begun.wait();
  queue.close();
  EXPECT_TRUE(stopped);
  EXPECT_FALSE(dropped_ran);
  EXPECT_FALSE(queue.submit([](const std::stop_token&) {}));
}

TEST(Log, WritesOneJsonObjectALineFromItsLevelOn) {
  std::string written;
  Log log(LogLevel::info, [&](std::string_view line) { written += line; });
  log.write(LogLevel::debug, "hidden");
  log.write(LogLevel::warning, "odd", {{"room", "a\nb"}, {"count", 3}});
  ASSERT_EQ(std::count(written.begin(), written.end(), '\n'), 1);
  const Json line = Json::parse(written);
  EXPECT_EQ(line["level"], "warning");
  EXPECT_EQ(line["event"], "odd");
  EXPECT_EQ(line["room"], "a\nb");
  EXPECT_EQ(line["count"], 3);
  EXPECT_EQ(line["time"].get<std::string>().size(), std::string("2026-01-01T00:00:00.000Z").size());
}

TEST(Log, SurvivesTextThatIsNotUtf8) {
  std::string written;
  Log log(LogLevel::info, [&](std::string_view line) { written += line; });
  log.write(LogLevel::info, "bytes", {{"what", "\xff\xfe"}});
  EXPECT_FALSE(Json::parse(written, nullptr, false).is_discarded());
}

}  // namespace
}  // namespace paika::server
