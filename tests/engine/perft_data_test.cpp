// The first proof of the rules: every number in tests/data/perft must come out.
//
// Depths with more nodes than PAIKA_PERFT_CAP (an environment variable) are left to the slow tier,
// which runs this same test with a higher cap.
#include <cstdlib>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "tests/support/files.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

constexpr std::uint64_t fast_cap = 3'000'000;
constexpr std::uint64_t slow_cap = 1'000'000'000;  // as in tests/CMakeLists.txt

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
  if (fields.size() != 3) throw std::runtime_error("not spec, position and counts: " + line);
  PerftLine read{std::string(fields[0]), std::string(fields[1]), {}};
  for (const auto count : split(fields[2], ' ')) read.counts.push_back(std::stoull(std::string(count)));
  return read;
}

class PerftData : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(PerftData, every_number_holds) {
  const std::uint64_t cap = node_cap();
  const bool is_canonical = !GetParam().stem().string().starts_with("reference_");
  std::uint64_t checked = 0;
  for (const std::string& text : paika_tests::data_lines(GetParam())) {
    const PerftLine line = read_line(text);
    const auto session = paika_tests::session_at(line.spec, line.position);
    if (is_canonical) {
      EXPECT_EQ(session->notation().spec(), line.spec);
    }
    for (std::size_t i = 0; i < line.counts.size(); ++i) {
      EXPECT_LE(line.counts[i], slow_cap) << text << ": no tier would count this";
      if (line.counts[i] > cap) break;
      PerftRequest request;
      request.depth = static_cast<int>(i) + 1;
      EXPECT_EQ(session->perft(request).nodes, line.counts[i])
          << line.spec << " " << line.position << " depth " << i + 1;
      ++checked;
    }
  }
  EXPECT_GT(checked, 20U);
}

INSTANTIATE_TEST_SUITE_P(Files, PerftData, testing::ValuesIn(paika_tests::files_in(PAIKA_TEST_DATA "/perft", ".txt")),
                         [](const auto& test) { return test.param.stem().string(); });

TEST(PerftDataSlow, finished_games_of_othello_6_1) {
  if (node_cap() < 300'000'000) GTEST_SKIP() << "left to the slow tier";
  PerftRequest request;
  request.depth = 11;
  request.finished = true;
  request.threads = 2;
  const auto eleven = paika_tests::session_at("othello:8x8")->perft(request);
  EXPECT_EQ(eleven.nodes, 212258216U);
  EXPECT_EQ(eleven.finished, 584U);
}

}  // namespace
}  // namespace paika
