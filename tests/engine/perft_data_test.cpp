// The first proof of the rules: every number in tests/data/perft must come out.
//
// Depths with more nodes than PAIKA_PERFT_CAP (an environment variable) are left to the slow tier,
// which runs this same test with a higher cap.
#include <cstdlib>
#include <gtest/gtest.h>
#include <sstream>

#include "base/text.hpp"
#include "engine/registry.hpp"
#include "tests/support/files.hpp"

namespace paika {
namespace {

constexpr std::uint64_t fast_cap = 3'000'000;

std::uint64_t node_cap() {
  const char* cap = std::getenv("PAIKA_PERFT_CAP");
  return cap == nullptr ? fast_cap : std::strtoull(cap, nullptr, 10);
}

struct PerftLine {
  std::string spec;
  std::string position;
  std::vector<std::uint64_t> counts;
};

PerftLine read_line(const std::string& line) {
  const auto fields = split(line, '\t');
  EXPECT_EQ(fields.size(), 3U) << line;
  PerftLine read{std::string(fields[0]), std::string(fields[1]), {}};
  for (const auto count : split(fields[2], ' ')) read.counts.push_back(std::stoull(std::string(count)));
  return read;
}

class PerftData : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PerftData, every_number_holds) {
  const std::uint64_t cap = node_cap();
  std::uint64_t checked = 0;
  for (const std::string& text : paika_tests::data_lines(GetParam())) {
    const PerftLine line = read_line(text);
    const auto game = open_game(line.spec);
    ASSERT_TRUE(game) << game.error().message;
    auto session = (*game)->start();
    if (line.position != "start") {
      auto there = (*game)->start_from_text(line.position);
      ASSERT_TRUE(there) << text << ": " << there.error().message;
      session = std::move(*there);
    }
    for (std::size_t i = 0; i < line.counts.size() && line.counts[i] <= cap; ++i) {
      PerftRequest request;
      request.depth = static_cast<int>(i) + 1;
      EXPECT_EQ(session->perft(request).nodes, line.counts[i])
          << line.spec << " " << line.position << " depth " << i + 1;
      ++checked;
    }
  }
  EXPECT_GT(checked, 3U);
}

INSTANTIATE_TEST_SUITE_P(Files, PerftData, testing::ValuesIn(paika_tests::files_in(PAIKA_TEST_DATA "/perft", ".txt")),
                         [](const auto& test) { return test.param.stem().string(); });

}  // namespace
}  // namespace paika
