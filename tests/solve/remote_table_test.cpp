// A table that comes piece by piece: only what is needed is asked for, and nothing that is damaged is believed.
#include "solve/remote_table.hpp"

#include <gtest/gtest.h>

#include "solve/table_file.hpp"
#include "tests/support/tables.hpp"

namespace paika {
namespace {

using paika_tests::Codes;
using paika_tests::must;
using paika_tests::read_whole;
using paika_tests::TemporaryFolder;

struct SomewhereElse : testing::Test {
  SomewhereElse() {
    paika_tests::write_table(folder, folder / "x.table", tiers, {.threads = 1, .block_positions = 64});
    bytes = read_whole(folder / "x.table");
    checksum = checksum_text(must(ValueTable::open(folder / "x.table"), "open").checksum());
  }

  [[nodiscard]] RemoteTable remote() const { return {"x.table", bytes.size(), checksum}; }

  /// Looks a place up and brings what is missing, until nothing is.
  Result<Value> look_up(RemoteTable& table, TierIndex place) {
    for (;;) {
      auto value = table.lookup(place);
      const auto missing = table.take_missing();
      if (missing.empty()) return value;
      EXPECT_FALSE(value);
      for (const ByteRange& range : missing) {
        brought += range.size;
        const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(range.offset);
        table.supply(range.offset, {first, first + static_cast<std::ptrdiff_t>(range.size)});
      }
    }
  }

  void expect_all(RemoteTable& table) {
    for (std::uint32_t tier = 0; tier < tiers.size(); ++tier) {
      for (std::size_t i = 0; i < tiers[tier].size(); ++i) {
        ASSERT_EQ(must(look_up(table, {tier, i}), "value").code(), tiers[tier][i]) << tier << " " << i;
      }
    }
  }

  TemporaryFolder folder;
  std::vector<Codes> tiers = paika_tests::small_tiers();
  std::string bytes;
  std::string checksum;
  std::uint64_t brought = 0;
};

TEST_F(SomewhereElse, every_value_is_that_of_the_file) {
  RemoteTable table = remote();
  expect_all(table);
  EXPECT_LE(brought, bytes.size() + 1'000) << "nothing is brought twice but what the headers say first";
  EXPECT_EQ(table.held(), brought);
}

TEST_F(SomewhereElse, a_value_needs_its_block_alone) {
  RemoteTable table = remote();
  const std::size_t last = tiers.back().size() - 1;
  const auto tier = static_cast<std::uint32_t>(tiers.size() - 1);
  EXPECT_EQ(must(look_up(table, {tier, last}), "value").code(), tiers.back()[last]);
  EXPECT_LT(brought, bytes.size() / 2);
}

TEST_F(SomewhereElse, what_was_let_go_is_asked_for_again) {
  RemoteTable table = remote();
  expect_all(table);
  const std::uint64_t before = brought;
  expect_all(table);
  EXPECT_EQ(brought, before);
  table.forget();
  EXPECT_EQ(table.held(), 0U);
  expect_all(table);
  EXPECT_EQ(brought, 2 * before);
}

TEST_F(SomewhereElse, another_table_than_was_announced_is_refused) {
  RemoteTable table("x.table", bytes.size(), "0123456789abcdef");
  const auto value = look_up(table, {0, 0});
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().message.find("another checksum"), std::string::npos) << value.error().message;
}

TEST_F(SomewhereElse, no_checksum_is_compared_if_none_was_told) {
  RemoteTable table("x.table", bytes.size(), "");
  expect_all(table);
}

TEST_F(SomewhereElse, no_damage_gives_a_wrong_value) {
  for (std::size_t at = 0; at < bytes.size(); at += 1 + at % 7) {
    bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
    RemoteTable table = remote();
    for (std::uint32_t tier = 0; tier < tiers.size(); ++tier) {
      for (std::size_t i = 0; i < tiers[tier].size(); i += 61) {
        const auto value = look_up(table, {tier, i});
        ASSERT_TRUE(!value || value->code() == tiers[tier][i]) << at;
      }
    }
    bytes[at] = static_cast<char>(bytes[at] ^ 0x20);
  }
}

TEST_F(SomewhereElse, places_that_are_not_there) {
  RemoteTable table = remote();
  EXPECT_FALSE(look_up(table, {static_cast<std::uint32_t>(tiers.size()), 0}));
  EXPECT_FALSE(look_up(table, {0, tiers.front().size()}));
}

}  // namespace
}  // namespace paika
