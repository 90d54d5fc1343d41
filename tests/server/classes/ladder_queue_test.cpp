// What the ladders do next, from a store and without any bot: nobody's bots wait for all of somebody else's.
#include "server/classes/ladder_queue.hpp"

#include <gtest/gtest.h>

#include "tests/server/classes/class_rows.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika_tests {

namespace {

using server::BotId;
using server::BotState;
using server::ClassStore;
using server::LadderJob;
using server::LadderQueue;
using server::PersonId;

class LadderQueueTest : public StoreTest {
 protected:
  void add_class(const std::string& id, PersonId teacher, const std::vector<PersonId>& students) {
    paika_tests::add_class(classes, id, teacher, students);
  }
  BotId add_bot(const std::string& class_id, PersonId person) {
    return paika_tests::add_bot(classes, class_id, person, "[]");
  }
  BotId accepted(const std::string& class_id, PersonId person) {
    const BotId id = add_bot(class_id, person);
    classes.set_bot_state(id, BotState::accepted, "");
    return id;
  }

  /// Does what a worker would do: the bot is refused, the game drawn.
  void finish(const LadderJob& job, double seconds) {
    if (job.pairing) {
      server::LadderGameRow row;
      row.class_id = job.in.id;
      row.bots = job.work.bots;
      row.pair = job.pairing->pair;
      row.leg = job.pairing->leg;
      row.verdict = "draw";
      EXPECT_TRUE(classes.add_game(row, 0.5));
    } else {
      classes.set_bot_state(job.work.bots[0], BotState::refused, "");
    }
    queue.finish(job, seconds);
  }
  LadderJob take() {
    auto job = queue.take(classes);
    if (!job) throw std::runtime_error("nothing to do");
    return *job;
  }
  /// The next job is done at once; its first bot.
  BotId next(double seconds = 8) {
    const LadderJob job = take();
    finish(job, seconds);
    return job.work.bots[0];
  }

  ClassStore classes{*store};
  LadderQueue queue;
};

TEST_F(LadderQueueTest, slow_builds_in_one_class_delay_another_by_one_job) {
  const PersonId hog = member("Hog");
  const PersonId honest = member("Honest");
  add_class("a", member("Teacher"), {hog});
  add_class("b", member("Other"), {honest});
  for (int i = 0; i < 6; ++i) add_bot("a", hog);
  const LadderJob first = take();
  const BotId bot = add_bot("b", honest);
  finish(first, 8);
  EXPECT_EQ(next(), bot);
}

TEST_F(LadderQueueTest, a_students_many_bots_wait_behind_the_first_of_the_others) {
  const PersonId hog = member("Hog");
  const PersonId anna = member("Anna");
  const PersonId bert = member("Bert");
  add_class("a", member("Teacher"), {hog, anna, bert});
  for (int i = 0; i < 6; ++i) add_bot("a", hog);
  const LadderJob first = take();
  const BotId one = add_bot("a", anna);
  const BotId two = add_bot("a", bert);
  finish(first, 8);
  EXPECT_EQ(next(), one);
  EXPECT_EQ(next(), two);
}

TEST_F(LadderQueueTest, somebody_with_many_classes_gets_no_more_than_with_one) {
  const PersonId hog = member("Hog");
  const PersonId honest = member("Honest");
  for (const char* id : {"a", "b", "c", "d"}) {
    add_class(id, hog, {hog});
    for (int i = 0; i < 3; ++i) add_bot(id, hog);
  }
  add_class("e", member("Teacher"), {honest});
  for (int i = 0; i < 3; ++i) add_bot("e", honest);
  int own = 0;
  for (int i = 0; i < 6; ++i) {
    const LadderJob job = take();
    own += job.in.id == "e" ? 1 : 0;
    finish(job, 8);
  }
  EXPECT_EQ(own, 3);
}

TEST_F(LadderQueueTest, bots_of_one_student_are_built_one_after_the_other) {
  const PersonId anna = member("Anna");
  add_class("a", member("Teacher"), {anna});
  const BotId one = add_bot("a", anna);
  const BotId two = add_bot("a", anna);
  const LadderJob first = take();
  EXPECT_EQ(first.work.bots[0], one);
  EXPECT_EQ(queue.bots_at_work(), std::set<BotId>{one});
  EXPECT_FALSE(queue.take(classes));
  finish(first, 1);
  EXPECT_TRUE(queue.bots_at_work().empty());
  EXPECT_EQ(next(), two);
  EXPECT_FALSE(queue.take(classes));
}

TEST_F(LadderQueueTest, several_games_at_a_time_and_none_twice) {
  std::vector<PersonId> students;
  for (const char* name : {"Anna", "Bert", "Carl", "Dora"}) students.push_back(member(name));
  add_class("a", member("Teacher"), students);
  for (const PersonId student : students) accepted("a", student);
  auto row = *classes.find("a");
  row.pairs = 2;
  classes.change_class(row);
  int games = 0;
  while (auto first = queue.take(classes)) {
    const auto second = queue.take(classes);
    if (second) {
      std::set<BotId> bots(first->work.bots.begin(), first->work.bots.end());
      bots.insert(second->work.bots.begin(), second->work.bots.end());
      EXPECT_EQ(bots.size(), 4U) << "a bot plays one game at a time";
      EXPECT_FALSE(queue.take(classes));
      finish(*second, 3);
      ++games;
    }
    finish(*first, 2);
    ASSERT_LE(++games, 24);
  }
  EXPECT_EQ(games, 24) << "six pairs of bots, two pairs of games each";
  EXPECT_TRUE(classes.half_pairs("a").empty());
}

TEST_F(LadderQueueTest, builds_do_not_stop_the_games_of_a_class) {
  const PersonId hog = member("Hog");
  const PersonId anna = member("Anna");
  const PersonId bert = member("Bert");
  add_class("a", member("Teacher"), {hog, anna, bert});
  accepted("a", anna);
  accepted("a", bert);
  for (int i = 0; i < 10; ++i) add_bot("a", hog);
  int games = 0;
  for (int i = 0; i < 10; ++i) {
    const LadderJob job = take();
    games += job.pairing ? 1 : 0;
    finish(job, 8);
  }
  EXPECT_EQ(games, 5);
}

}  // namespace

}  // namespace paika_tests
