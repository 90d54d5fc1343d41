// The writer: order, commits that many share, failures of one job and of the disk, and its end.
#include "server/store/writer.hpp"

#include <atomic>
#include <csignal>
#include <future>
#include <latch>
#include <mutex>
#include <sys/resource.h>
#include <thread>

#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

using paika_tests::event;
using paika_tests::row;

/// Where a writer posts to: calls are kept, and made by the test's own thread.
class Inbox {
 public:
  Writer::Post post() {
    return [this](std::function<void()> call) {
      const std::scoped_lock lock(mutex_);
      calls_.push_back(std::move(call));
      changed_.notify_one();
    };
  }
  /// Makes the calls that have come, and returns how many.
  std::size_t drain() {
    std::vector<std::function<void()>> calls;
    {
      const std::scoped_lock lock(mutex_);
      calls.swap(calls_);
    }
    for (const auto& call : calls) call();
    return calls.size();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !calls_.empty(); });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::function<void()>> calls_;
};

class WriterTest : public paika_tests::StoreTest {
 protected:
  WriterTest() { store->add_room(row("a")); }
  void start() { writer = std::make_unique<Writer>(std::move(store), inbox.post()); }
  /// Makes the writer wait until the latch is down, so that what is submitted meanwhile shares a commit.
  void hold(std::latch& release) {
    auto begun = std::make_shared<std::promise<void>>();
    auto began = begun->get_future();
    writer->submit(
        [begun, &release](Store&) {
          begun->set_value();
          release.wait();
        },
        nullptr);
    began.wait();
  }
  static Writer::Job adding(std::uint64_t number) {
    return [number](Store& store) { store.add_events("a", std::vector{event(number, "text")}); };
  }
  Writer::Done heard(const std::string& what) {
    return [this, what](const std::optional<std::string>& failure) {
      reports.push_back(what + ": " + failure.value_or("committed"));
    };
  }
  std::size_t committed_events() {
    const auto reader = paika_tests::must(Store::open(path, Store::Mode::reader), path);
    return reader->events("a").size();
  }
  using Reports = std::vector<std::string>;

  Inbox inbox;
  std::unique_ptr<Writer> writer;
  Reports reports;
};

TEST_F(WriterTest, does_jobs_in_order_and_tells_after_the_commit) {
  start();
  for (std::uint64_t n = 1; n <= 5; ++n) {
    writer->submit(adding(n), [&, n](const std::optional<std::string>& failure) {
      EXPECT_FALSE(failure) << *failure;
      EXPECT_GE(committed_events(), n);  // seen by others: it is committed
      reports.push_back(std::to_string(n));
    });
  }
  writer->finish();
  inbox.drain();
  EXPECT_EQ(reports, (Reports{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(committed_events(), 5U);
}

TEST_F(WriterTest, what_a_report_holds_ends_with_it) {
  start();
  auto held = std::make_shared<int>();
  const std::weak_ptr<int> seen = held;
  writer->submit([](Store&) {}, [held = std::move(held)](const auto&) {});
  inbox.wait();
  inbox.drain();
  EXPECT_TRUE(seen.expired()) << "it would end with the next batch";
}

TEST_F(WriterTest, jobs_that_wait_share_a_commit_and_a_call) {
  start();
  std::latch release(1);
  hold(release);
  for (std::uint64_t n = 1; n <= 900; ++n) writer->submit(adding(n), heard(std::to_string(n)));
  EXPECT_EQ(writer->waiting(), 900U);
  EXPECT_EQ(writer->commits(), 0U);
  release.count_down();
  writer->finish();
  EXPECT_EQ(writer->commits(), 2U);
  EXPECT_EQ(writer->waiting(), 0U);
  EXPECT_EQ(inbox.drain(), 2U);
  ASSERT_EQ(reports.size(), 900U);
  EXPECT_EQ(reports.front(), "1: committed");
  EXPECT_EQ(reports.back(), "900: committed");
}

TEST_F(WriterTest, a_commit_has_a_bounded_number_of_jobs) {
  start();
  std::latch release(1);
  hold(release);
  for (std::uint64_t n = 1; n <= 2500; ++n) writer->submit(adding(n), nullptr);
  release.count_down();
  writer->finish();
  EXPECT_EQ(writer->commits(), 4U);
  EXPECT_EQ(committed_events(), 2500U);
}

TEST_F(WriterTest, a_job_that_throws_fails_alone) {
  start();
  std::latch release(1);
  hold(release);
  writer->submit(adding(1), heard("one"));
  writer->submit(
      [](Store& opened) {
        opened.add_events("a", std::vector{event(2, "undone")});
        throw std::runtime_error("no luck");
      },
      heard("two"));
  writer->submit([](Store& opened) { opened.add_room(row("a")); }, heard("twice"));
  writer->submit([](Store&) { throw 7; }, heard("int"));
  writer->submit(adding(2), heard("three"));
  release.count_down();
  writer->finish();
  inbox.drain();
  ASSERT_EQ(reports.size(), 5U);
  EXPECT_EQ(reports[0], "one: committed");
  EXPECT_EQ(reports[1], "two: no luck");
  EXPECT_NE(reports[2].find("cannot be used"), std::string::npos) << reports[2];
  EXPECT_EQ(reports[3], "int: something unknown failed");
  EXPECT_EQ(reports[4], "three: committed");
  EXPECT_EQ(committed_events(), 2U);
}

TEST_F(WriterTest, after_the_end_jobs_fail) {
  start();
  writer->submit(adding(1), heard("one"));
  writer->finish();
  writer->finish();
  writer->submit([](Store&) { FAIL(); }, heard("late"));
  inbox.drain();
  EXPECT_EQ(reports, (Reports{"one: committed", "late: the store is closed"}));
}

TEST_F(WriterTest, destroyed_it_does_what_waits_and_posts_nothing) {
  start();
  std::latch release(1);
  hold(release);
  for (std::uint64_t n = 1; n <= 20; ++n) writer->submit(adding(n), heard("never"));
  std::thread destroyer([&] { writer.reset(); });
  // The destructor may not have begun when the first batch is done; then that one is posted, and it tells nothing.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  release.count_down();
  destroyer.join();
  inbox.drain();
  EXPECT_EQ(reports, Reports{});
  EXPECT_EQ(committed_events(), 20U);
}

TEST_F(WriterTest, many_threads_may_submit) {
  start();
  constexpr int threads = 4;
  constexpr int each = 300;
  std::atomic<int> told = 0;
  std::vector<std::thread> submitters;
  for (int t = 0; t < threads; ++t) {
    submitters.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        writer->submit([t, i](Store& opened) { opened.add_room(row(fmt::format("{}-{}", t, i))); },
                       [&](const std::optional<std::string>& failure) { told += failure ? 0 : 1; });
        EXPECT_LE(writer->waiting(), std::size_t{threads * each});
      }
    });
  }
  while (told < threads * each / 2) {
    inbox.wait();
    inbox.drain();
  }
  for (auto& thread : submitters) thread.join();
  writer->finish();
  inbox.drain();
  EXPECT_EQ(told, threads * each);
}

// ---- A disk that is full ----

/// Makes files that grow beyond this fail while it lives, as on a full disk.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

TEST_F(WriterTest, a_commit_that_fails_fails_all_its_jobs_and_the_store_goes_on) {
  if (paika_tests::on_postgresql()) GTEST_SKIP() << "about files of SQLite";
  start();
  writer->submit(adding(1), heard("first"));
  while (writer->commits() == 0) std::this_thread::yield();
  {
    const FileLimit limit(200'000);
    std::latch release(1);
    hold(release);
    for (std::uint64_t n = 2; n <= 100; ++n) {
      writer->submit([n](Store& opened) { opened.add_events("a", std::vector{event(n, std::string(5000, 'x'))}); },
                     heard("full"));
    }
    writer->submit([](Store&) { throw std::runtime_error("own"); }, heard("own"));
    release.count_down();
    while (reports.size() < 101) {
      inbox.wait();
      inbox.drain();
    }
  }
  EXPECT_EQ(reports[0], "first: committed");
  for (std::size_t i = 1; i < 100; ++i) ASSERT_NE(reports[i].find("cannot be used"), std::string::npos) << reports[i];
  EXPECT_EQ(reports[100], "own: own");
  EXPECT_EQ(committed_events(), 1U);
  writer->submit(adding(2), heard("after"));
  writer->finish();
  inbox.drain();
  EXPECT_EQ(reports.back(), "after: committed");
  EXPECT_EQ(committed_events(), 2U);
}

TEST_F(WriterTest, a_job_that_fills_the_disk_takes_its_neighbours_with_it_and_nothing_is_half_written) {
  if (paika_tests::on_postgresql()) GTEST_SKIP() << "about files of SQLite";
  start();
  {
    const FileLimit limit(1'000'000);
    std::latch release(1);
    hold(release);
    writer->submit(adding(1), heard("before"));
    writer->submit(
        [](Store& opened) {
          // More than SQLite's cache holds: it writes before the commit.
          for (std::uint64_t n = 2; n <= 40; ++n) {
            opened.add_events("a", std::vector{event(n, std::string(1'000'000, 'x'))});
          }
        },
        heard("huge"));
    writer->submit(adding(2), heard("behind"));
    release.count_down();
    while (reports.size() < 3) {
      inbox.wait();
      inbox.drain();
    }
  }
  for (const auto& told : reports) EXPECT_NE(told.find("cannot be used"), std::string::npos) << told;
  EXPECT_EQ(committed_events(), 0U);
  writer->submit(adding(1), heard("again"));
  writer->finish();
  inbox.drain();
  EXPECT_EQ(reports.back(), "again: committed");
  EXPECT_EQ(committed_events(), 1U);
}

}  // namespace
}  // namespace paika::server
