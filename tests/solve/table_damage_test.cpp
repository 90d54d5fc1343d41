// Damaged tables and failing disks: always an error that tells what is wrong, never a wrong value or half a file.
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>

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

std::vector<std::uint8_t> as_bytes(const std::string& text) { return {text.begin(), text.end()}; }

void write_whole(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// How many files the folder holds.
std::size_t file_count(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()));
}

struct SmallTable : testing::Test {
  SmallTable() {
    paika_tests::write_table(folder, folder / "x.table", tiers, {.threads = 1, .block_positions = 64});
    good = read_whole(folder / "x.table");
  }

  /// True if opening or checking refuses the bytes; whatever a lookup answers is right all the same.
  [[nodiscard]] bool is_refused(const std::string& bytes) const {
    const auto table = ValueTable::open("damaged", as_bytes(bytes));
    if (!table) {
      EXPECT_TRUE(contains(table.error().message, "\"damaged\"")) << table.error().message;
      return true;
    }
    TableReader reader = table->reader(1 << 16);
    for (std::uint32_t tier = 0; tier < tiers.size(); ++tier) {
      for (std::size_t i = 0; i < tiers[tier].size(); ++i) {
        const auto value = table->lookup(reader, tier, i);
        if (value) {
          EXPECT_EQ(value->code(), tiers[tier][i]);
        } else {
          EXPECT_TRUE(contains(value.error().message, "\"damaged\", tier \"t")) << value.error().message;
          EXPECT_TRUE(contains(value.error().message, ", block ")) << value.error().message;
        }
      }
    }
    return !table->check().has_value();
  }

  TemporaryFolder folder;
  std::vector<Codes> tiers = paika_tests::small_tiers();
  std::string good;
};

TEST_F(SmallTable, has_every_kind_of_block) {
  std::array<int, 4> kinds{};
  const auto table = must(ValueTable::open("good", as_bytes(good)), "open");
  for (const TableSection& tier : table.tiers()) {
    const SectionHeader header = SectionHeader::decoded(tier.front());
    for (std::uint64_t block = 0; block < header.blocks(); ++block) {
      const auto* at = tier.front().data() + header.index_offset() + block * BlockEntry::bytes;
      ++kinds.at(static_cast<std::size_t>(BlockEntry::decoded(at).kind));
    }
  }
  EXPECT_GT(kinds[0], 0);
  EXPECT_GT(kinds[1], 0);
  EXPECT_GT(kinds[2], 0);
  EXPECT_FALSE(is_refused(good));
}

TEST_F(SmallTable, every_flipped_bit_is_noticed) {
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = good;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      ASSERT_TRUE(is_refused(bytes)) << "byte " << at << " bit " << bit;
    }
  }
}

TEST_F(SmallTable, every_cut_is_noticed_when_it_is_opened) {
  for (std::size_t size = 0; size < good.size(); ++size) {
    ASSERT_FALSE(ValueTable::open("cut", as_bytes(good.substr(0, size)))) << size;
  }
}

TEST_F(SmallTable, more_bytes_are_noticed_when_it_is_opened) {
  for (const std::string& more : {std::string(1, '\0'), std::string("x"), good}) {
    const auto table = ValueTable::open("long", as_bytes(good + more));
    ASSERT_FALSE(table);
    EXPECT_TRUE(contains(table.error().message, fmt::format("but its header says {}", good.size())));
  }
}

TEST_F(SmallTable, a_section_of_another_table_is_noticed) {
  const TemporaryFolder other;
  auto others = tiers;
  std::swap(others[2][0], others[2][1]);
  paika_tests::write_table(other, other / "y.table", others, {.threads = 1, .block_positions = 64});
  const std::string that = read_whole(other / "y.table");
  ASSERT_EQ(that.size(), good.size());
  // The header of one, the sections of the other.
  const auto header_bytes = get_little_endian<std::uint64_t>(as_bytes(good).data() + 16);
  const auto table = ValueTable::open("mixed", as_bytes(good.substr(0, header_bytes) + that.substr(header_bytes)));
  ASSERT_FALSE(table);
  EXPECT_TRUE(contains(table.error().message, "tier 2 is not the one that belongs there")) << table.error().message;
}

TEST_F(SmallTable, files_that_are_no_tables_are_told_apart) {
  const auto message = [&](const std::string& path) {
    const auto table = ValueTable::open(path);
    EXPECT_FALSE(table);
    const auto section = TableSection::open(path);
    EXPECT_FALSE(section);
    return table ? "" : table.error().message;
  };
  EXPECT_TRUE(contains(message(folder / "missing"), "No such file"));
  EXPECT_TRUE(contains(message(folder.path().string()), "not an ordinary file"));
  EXPECT_TRUE(contains(message("/dev/null"), "not an ordinary file"));
  write_whole(folder / "empty", "");
  EXPECT_TRUE(contains(message(folder / "empty"), "not a table"));
  write_whole(folder / "text", "paika-record 1\n");
  EXPECT_TRUE(contains(message(folder / "text"), "not a table"));
  std::string later = good;
  later[8] = 2;
  write_whole(folder / "later", later);
  EXPECT_TRUE(contains(message(folder / "later"), "has version 2 of the table format; this program reads version 1"));
}

TEST(TableSectionDamage, every_flipped_bit_and_cut_of_a_section_is_noticed) {
  const TemporaryFolder folder;
  for (const Codes& codes : paika_tests::small_tiers()) {
    must_do(write_section(folder / "s", "t", codes, {.threads = 1, .block_positions = 64}));
    const std::string good = read_whole(folder / "s");
    const auto is_refused = [](const std::string& bytes) {
      const auto storage = WholeStorage::hold("damaged", as_bytes(bytes));
      const auto section = TableSection::open(storage, 0, storage->size());
      return !section || !section->check();
    };
    ASSERT_FALSE(is_refused(good));
    ASSERT_TRUE(is_refused(good + '\0'));
    for (std::size_t at = 0; at < good.size(); ++at) {
      ASSERT_TRUE(is_refused(good.substr(0, at))) << at;
      for (int bit = 0; bit < 8; ++bit) {
        std::string bytes = good;
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
        ASSERT_TRUE(is_refused(bytes)) << "byte " << at << " bit " << bit;
      }
    }
  }
}

TEST(TableSectionDamage, a_damaged_section_is_not_assembled) {
  const TemporaryFolder folder;
  must_do(write_section(folder / "s", "t", paika_tests::random_codes(1, 10'000, 30)));
  std::string bytes = read_whole(folder / "s");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  write_whole(folder / "s", bytes);
  const std::vector<std::string> sections = {folder / "s"};
  const auto done = assemble_table(folder / "x.table", "chess", sections);
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().message, "/s\", tier \"t\" is damaged")) << done.error().message;
  EXPECT_EQ(file_count(folder), 1U);
}

TEST(TableWriting, a_full_disk_is_an_error_and_leaves_nothing) {
  const TemporaryFolder folder;
  const Codes codes = paika_tests::random_codes(1, 100'000, 30);
  std::filesystem::create_symlink("/dev/full", folder / "s.part");
  const auto done = write_section(folder / "s", "t", codes);
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().message, "No space left on device")) << done.error().message;
  EXPECT_TRUE(contains(done.error().message, "/s.part\"")) << done.error().message;
  EXPECT_TRUE(contains(done.error().message, "cannot write ")) << done.error().message;
  EXPECT_EQ(file_count(folder), 0U);

  must_do(write_section(folder / "s", "t", codes));
  std::filesystem::create_symlink("/dev/full", folder / "x.table.part");
  const std::vector<std::string> sections = {folder / "s"};
  const auto assembled = assemble_table(folder / "x.table", "chess", sections);
  ASSERT_FALSE(assembled);
  EXPECT_TRUE(contains(assembled.error().message, "No space left on device")) << assembled.error().message;
  EXPECT_EQ(file_count(folder), 1U);
}

/// No file grows beyond so many bytes while this lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(TableWriting, a_limit_anywhere_is_an_error_and_leaves_the_old_file) {
  const TemporaryFolder folder;
  const Codes old(5, Value::draw().code());
  const Codes codes = paika_tests::random_codes(1, 5000, 300);
  must_do(write_section(folder / "s", "t", codes, {.threads = 1, .block_positions = 64}));
  const auto size = static_cast<rlim_t>(std::filesystem::file_size(folder / "s"));
  must_do(write_section(folder / "s", "t", old));
  const std::string before = read_whole(folder / "s");
  for (rlim_t limit = 0; limit < size; limit += 97) {
    Result<void> done;
    {
      const FileSizeLimit narrow(limit);
      done = write_section(folder / "s", "t", codes, {.threads = 1, .block_positions = 64});
    }
    ASSERT_FALSE(done) << limit;
    EXPECT_TRUE(contains(done.error().message, "File too large")) << done.error().message;
    EXPECT_EQ(file_count(folder), 1U);
    EXPECT_TRUE(read_whole(folder / "s") == before);
  }
}

TEST(TableWriting, a_writer_that_is_given_up_leaves_nothing) {
  const TemporaryFolder folder;
  const Codes codes(100, Value::draw().code());
  {
    auto writer = must(SectionWriter::create(folder / "s", "t", 200, paika_tests::distinct(codes)), "create");
    must_do(writer.append(codes));
    EXPECT_TRUE(std::filesystem::exists(folder / "s.part"));
  }
  EXPECT_EQ(file_count(folder), 0U);
}

TEST(TableWriting, what_a_killed_run_left_is_overwritten) {
  const TemporaryFolder folder;
  const Codes codes(100, Value::draw().code());
  must_do(write_section(folder / "good", "t", codes));
  write_whole(folder / "s.part", std::string(100'000, 'x'));
  must_do(write_section(folder / "s", "t", codes));
  EXPECT_EQ(read_whole(folder / "s"), read_whole(folder / "good"));
}

TEST(TableWriting, a_folder_that_is_not_there_is_an_error) {
  const auto done = write_section("/nowhere/at/all/s", "t", Codes(5, 0));
  ASSERT_FALSE(done);
  EXPECT_TRUE(contains(done.error().message, "No such file or directory")) << done.error().message;
}

}  // namespace
}  // namespace paika
