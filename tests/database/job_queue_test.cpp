// The queue on either engine: a job is done by one, whoever dies, and what comes of it counts once.
#include "database/job_queue.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>

#include "tests/support/test_database.hpp"

namespace paika {
namespace {

class JobQueueTest : public testing::Test {
 protected:
  [[nodiscard]] JobQueue open() const {
    auto queue = JobQueue::open(where);
    if (!queue) throw std::runtime_error(queue.error().message);
    return std::move(*queue);
  }
  /// As if the lease of everybody who works had run out.
  void let_leases_run_out() const {
    const std::string schema = paika_tests::on_postgresql() ? where.substr(where.rfind("%3D") + 3) + "_queue." : "";
    paika_tests::tamper(where, "UPDATE " + schema + "jobs SET until = 1 WHERE state = 'running'");
  }

  paika_tests::TemporaryFolder folder;
  std::string where = paika_tests::new_database(folder);
  JobQueue queue = open();
};

TEST_F(JobQueueTest, jobs_are_taken_in_their_order_and_once) {
  queue.add("t", "one", "1", "do this");
  queue.add("t", "two", "1", "do that");
  queue.add("t", "one", "1", "again");
  EXPECT_EQ(queue.count_waiting("t"), 2);
  const auto first = queue.take("ann", "1");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->topic, "t");
  EXPECT_EQ(first->name, "one");
  EXPECT_EQ(first->order, "do this");
  EXPECT_EQ(queue.take("bob", "1")->name, "two");
  EXPECT_FALSE(queue.take("bob", "1"));
  const auto running = queue.running("t");
  ASSERT_EQ(running.size(), 2U);
  EXPECT_EQ(running[0].worker, "ann");
  EXPECT_GT(running[0].since_ms, 1'700'000'000'000);
}

TEST_F(JobQueueTest, workers_of_another_version_are_not_given_any) {
  queue.add("t", "one", "1", "");
  EXPECT_FALSE(queue.take("ann", "2"));
  EXPECT_TRUE(queue.take("ann", "1"));
}

TEST_F(JobQueueTest, a_worker_may_want_one_topic_alone) {
  queue.add("t", "one", "1", "");
  queue.add("u", "two", "1", "");
  EXPECT_EQ(queue.take("ann", "1", "u")->name, "two");
  EXPECT_FALSE(queue.take("ann", "1", "u"));
  EXPECT_EQ(queue.take("ann", "1")->name, "one");
}

TEST_F(JobQueueTest, a_result_is_there_until_it_is_removed) {
  queue.add("t", "one", "1", "");
  queue.add("u", "one", "1", "");
  EXPECT_TRUE(queue.finish(*queue.take("ann", "1"), "well"));
  const auto done = queue.done("t");
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].name, "one");
  EXPECT_EQ(done[0].worker, "ann");
  EXPECT_EQ(done[0].result, "well");
  EXPECT_TRUE(queue.done("u").empty());
  EXPECT_EQ(queue.take("bob", "1")->topic, "u") << "what is done is not given again";
  queue.remove("t", "one");
  EXPECT_TRUE(queue.done("t").empty());
}

TEST_F(JobQueueTest, the_job_of_one_who_is_silent_is_given_to_another_and_only_his_result_counts) {
  queue.add("t", "one", "1", "");
  const auto lost = queue.take("ann", "1");
  ASSERT_TRUE(lost);
  EXPECT_TRUE(queue.renew(*lost));
  EXPECT_FALSE(queue.take("bob", "1"));
  let_leases_run_out();
  EXPECT_TRUE(queue.running("t").empty());
  const auto taken = queue.take("bob", "1");
  ASSERT_TRUE(taken);
  EXPECT_GT(taken->fence, lost->fence);
  EXPECT_FALSE(queue.renew(*lost));
  EXPECT_FALSE(queue.finish(*lost, "late"));
  queue.give_back(*lost);
  EXPECT_FALSE(queue.take("cy", "1")) << "it is not his to give back";
  EXPECT_TRUE(queue.finish(*taken, "well"));
  EXPECT_FALSE(queue.finish(*taken, "twice"));
  ASSERT_EQ(queue.done("t").size(), 1U);
  EXPECT_EQ(queue.done("t")[0].result, "well");
}

TEST_F(JobQueueTest, one_who_was_silent_may_still_finish_what_nobody_else_took) {
  queue.add("t", "one", "1", "");
  const auto slow = queue.take("ann", "1");
  let_leases_run_out();
  EXPECT_TRUE(queue.finish(*slow, "well"));
}

TEST_F(JobQueueTest, jobs_are_given_back_withdrawn_and_closed) {
  for (const char* name : {"one", "two", "three"}) queue.add("t", name, "1", "");
  queue.add_file("t", "hash", std::string("\0\xFF bytes", 8));
  const auto one = queue.take("ann", "1");
  const auto two = queue.take("ann", "1");
  queue.give_back(*one);
  EXPECT_EQ(queue.take("bob", "1")->name, "one");
  queue.withdraw("t");
  EXPECT_FALSE(queue.take("bob", "1"));
  EXPECT_TRUE(queue.renew(*two)) << "who works goes on";
  EXPECT_EQ(queue.file("t", "hash"), std::string("\0\xFF bytes", 8));
  EXPECT_FALSE(queue.file("u", "hash"));
  queue.close("t");
  EXPECT_FALSE(queue.renew(*two));
  EXPECT_FALSE(queue.file("t", "hash"));
}

TEST_F(JobQueueTest, many_at_once_do_each_job_once) {
  constexpr int jobs = 200;
  constexpr std::size_t workers = 4;
  for (int i = 0; i < jobs; ++i) queue.add("t", std::to_string(i), "1", "");
  std::mutex mutex;
  std::multiset<std::string> done;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers; ++i) {
      threads.emplace_back([&] {
        JobQueue own = open();
        while (const auto job = own.take("w", "1")) {
          if (!own.finish(*job, "")) continue;
          const std::scoped_lock lock(mutex);
          done.insert(job->name);
        }
      });
    }
  }
  EXPECT_EQ(done.size(), static_cast<std::size_t>(jobs));
  EXPECT_EQ(std::set<std::string>(done.begin(), done.end()).size(), static_cast<std::size_t>(jobs));
}

}  // namespace
}  // namespace paika
