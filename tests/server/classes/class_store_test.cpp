// Classes in the store: members, bots, the ladder's games and ratings, and what goes with whom.
#include <gtest/gtest.h>

#include "server/store/classes.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika_tests {

namespace {

using server::BotId;
using server::BotRow;
using server::BotState;
using server::ClassRow;
using server::ClassState;
using server::ClassStore;
using server::LadderGameRow;

class ClassStoreTest : public StoreTest {
 protected:
  ClassStoreTest() : teacher(member("Teacher")), anna(member("Anna")), bert(member("Bert")) {
    ClassRow row;
    row.id = "c1";
    row.name = "Games 101";
    row.teacher = teacher;
    row.spec = "othello:6x6";
    row.code = "secret";
    row.created = 5;
    classes().add_class(row);
    classes().add_member("c1", anna, "Anna A.", 10);
    classes().add_member("c1", bert, "Bert B.", 11);
  }

  [[nodiscard]] ClassStore classes() { return ClassStore(*store); }

  BotId add(server::PersonId person, const std::string& name = "bot", server::WallTime created = 100) {
    BotRow row;
    row.class_id = "c1";
    row.person = person;
    row.name = name;
    row.run = "./bot";
    row.created = created;
    return classes().add_bot(row, R"([{"path":"bot","text":"x"}])").id;
  }
  BotId accepted(server::PersonId person, const std::string& name = "bot") {
    const BotId id = add(person, name);
    classes().set_bot_state(id, BotState::accepted, "fine");
    return id;
  }
  static LadderGameRow game(BotId first, BotId second, std::int64_t pair, int leg) {
    LadderGameRow row;
    row.class_id = "c1";
    row.bots = {first, second};
    row.pair = pair;
    row.leg = leg;
    row.verdict = "first_wins";
    row.reason = "illegal";
    row.failure = "illegal";
    row.evidence = "a1 is occupied";
    row.record = "the record";
    row.logs = {"log of the first", "log of the second"};
    row.ended = 1000 + pair;
    return row;
  }

  server::PersonId teacher;
  server::PersonId anna;
  server::PersonId bert;
};

TEST_F(ClassStoreTest, keeps_classes_and_their_settings) {
  auto row = classes().find("c1").value();
  EXPECT_EQ(row.teacher_name, "Teacher");
  EXPECT_EQ(row.spec, "othello:6x6");
  row.state = ClassState::locked;
  row.deadline = 777;
  row.code = "other";
  classes().change_class(row);
  EXPECT_FALSE(classes().find_by_code("secret"));
  reopen();
  const auto again = classes().find_by_code("other").value();
  EXPECT_EQ(again.state, ClassState::locked);
  EXPECT_EQ(again.deadline, 777);
  EXPECT_EQ(classes().taught_by(teacher).size(), 1U);
  EXPECT_EQ(classes().joined_by(anna).size(), 1U);
  EXPECT_TRUE(classes().taught_by(anna).empty());
  EXPECT_EQ(classes().alive().size(), 1U);
}

TEST_F(ClassStoreTest, numbers_the_bots_of_each_member) {
  const BotId first = add(anna);
  const BotId second = add(anna);
  const BotId other = add(bert);
  EXPECT_EQ(classes().bot(first)->number, 1);
  EXPECT_EQ(classes().bot(second)->number, 2);
  EXPECT_EQ(classes().bot(other)->number, 1);
  EXPECT_EQ(classes().bot(other)->owner, "Bert B.");
  ASSERT_EQ(classes().waiting().size(), 3U);
  EXPECT_EQ(classes().waiting()[0].id, first);
  EXPECT_EQ(classes().waiting()[0].teacher, teacher);
  EXPECT_EQ(classes().waiting()[2].person, bert);
  EXPECT_EQ(classes().count_waiting(), 3U);
  EXPECT_EQ(classes().uploads_since("c1", anna, 100), 2);
  EXPECT_EQ(classes().uploads_since("c1", anna, 101), 0);
}

TEST_F(ClassStoreTest, a_later_bot_replaces_the_one_before_and_takes_its_rating) {
  const BotId first = accepted(anna);
  const BotId opponent = accepted(bert);
  EXPECT_TRUE(classes().add_game(game(first, opponent, 1, 1), 1));
  const double value = classes().bot(first)->rating.value;
  EXPECT_GT(value, 1500);
  const BotId second = add(anna);
  EXPECT_EQ(classes().ladder("c1").size(), 2U);
  classes().set_bot_state(second, BotState::accepted, "");
  EXPECT_EQ(classes().bot(first)->state, BotState::replaced);
  EXPECT_EQ(classes().bot(second)->rating.value, value);
  EXPECT_GE(classes().bot(second)->rating.deviation, 200);
  EXPECT_EQ(classes().bot(second)->games(), 0);
  EXPECT_EQ(classes().all_accepted(), (std::vector<BotId>{opponent, second}));
  // What was refused leaves the one on the ladder where it is.
  const BotId third = add(anna);
  classes().set_bot_state(third, BotState::refused, "no");
  EXPECT_EQ(classes().bot(second)->state, BotState::accepted);
}

TEST_F(ClassStoreTest, a_later_bot_is_as_unsure_as_the_one_before_and_never_surer_than_a_new_version) {
  const BotId first = accepted(anna);
  const double unsure = classes().bot(first)->rating.deviation;
  ASSERT_GT(unsure, 200);
  BotId last = accepted(anna);
  EXPECT_EQ(classes().bot(last)->rating.deviation, unsure) << "it has not played";
  const BotId other = accepted(bert);
  for (int pair = 1; pair <= 20; ++pair) ASSERT_TRUE(classes().add_game(game(last, other, pair, 1), 0.5));
  ASSERT_LT(classes().bot(last)->rating.deviation, 200);
  last = accepted(anna);
  EXPECT_EQ(classes().bot(last)->rating.deviation, 200);
}

TEST_F(ClassStoreTest, counts_a_game_once_and_only_between_bots_on_the_ladder) {
  const BotId a = accepted(anna);
  const BotId b = accepted(bert);
  EXPECT_TRUE(classes().add_game(game(a, b, 1, 1), 1));
  EXPECT_FALSE(classes().add_game(game(a, b, 1, 1), 1));
  EXPECT_TRUE(classes().add_game(game(b, a, 1, 2), 0.5));
  EXPECT_EQ(classes().bot(a)->wins, 1);
  EXPECT_EQ(classes().bot(a)->draws, 1);
  EXPECT_EQ(classes().bot(b)->losses, 1);
  EXPECT_EQ(classes().count_games("c1"), 2);
  ASSERT_EQ(classes().meetings("c1").size(), 1U);
  EXPECT_EQ(classes().meetings("c1")[0].games, 2);
  EXPECT_EQ(classes().last_game("c1")->leg, 2);
  EXPECT_TRUE(classes().half_pairs("c1").empty());
  EXPECT_EQ(classes().games_of_bot(a, 0, 10).size(), 2U);
  EXPECT_EQ(classes().games_of_bot(a, classes().last_game("c1")->id, 10).size(), 1U);
  const BotId waits = add(anna);
  EXPECT_FALSE(classes().add_game(game(waits, b, 2, 1), 1));
  EXPECT_GT(classes().ladder("c1")[0].rating.value, classes().ladder("c1")[1].rating.value);
}

TEST_F(ClassStoreTest, uploads_count_for_who_leaves_and_joins_again) {
  add(anna, "one", 100);
  add(anna, "two", 200);
  ASSERT_TRUE(classes().drop_member("c1", anna));
  EXPECT_TRUE(classes().waiting().empty());
  classes().add_member("c1", anna, "Anna again", 300);
  EXPECT_EQ(classes().uploads_since("c1", anna, 100), 2);
  EXPECT_EQ(classes().uploads_since("c1", anna, 150), 1);
  EXPECT_EQ(classes().uploads_since("c1", bert, 0), 0);
  add(anna, "three", 200 + 4 * 86'400'000LL);
  EXPECT_EQ(classes().uploads_since("c1", anna, 0), 1) << "what is days old is not kept";
}

TEST_F(ClassStoreTest, a_pair_that_was_begun_waits_for_its_second_game) {
  const BotId a = accepted(anna);
  const BotId b = accepted(bert);
  EXPECT_TRUE(classes().half_pairs("c1").empty());
  ASSERT_TRUE(classes().add_game(game(a, b, 1, 1), 1));
  ASSERT_TRUE(classes().add_game(game(b, a, 2, 1), 1));
  ASSERT_EQ(classes().half_pairs("c1").size(), 2U);
  EXPECT_EQ(classes().half_pairs("c1")[1].bots, (std::array<BotId, 2>{b, a}));
  ASSERT_TRUE(classes().add_game(game(b, a, 1, 2), 1));
  ASSERT_EQ(classes().half_pairs("c1").size(), 1U);
  EXPECT_EQ(classes().half_pairs("c1")[0].pair, 2);
  accepted(anna);  // the one before is no longer on the ladder
  EXPECT_TRUE(classes().half_pairs("c1").empty());
}

TEST_F(ClassStoreTest, a_game_is_found_in_its_own_class_alone) {
  const BotId a = accepted(anna);
  const BotId b = accepted(bert);
  ASSERT_TRUE(classes().add_game(game(a, b, 1, 1), 1));
  const auto id = classes().last_game("c1")->id;
  ClassRow other = *classes().find("c1");
  other.id = "c2";
  other.code = "another";
  classes().add_class(other);
  EXPECT_TRUE(classes().game("c1", id));
  EXPECT_FALSE(classes().game("c2", id));
  EXPECT_TRUE(classes().games_of_class("c2", 0, 10).empty());
  EXPECT_FALSE(classes().last_game("c2"));
}

TEST_F(ClassStoreTest, a_reason_of_an_older_version_has_the_name_of_today) {
  LadderGameRow row = game(accepted(anna), accepted(bert), 1, 1);
  row.verdict = "draw";
  row.reason = "max_turns";
  ASSERT_TRUE(classes().add_game(row, 1));
  EXPECT_EQ(classes().last_game("c1")->reason, "max_moves");
}

TEST_F(ClassStoreTest, what_was_under_way_waits_again) {
  const BotId id = add(anna);
  classes().set_bot_state(id, BotState::building, "");
  const BotId other = add(bert);
  classes().set_bot_state(other, BotState::checking, "");
  classes().restart_bots();
  EXPECT_EQ(classes().bot(id)->state, BotState::waiting);
  EXPECT_EQ(classes().bot(other)->state, BotState::waiting);
}

TEST_F(ClassStoreTest, old_bots_lose_their_files_but_not_the_one_on_the_ladder) {
  const BotId on_ladder = accepted(anna);
  const BotId old = add(anna);
  classes().set_bot_state(old, BotState::refused, "");
  for (int i = 0; i < ClassStore::max_kept; ++i) classes().set_bot_state(add(anna), BotState::refused, "");
  EXPECT_NE(classes().bot_files(on_ladder), "[]");
  EXPECT_EQ(classes().bot_files(old), "[]");
}

TEST_F(ClassStoreTest, who_is_erased_leaves_nothing_but_games_of_others) {
  const BotId a = accepted(anna, "Shark");
  const BotId b = accepted(bert);
  ASSERT_TRUE(classes().add_game(game(a, b, 1, 1), 1));
  const auto id = classes().last_game("c1")->id;
  store->erase_person(anna);
  EXPECT_FALSE(classes().bot(a));
  EXPECT_FALSE(classes().member("c1", anna));
  const auto left = classes().game("c1", id).value();
  EXPECT_EQ(left.bots, (std::array<BotId, 2>{0, b}));
  EXPECT_EQ(left.names[0], "deleted");
  EXPECT_EQ(left.logs[0], "");
  EXPECT_EQ(left.logs[1], "log of the second");
  EXPECT_EQ(left.evidence, "");
  EXPECT_EQ(classes().bot(b)->losses, 1);
}

TEST_F(ClassStoreTest, a_class_goes_with_its_teacher) {
  accepted(anna);
  store->erase_person(teacher);
  EXPECT_FALSE(classes().find("c1"));
  EXPECT_TRUE(classes().all_accepted().empty());
  EXPECT_TRUE(store->person(anna));
}

TEST_F(ClassStoreTest, archived_classes_are_left_alone) {
  add(anna);
  auto row = *classes().find("c1");
  row.state = ClassState::archived;
  classes().change_class(row);
  EXPECT_TRUE(classes().waiting().empty());
  EXPECT_TRUE(classes().alive().empty());
}

}  // namespace

}  // namespace paika_tests
