// Telling progress: everything is counted, one hears it at a time, and not too often.
#include "solve/progress_reporter.hpp"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace paika {
namespace {

TEST(ProgressReporter, tells_the_part_that_is_done) {
  std::vector<double> heard;
  ProgressReporter reporter(10, std::chrono::milliseconds(0), [&](double done) { heard.push_back(done); });
  reporter(2);
  reporter(3);
  reporter.set_done(8);
  reporter(2);
  EXPECT_EQ(heard, (std::vector<double>{0.2, 0.5, 1.0}));
}

TEST(ProgressReporter, not_too_often) {
  int calls = 0;
  ProgressReporter reporter(1'000'000, std::chrono::hours(1), [&](double) { ++calls; });
  for (int i = 0; i < 100'000; ++i) reporter(1);
  EXPECT_EQ(calls, 1) << "at once, and not again before an hour has passed";
}

TEST(ProgressReporter, one_at_a_time_from_many_threads) {
  int inside = 0;
  int together = 0;
  double most = 0;
  ProgressReporter reporter(40'000, std::chrono::milliseconds(0), [&](double done) {
    together += inside++ > 0 ? 1 : 0;
    most = std::max(most, done);
    --inside;
  });
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 10'000; ++i) reporter(1);
      });
    }
  }
  EXPECT_EQ(together, 0);
  EXPECT_LE(most, 1.0);
  reporter(0);
  EXPECT_EQ(most, 1.0) << "every thread's work was counted";
}

TEST(ProgressReporter, nobody_need_listen) {
  ProgressReporter reporter(0, std::chrono::milliseconds(0), {});
  reporter(5);
}

}  // namespace
}  // namespace paika
