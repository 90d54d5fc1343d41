// Fanorona's space: that the numbering fits the game forwards and backwards, and what a solver that
// knows nothing but the interface makes of it.
#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "games/fanorona/space.hpp"
#include "solve/solvable.hpp"
#include "solve/value.hpp"
#include "tests/solve/space_links.hpp"

namespace paika::fanorona {
namespace {

using AnySpace = Space<RuntimeShape<64>>;
using AnyRules = AnySpace::RulesType;
using Position = AnySpace::Position;
using Move = AnySpace::Move;
using paika_tests::turns_of;

static_assert(Solvable<AnySpace> && GoesBack<AnySpace>);
static_assert(Solvable<Space<FixedShape<5, 5>>> && GoesBack<Space<FixedShape<5, 5>>>);
static_assert(GoesBack<Space<RuntimeShape<169>>>, "a small board may come in a large shape");

std::string told(const Options& o) {
  return std::to_string(o.cols) + 'x' + std::to_string(o.rows) + (o.sacrifice ? " with sacrifice" : " classic");
}

/// The boards that are small enough to look at everywhere.
std::vector<Options> small_games() {
  std::vector<Options> games;
  for (const auto& [cols, rows] : std::vector<std::pair<int, int>>{{1, 1}, {3, 1}, {5, 1}, {1, 5}, {7, 1}, {3, 3}}) {
    for (const bool sacrifice : {false, true}) games.push_back({cols, rows, sacrifice, 0});
  }
  return games;
}

/// And those that are looked at in samples.
std::vector<Options> all_games() {
  std::vector<Options> games = small_games();
  for (const auto& [cols, rows] : std::vector<std::pair<int, int>>{{5, 3}, {3, 5}}) {
    for (const bool sacrifice : {false, true}) games.push_back({cols, rows, sacrifice, 0});
  }
  return games;
}

/// Calls look(place) for all places of a space, or for a sample of each tier that has more than `most`.
template <class Look>
void look_at_places(const AnySpace& space, std::uint64_t most, Look&& look) {
  Random random(7);
  for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
    const std::uint64_t size = space.size(tier);
    for (std::uint64_t i = 0; i < std::min(size, most); ++i)
      look(TierIndex{tier, size <= most ? i : random.below(size)});
    if (size > most) look(TierIndex{tier, size - 1});
  }
}

/// Calls look(position) for every position of some random games from the start.
template <class Look>
void look_at_games(const AnyRules& rules, int games, Look&& look) {
  Random random(11);
  for (int game = 0; game < games; ++game) {
    Position p = rules.initial();
    for (int ply = 0; ply < 60; ++ply) {
      look(p);
      const std::vector<Move> turns = turns_of(rules, p);
      if (turns.empty()) break;
      p = rules.play(p, turns[random.index(turns.size())]);
    }
  }
}

TEST(FanoronaSpace, places_lead_to_positions_and_back) {
  for (const Options& options : all_games()) {
    SCOPED_TRACE(told(options));
    const AnySpace space(options);
    look_at_places(space, 2000, [&](TierIndex place) {
      const std::optional<Position> p = space.position(place);
      ASSERT_TRUE(p.has_value());
      ASSERT_TRUE(p->own.any() && p->opp.any());
      ASSERT_TRUE((p->own & p->opp).none() && (p->block & (p->own | p->opp)).none());
      ASSERT_EQ(p->mover, Player::first);
      ASSERT_EQ(p->moves, 0);
      ASSERT_EQ(p->key, space.rules().key_from_scratch(*p));
      ASSERT_EQ(space.place(*p), place);
      ASSERT_EQ(space.position(place), p);
    });
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      EXPECT_FALSE(space.position({tier, space.size(tier)}).has_value());
    }
    EXPECT_FALSE(space.position({space.tiers(), 0}).has_value());
  }
}

TEST(FanoronaSpace, the_limit_of_the_options_does_not_count) {
  const AnySpace space({3, 3, false, 30});
  EXPECT_EQ(space.rules().options().limit, 0);
  Position p = space.rules().initial();
  const auto place = space.place(p);
  p.moves = 29;
  EXPECT_EQ(space.place(p), place);
}

TEST(FanoronaSpace, a_board_without_stones_has_one_empty_tier) {
  const AnySpace space({1, 1, true, 0});
  EXPECT_EQ(space.tiers(), 1U);
  EXPECT_EQ(space.size(0), 0U);
  EXPECT_TRUE(space.below(0).empty());
  EXPECT_FALSE(space.place(space.rules().initial()).has_value());
  space.for_each_predecessor({0, 0}, [](std::uint64_t) { FAIL(); });
}

TEST(FanoronaSpace, tiers_of_3x3_by_name) {
  const AnySpace classic({3, 3, false, 0});
  const AnySpace with({3, 3, true, 0});
  const auto names = [](const AnySpace& space) {
    std::string all;
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) all += space.tier_name(tier) + ' ';
    return all;
  };
  EXPECT_EQ(names(classic), "1-1 2-1 2-2 3-1 3-2 4-1 3-3 4-2 4-3 4-4 ");
  EXPECT_EQ(names(with), "1-1 1-1x 2-1 2-1x 2-2 2-2x 3-1 3-1x 3-2 3-2x 4-1 4-1x 3-3 3-3x 4-2 4-2x 4-3 4-3x 4-4 ");
  // Corner, edge and centre, each with eight points for the other stone.
  EXPECT_EQ(classic.size(0), 24U);
  EXPECT_EQ(with.size(1), 24U * 7);
}

TEST(FanoronaSpace, positions_of_games_are_held_unless_they_are_over) {
  for (const Options& options : all_games()) {
    SCOPED_TRACE(told(options));
    const AnySpace space(options);
    look_at_games(space.rules(), 200, [&](const Position& p) {
      const bool held = space.place(p).has_value();
      ASSERT_TRUE(held || space.rules().outcome(p).over());
      ASSERT_EQ(held, p.own.any() && p.opp.any());
    });
  }
}

/// True if a map of the board other than the identity leads the set to itself.
bool symmetric(const AnyRules& rules, const AnyRules::Set& set) {
  const auto same = [&](Symmetry s) { return mapped(rules.shape(), set, s.map) == set; };
  const auto moves_nothing = [&](Symmetry s) {
    const auto& shape = rules.shape();
    for (int i = 0; i < shape.size(); ++i) {
      const auto point = AnyRules::Set::single(i);
      if (mapped(shape, point, s.map) != point) return false;
    }
    return true;
  };
  const auto all = all_symmetries(rules.shape().cols(), rules.shape().rows());
  return std::any_of(all.begin(), all.end(), [&](Symmetry s) { return !moves_nothing(s) && same(s); });
}

// The images of a position have one place unless the stones of the side to move stand symmetrically;
// for those see symmetric_positions_have_one_value.
TEST(FanoronaSpace, symmetric_positions_have_one_place) {
  for (const Options& options : all_games()) {
    SCOPED_TRACE(told(options));
    const AnySpace space(options);
    const auto symmetries = all_symmetries(options.cols, options.rows);
    look_at_games(space.rules(), 100, [&](const Position& p) {
      const auto place = space.place(p);
      for (const Symmetry s : symmetries) {
        const auto image = space.place(space.rules().transform(p, s));
        ASSERT_EQ(image.has_value(), place.has_value());
        if (!place) continue;
        ASSERT_EQ(image->tier, place->tier);
        ASSERT_TRUE(*image == *place || symmetric(space.rules(), p.own));
      }
    });
  }
}

TEST(FanoronaSpace, turns_lead_where_the_space_says) {
  for (const Options& options : all_games()) {
    SCOPED_TRACE(told(options));
    const AnySpace space(options);
    const AnyRules& rules = space.rules();
    std::vector<std::vector<std::uint32_t>> below(space.tiers());
    std::vector<std::vector<bool>> used(space.tiers(), std::vector<bool>(space.tiers()));
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      below[tier] = space.below(tier);
      ASSERT_TRUE(std::is_sorted(below[tier].begin(), below[tier].end()));
      ASSERT_EQ(std::adjacent_find(below[tier].begin(), below[tier].end()), below[tier].end());
      ASSERT_TRUE(below[tier].empty() || below[tier].back() < tier);
    }
    look_at_places(space, 1000, [&](TierIndex place) {
      const Position p = *space.position(place);
      for (const Move& m : turns_of(rules, p)) {
        const Position q = rules.play(p, m);
        const auto to = space.place(q);
        if (!to) {
          ASSERT_TRUE(rules.outcome(q).over());
          ASSERT_FALSE(space.stays(p, m));
          continue;
        }
        ASSERT_LE(to->tier, place.tier);
        ASSERT_EQ(space.stays(p, m), to->tier == place.tier);
        if (to->tier == place.tier) continue;
        ASSERT_TRUE(std::binary_search(below[place.tier].begin(), below[place.tier].end(), to->tier));
        used[place.tier][to->tier] = true;
      }
    });
    // Whole tiers were looked at on small boards, so what is never used there should not be named. (With
    // a single empty point to go to chains are too short for all counts.)
    if (options.cols != 3 || options.rows != 3) continue;
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      if (space.size(tier) > 1000 || rules.empty_points(*space.position({tier, 0})).count() == 1) continue;
      for (const std::uint32_t to : below[tier]) {
        EXPECT_TRUE(used[tier][to]) << space.tier_name(tier) << " to " << space.tier_name(to);
      }
    }
  }
}

TEST(FanoronaSpace, predecessors_are_exactly_the_turns_that_stay) {
  for (const Options& options : all_games()) {
    SCOPED_TRACE(told(options));
    const AnySpace space(options);
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      if (space.size(tier) <= 12'000) paika_tests::expect_the_way_back(space, tier);
    }
  }
}

/// How many turns lead from a place to another one of its tier, by a look forwards and by one backwards.
int turns_between(const AnySpace& space, TierIndex from, TierIndex to) {
  const Position p = *space.position(from);
  const std::vector<Move> turns = turns_of(space.rules(), p);
  return static_cast<int>(std::count_if(turns.begin(), turns.end(), [&](const Move& m) {
    return space.stays(p, m) && space.place(space.rules().play(p, m)) == to;
  }));
}
int turns_back(const AnySpace& space, TierIndex to, TierIndex from) {
  int count = 0;
  space.for_each_predecessor(to, [&](std::uint64_t index) { count += index == from.index ? 1 : 0; });
  return count;
}

TEST(FanoronaSpace, predecessors_agree_with_turns_in_samples_of_large_tiers) {
  int links = 0;
  for (const Options& options : {Options{5, 3, false, 0}, Options{3, 5, true, 0}, Options{7, 3, false, 0}}) {
    SCOPED_TRACE(told(options));
    const AnySpace space(options);
    look_at_places(space, 1000, [&](TierIndex place) {
      const Position p = *space.position(place);
      for (const Move& m : turns_of(space.rules(), p)) {
        if (!space.stays(p, m)) continue;
        const TierIndex to = *space.place(space.rules().play(p, m));
        ASSERT_EQ(turns_back(space, to, place), turns_between(space, place, to));
        ++links;
      }
      space.for_each_predecessor(place, [&](std::uint64_t index) {
        const TierIndex from{place.tier, index};
        ASSERT_EQ(turns_between(space, from, place), turns_back(space, place, from));
        ++links;
      });
    });
  }
  EXPECT_GT(links, 10'000);
}

/// All values of a space, found as a person would: in each round the positions that are decided in one
/// turn more. It uses nothing but the interface, and goes through all tiers in every round.
template <Solvable S>
std::vector<std::vector<Value>> solved(const S& space) {
  std::vector<std::vector<Value>> values(space.tiers());
  for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) values[tier].resize(space.size(tier));
  const auto& rules = space.rules();
  const auto value_now = [&](const auto& p) {
    const Outcome outcome = rules.outcome(p);
    if (!outcome.over()) {
      const TierIndex at = *space.place(p);
      return values[at.tier][at.index];
    }
    if (outcome.verdict == Verdict::draw) return Value::draw();
    return outcome.winner() == rules.to_move(p) ? Value::win(0) : Value::loss(0);
  };
  const auto best = [&](const auto& p) {
    if (rules.outcome(p).over()) return value_now(p);
    Value found = Value::loss(0);  // the worst there is
    rules.for_each_turn(p, [&](const auto& m) {
      const Value v = before(value_now(rules.play(p, m)));
      if (better(v, found)) found = v;
      return true;
    });
    return found;
  };
  for (bool more = true; more;) {
    more = false;
    std::vector<std::pair<TierIndex, Value>> message;
    for (std::uint32_t tier = 0; tier < space.tiers(); ++tier) {
      for (std::uint64_t i = 0; i < space.size(tier); ++i) {
        if (!values[tier][i].is_draw()) continue;
        const Value v = best(*space.position({tier, i}));
        if (!v.is_draw()) message.push_back({{tier, i}, v});
      }
    }
    more = !message.empty();
    for (const auto& [place, value] : message) values[place.tier][place.index] = value;
  }
  return values;
}

TEST(FanoronaSpace, clause_5_3_white_wins_3x3_in_11_plies) {
  const AnySpace space({3, 3, false, 0});
  const auto values = solved(space);
  const TierIndex start = *space.place(space.rules().initial());
  EXPECT_EQ(values[start.tier][start.index], Value::win(11));
}

TEST(FanoronaSpace, symmetric_positions_have_one_value) {
  for (const Options& options : small_games()) {
    SCOPED_TRACE(told(options));
    const AnySpace space(options);
    const auto values = solved(space);
    const auto symmetries = all_symmetries(options.cols, options.rows);
    look_at_places(space, ~std::uint64_t{0}, [&](TierIndex place) {
      const Position p = *space.position(place);
      for (const Symmetry s : symmetries) {
        const auto image = space.place(space.rules().transform(p, s));
        ASSERT_TRUE(image.has_value());
        ASSERT_EQ(values[image->tier][image->index], values[place.tier][place.index]);
      }
    });
  }
}

}  // namespace
}  // namespace paika::fanorona
