// The steps of retrograde analysis at single places.
#include "solve/steps.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "games/abalone/game.hpp"
#include "games/abalone/space.hpp"

namespace paika {
namespace {

using Space = abalone::Space<RuntimeShape<64>>;

/// Values that differ from place to place.
struct Below {
  static void ask(TierIndex /*place*/) {}
  [[nodiscard]] static Value value(TierIndex place) {
    const int turns = static_cast<int>(place.index % 50);
    return place.index % 3 == 0 ? Value::draw() : place.index % 3 == 1 ? Value::win(turns) : Value::loss(turns);
  }
};

template <std::size_t MaxAsked>
std::vector<FirstLook> first_looks(const Space& space, std::uint32_t tier) {
  FirstLooks<Space, Below, MaxAsked> looks(space, tier, Below{});
  std::vector<FirstLook> all(space.size(tier));
  looks(0, all.size(), [&](std::uint64_t i, const FirstLook& look) { all[i] = look; });
  return all;
}

TEST(FirstLooks, values_that_find_no_room_count_too) {
  const Space space{abalone::BitboardRules<RuntimeShape<64>>(*abalone::read_options("abalone:4x4,captures=2"))};
  const std::uint32_t tier = space.tiers() - 1;
  ASSERT_FALSE(space.below(tier).empty());
  const std::vector<FirstLook> expected = first_looks<1024>(space, tier);
  const std::vector<FirstLook> found = first_looks<1>(space, tier);
  std::size_t valued = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(found[i].value, expected[i].value) << i;
    ASSERT_EQ(found[i].known, expected[i].known) << i;
    ASSERT_EQ(found[i].safe, expected[i].safe) << i;
    ASSERT_EQ(found[i].open, expected[i].open) << i;
    if (expected[i].known || expected[i].safe) ++valued;
  }
  EXPECT_GT(valued, expected.size() / 10) << "captures lead below";
}

}  // namespace
}  // namespace paika
