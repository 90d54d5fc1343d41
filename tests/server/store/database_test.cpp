// Parts of a database: nested, undone alone, and lost as a whole when SQLite gives up a transaction.
#include "server/store/database.hpp"

#include <gtest/gtest.h>

#include "server/store/files.hpp"
#include "tests/server/store/fixture.hpp"

namespace paika::server {
namespace {

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() { database.run_once("PRAGMA journal_mode = WAL; CREATE TABLE t (x TEXT) STRICT"); }
  std::int64_t count() {
    Query query = database.query("SELECT count(*) FROM t");
    return query.next() ? query.number(0) : -1;
  }
  void add(std::size_t bytes = 1) { database.run("INSERT INTO t VALUES (?)", std::string(bytes, 'x')); }
  static std::string made(const std::string& path) {
    EXPECT_TRUE(make_private_file(path));
    return path;
  }

  paika_tests::TemporaryFolder folder;
  Database database{made(folder / "t.db"), Store::Mode::owner};
};

TEST_F(DatabaseTest, parts_are_kept_or_undone_alone) {
  database.begin_part();
  add();
  database.begin_part();
  add();
  database.begin_part();
  add();
  database.undo_part();
  EXPECT_EQ(count(), 2);
  database.end_part();
  database.begin_part();
  add();
  database.undo_part();
  database.end_part();
  EXPECT_EQ(count(), 2);
  database.begin_part();
  add();
  database.undo_part();
  EXPECT_EQ(count(), 2);
}

TEST_F(DatabaseTest, values_come_back_as_they_went_in) {
  const std::string odd("a\0b'\"; DROP TABLE t; --\xC3\xA9", 26);
  database.run("INSERT INTO t VALUES (?)", odd);
  {
    Query query = database.query("SELECT x, length(CAST(x AS BLOB)), NULL, 2.5, ?, ?, ? FROM t",
                                 std::optional<double>(), std::int64_t{1} << 60U, std::optional(1.25));
    ASSERT_TRUE(query.next());
    EXPECT_TRUE(query.text(0) == odd);
    EXPECT_EQ(query.number(1), 26);
    EXPECT_TRUE(query.is_null(2));
    EXPECT_EQ(query.real(3), 2.5);
    EXPECT_TRUE(query.is_null(4));
    EXPECT_EQ(query.number(5), std::int64_t{1} << 60U);
    EXPECT_EQ(query.real(6), 1.25);
    EXPECT_FALSE(query.next());
  }
  EXPECT_EQ(count(), 1);
}

TEST_F(DatabaseTest, what_was_bound_before_is_not_bound_again) {
  constexpr Sql ask = "SELECT ? IS NULL";
  {
    Query query = database.query(ask, 5);
    ASSERT_TRUE(query.next());
    EXPECT_EQ(query.number(0), 0);
  }
  Query query = database.query(ask);
  ASSERT_TRUE(query.next());
  EXPECT_EQ(query.number(0), 1);
}

TEST_F(DatabaseTest, a_bad_statement_is_an_error_that_names_the_file) {
  try {
    database.run("INSERT INTO nowhere VALUES (1)");
    FAIL();
  } catch (const StoreError& error) {
    EXPECT_NE(std::string(error.what()).find("t.db"), std::string::npos) << error.what();
  }
  add();
  EXPECT_EQ(count(), 1);
}

TEST_F(DatabaseTest, a_full_file_fails_everything_of_the_transaction_and_nothing_after_it) {
  add();
  database.run_once("PRAGMA max_page_count = 10");
  const auto outer = [&] {
    database.begin_part();
    add();
    database.begin_part();
    EXPECT_THROW(for (int i = 0; i < 100; ++i) add(1000), StoreError);
    database.undo_part();
    // SQLite has undone the outer part too: nothing may be added outside of a transaction, nor seem to be kept.
    EXPECT_THROW(add(), StoreError);
    EXPECT_THROW(database.begin_part(), StoreError);
    EXPECT_THROW(database.end_part(), StoreError);
  };
  outer();
  EXPECT_EQ(count(), 1);
  add();
  EXPECT_EQ(count(), 2);
  outer();
  EXPECT_EQ(count(), 2);
  database.run_once("PRAGMA max_page_count = 1000");
  database.begin_part();
  for (int i = 0; i < 100; ++i) add(1000);
  database.end_part();
  EXPECT_EQ(count(), 102);
}

TEST_F(DatabaseTest, a_statement_in_use_is_not_given_twice) {
  add();
  add();
  EXPECT_DEATH(
      {
        Query one = database.query("SELECT x FROM t");
        (void)one.next();
        const Query two = database.query("SELECT x FROM t");
      },
      "at_work");
}

}  // namespace
}  // namespace paika::server
