// Layouts on either engine: databases go forwards step by step, whole or not at all.
#include "database/layout.hpp"

#include <gtest/gtest.h>

#include "database/open.hpp"
#include "tests/support/test_database.hpp"

namespace paika {
namespace {

constexpr Sql old_layout = R"sql(
CREATE TABLE people (name TEXT) STRICT;
INSERT INTO people VALUES ('ann'), ('bob'))sql";
constexpr Sql add_ages = "ALTER TABLE people ADD COLUMN age INTEGER DEFAULT 7";
constexpr Sql add_pets = R"sql(
-- only sqlite
CREATE TABLE pets (name TEXT, kind TEXT DEFAULT 'lite');
-- only postgresql
CREATE TABLE pets (name TEXT, kind TEXT DEFAULT 'elephant');
-- both
INSERT INTO pets (name) SELECT name FROM people)sql";
constexpr Sql bad_pets = "CREATE TABLE pets (name TEXT); INSERT INTO nothing VALUES (1)";
constexpr Sql pets = "SELECT count(*) FROM pets";

class LayoutTest : public testing::Test {
 protected:
  [[nodiscard]] Database opened() const { return Database(connect_to_database(where, Access::owner)); }
  /// The error of bringing the database up to these steps; "" if there is none.
  std::string go(const std::vector<Sql>& steps, std::int64_t application = 77) {
    Database database = opened();
    try {
      const auto done = bring_up_to_date(database, {application, steps});
      return done ? "" : done.error().message;
    } catch (const StoreError& error) {
      return error.what();
    }
  }
  int version() {
    Database database = opened();
    return layout_version(database, {77, {}}).value_or(-1);
  }
  std::int64_t number(Sql sql) {
    Database database = opened();
    return first_row(database.query(sql), first_column).value_or(-1);
  }

  paika_tests::TemporaryFolder folder;
  std::string where = paika_tests::made_database(folder);
};

TEST_F(LayoutTest, steps_lead_an_old_database_to_the_newest_version_and_keep_what_is_in_it) {
  EXPECT_EQ(version(), 0);
  EXPECT_EQ(go({old_layout}), "");
  EXPECT_EQ(version(), 1);
  EXPECT_EQ(go({old_layout, add_ages, add_pets}), "");
  EXPECT_EQ(version(), 3);
  EXPECT_EQ(number("SELECT sum(age) FROM people"), 14);
  EXPECT_EQ(number(pets), 2);
  EXPECT_EQ(number("SELECT count(*) FROM pets WHERE kind = 'elephant'"), paika_tests::on_postgresql() ? 2 : 0);
  EXPECT_EQ(go({old_layout, add_ages, add_pets}), "");  // once
  EXPECT_EQ(number("SELECT count(*) FROM people"), 2);
  EXPECT_NE(go({old_layout, add_ages}).find("newer program"), std::string::npos);
}

TEST_F(LayoutTest, a_step_that_fails_leaves_the_version_before_it) {
  EXPECT_NE(go({old_layout, add_ages, bad_pets}), "");
  EXPECT_EQ(version(), 2);
  EXPECT_THROW(number(pets), StoreError);
  EXPECT_EQ(go({old_layout, add_ages, add_pets}), "");
  EXPECT_EQ(number(pets), 2);
}

TEST_F(LayoutTest, a_database_of_others_is_refused_and_left_alone) {
  EXPECT_EQ(go({old_layout}), "");
  EXPECT_NE(go({old_layout, add_ages}, 78).find("is not a database of this server"), std::string::npos);
  EXPECT_EQ(version(), 1);
  const paika_tests::TemporaryFolder other;
  where = paika_tests::made_database(other);
  paika_tests::tamper(where, "CREATE TABLE cake (x TEXT)");
  EXPECT_NE(go({old_layout}).find("is not a database of this server"), std::string::npos);
}

TEST_F(LayoutTest, a_reader_wants_exactly_its_version) {
  EXPECT_EQ(go({old_layout}), "");
  Database database = opened();
  const std::vector<Sql> steps = {old_layout, add_ages};
  EXPECT_TRUE(check_up_to_date(database, {77, std::span(steps).first(1)}));
  EXPECT_FALSE(check_up_to_date(database, {77, steps}));
}

}  // namespace
}  // namespace paika
