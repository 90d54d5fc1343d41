// Bitboard rules and notation of the game against each other: random games from the start, from random possible
// positions, and every turn whatever on crowded boards that no game could lead to.
#include "rules/conformance.hpp"

#include "games/wildebeest/notation.hpp"
#include "tests/games/wildebeest/support.hpp"

namespace paika::wildebeest::testing {

namespace {

Square random_square(Random& random) {
  return {static_cast<int>(random.below(board_side)), static_cast<int>(random.below(board_side))};
}

/// Some of the pieces of both sides on random squares; a position that parse_position accepts.
Board random_possible_board(Random& random) {
  Board b = board("", random.one_in(2) ? Player::first : Player::second);
  const std::uint64_t thinness = 1 + random.below(4);
  for (const Owner owner : {Owner::first, Owner::second}) {
    for (char kind : std::string("KPPPPPPPBBNNRRSOJCGGXZ")) {
      if (kind != 'K' && !random.one_in(thinness)) continue;
      if (kind == 'K' && random.one_in(4)) kind = 'W';
      if (kind == 'P' && random.one_in(12)) kind = 'H';
      if (kind == 'O' && random.one_in(3)) kind = 'E';
      Square s = random_square(random);
      if (kind == 'X' && !random.one_in(4)) s.row = random.one_in(2) ? 0 : last_row;
      while (b.cells[s].owner != Owner::nobody) s = random_square(random);
      b.cells[s] = {owner, kind};
      if (impossible(b)) b.cells[s] = {owner, kind == 'P' ? 'H' : 'W'};
    }
  }
  return b;
}

/// Any pieces at all, on about one square in `one_in`.
Board random_crowded_board(Random& random, std::uint64_t one_in) {
  Board b = board("", random.one_in(2) ? Player::first : Player::second);
  // Fewer kinds on a board make special neighbours of special pieces more likely.
  const std::string kinds = random.one_in(2) ? std::string(piece_letters) : std::string("KSOEJCGXHZPP");
  b.cells.for_each_square([&](Square s) {
    if (!random.one_in(one_in)) return;
    b.cells[s] = {random.one_in(2) ? Owner::first : Owner::second, kinds[random.index(kinds.size())]};
  });
  return b;
}

/// Every move and every fling from every square to every other: refused exactly if not listed.
void check_every_turn(const Board& b, const Options& options) {
  const auto notation = make_notation(options);
  const auto listed_turns = turns(b, options);
  for (int from = 0; from < squares; ++from) {
    const bool piece = b.cells[shape.square(from)].belongs_to(b.to_move);
    for (int to = 0; to < squares; ++to) {
      for (const bool fling : {false, true}) {
        if (!piece && to != 0) continue;
        Turn t{{StepKind::from, shape.square(from)}};
        if (fling) t.push_back({StepKind::fling, {}});
        t.push_back({StepKind::to, shape.square(to)});
        const std::string text = notation->turn_text(b, t);
        ASSERT_EQ(!notation->refuse(b, t), listed_turns.contains(text)) << text << " at " << board_line_text(b);
      }
    }
  }
}

}  // namespace

TEST(WildebeestConformance, from_the_start) {
  for (const auto& options : all_options()) {
    const auto report =
        check_conformance(BitboardRules(options), *make_notation(options), {.games = 30, .plies = 60, .seed = 7});
    paika_tests::expect_clean(report, "games must last long enough to show something", 600);
    EXPECT_GT(report.finished_games, 0U);
  }
}

// Random games from the start rarely see Empresses, Time Machines or Kings with Jet Packs.
TEST(WildebeestConformance, from_random_possible_positions) {
  Random random(11);
  for (const auto& options : all_options()) {
    ConformancePlan plan{.games = 80, .plies = 25, .seed = random.next(), .probes = 40};
    for (int i = 0; i < plan.games; ++i) plan.starts.push_back(random_possible_board(random));
    const auto report = check_conformance(BitboardRules(options), *make_notation(options), plan);
    paika_tests::expect_clean(report, canonical_spec(options), 800);
    EXPECT_GT(report.finished_games, 3U);
  }
}

TEST(WildebeestConformance, clause_6_2_any_well_formed_board) {
  Random random(13);
  for (int i = 0; i < 160; ++i) {
    const auto options = all_options()[static_cast<std::size_t>(i) % 4];
    const Board b = random_crowded_board(random, 1 + random.below(6));
    check_every_turn(b, options);
    for (const auto& text : turns(b, options)) {
      if (random.one_in(12)) after(b, text, options);
    }
    if (HasFailure()) {
      ADD_FAILURE() << board_line_text(b);
      return;
    }
  }
}

TEST(WildebeestConformance, keys_tell_apart_what_differs) {
  const BitboardRules rules(standard);
  const auto key = [&](const Board& b) { return rules.key(rules.from_board(b)); };
  std::set<std::uint64_t> keys = {key(board("")), key(board("", Player::second))};
  for (const char kind : piece_letters) {
    for (int i = 0; i < squares; ++i) {
      for (const Owner owner : {Owner::first, Owner::second}) {
        Board b = board("");
        b.cells[shape.square(i)] = {owner, kind};
        keys.insert(key(b));
      }
    }
  }
  EXPECT_EQ(keys.size(), 2U + 15U * 121U * 2U);
  Board later = board("Ka0");
  later.counters = {1, 2, 3};
  EXPECT_EQ(key(later), key(board("Ka0"))) << "times and move numbers do not count";
}

}  // namespace paika::wildebeest::testing
