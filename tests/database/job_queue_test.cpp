// The queue on either engine: a job is done by one, whoever dies, and what comes of it counts once.
#include "database/job_queue.hpp"

#include <atomic>
#include <barrier>
#include <gtest/gtest.h>
#include <map>
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
  void add(const std::string& topic, const std::string& name, const std::string& order) {
    queue.add({topic, name, "game", "1", order, ""});
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
  add("t", "one", "do this");
  add("t", "two", "do that");
  add("t", "one", "again");
  EXPECT_EQ(queue.count_waiting("t"), 2);
  const auto first = queue.take({"ann", "1", {"game"}, ""});
  ASSERT_TRUE(first);
  EXPECT_EQ(first->topic, "t");
  EXPECT_EQ(first->name, "one");
  EXPECT_EQ(first->order, "do this");
  EXPECT_EQ(queue.take({"bob", "1", {"game"}, ""})->name, "two");
  EXPECT_FALSE(queue.take({"bob", "1", {"game"}, ""}));
  const auto running = queue.running("t");
  ASSERT_EQ(running.size(), 2U);
  EXPECT_EQ(running[0].worker, "ann");
  EXPECT_GT(running[0].since_ms, 1'700'000'000'000);
}

TEST_F(JobQueueTest, several_may_make_it_at_the_same_moment) {
  for (int round = 0; round < 20; ++round) {
    const paika_tests::TemporaryFolder fresh;
    const std::string shared = paika_tests::new_database(fresh);
    std::barrier start(4);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        const auto opened = JobQueue::open(shared);
        EXPECT_TRUE(opened) << opened.error().message;
      });
    }
  }
}

TEST_F(JobQueueTest, workers_of_another_version_are_not_given_any) {
  add("t", "one", "");
  EXPECT_FALSE(queue.take({"ann", "2", {"game"}, ""}));
  EXPECT_TRUE(queue.take({"ann", "1", {"game"}, ""}));
}

TEST_F(JobQueueTest, a_worker_may_want_one_topic_alone) {
  add("t", "one", "");
  add("u", "two", "");
  EXPECT_EQ(queue.take({"ann", "1", {"game"}, "u"})->name, "two");
  EXPECT_FALSE(queue.take({"ann", "1", {"game"}, "u"}));
  EXPECT_EQ(queue.take({"ann", "1", {"game"}, ""})->name, "one");
}

TEST_F(JobQueueTest, a_result_is_there_until_it_is_removed) {
  add("t", "one", "");
  add("u", "one", "");
  EXPECT_TRUE(queue.finish(*queue.take({"ann", "1", {"game"}, ""}), "well"));
  const auto done = queue.done("t");
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].name, "one");
  EXPECT_EQ(done[0].worker, "ann");
  EXPECT_EQ(done[0].result, "well");
  EXPECT_TRUE(queue.done("u").empty());
  EXPECT_EQ(queue.take({"bob", "1", {"game"}, ""})->topic, "u") << "what is done is not given again";
  queue.remove("t", "one");
  EXPECT_TRUE(queue.done("t").empty());
}

TEST_F(JobQueueTest, the_job_of_one_who_is_silent_is_given_to_another_and_only_his_result_counts) {
  add("t", "one", "");
  const auto lost = queue.take({"ann", "1", {"game"}, ""});
  ASSERT_TRUE(lost);
  EXPECT_TRUE(queue.renew(*lost));
  EXPECT_FALSE(queue.take({"bob", "1", {"game"}, ""}));
  let_leases_run_out();
  EXPECT_TRUE(queue.running("t").empty());
  const auto taken = queue.take({"bob", "1", {"game"}, ""});
  ASSERT_TRUE(taken);
  EXPECT_GT(taken->fence, lost->fence);
  EXPECT_FALSE(queue.renew(*lost));
  EXPECT_FALSE(queue.finish(*lost, "late"));
  queue.give_back(*lost);
  EXPECT_FALSE(queue.take({"cy", "1", {"game"}, ""})) << "it is not his to give back";
  EXPECT_TRUE(queue.finish(*taken, "well"));
  EXPECT_FALSE(queue.finish(*taken, "twice"));
  ASSERT_EQ(queue.done("t").size(), 1U);
  EXPECT_EQ(queue.done("t")[0].result, "well");
}

TEST_F(JobQueueTest, one_who_was_silent_may_still_finish_what_nobody_else_took) {
  add("t", "one", "");
  const auto slow = queue.take({"ann", "1", {"game"}, ""});
  let_leases_run_out();
  EXPECT_TRUE(queue.finish(*slow, "well"));
}

TEST_F(JobQueueTest, jobs_are_given_back_withdrawn_and_closed) {
  for (const char* name : {"one", "two", "three"}) add("t", name, "");
  queue.add_file("t", "hash", std::string("\0\xFF bytes", 8));
  const auto one = queue.take({"ann", "1", {"game"}, ""});
  const auto two = queue.take({"ann", "1", {"game"}, ""});
  queue.give_back(*one);
  EXPECT_EQ(queue.take({"bob", "1", {"game"}, ""})->name, "one");
  queue.withdraw("t");
  EXPECT_FALSE(queue.take({"bob", "1", {"game"}, ""}));
  EXPECT_TRUE(queue.renew(*two)) << "who works goes on";
  EXPECT_EQ(queue.file("t", "hash"), std::string("\0\xFF bytes", 8));
  EXPECT_FALSE(queue.file("u", "hash"));
  queue.close("t");
  EXPECT_FALSE(queue.renew(*two));
  EXPECT_FALSE(queue.file("t", "hash"));
}

TEST_F(JobQueueTest, a_worker_takes_the_kinds_that_it_can_do) {
  queue.add({"t", "one", "bot", "1", "", "r1"});
  EXPECT_FALSE(queue.take({"ann", "1", {"game"}, ""}));
  EXPECT_FALSE(queue.take({"ann", "1", {"robot", "bo"}, ""}));
  const auto taken = queue.take({"ann", "1", {"game", "bot"}, ""});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->kind, "bot");
  EXPECT_EQ(taken->request, "r1");
}

TEST_F(JobQueueTest, topics_take_turns_however_many_jobs_one_has) {
  for (const char* name : {"one", "two", "three"}) add("t", name, "");
  add("u", "late", "");
  EXPECT_EQ(queue.take({"ann", "1", {"game"}, ""})->name, "one");
  EXPECT_EQ(queue.take({"ann", "1", {"game"}, ""})->name, "late");
  EXPECT_EQ(queue.take({"ann", "1", {"game"}, ""})->name, "two");
}

TEST_F(JobQueueTest, what_is_said_of_a_job_is_heard_until_another_one_takes_it) {
  add("t", "one", "");
  const auto first = queue.take({"ann", "1", {"game"}, ""});
  EXPECT_TRUE(queue.renew(*first, "so ", "building"));
  EXPECT_TRUE(queue.renew(*first, "far", "checking"));
  ASSERT_EQ(queue.running("t").size(), 1U);
  EXPECT_EQ(queue.running("t")[0].progress, "so far");
  EXPECT_EQ(queue.running("t")[0].phase, "checking");
  let_leases_run_out();
  const auto second = queue.take({"bob", "1", {"game"}, ""});
  EXPECT_FALSE(queue.renew(*first, "late"));
  EXPECT_EQ(queue.running("t")[0].progress, "");
  EXPECT_TRUE(queue.renew(*second, "anew"));
  EXPECT_TRUE(queue.finish(*second, "well"));
  EXPECT_EQ(queue.done("t")[0].progress, "anew");
}

TEST_F(JobQueueTest, only_what_nobody_has_taken_is_taken_back) {
  add("t", "one", "");
  add("t", "two", "");
  const auto taken = queue.take({"ann", "1", {"game"}, ""});
  EXPECT_FALSE(queue.take_back("t", "one"));
  EXPECT_TRUE(queue.take_back("t", "two"));
  EXPECT_FALSE(queue.take_back("t", "two"));
  queue.clear("t");
  EXPECT_FALSE(queue.renew(*taken));
}

TEST_F(JobQueueTest, files_that_nobody_needs_go_after_a_while) {
  for (const char* hash : {"old", "needed", "new"}) queue.add_file("t", hash, hash);
  queue.set_file("t", "named", "before");
  queue.set_file("t", "named", "after");
  queue.add_file("t", "named", "never");
  EXPECT_EQ(queue.file("t", "named"), "after");
  const std::string schema = paika_tests::on_postgresql() ? where.substr(where.rfind("%3D") + 3) + "_queue." : "";
  paika_tests::tamper(where, "UPDATE " + schema + "job_files SET added = 1 WHERE hash <> 'new'");
  queue.keep_files("t", {"needed", "named"});
  EXPECT_FALSE(queue.has_file("t", "old"));
  for (const char* hash : {"needed", "named", "new"}) EXPECT_TRUE(queue.has_file("t", hash)) << hash;
  EXPECT_FALSE(queue.has_file("u", "new"));
}

TEST_F(JobQueueTest, what_waits_and_what_happened_is_counted) {
  for (const char* name : {"one", "two", "three"}) add("t", name, "");
  queue.add({"u", "four", "bot", "1", "", ""});
  static_cast<void>(queue.take({"ann", "1", {"game"}, ""}));
  let_leases_run_out();
  EXPECT_TRUE(queue.finish(*queue.take({"ann", "1", {"game"}, ""}), ""));
  queue.give_back(*queue.take({"ann", "1", {"game"}, ""}));
  static_cast<void>(queue.take({"ann", "1", {"game"}, ""}));
  queue.reject("game");
  const auto depths = queue.depths();
  ASSERT_EQ(depths.size(), 2U);
  EXPECT_EQ(depths[0].kind, "bot");
  EXPECT_EQ(depths[0].waiting, 1);
  EXPECT_EQ(depths[1].waiting, 1);
  EXPECT_EQ(depths[1].running, 1);
  EXPECT_LT(depths[1].oldest, std::chrono::minutes(5));
  std::map<std::string, std::int64_t> counts;
  for (const JobCount& count : queue.counts()) {
    if (count.kind == "game") counts[count.what] = count.count;
  }
  counts.erase("worked_ms");
  const std::map<std::string, std::int64_t> expected = {{"done", 1},     {"expired", 1}, {"given_back", 1},
                                                        {"rejected", 1}, {"taken", 4},   {"within_1", 1}};
  EXPECT_EQ(counts, expected);
}

TEST_F(JobQueueTest, many_at_once_do_each_job_once) {
  constexpr int jobs = 200;
  constexpr std::size_t workers = 4;
  for (int i = 0; i < jobs; ++i) add("t", std::to_string(i), "");
  std::mutex mutex;
  std::multiset<std::string> done;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers; ++i) {
      threads.emplace_back([&] {
        JobQueue own = open();
        while (const auto job = own.take({"w", "1", {"game"}, ""})) {
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
