// Counts of lines, against the numbers of the rules document (5.1).
#include "helpers.hpp"

namespace paika::fanorona::testing {
namespace {

void expect_perft(const std::string& spec, const std::vector<std::uint64_t>& counts) {
  paika_tests::for_both_grids(
      [&]<Grids Kind>() { EXPECT_EQ(Game(spec).perft_counts<Kind>(static_cast<int>(counts.size())), counts) << spec; });
}

TEST(FanoronaPerft, clause_5_1_without_sacrifice) {
  expect_perft("fanorona:9x5,sacrifice=off", {5, 39, 724, 18026, 431852, 9205774});
  expect_perft("fanorona:5x5,sacrifice=off", {5, 21, 202, 3469, 34608, 306837});
  expect_perft("fanorona:3x3,sacrifice=off", {4, 7, 14, 67, 137, 280});
  expect_perft("fanorona:13x13,sacrifice=off", {5, 39, 1559});
}

TEST(FanoronaPerft, clause_5_1_with_sacrifice) {
  expect_perft("fanorona:3x3", {8, 47, 282, 1475});
  expect_perft("fanorona:5x5", {17, 272, 4618, 85376});
  expect_perft("fanorona:9x5", {27, 730, 20771});
}

// A finished game has no turns: the limit cuts the count off.
TEST(FanoronaPerft, clause_3_2_limit_ends_the_count) {
  expect_perft("fanorona:3x3,sacrifice=off,limit=3", {4, 7, 14, 0, 0});
  expect_perft("fanorona:1x1", {0, 0});
}

}  // namespace
}  // namespace paika::fanorona::testing
