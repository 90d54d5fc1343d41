// Counts of lines, against the numbers of the rules document (6.1).
#include "tests/games/abalone/helpers.hpp"

namespace paika::abalone::testing {
namespace {

using Counts = std::vector<std::uint64_t>;

TEST(AbalonePerft, clause_6_1) {
  paika_tests::for_both_grids([&]<Grids Kind>() {
    EXPECT_EQ(Game("abalone").perft_counts<Kind>(5), (Counts{15, 217, 3307, 47774, 717201}));
    EXPECT_EQ(Game("abalone:freeze").perft_counts<Kind>(5), (Counts{15, 211, 2971, 37082, 464685}));
  });
}

}  // namespace
}  // namespace paika::abalone::testing
