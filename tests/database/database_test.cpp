// A database on either engine: values, and parts that are nested, undone alone, and lost as a whole when the engine
// gives up a transaction.
#include "database/database.hpp"

#include <gtest/gtest.h>

#include "database/open.hpp"
#include "tests/support/test_database.hpp"

namespace paika {
namespace {

using paika_tests::on_postgresql;

class DatabaseTest : public testing::Test {
 protected:
  DatabaseTest() { database.run_once("CREATE TABLE t (x TEXT, data BLOB) STRICT"); }
  std::int64_t count() {
    Query query = database.query("SELECT count(*) FROM t");
    return query.next() ? query.number(0) : -1;
  }
  void add(std::size_t bytes = 1) { database.run("INSERT INTO t (x) VALUES (?)", std::string(bytes, 'x')); }

  paika_tests::TemporaryFolder folder;
  Database database{connect_to_database(paika_tests::made_database(folder), Access::owner)};
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
  const std::string odd("a?1'\"; DROP TABLE t; --\xC3\xA9");
  const std::string bytes("\0\xFF\\x41'", 7);
  database.run("INSERT INTO t VALUES (?, ?)", odd, Blob{bytes});
  {
    Query query = database.query("SELECT x, octet_length(x), data, NULL, 2.5, ?, ?, ?, x = ?, x = ? FROM t",
                                 std::optional<double>(), std::int64_t{1} << 60U, std::optional(1.25), odd, "b");
    ASSERT_TRUE(query.next());
    EXPECT_EQ(query.text(0), odd);
    EXPECT_EQ(query.number(1), static_cast<std::int64_t>(odd.size()));
    EXPECT_EQ(query.text(2), bytes);
    EXPECT_TRUE(query.is_null(3));
    EXPECT_EQ(query.number(3), 0);
    EXPECT_EQ(query.text(3), "");
    EXPECT_EQ(query.real(4), 2.5);
    EXPECT_TRUE(query.is_null(5));
    EXPECT_EQ(query.number(6), std::int64_t{1} << 60U);
    EXPECT_EQ(query.real(7), 1.25);
    EXPECT_EQ(query.number(8), 1);
    EXPECT_EQ(query.number(9), 0);
    EXPECT_FALSE(query.next());
  }
  EXPECT_EQ(count(), 1);
}

TEST_F(DatabaseTest, a_text_with_a_zero_byte_is_never_cut) {
  const std::string zero("a\0b", 3);
  if (on_postgresql()) {
    EXPECT_THROW(database.run("INSERT INTO t (x) VALUES (?)", zero), StoreError);
    return;
  }
  database.run("INSERT INTO t (x) VALUES (?)", zero);
  EXPECT_TRUE(first_row(database.query("SELECT x FROM t"), [](const Query& row) { return row.text(0); }) == zero);
}

TEST_F(DatabaseTest, has_the_functions_that_the_other_engine_has) {
  Query query =
      database.query("SELECT greatest(?1, ?2), least(?1, ?2), greatest(NULL, ?1), 'A' = 'a', 'b' < 'C'", 3, 7);
  ASSERT_TRUE(query.next());
  EXPECT_EQ(query.number(0), 7);
  EXPECT_EQ(query.number(1), 3);
  EXPECT_EQ(query.number(2), 3);
  EXPECT_EQ(query.number(3), 0);
}

TEST_F(DatabaseTest, texts_are_ordered_by_their_bytes) {
  for (const char* text : {"b", "\xC3\xA9", "a", "B", "_", "a-b", "ab"})
    database.run("INSERT INTO t (x) VALUES (?)", text);
  const auto texts = all_rows(database.query("SELECT x FROM t WHERE x > ? ORDER BY x", "A"),
                              [](const Query& row) { return row.text(0); });
  EXPECT_EQ(texts, (std::vector<std::string>{"B", "_", "a", "a-b", "ab", "b", "\xC3\xA9"}));
}

TEST_F(DatabaseTest, counts_the_rows_that_were_changed) {
  database.run_once("CREATE TABLE u (k TEXT PRIMARY KEY, n INTEGER) STRICT");
  constexpr Sql add = "INSERT INTO u VALUES (?, 1) ON CONFLICT (k) DO NOTHING";
  EXPECT_EQ(database.run(add, "a"), 1);
  EXPECT_EQ(database.run(add, "a"), 0);
  EXPECT_EQ(database.run(add, "b"), 1);
  EXPECT_EQ(database.run("UPDATE u SET n = n + 1"), 2);
  EXPECT_EQ(database.run("DELETE FROM u WHERE k = ?", "c"), 0);
}

TEST_F(DatabaseTest, tables_number_their_rows_and_never_give_a_number_twice) {
  database.run_once("CREATE TABLE n (id INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT) STRICT");
  constexpr Sql add = "INSERT INTO n (x) VALUES ('') RETURNING id";
  EXPECT_EQ(first_row(database.query(add), first_column), 1);
  EXPECT_EQ(first_row(database.query(add), first_column), 2);
  database.run("DELETE FROM n");
  EXPECT_EQ(first_row(database.query(add), first_column), 3);
  EXPECT_EQ(database.connection().last_number("n"), 3);
  database.connection().set_last_number("n", 10);
  database.connection().set_last_number("n", 5);
  EXPECT_EQ(first_row(database.query(add), first_column), 11);
  EXPECT_EQ(database.connection().last_number("t"), 0) << "this one has no numbers";
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
    EXPECT_NE(std::string(error.what()).find(database.name()), std::string::npos) << error.what();
  }
  add();
  EXPECT_EQ(count(), 1);
}

TEST_F(DatabaseTest, a_full_file_fails_everything_of_the_transaction_and_nothing_after_it) {
  if (on_postgresql()) GTEST_SKIP() << "about files of SQLite";
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

TEST_F(DatabaseTest, what_failed_in_a_part_is_undone_with_it_and_the_rest_goes_on) {
  database.begin_part();
  add();
  database.begin_part();
  add();
  EXPECT_THROW(database.run("INSERT INTO nowhere VALUES (1)"), StoreError);
  database.undo_part();
  add();
  database.end_part();
  EXPECT_EQ(count(), 2);
}

TEST_F(DatabaseTest, tells_its_tables) {
  database.run_once(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, r REAL, b BLOB) STRICT;"
      "CREATE TABLE c (a INTEGER REFERENCES a (id), t TEXT) STRICT");
  const auto tables = database.connection().tables();
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].name, "a");
  ASSERT_EQ(tables[0].columns.size(), 3U);
  EXPECT_EQ(tables[0].columns[0].type, ValueType::integer);
  EXPECT_EQ(tables[0].columns[1].type, ValueType::real);
  EXPECT_EQ(tables[0].columns[2].type, ValueType::blob);
  EXPECT_TRUE(tables[0].references.empty());
  EXPECT_EQ(tables[1].name, "c");
  EXPECT_EQ(tables[1].columns[1].name, "t");
  EXPECT_EQ(tables[1].columns[1].type, ValueType::text);
  EXPECT_EQ(tables[1].references, std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace paika
