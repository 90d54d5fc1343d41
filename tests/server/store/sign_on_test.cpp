// Identities of people, and courses with their members and grades.
#include <gtest/gtest.h>

#include "server/store/identities.hpp"
#include "server/store/lti.hpp"
#include "server/store/secrets.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

class SignOnStore : public paika_tests::StoreTest {
 protected:
  PersonId account(const char* name, const char* hash = "") const {
    const Person guest = store->add_guest(1);
    EXPECT_TRUE(store->make_member(guest.id, name, hash));
    return guest.id;
  }

  /// A class of a teacher, linked to a course.
  CourseId course(PersonId teacher, const char* class_id = "class") {
    ClassRow row;
    row.id = row.code = class_id;
    row.name = "Games";
    row.teacher = teacher;
    row.spec = "othello";
    ClassStore(*store).add_class(row);
    return LtiStore(*store).add_course({0, {"https://lms", "client", "1", class_id}, "Title", class_id, "", 1});
  }
};

TEST_F(SignOnStore, an_empty_hash_is_a_member_without_a_password) {
  const PersonId ada = account("ada");
  EXPECT_TRUE(store->person(ada)->member);
  EXPECT_EQ(store->password_hash(ada), "");
  EXPECT_FALSE(password_fits("", *store->password_hash(ada)));
  store->set_password_hash(ada, "hash");
  EXPECT_EQ(store->password_hash(ada), "hash");
}

TEST_F(SignOnStore, an_identity_belongs_to_one_person) {
  const PersonId ada = account("ada"), bob = account("bob", "hash");
  IdentityStore identities(*store);
  EXPECT_TRUE(identities.add("https://a", "1", ada, 5));
  EXPECT_TRUE(identities.add("https://a", "1", ada, 6));
  EXPECT_FALSE(identities.add("https://a", "1", bob, 6));
  EXPECT_TRUE(identities.add("https://b", "1", bob, 6));  // the subject of another issuer is somebody else
  EXPECT_EQ(identities.find("https://a", "1")->person, ada);
  EXPECT_FALSE(identities.find("https://a", "2"));
  const auto of_ada = identities.of_person(ada).front().id;
  const auto of_bob = identities.of_person(bob).front().id;
  EXPECT_EQ(identities.drop(bob, of_ada), IdentityStore::Dropped::unknown);
  EXPECT_EQ(identities.drop(ada, of_ada), IdentityStore::Dropped::only_login);
  EXPECT_EQ(identities.drop(bob, of_bob), IdentityStore::Dropped::done);
  store->erase_person(ada);
  EXPECT_FALSE(identities.find("https://a", "1"));
}

TEST_F(SignOnStore, grades_go_to_learners_and_a_new_one_replaces_the_old) {
  const PersonId teacher = account("teacher"), ada = account("ada"), bob = account("bob"), eve = account("eve");
  const CourseId id = course(teacher);
  LtiStore courses(*store);
  courses.set_member(id, ada, "a", true);
  courses.set_member(id, bob, "b", false);
  const std::vector<Grade> grades = {{ada, 50, "half"}, {bob, 60, ""}, {eve, 70, ""}};
  EXPECT_EQ(courses.add_grades("class", {"", "Games", 100}, grades, 10), 1);
  EXPECT_EQ(courses.add_grades("another", {"", "Games", 100}, grades, 10), 0);
  EXPECT_EQ(courses.next_due(), 10);
  EXPECT_TRUE(courses.due_grades(9, 10).empty());
  auto sent = courses.due_grades(10, 10);
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].subject, "a");
  // While the first is under way a second one is given, even in the same millisecond: the result is the first one's.
  EXPECT_EQ(courses.add_grades("class", {"", "Games", 100}, std::vector<Grade>{{ada, 80, ""}}, 10), 1);
  sent[0].state = "sent";
  courses.set_result(sent[0]);
  ASSERT_EQ(courses.due_grades(20, 10).size(), 1U);
  EXPECT_EQ(courses.due_grades(20, 10)[0].given, 80);
  // Another activity has a grade of its own.
  EXPECT_EQ(courses.add_grades("class", {"assignment:1", "First", 10}, std::vector<Grade>{{ada, 8, ""}}, 11), 1);
  EXPECT_EQ(courses.grades_of_class("class").size(), 2U);
  auto last = courses.due_grades(10, 10)[0];
  last.state = "waiting";
  last.due = 99;
  courses.set_result(last);
  EXPECT_EQ(courses.next_due(), 11);
  store->erase_person(ada);
  EXPECT_TRUE(courses.grades_of_class("class").empty());
}

TEST_F(SignOnStore, who_comes_by_another_account_is_that_person_alone) {
  const PersonId teacher = account("teacher"), ada = account("ada"), again = account("again");
  const CourseId id = course(teacher);
  LtiStore courses(*store);
  courses.set_member(id, ada, "a", true);
  courses.set_member(id, again, "a", true);
  EXPECT_EQ(courses.count_learners(id), 1);
  courses.set_line_item(id, "", "https://lms/1");
  courses.set_line_item(id, "", "https://lms/2");
  EXPECT_EQ(courses.line_item(id, ""), "https://lms/2");
  EXPECT_FALSE(courses.drop_course("another", id));
  ClassStore(*store).drop_class("class");
  EXPECT_FALSE(courses.course(id));
  EXPECT_EQ(courses.line_item(id, ""), "");
}

}  // namespace
}  // namespace paika::server
