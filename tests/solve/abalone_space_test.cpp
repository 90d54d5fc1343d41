// Abalone's space: that the numbering fits the game forwards and backwards, by every option.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "games/abalone/game.hpp"
#include "games/abalone/space.hpp"
#include "solve/solvable.hpp"
#include "tests/solve/space_links.hpp"
#include "tests/support/must.hpp"

namespace paika::abalone {
namespace {

static_assert(GoesBack<Space<RuntimeShape<64>>> && ListsLeaving<Space<RuntimeShape<64>>>);
static_assert(GoesBack<Space<FixedShape<4, 4>>> && ListsLeaving<Space<FixedShape<4, 4>>>);

/// Calls use(space) for boards small enough to look at everywhere, with every combination of options.
template <class Use>
void for_each_small_space(Use&& use) {
  for (const std::string board : {"3x3,captures=1", "3x3,captures=3", "4x3,captures=2", "3x4,captures=2"}) {
    for (const std::string freeze : {"", ",freeze", ",freeze=initiator"}) {
      for (const std::string must : {"", ",must"}) {
        const std::string spec = "abalone:" + board + freeze + must;
        SCOPED_TRACE(spec);
        const Options options = paika_tests::must(read_options(spec), spec);
        use(Space<RuntimeShape<64>>(BitboardRules<RuntimeShape<64>>(options)));
      }
    }
  }
}

TEST(AbaloneSpace, a_place_has_one_position_that_stands_there) {
  for_each_small_space([](const auto& space) {
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      for (std::uint64_t i = 0; i < space.size(tier); ++i) {
        const TierIndex place{tier, i};
        ASSERT_EQ(space.place(*space.position(place)), place);
      }
    }
  });
}

TEST(AbaloneSpace, predecessors_are_exactly_the_turns_that_stay) {
  for_each_small_space([](const auto& space) {
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) paika_tests::expect_the_way_back(space, tier);
  });
}

/// How many turns lead from a place to another one of its tier, by a look forwards and by one backwards.
template <class Space>
std::pair<std::ptrdiff_t, std::ptrdiff_t> links(const Space& space, TierIndex from, TierIndex to) {
  const auto p = *space.position(from);
  const auto turns = paika_tests::turns_of(space.rules(), p);
  const std::ptrdiff_t forwards = std::count_if(turns.begin(), turns.end(), [&](const auto& m) {
    return space.stays(p, m) && space.place(space.rules().play(p, m)) == to;
  });
  std::ptrdiff_t backwards = 0;
  space.for_each_predecessor(to, [&](std::uint64_t index) { backwards += index == from.index ? 1 : 0; });
  return {forwards, backwards};
}

// 25 squares are more than those whose sets are numbered in two parts.
TEST(AbaloneSpace, predecessors_agree_with_turns_in_samples_of_5x5) {
  for (const std::string spec : {"abalone:5x5,captures=1", "abalone:5x5,captures=1,freeze,must"}) {
    SCOPED_TRACE(spec);
    const Space<FixedShape<5, 5>> space(BitboardRules<FixedShape<5, 5>>(paika_tests::must(read_options(spec), spec)));
    Random random(7);
    int links_seen = 0;
    for (int n = 0; n < 1000; ++n) {
      const TierIndex place{0, random.below(space.size(0))};
      const auto p = *space.position(place);
      for (const auto& m : paika_tests::turns_of(space.rules(), p)) {
        if (!space.stays(p, m)) continue;
        const auto [forwards, backwards] = links(space, place, *space.place(space.rules().play(p, m)));
        ASSERT_EQ(forwards, backwards);
        ++links_seen;
      }
      space.for_each_predecessor(place, [&](std::uint64_t index) {
        const auto [forwards, backwards] = links(space, TierIndex{0, index}, place);
        ASSERT_EQ(forwards, backwards);
        ++links_seen;
      });
    }
    EXPECT_GT(links_seen, 10'000);
  }
}

TEST(AbaloneSpace, turns_that_leave_are_exactly_those_that_do_not_stay) {
  for_each_small_space([](const auto& space) {
    using Move = typename std::remove_cvref_t<decltype(space)>::Move;
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      for (std::uint64_t i = 0; i < space.size(tier); ++i) {
        const auto p = *space.position({tier, i});
        std::vector<Move> expected = paika_tests::turns_of(space.rules(), p);
        std::erase_if(expected, [&](const Move& m) { return space.stays(p, m); });
        std::vector<Move> leaving;
        space.for_each_leaving(p, [&](const Move& m) {
          leaving.push_back(m);
          return true;
        });
        ASSERT_EQ(leaving, expected) << space.tier_name(tier) << " " << i;
      }
    }
  });
}

}  // namespace
}  // namespace paika::abalone
