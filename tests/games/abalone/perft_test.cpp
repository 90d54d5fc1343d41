// Counts of lines, against the numbers of the rules document (6.1).
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone::testing {
namespace {

using Counts = std::vector<std::uint64_t>;

TEST(AbalonePerft, clause_6_1) {
  for (const Grids grids : {Grids::best, Grids::runtime}) {
    EXPECT_EQ(Game("abalone").perft_counts(5, grids), (Counts{15, 217, 3307, 47774, 717201}));
    EXPECT_EQ(Game("abalone:freeze").perft_counts(5, grids), (Counts{15, 211, 2971, 37082, 464685}));
  }
}

}  // namespace
}  // namespace paika::abalone::testing
