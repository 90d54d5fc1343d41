// What only PostgreSQL does: connections that are lost, owners that lose their database, and what is said of it.
#include "database/postgresql.hpp"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

#include "database/owner_watch.hpp"
#include "tests/support/test_database.hpp"

namespace paika {
namespace {

constexpr std::array<Sql, 1> steps = {"CREATE TABLE t (x INTEGER) STRICT"};
constexpr Layout layout = {77, steps};

class PostgresqlTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!paika_tests::on_postgresql()) GTEST_SKIP() << "about PostgreSQL: PAIKA_TEST_DB=postgresql runs it";
    url = paika_tests::new_postgresql_database();
  }
  [[nodiscard]] Database open(Access access, const OwnerTerms& terms = {}) const {
    auto opened = open_postgresql(url, access, layout, terms);
    if (!opened) throw std::runtime_error(opened.error().message);
    return std::move(*opened);
  }
  /// Ends all connections to the database but one's own, as an operator can.
  void end_connections() const {
    paika_tests::tamper(url,
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                        " AND backend_type = 'client backend'");
  }
  static std::int64_t count(Database& database) {
    return first_row(database.query("SELECT count(*) FROM t"), first_column).value_or(-1);
  }
  static void add(Database& database) { database.run("INSERT INTO t VALUES (?)", 1); }

  std::string url;
};

TEST_F(PostgresqlTest, has_one_owner_at_a_time_and_readers_beside_it) {
  std::optional<Database> owner = open(Access::owner);
  const auto second = open_postgresql(url, Access::owner, layout);
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().message.ends_with("is in use by another server")) << second.error().message;
  Database reader = open(Access::reader);
  add(*owner);
  EXPECT_EQ(count(reader), 1);
  EXPECT_THROW(add(reader), StoreError);
  owner.reset();
  EXPECT_NO_THROW(static_cast<void>(open(Access::owner)));
}

TEST_F(PostgresqlTest, a_reader_sees_one_moment_in_a_part) {
  Database owner = open(Access::owner);
  Database reader = open(Access::reader);
  Transaction transaction(reader);
  EXPECT_EQ(count(reader), 0);
  add(owner);
  EXPECT_EQ(count(reader), 0);
  transaction.finish();
  EXPECT_EQ(count(reader), 1);
}

TEST_F(PostgresqlTest, a_connection_that_was_lost_is_made_anew) {
  Database owner = open(Access::owner);
  Database reader = open(Access::reader);
  add(owner);
  EXPECT_EQ(count(reader), 1);
  end_connections();
  EXPECT_EQ(count(reader), 1) << "reading is tried again";
  {
    Transaction transaction(owner);
    add(owner);
    transaction.finish();
  }
  EXPECT_EQ(count(reader), 2) << "beginning is tried again";
}

TEST_F(PostgresqlTest, what_a_lost_transaction_did_is_undone_and_everything_after_it_fails) {
  Database owner = open(Access::owner);
  owner.begin_part();
  add(owner);
  owner.begin_part();
  end_connections();
  EXPECT_THROW(add(owner), StoreError);
  owner.undo_part();
  EXPECT_THROW(add(owner), StoreError) << "not outside of the transaction";
  EXPECT_THROW(owner.end_part(), StoreError);
  EXPECT_EQ(count(owner), 0);
  add(owner);
  EXPECT_EQ(count(owner), 1);
}

TEST_F(PostgresqlTest, the_server_may_be_killed_and_come_back) {
  Database owner = open(Access::owner);
  Database reader = open(Access::reader);
  add(owner);
  paika_tests::kill_postgresql();
  EXPECT_THROW(add(owner), StoreError);
  EXPECT_THROW(static_cast<void>(count(reader)), StoreError);
  EXPECT_THROW(owner.begin_part(), StoreError);
  paika_tests::start_postgresql_again();
  EXPECT_EQ(count(reader), 1);
  add(owner);
  EXPECT_EQ(count(reader), 2);
}

TEST_F(PostgresqlTest, an_owner_whose_place_was_taken_writes_no_more) {
  Database old = open(Access::owner);
  add(old);
  end_connections();
  {
    Database next = open(Access::owner);
    add(next);
    EXPECT_THROW(old.begin_part(), StoreError) << "the next one holds the lock";
  }
  try {
    old.begin_part();
    FAIL() << "the next one has come and gone";
  } catch (const StoreError& error) {
    EXPECT_NE(std::string(error.what()).find("must be restarted"), std::string::npos) << error.what();
  }
  EXPECT_TRUE(old.connection().is_deposed());
  EXPECT_THROW(add(old), StoreError);
}

// ---- Who watches (database/owner_watch.hpp) ----

TEST_F(PostgresqlTest, who_watches_sees_owners_come_and_go) {
  using std::chrono::milliseconds;
  OwnerWatch watch(url);
  EXPECT_FALSE(watch.look().is_owned) << "there is not even a layout";
  {
    Database owner = open(Access::owner, {true});
    const Ownership begun = watch.look();
    EXPECT_TRUE(begun.is_owned);
    EXPECT_EQ(begun.epoch, owner.connection().epoch());
    EXPECT_EQ(begun.owner, starting_owner);
    const auto before = std::chrono::steady_clock::now();
    owner.connection().say_owner("here I am: 'x'");
    EXPECT_EQ(watch.look().owner, "here I am: 'x'");
    const auto silence = watch.look().silence;
    EXPECT_LE(silence, std::chrono::steady_clock::now() - before + milliseconds(2)) << "since it said so";
  }
  // PostgreSQL learns a moment later that the connection has gone.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (watch.look().is_owned && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
  EXPECT_FALSE(watch.look().is_owned);
  Database next = open(Access::owner);
  EXPECT_GT(next.connection().epoch(), 1);
  EXPECT_EQ(watch.look().owner, "") << "what the last owner said is gone";
}

TEST_F(PostgresqlTest, an_owner_that_cannot_be_replaced_is_not_deposed) {
  OwnerWatch watch(url);
  Database owner = open(Access::owner);
  EXPECT_FALSE(watch.depose(owner.connection().epoch(), std::chrono::milliseconds(-1)));
}

TEST_F(PostgresqlTest, an_owner_that_hangs_before_it_has_said_anything_is_deposed) {
  using std::chrono::milliseconds;
  OwnerWatch watch(url);
  Database owner = open(Access::owner, {true});
  const std::int64_t epoch = owner.connection().epoch();
  EXPECT_FALSE(watch.depose(epoch, milliseconds(60'000)));
  EXPECT_TRUE(watch.depose(epoch, milliseconds(-1)));
}

TEST_F(PostgresqlTest, an_owner_that_is_at_work_before_it_has_said_anything_is_not_deposed) {
  OwnerWatch watch(url);
  Database owner = open(Access::owner, {true});
  const std::int64_t epoch = owner.connection().epoch();
  std::thread work([&] { static_cast<void>(owner.query("SELECT pg_sleep(1)").next()); });
  const auto is_active = [&] {
    Database looker = open(Access::reader);
    return first_row(looker.query("SELECT count(*) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(1)'"
                                  " AND state = 'active'"),
                     first_column) == 1;
  };
  while (!is_active()) std::this_thread::yield();
  EXPECT_FALSE(watch.depose(epoch, std::chrono::milliseconds(-1)));
  work.join();
}

TEST_F(PostgresqlTest, what_is_not_answered_in_time_fails_and_the_owner_goes_on) {
  Database owner = open(Access::owner, {false, std::chrono::milliseconds(300)});
  const auto epoch = owner.connection().epoch();
  // The database goes on with it, and that connection has the lock.
  EXPECT_THROW(static_cast<void>(owner.query("SELECT pg_sleep(600)").next()), StoreError);
  Transaction transaction(owner);
  add(owner);
  transaction.finish();
  EXPECT_EQ(count(owner), 1);
  EXPECT_EQ(owner.connection().epoch(), epoch);
  EXPECT_FALSE(owner.connection().is_deposed());
}

TEST_F(PostgresqlTest, a_silent_owner_is_deposed_and_writes_no_more) {
  using std::chrono::milliseconds;
  OwnerWatch watch(url);
  Database owner = open(Access::owner, {true});
  const std::int64_t epoch = owner.connection().epoch();
  owner.connection().say_owner("x");
  EXPECT_FALSE(watch.depose(epoch, milliseconds(60'000)));
  EXPECT_FALSE(watch.depose(epoch - 1, milliseconds(-1)));
  add(owner);
  EXPECT_TRUE(watch.depose(epoch, milliseconds(-1)));
  Database next = open(Access::owner);
  EXPECT_THROW(add(owner), StoreError);
  EXPECT_EQ(count(next), 1);
}

TEST_F(PostgresqlTest, a_transaction_in_which_something_failed_is_never_told_to_be_committed) {
  Database owner = open(Access::owner);
  owner.begin_part();
  add(owner);
  EXPECT_THROW(owner.run("INSERT INTO nowhere VALUES (1)"), StoreError);
  EXPECT_THROW(owner.end_part(), StoreError);
  EXPECT_EQ(count(owner), 0);
}

TEST_F(PostgresqlTest, streamed_rows_can_be_left_in_the_middle) {
  Database owner = open(Access::owner);
  owner.run("INSERT INTO t SELECT generate_series(1, 1000)");
  const auto rows = owner.connection().prepare("SELECT x FROM t ORDER BY x", true);
  ASSERT_TRUE(rows->step());
  EXPECT_EQ(rows->number(0), 1);
  ASSERT_TRUE(rows->step());
  EXPECT_EQ(rows->number(0), 2);
  rows->reset();
  EXPECT_EQ(count(owner), 1000);
  int seen = 0;
  while (rows->step()) ++seen;
  EXPECT_EQ(seen, 1000);
}

TEST(PostgresqlUrl, is_shown_without_its_password) {
  EXPECT_EQ(shown_postgresql_url("postgresql://ann:secret@db.example.org:5433/paika?sslmode=require&password=other"),
            Result<std::string>("postgresql://ann@db.example.org:5433/paika"));
  EXPECT_EQ(shown_postgresql_url("postgres:///paika?host=/run/postgresql"),
            Result<std::string>("postgresql:///run/postgresql/paika"));
  EXPECT_FALSE(shown_postgresql_url("postgresql://h:x:y/z?a=b"));
  EXPECT_TRUE(is_postgresql_url("postgresql://h/d"));
  EXPECT_FALSE(is_postgresql_url("games.db"));
}

TEST(PostgresqlUrl, says_what_cannot_be_reached_without_the_password) {
  const auto refused = open_postgresql("postgresql://ann:secret@127.0.0.1:1/paika", Access::owner, layout);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message.starts_with("\"postgresql://ann@127.0.0.1:1/paika\" cannot be reached: "))
      << refused.error().message;
  EXPECT_EQ(refused.error().message.find("secret"), std::string::npos);
}

}  // namespace
}  // namespace paika
