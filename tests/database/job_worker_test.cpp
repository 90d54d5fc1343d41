// Workers of a queue: jobs are done, told of, given back, and left to workers of another version.
#include "database/job_worker.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include "tests/support/test_database.hpp"

namespace paika {
namespace {

class JobWorkerTest : public testing::Test {
 protected:
  [[nodiscard]] JobQueue open() const {
    auto queue = JobQueue::open(where);
    if (!queue) throw std::runtime_error(queue.error().message);
    return std::move(*queue);
  }
  /// A worker for jobs of the kind "k", which ends when there is nothing to do.
  [[nodiscard]] JobWorkerSettings settings(JobKind kind) {
    JobWorkerSettings made;
    made.name = "ann";
    made.version = "1";
    made.kinds["k"] = std::move(kind);
    made.max_idle = std::chrono::milliseconds(1);
    made.on_event = [this](const JobEvent& event) { told += std::string(name(event.what)) + " " + event.text + "\n"; };
    return made;
  }

  paika_tests::TemporaryFolder folder;
  std::string where = paika_tests::new_database(folder);
  JobQueue queue = open();
  std::string told;
};

TEST_F(JobWorkerTest, jobs_are_done_with_the_files_of_their_topic) {
  queue.add_file("t", "hash", "bytes");
  queue.add({"t", "one", "k", "1", "order", ""});
  const auto kind = [](const TakenJob& job, const JobFiles& files) -> Result<JobWork> {
    return [text = job.order + " " + files("hash").value_or("none") +
                   files("none").value_or(".")](const JobContext& context) -> Result<std::optional<JobResult>> {
      context.set_phase("late");
      context.report("said");
      return JobResult{text, {{"made", "by us"}}};
    };
  };
  ASSERT_TRUE(work_on_jobs(open(), settings(kind), {}));
  const auto done = queue.done("t");
  ASSERT_EQ(done.size(), 1U);
  EXPECT_EQ(done[0].result, "order bytes.");
  EXPECT_EQ(done[0].progress, "said");
  EXPECT_EQ(queue.file("t", "made"), "by us");
  EXPECT_EQ(told, "job_taken \njob_done \n");
}

TEST_F(JobWorkerTest, what_cannot_be_done_here_is_given_back_and_said) {
  queue.add({"t", "one", "k", "1", "", ""});
  std::stop_source stop;
  auto failing = settings([](const TakenJob&, const JobFiles&) -> Result<JobWork> {
    return [](const JobContext&) -> Result<std::optional<JobResult>> { throw std::runtime_error("no disk"); };
  });
  failing.on_event = [this, &stop](const JobEvent& event) {
    told += event.text;
    if (event.what == JobEvent::What::failed) stop.request_stop();
  };
  ASSERT_TRUE(work_on_jobs(open(), failing, stop.get_token()));
  EXPECT_EQ(told, "no disk");
  EXPECT_EQ(queue.count_waiting("t"), 1);
}

TEST_F(JobWorkerTest, a_job_that_is_removed_is_stopped) {
  queue.add({"t", "one", "k", "1", "", ""});
  std::atomic<bool> begun = false;
  const auto kind = [&](const TakenJob&, const JobFiles&) -> Result<JobWork> {
    return [&](const JobContext& context) -> Result<std::optional<JobResult>> {
      context.report("begun");
      begun = true;
      while (!context.stop.stop_requested()) std::this_thread::yield();
      return std::nullopt;
    };
  };
  std::jthread worker([&] { EXPECT_TRUE(work_on_jobs(open(), settings(kind), {})); });
  while (!begun) std::this_thread::yield();
  queue.remove("t", "one");
  worker.join();
  EXPECT_EQ(told, "job_taken \njob_lost \n");
}

TEST_F(JobWorkerTest, the_lease_is_renewed_while_files_are_fetched) {
  queue.add({"t", "one", "k", "1", "", ""});
  const auto kind = [&](const TakenJob&, const JobFiles& files) -> Result<JobWork> {
    const std::string schema = paika_tests::on_postgresql() ? where.substr(where.rfind("%3D") + 3) + "_queue." : "";
    paika_tests::tamper(where, "UPDATE " + schema + "jobs SET until = 1");
    EXPECT_TRUE(queue.running("t").empty()) << "its lease has run out";
    static_cast<void>(files("large"));
    EXPECT_EQ(queue.running("t").size(), 1U);
    return [](const JobContext&) -> Result<std::optional<JobResult>> { return JobResult{""}; };
  };
  ASSERT_TRUE(work_on_jobs(open(), settings(kind), {}));
  EXPECT_EQ(told, "job_taken \njob_done \n");
}

TEST_F(JobWorkerTest, a_worker_of_another_version_is_refused) {
  EXPECT_TRUE(check_version(queue, "1")) << "an empty queue is for everybody";
  queue.add({"t", "one", "k", "2", "", ""});
  const auto refused = check_version(queue, "1");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the jobs in this queue are for Paika 2, and this is 1: workers need the same version");
  queue.add({"u", "one", "k", "1", "", ""});
  EXPECT_TRUE(check_version(queue, "1"));
}

}  // namespace
}  // namespace paika
