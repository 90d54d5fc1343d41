// The table file as it should be: what was written is read, by any number of threads, and the bytes are always the
// same.
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

#include "solve/table_file.hpp"
#include "tests/support/tables.hpp"

namespace paika {
namespace {

using paika_tests::Codes;
using paika_tests::must;
using paika_tests::must_do;
using paika_tests::read_whole;
using paika_tests::TemporaryFolder;
using paika_tests::write_section;

constexpr std::uint16_t draw = Value::draw().code();
constexpr std::uint16_t none = Value::none().code();

/// The section gives back the codes, one by one, in one go and in pieces, and calls itself sound.
void expect_holds(const TableSection& section, const Codes& codes, std::size_t memory) {
  ASSERT_EQ(section.positions(), codes.size());
  TableReader reader(memory, section.block_bytes());
  Codes all(codes.size());
  must_do(section.read(reader, 0, all));
  EXPECT_EQ(all, codes);
  for (std::size_t i = 0; i < codes.size(); i += 1 + codes.size() / 5000) {
    ASSERT_EQ(must(section.value(reader, i), "value").code(), codes[i]) << i;
  }
  if (codes.size() > 3) {
    Codes piece(codes.size() / 2);
    must_do(section.read(reader, codes.size() / 3, piece));
    EXPECT_TRUE(std::equal(piece.begin(), piece.end(), codes.begin() + static_cast<long>(codes.size() / 3)));
  }
  must_do(section.check());
}

void expect_round_trip(const Codes& codes) {
  const TemporaryFolder folder;
  for (const std::uint32_t block : {64U, 4096U, 65536U}) {
    SCOPED_TRACE(block);
    must_do(write_section(folder / "s", "5-4", codes, {.threads = 1, .block_positions = block}));
    const auto section = must(TableSection::open(folder / "s"), "open");
    EXPECT_EQ(section.name(), "5-4");
    expect_holds(section, codes, 1 << 20);
    EXPECT_FALSE(std::filesystem::exists(folder / "s.part"));
  }
}

TEST(TableSection, holds_a_tier_without_positions) { expect_round_trip({}); }
TEST(TableSection, holds_a_tier_of_one_position) { expect_round_trip({Value::loss(0).code()}); }
TEST(TableSection, holds_a_tier_of_draws) { expect_round_trip(Codes(100'001, draw)); }
TEST(TableSection, holds_void_places) {
  Codes codes(10'000, none);
  for (std::size_t i = 0; i < codes.size(); i += 37) codes[i] = Value::win(7).code();
  expect_round_trip(codes);
}
TEST(TableSection, holds_the_longest_distances) {
  expect_round_trip({Value::win(Value::max_turns).code(), Value::loss(Value::max_turns).code(), none, draw});
}
TEST(TableSection, holds_blocks_that_end_where_a_tier_ends) {
  for (const std::size_t count : {4095U, 4096U, 4097U, 8192U}) {
    expect_round_trip(paika_tests::random_codes(count, count, 3));
  }
}

TEST(TableSection, needs_a_second_byte_from_257_values_on) {
  for (const int values : {255, 256, 257, 1000}) {
    Codes codes;
    Random random(static_cast<std::uint64_t>(values));
    for (int i = 0; i < values; ++i) codes.push_back(Value::win(i).code());
    while (codes.size() < 20'000)
      codes.push_back(Value::win(static_cast<int>(random.index(codes.size())) % values).code());
    expect_round_trip(codes);
    const TemporaryFolder folder;
    must_do(write_section(folder / "s", "t", codes));
    EXPECT_EQ(must(TableSection::open(folder / "s"), "open").block_bytes(), values <= 256 ? 4096U : 8192U);
  }
}

TEST(TableSection, holds_random_tiers) {
  Random random(1);
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const std::size_t count = random.index(200'000);
    expect_round_trip(paika_tests::random_codes(seed, count, seed % 2 == 0 ? 20 : 16'000));
  }
}

TEST(TableSection, counts_what_it_holds) {
  const TemporaryFolder folder;
  const Codes codes = {draw,
                       none,
                       none,
                       Value::win(3).code(),
                       Value::win(9).code(),
                       Value::win(1).code(),
                       Value::loss(0).code(),
                       Value::loss(12).code()};
  must_do(write_section(folder / "s", "t", codes));
  const auto section = must(TableSection::open(folder / "s"), "open");
  EXPECT_EQ(section.statistics(),
            (TierStatistics{.wins = 3, .losses = 2, .draws = 1, .voids = 2, .longest_win = 9, .longest_loss = 12}));
  EXPECT_EQ(section.dictionary().size(), 7U);
}

TEST(TableSection, a_block_of_one_value_takes_sixteen_bytes) {
  const TemporaryFolder folder;
  must_do(write_section(folder / "s", "t", Codes(std::size_t{4096} * 100, draw)));
  EXPECT_EQ(std::filesystem::file_size(folder / "s"), 120U + 1 + 2 + 100 * 16);
}

TEST(TableSection, bytes_depend_on_nothing_but_the_values) {
  const TemporaryFolder folder;
  Codes codes = paika_tests::random_codes(3, 2'500'000, 30);
  std::fill(codes.begin() + 500'000, codes.begin() + 600'000, draw);
  must_do(write_section(folder / "one", "t", codes));
  const std::string bytes = read_whole(folder / "one");
  must_do(write_section(folder / "two", "t", codes, {.threads = 2}, 77'777));
  EXPECT_TRUE(read_whole(folder / "two") == bytes);
  must_do(write_section(folder / "three", "t", codes, {.threads = 3}, 4096));
  EXPECT_TRUE(read_whole(folder / "three") == bytes);
}

TEST(TableSection, says_that_there_is_no_such_position) {
  const TemporaryFolder folder;
  must_do(write_section(folder / "s", "t", Codes(10, draw)));
  const auto section = must(TableSection::open(folder / "s"), "open");
  TableReader reader(0);
  EXPECT_FALSE(section.value(reader, 10));
  EXPECT_FALSE(section.value(reader, ~std::uint64_t{0}));
  Codes out(2);
  EXPECT_TRUE(section.read(reader, 8, out));
  EXPECT_FALSE(section.read(reader, 9, out));
  EXPECT_FALSE(section.read(reader, ~std::uint64_t{0}, out));
  EXPECT_TRUE(section.read(reader, 10, {}));
}

TEST(TableReader, keeps_blocks_within_its_memory) {
  const TemporaryFolder folder;
  const Codes codes = paika_tests::random_codes(9, std::size_t{4096} * 64, 30);
  must_do(write_section(folder / "s", "t", codes));
  const auto section = must(TableSection::open(folder / "s"), "open");

  TableReader large(std::size_t{1} << 24, section.block_bytes());
  EXPECT_GT(large.capacity(), 4000U);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < codes.size(); i += 500) ASSERT_TRUE(section.value(large, i));
  }
  // Two blocks may share a place, but only a few of 64 among 4000 do.
  EXPECT_LT(large.misses(), 64U + 10);

  TableReader one(0, section.block_bytes());
  EXPECT_EQ(one.capacity(), 1U);
  ASSERT_TRUE(section.value(one, 0));
  ASSERT_TRUE(section.value(one, 1));
  EXPECT_EQ(one.misses(), 1U);
  ASSERT_TRUE(section.value(one, 5000));
  ASSERT_TRUE(section.value(one, 0));
  EXPECT_EQ(one.misses(), 3U);
}

TEST(TableReader, reads_blocks_larger_than_it_was_made_for) {
  const TemporaryFolder folder;
  const Codes codes = paika_tests::random_codes(9, 20'000, 1000);
  must_do(write_section(folder / "s", "t", codes));
  const auto section = must(TableSection::open(folder / "s"), "open");
  TableReader reader(1 << 20, 64);
  for (std::size_t i = 0; i < codes.size(); i += 7) {
    ASSERT_EQ(must(section.value(reader, i), "value").code(), codes[i]);
  }
  EXPECT_EQ(reader.misses(), 5U);
}

TEST(TableReader, never_takes_a_block_of_one_section_for_another) {
  const TemporaryFolder folder;
  TableReader reader(1 << 16);
  // Each section may get the address of the one before.
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Codes codes = paika_tests::random_codes(seed, 100, 30);
    must_do(write_section(folder / "s", "t", codes));
    const auto section = must(TableSection::open(folder / "s"), "open");
    for (std::size_t i = 0; i < codes.size(); ++i) {
      ASSERT_EQ(must(section.value(reader, i), "value").code(), codes[i]);
    }
  }
}

TEST(ValueTable, holds_all_tiers) {
  const TemporaryFolder folder;
  const auto tiers = paika_tests::small_tiers();
  paika_tests::write_table(folder, folder / "all.table", tiers, {.threads = 1, .block_positions = 64});
  const auto table = must(ValueTable::open(folder / "all.table"), "open");
  EXPECT_EQ(table.spec(), "chess:1x1");
  ASSERT_EQ(table.tiers().size(), tiers.size());
  TableReader reader = table.reader(1 << 16);
  std::uint64_t positions = 0;
  for (std::uint32_t tier = 0; tier < tiers.size(); ++tier) {
    EXPECT_EQ(table.tiers()[tier].name(), "t" + std::to_string(tier));
    expect_holds(table.tiers()[tier], tiers[tier], 1 << 12);
    for (std::size_t i = 0; i < tiers[tier].size(); ++i) {
      EXPECT_EQ(must(table.lookup(reader, tier, i), "lookup").code(), tiers[tier][i]);
    }
    positions += tiers[tier].size();
  }
  EXPECT_EQ(table.positions(), positions);
  EXPECT_FALSE(table.lookup(reader, 5, 0));
  EXPECT_FALSE(table.lookup(reader, 1, 0));

  std::vector<std::uint64_t> told;
  must_do(table.check([&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, positions);
    EXPECT_TRUE(told.empty() || told.back() <= done);
    told.push_back(done);
  }));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), positions);
}

TEST(ValueTable, has_sections_byte_for_byte) {
  const TemporaryFolder folder;
  const auto tiers = paika_tests::small_tiers();
  paika_tests::write_table(folder, folder / "all.table", tiers);
  std::string sections;
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    sections += read_whole(folder / ("t" + std::to_string(i) + ".section"));
  }
  EXPECT_TRUE(read_whole(folder / "all.table").ends_with(sections));
  paika_tests::write_table(folder, folder / "again.table", tiers, {.threads = 2});
  EXPECT_TRUE(read_whole(folder / "all.table") == read_whole(folder / "again.table"));
}

TEST(ValueTable, answers_many_threads_at_once) {
  const TemporaryFolder folder;
  const std::vector<Codes> tiers = {paika_tests::random_codes(1, 100'000, 30),
                                    paika_tests::random_codes(2, 70'000, 2000), Codes(5000, draw)};
  paika_tests::write_table(folder, folder / "all.table", tiers);
  const auto table = must(ValueTable::open(folder / "all.table"), "open");
  std::array<int, 4> wrong{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 0; thread < wrong.size(); ++thread) {
      threads.emplace_back([&, thread] {
        TableReader reader = table.reader(std::size_t{1} << 17);
        Random random(thread);
        for (int i = 0; i < 20'000; ++i) {
          const std::size_t tier = random.index(tiers.size());
          const std::size_t index = random.index(tiers[tier].size());
          const auto value = table.lookup(reader, static_cast<std::uint32_t>(tier), index);
          if (!value || value->code() != tiers[tier][index]) ++wrong[thread];
        }
      });
    }
  }
  EXPECT_EQ(wrong, (std::array<int, 4>{}));
}

TEST(ValueTable, outlives_the_name_of_its_file) {
  const TemporaryFolder folder;
  paika_tests::write_table(folder, folder / "all.table", paika_tests::small_tiers());
  const auto table = must(ValueTable::open(folder / "all.table"), "open");
  std::filesystem::remove(folder / "all.table");
  must_do(table.check());
}

}  // namespace
}  // namespace paika
