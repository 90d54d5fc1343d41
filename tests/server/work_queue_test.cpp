// WorkQueue, LineFeed and Log: the small parts of the server that threads share.
#include "server/work_queue.hpp"

#include <atomic>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <mutex>
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

TEST(WorkQueue, ThePartsOfWhatItTookWaitHoweverFullItIsAndFillItForNobody) {
  std::latch begun(1);
  std::latch go(1);
  std::promise<void> done;
  WorkQueue queue(1, Caps{2, 1, 1}, 0);
  ASSERT_TRUE(queue.submit({"a", 0}, [&](const std::stop_token&) {
    begun.count_down();
    go.wait();
  }));
  begun.wait();
  EXPECT_FALSE(queue.takes({"a", 0}));
  EXPECT_TRUE(queue.takes({"b", 0}));
  EXPECT_EQ(queue.submit({"a", 0}, [](const std::stop_token&) {}).error(), WorkQueue::Full::client);
  for (int i = 0; i < 3; ++i) queue.submit_further({"a", 0}, [](const std::stop_token&) {});
  queue.submit_further({"a", 0}, [&](const std::stop_token&) { done.set_value(); });
  EXPECT_EQ(queue.waiting(), 4U);
  EXPECT_TRUE(queue.takes({"b", 0})) << "it is not new work that waits";
  queue.submit_further({"c", 0}, [](const std::stop_token&) {});
  EXPECT_EQ(queue.waiting_before({"a", 0}), 5U);
  EXPECT_EQ(queue.waiting_before({"b", 0}), 2U) << "one of each other address";
  EXPECT_EQ(queue.waiting_before({"c", 0}), 3U) << "what it has waiting, and one of the other address for each";
  go.count_down();
  done.get_future().wait();
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

// ---- Clients ----

Client of(std::string address, PersonId person = 0) { return {std::move(address), person}; }

/// A queue whose threads wait for `go`, so that a test decides what is in it.
struct HeldQueue {
  HeldQueue(int threads, const Caps& caps, int threads_per_address = 100)
      : begun(threads), queue(threads, caps, 0, threads_per_address) {
    for (int i = 0; i < threads; ++i) {
      EXPECT_TRUE(queue.submit([this](const std::stop_token&) {
        begun.count_down();
        go.wait();
      }));
    }
    begun.wait();
  }
  /// Work that adds its name to the list when it runs.
  auto submit(const Client& client, const std::string& name) {
    return queue.submit(client, [this, name](const std::stop_token&) {
      const std::scoped_lock lock(mutex);
      ran.push_back(name);
    });
  }
  std::vector<std::string> run() {
    go.count_down();
    while (queue.waiting() + queue.running() > 0) std::this_thread::yield();
    const std::scoped_lock lock(mutex);
    return ran;
  }

  std::latch begun;
  std::latch go{1};
  std::mutex mutex;
  std::vector<std::string> ran;
  WorkQueue queue;
};

TEST(WorkQueue, AddressesTakeTurns) {
  HeldQueue held(1, {1000, 600, 600});
  for (int i = 0; i < 520; ++i) ASSERT_TRUE(held.submit(of("greedy"), "greedy"));
  ASSERT_TRUE(held.submit(of("a"), "a"));
  ASSERT_TRUE(held.submit(of("b"), "b1"));
  ASSERT_TRUE(held.submit(of("b"), "b2"));
  const auto ran = held.run();
  ASSERT_EQ(ran.size(), 523U);
  EXPECT_EQ((std::vector<std::string>(ran.begin(), ran.begin() + 6)),
            (std::vector<std::string>{"greedy", "a", "b1", "greedy", "b2", "greedy"}))
      << "520 pieces of one address delay others by one each round";
}

TEST(WorkQueue, NobodyHasMoreThanAShare) {
  HeldQueue held(1, {10, 4, 2});
  EXPECT_TRUE(held.submit(of("a", 1), "x"));
  EXPECT_TRUE(held.submit(of("a", 1), "x"));
  EXPECT_EQ(held.submit(of("a", 1), "x").error(), WorkQueue::Full::client) << "two of one person";
  EXPECT_EQ(held.submit(of("b", 1), "x").error(), WorkQueue::Full::client) << "at another address too";
  EXPECT_TRUE(held.submit(of("a", 2), "x"));
  EXPECT_TRUE(held.submit(of("a"), "x"));
  EXPECT_EQ(held.submit(of("a", 3), "x").error(), WorkQueue::Full::client) << "four of one address";
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(held.submit(of("c" + std::to_string(i)), "x"));
  EXPECT_EQ(held.submit(of("d"), "x").error(), WorkQueue::Full::queue) << "ten in all";
  EXPECT_EQ(held.run().size(), 10U);
  EXPECT_TRUE(held.submit(of("a", 1), "x")) << "what is done does not count";
}

TEST(WorkQueue, AHeldPlaceCountsBetweenTheParts) {
  std::shared_ptr<const WorkQueue::Share> held;
  {
    WorkQueue queue(1, Caps{10, 2, 1}, 0);
    held = queue.hold(of("a", 1));
    EXPECT_FALSE(queue.takes(of("a", 1)));
    EXPECT_TRUE(queue.takes(of("a", 2)));
    const auto second = queue.hold(of("a", 2));
    EXPECT_FALSE(queue.takes(of("a", 3))) << "two of one address";
    queue.submit_further(of("a", 1), [](const std::stop_token&) {});
    while (queue.waiting() + queue.running() > 0) std::this_thread::yield();
    EXPECT_FALSE(queue.takes(of("a", 3))) << "when its parts are done too";
    held = nullptr;
    EXPECT_TRUE(queue.takes(of("a", 1)));
    held = queue.hold(of("a", 1));
  }
  held = nullptr;  // after the queue's end
}

TEST(WorkQueue, WithdrawnWorkIsDroppedAndDoesNotCount) {
  HeldQueue held(1, {10, 1, 1});
  const auto held_by_it = std::make_shared<int>(0);
  const auto ticket = held.queue.submit(of("a"), [held_by_it, &held](const std::stop_token&) {
    const std::scoped_lock lock(held.mutex);
    held.ran.push_back("withdrawn");
  });
  ASSERT_TRUE(ticket);
  EXPECT_FALSE(held.submit(of("a"), "too much"));
  held.queue.withdraw(*ticket);
  EXPECT_EQ(held_by_it.use_count(), 1) << "what it holds is free at once";
  EXPECT_EQ(held.queue.waiting(), 0U);
  EXPECT_TRUE(held.submit(of("a"), "next"));
  held.queue.withdraw(*ticket);
  held.queue.withdraw(999);
  EXPECT_EQ(held.run(), std::vector<std::string>{"next"});
}

TEST(WorkQueue, AnAddressLeavesAThreadForOthers) {
  WorkQueue queue(2, Caps{100, 100, 100}, 0, 1);
  std::latch go(1);
  std::latch other(1);
  std::atomic<int> at_once = 0;
  std::atomic<int> most = 0;
  std::latch all(20);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(queue.submit(of("greedy"), [&](const std::stop_token&) {
      most = std::max(most.load(), ++at_once);
      go.wait();
      --at_once;
      all.count_down();
    }));
  }
  ASSERT_TRUE(queue.submit(of("a"), [&](const std::stop_token&) { other.count_down(); }));
  other.wait();  // though everything of the greedy one still waits for us
  go.count_down();
  all.wait();
  EXPECT_EQ(most, 1);
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
