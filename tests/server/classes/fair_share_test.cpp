// Who goes next: nobody gets more by asking more often, by slower jobs, by more groups or by coming late.
#include "server/classes/fair_share.hpp"

#include <gtest/gtest.h>
#include <map>

namespace paika_tests {

namespace {

using paika::server::FairShare;
using Path = FairShare::Path;

/// Jobs of people, each of some seconds, done by so many workers; the order in which they begin, by name.
class Workers {
 public:
  void add(Path path, double seconds, int count = 1) {
    for (int i = 0; i < count; ++i) waiting_.push_back({path, seconds});
  }

  /// Lets jobs begin and end until `count` have begun; the first groups of those.
  std::vector<std::string> begin(int count, std::size_t workers = 1) {
    std::vector<std::string> begun;
    while (static_cast<int>(begun.size()) < count && (!waiting_.empty() || !running_.empty())) {
      if (running_.size() == workers || waiting_.empty()) {
        end_first();
        continue;
      }
      std::vector<Path> paths;
      for (const auto& [path, seconds] : waiting_) paths.push_back(path);
      const auto next = static_cast<std::ptrdiff_t>(share_.next(paths));
      const auto [path, seconds] = waiting_.at(static_cast<std::size_t>(next));
      waiting_.erase(waiting_.begin() + next);
      share_.begin(path);
      running_.emplace(now_ + seconds, std::pair(path, seconds));
      begun.push_back(path.back());
    }
    return begun;
  }

 private:
  void end_first() {
    const auto first = running_.begin();
    now_ = first->first;
    share_.end(first->second.first, first->second.second);
    running_.erase(first);
  }

  FairShare share_;
  double now_ = 0;
  std::vector<std::pair<Path, double>> waiting_;
  std::multimap<double, std::pair<Path, double>> running_;
};

using Names = std::vector<std::string>;

TEST(FairShare, who_came_first_goes_first_among_equals) {
  Workers workers;
  workers.add({"a"}, 1);
  workers.add({"b"}, 1);
  workers.add({"c"}, 1);
  EXPECT_EQ(workers.begin(3), (Names{"a", "b", "c"}));
}

TEST(FairShare, many_jobs_of_one_delay_another_by_one) {
  Workers workers;
  workers.add({"hog"}, 8, 6);
  EXPECT_EQ(workers.begin(1), (Names{"hog"}));
  workers.add({"honest"}, 8);
  EXPECT_EQ(workers.begin(3), (Names{"honest", "hog", "hog"}));
}

TEST(FairShare, time_counts_and_not_the_number_of_jobs) {
  Workers workers;
  workers.add({"slow"}, 60, 5);
  workers.add({"quick"}, 1, 100);
  const auto begun = workers.begin(63);
  EXPECT_EQ(std::count(begun.begin(), begun.end(), "slow"), 2);
}

TEST(FairShare, several_classes_of_one_teacher_get_no_more_than_one) {
  Workers workers;
  for (const char* name : {"1", "2", "3", "4", "5"}) workers.add({"hog", name, "hog"}, 1, 20);
  workers.add({"honest", "6", "honest"}, 1, 20);
  const auto begun = workers.begin(20);
  EXPECT_EQ(std::count(begun.begin(), begun.end(), "honest"), 10);
}

TEST(FairShare, every_group_has_a_worker_before_one_has_two) {
  Workers workers;
  workers.add({"hog"}, 100, 10);
  workers.add({"honest"}, 1, 3);
  EXPECT_EQ(workers.begin(2, 2), (Names{"hog", "honest"}));
  EXPECT_EQ(workers.begin(2, 2), (Names{"honest", "honest"}));
  EXPECT_EQ(workers.begin(1, 2), (Names{"hog"})) << "no worker is idle while somebody waits";
}

TEST(FairShare, pausing_saves_nothing_up) {
  Workers workers;
  workers.add({"early"}, 1);
  workers.add({"busy"}, 1, 50);
  EXPECT_EQ(workers.begin(41).size(), 41U);
  // The one who paused does not get the forty jobs that the other had meanwhile.
  workers.add({"early"}, 1, 10);
  const auto begun = workers.begin(10);
  EXPECT_LE(std::count(begun.begin(), begun.end(), "early"), 6);
  EXPECT_GE(std::count(begun.begin(), begun.end(), "early"), 4);
}

}  // namespace

}  // namespace paika_tests
