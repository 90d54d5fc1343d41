// Copying a store from SQLite to PostgreSQL and back: everything arrives, or nothing.
#include "server/store/copy.hpp"

#include <map>

#include "server/store/classes.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

using paika_tests::must;
using paika_tests::StoreTest;

/// On PostgreSQL from there to a file; on SQLite from one file to another.
class CopyTest : public StoreTest {
 protected:
  CopyTest() {
    const PersonId ann = member("Ann");
    const PersonId gone = member("Gone");
    RoomRow room = paika_tests::row("a");
    room.persons = {ann, gone};
    store->add_room(room);
    store->add_events("a", std::vector{paika_tests::event(1, R"({"event":"created","who":{"name":"Ann"}})", ann),
                                       paika_tests::event(2, "\xC3\xA9\n'\"?\\")});
    store->rate("a", "othello", {ann, gone}, 0.5);
    store->erase_person(gone);
    ClassRow row;
    row.id = "c";
    row.teacher = ann;
    row.spec = "othello:8x8";
    ClassStore(*store).add_class(row);
    store->save_server_time(ServerTime(123'456));
  }
  /// The error; "" if there is none.
  static std::string copy(const std::string& from, const std::string& to) {
    const auto done = copy_store(from, to, [](std::string_view, std::int64_t) {});
    return done ? "" : done.error().message;
  }
  void expect_the_same(const std::string& where) {
    const auto copied = must(Store::open(where, Store::Mode::owner), where);
    EXPECT_EQ(copied->server_time(), ServerTime(123'456));
    EXPECT_EQ(copied->erasures(), 1);
    const auto ann = copied->person_named("ann");
    ASSERT_TRUE(ann);
    EXPECT_EQ(ann->name, "Ann");
    EXPECT_EQ(paika_tests::texts_of(copied->events("a")),
              (std::vector<std::string>{R"({"event":"created","who":{"name":"Ann"}})", "\xC3\xA9\n'\"?\\"}));
    EXPECT_EQ(copied->room("a")->names[1], "deleted");
    EXPECT_EQ(copied->ratings(ann->id).size(), 1U);
    EXPECT_EQ(ClassStore(*copied).find("c")->teacher_name, "Ann");
    EXPECT_GT(copied->add_guest(1).id, 2) << "the number of who is gone is not given again";
  }

  std::string file = folder / "copy.db";
};

TEST_F(CopyTest, everything_arrives) {
  store.reset();
  std::map<std::string, std::int64_t> rows;
  ASSERT_TRUE(copy_store(path, file, [&](std::string_view table, std::int64_t count) { rows.emplace(table, count); }));
  EXPECT_EQ(rows["people"], 1);
  EXPECT_EQ(rows["events"], 2);
  EXPECT_EQ(rows["studies"], 0);
  EXPECT_EQ(rows.size(), 33U) << "all tables";
  expect_the_same(file);
}

TEST_F(CopyTest, and_comes_back) {
  store.reset();
  ASSERT_EQ(copy(path, file), "");
  const paika_tests::TemporaryFolder other;
  const std::string back = paika_tests::new_database(other);
  ASSERT_EQ(copy(file, back), "");
  expect_the_same(back);
}

TEST_F(CopyTest, only_into_a_new_store_and_out_of_one_that_nobody_uses) {
  EXPECT_NE(copy(path, file).find("is in use by another server"), std::string::npos);
  store.reset();
  ASSERT_EQ(copy(path, file), "");
  EXPECT_NE(copy(path, file).find("is in use already: copy into a new database"), std::string::npos);
  EXPECT_TRUE(copy(folder / "none.db", folder / "two.db").starts_with("there is no file"));
}

}  // namespace
}  // namespace paika::server
