// Tables under fault injection: whatever fails, the file under its name is whole, and another try succeeds.
#include <filesystem>
#include <gtest/gtest.h>
#include <new>
#include <optional>

#include "engine/opening_book.hpp"
#include "engine/registry.hpp"
#include "engine/solver.hpp"
#include "engine/tables.hpp"
#include "solve/message_file.hpp"
#include "solve/work_folder.hpp"
#include "tests/faults/injection.hpp"
#include "tests/support/tables.hpp"

namespace paika {
namespace {

namespace fs = std::filesystem;
using paika_tests::ArmedFault;
using paika_tests::Codes;
using paika_tests::FaultKind;
using paika_tests::for_each_fault;
using paika_tests::read_whole;
using paika_tests::TemporaryFolder;

/// What came of a piece of work with a fault in it.
struct Attempt {
  bool was_met = false;
  bool succeeded = false;
  std::string error;
};

template <class Work>
Attempt attempt(FaultKind kind, std::uint64_t number, bool all_after, Work&& work) {
  Attempt made;
  const ArmedFault fault(kind, number, all_after);
  try {
    const Result<void> done = work();
    const paika_tests::FaultsPaused paused;
    made.succeeded = done.has_value();
    if (!done) made.error = done.error().message;
  } catch (const std::bad_alloc&) {
    const paika_tests::FaultsPaused paused;
    made.error = "no memory";
  }
  made.was_met = ArmedFault::was_met();
  return made;
}

class TableFaults : public testing::TestWithParam<std::tuple<FaultKind, bool>> {
 protected:
  [[nodiscard]] FaultKind kind() const { return std::get<0>(GetParam()); }
  [[nodiscard]] bool all_after() const { return std::get<1>(GetParam()); }

  /// Tries `work`, which writes `path`, with every fault in turn. The file is the old one or the new one, whole, and
  /// nothing lies beside it; the new one if the work says so; and another try gives it.
  template <class Work>
  std::uint64_t old_or_new(const std::string& path, const std::string& before, const std::string& after, Work&& work) {
    return for_each_fault([&](std::uint64_t number) {
      std::ofstream(path, std::ios::binary) << before;
      const Attempt made = attempt(kind(), number, all_after(), work);
      const std::string found = read_whole(path);
      if (!made.was_met) return false;
      EXPECT_TRUE(found == after || found == before) << number << ": half written";
      EXPECT_TRUE(!made.succeeded || found == after) << number << ": said to be written, and is not";
      EXPECT_TRUE(made.succeeded || !made.error.empty()) << number;
      EXPECT_FALSE(fs::exists(path + ".part")) << number;
      EXPECT_TRUE(work().has_value()) << number;
      EXPECT_EQ(read_whole(path), after) << number;
      return !HasFailure();
    });
  }

  TemporaryFolder folder;
};

TEST_P(TableFaults, a_section_is_whole_or_not_there) {
  for (const unsigned threads : {1U, 3U}) {
    const Codes codes = paika_tests::random_codes(3, 5000, 30);
    const SectionOptions options{.threads = threads, .block_positions = 512};
    const std::string path = folder / "t.section";
    const auto work = [&] { return paika_tests::write_section(path, "tier", codes, options, 700); };
    ASSERT_TRUE(work());
    EXPECT_GT(old_or_new(path, "old", read_whole(path), work), kind() == FaultKind::io ? 6U : 20U);
  }
}

TEST_P(TableFaults, a_table_is_whole_or_the_old_one) {
  const std::string path = folder / "x.table";
  paika_tests::write_table(folder, path, paika_tests::small_tiers(), {.threads = 1, .block_positions = 64});
  std::vector<std::string> sections;
  for (std::size_t i = 0; i < paika_tests::small_tiers().size(); ++i) {
    sections.push_back(folder / ("t" + std::to_string(i) + ".section"));
  }
  const auto work = [&] { return assemble_table(path, "chess:1x1", sections); };
  EXPECT_GT(old_or_new(path, "old", read_whole(path), work), 6U);
}

TEST_P(TableFaults, an_opening_book_is_whole_or_the_old_one) {
  const OpeningBook book("chess:1x1", {{7, 25, 0, 3, {{1, 25}, {2, -3}}}});
  const std::string path = folder / "x.book";
  const auto work = [&] { return write_book(book, path); };
  ASSERT_TRUE(work());
  EXPECT_GT(old_or_new(path, "old", read_whole(path), work), 3U);
}

TEST_P(TableFaults, messages_are_all_there_or_an_error) {
  const Parts parts(100'000, 2, 64);
  const auto path = [&](std::uint64_t to) { return folder / ("news-" + std::to_string(to)); };
  const auto work = [&]() -> Result<void> {
    MessageBoxes boxes(parts, path);
    for (std::uint64_t i = 0; i < 40'000; ++i) boxes.put(Message(i * 2, i % 3 == 0));
    return boxes.finish();
  };
  ASSERT_TRUE(work());
  const std::string whole = read_whole(path(0));
  EXPECT_GT(old_or_new(path(0), "old", whole, work), 5U);
  // And when they are read.
  const std::uint64_t size = parts.run(0).size();
  for_each_fault([&](std::uint64_t number) {
    std::uint64_t heard = 0;
    const Attempt made =
        attempt(kind(), number, all_after(), [&] { return read_messages(path(0), size, [&](Message) { ++heard; }); });
    EXPECT_TRUE(!made.was_met || !made.succeeded || heard == (whole.size() - 8) / 5) << number << ": " << heard;
    return made.was_met && !HasFailure();
  });
}

TEST(UnreadableMessages, are_not_taken_for_none) {
  const TemporaryFolder folder;
  fs::create_symlink(folder / "loop", folder / "loop");
  EXPECT_FALSE(read_messages(folder / "loop", 1, [](Message) {}));
  EXPECT_TRUE(read_messages(folder / "nothing", 1, [](Message) {}));
}

TEST_P(TableFaults, a_work_folder_opens_again_after_a_failure) {
  for_each_fault([&](std::uint64_t number) {
    const std::string path = folder / ("work" + std::to_string(number));
    const auto work = [&]() -> Result<void> {
      const auto opened = WorkFolder::open(path, "chess:1x1");
      return opened ? Result<void>() : tl::unexpected(opened.error());
    };
    const Attempt made = attempt(kind(), number, all_after(), work);
    const auto again = work();
    EXPECT_TRUE(again) << number << ": " << again.error().message;
    const auto other = WorkFolder::open(path, "chess:2x2");
    EXPECT_FALSE(other) << number << ": it is labelled";
    return made.was_met && !HasFailure();
  });
}

std::string name_of(const testing::TestParamInfo<std::tuple<FaultKind, bool>>& test) {
  const std::string kind = std::get<0>(test.param) == FaultKind::io ? "io" : "memory";
  return kind + (std::get<1>(test.param) ? "_from_then_on" : "_once");
}

INSTANTIATE_TEST_SUITE_P(Every, TableFaults,
                         testing::Combine(testing::Values(FaultKind::io, FaultKind::memory), testing::Bool()), name_of);

/// A whole solve, in parts and in one: after each failure it goes on where it was, to the same table.
class EverySolveFault : public testing::TestWithParam<std::uint64_t> {};

TEST_P(EverySolveFault, a_solve_that_failed_goes_on_to_the_same_table) {
  const TemporaryFolder folder;
  const auto solver = open_solver(GetParam() == 1 ? "abalone:3x3,captures=1" : "abalone:3x4,captures=1");
  ASSERT_TRUE(solver);
  SolveSettings settings;
  settings.parts = GetParam();
  settings.table = folder / "expected";
  ASSERT_TRUE((*solver)->solve(settings));
  const std::string expected = read_whole(settings.table);
  settings.table = folder / "table";
  const auto try_to_solve = [&](std::uint64_t number) {
    return attempt(FaultKind::io, number, false, [&] { return (*solver)->solve(settings); });
  };
  const auto attempt_at = [&](std::uint64_t number) {
    const Attempt made = try_to_solve(number);
    EXPECT_TRUE(!made.succeeded || read_whole(settings.table) == expected) << number;
    // Another failure soon after it goes on, when it reads what it has.
    if (!made.succeeded) (void)try_to_solve(1 + number % 17);
    const auto again = (*solver)->solve(settings);
    EXPECT_TRUE(again) << number << ": " << again.error().message;
    EXPECT_TRUE(read_whole(settings.table) == expected) << number << ": another table";
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2) << number << ": files are left";
    fs::remove(settings.table);
    return made.was_met && !testing::Test::HasFailure();
  };
  // A solve in parts has so many operations that all of them would take minutes.
  EXPECT_GT(for_each_fault(attempt_at, settings.parts == 1 ? 1 : 19), 15U);
}

INSTANTIATE_TEST_SUITE_P(Parts, EverySolveFault, testing::Values(1U, 3U));

}  // namespace
}  // namespace paika
