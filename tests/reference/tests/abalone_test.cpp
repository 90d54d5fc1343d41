// The reference Abalone against every number and example of the rules document that is quick to check.
#include <gtest/gtest.h>
#include <map>

#include "tests/reference/tests/perft_lines.hpp"
#include "tests/reference/tests/turns.hpp"

namespace paika_reference {
namespace {

using Counts = std::vector<std::int64_t>;
using Turns = std::multiset<std::string>;

Counts perft_from_start(const ReferenceGame& game, int depths) { return perft_counts(game, game.initial(), depths); }

std::unique_ptr<ReferenceGame> abalone(const std::string& spec) { return make_game(spec); }

TEST(AbaloneReference, clause_1_2_start) {
  EXPECT_EQ(abalone("abalone:4x4")->initial(), "(b bbb- b--w b--w -www)");
  EXPECT_EQ(abalone("abalone:3x3")->initial(), "(b bb- b-w -ww)");
  EXPECT_EQ(abalone("abalone:3x5")->initial(), "(b bbbb- b---w -wwww)");
  EXPECT_EQ(abalone("abalone:5x3")->initial(), "(b bb- b-w b-w b-w -ww)");
}

TEST(AbaloneReference, clause_2_2_the_pieces_behind_stay) {
  const auto game = abalone("abalone:3x5,captures=6");
  EXPECT_EQ(after(*game, "(b bb--- ----- ----w)", "a1b1"), "(w -bb-- ----- ----w)");
  EXPECT_EQ(after(*game, "(b bb--- ----- ----w)", "b1c1"), "(w b-b-- ----- ----w)");
}

TEST(AbaloneReference, clause_2_3_an_own_piece_is_never_pushed_off) {
  const auto game = abalone("abalone:3x5,captures=6");
  EXPECT_EQ(turns(*game, "(b ---bb ----- w----)"), (Turns{"d1c1", "d1c2", "d1d2", "d1e2", "e1d1", "e1d2", "e1e2"}));
  EXPECT_EQ(after(*game, "(b ---bb ----- w----)", "e1d1"), "(w --bb- ----- w----)");
}

TEST(AbaloneReference, clause_2_4_pushes) {
  const auto game = abalone("abalone:3x5,captures=6");
  EXPECT_EQ(after(*game, "(b bbw-- ----- -----)", "a1b1"), "(w -bbw- ----- -----)");
  EXPECT_EQ(after(*game, "(b -bw-- ----- -----)", "b1c1"), "illegal");  // k = j
  EXPECT_EQ(after(*game, "(b bbww- ----- -----)", "a1b1"), "illegal");  // k = j
  EXPECT_EQ(after(*game, "(b bbwb- ----- -----)", "a1b1"), "illegal");  // another piece behind
  EXPECT_EQ(after(*game, "(b bbw-w ----- -----)", "a1b1"), "(w -bbww ----- -----)");
  EXPECT_EQ(after(*game, "(b bbbww ----- ---w-)", "a1b1"), "(w -bbbw ----- ---w-)");  // the edge: a capture
  EXPECT_EQ(after(*game, "(b bbbww ----- ---w-)", "b1c1"), "illegal");                // a1 does not count
  EXPECT_EQ(after(*game, "(b b---- -b--- --w--)", "a1b2"), "(w ----- -b--- --b--)");  // on a diagonal
}

TEST(AbaloneReference, clause_2_5_rows_of_two_digits) {
  const auto game = abalone("abalone:12x3,captures=12");
  const std::string start = "(b b-- --- --- --- --- --- --- --- --b --- --- w--)";
  EXPECT_EQ(turns(*game, start).count("c9c10"), 1U);
  EXPECT_EQ(after(*game, start, "c9b10"), "(w b-- --- --- --- --- --- --- --- --- -b- --- w--)");
}

TEST(AbaloneReference, clause_3_1_captures) {
  const auto game = abalone("abalone:4x4");
  EXPECT_EQ(game->outcome("(w bbb- b--w b--- -www)"), "ongoing");
  EXPECT_EQ(game->outcome("(w bbb- b--- b--- -www)"), "first_wins captures");
  EXPECT_TRUE(game->successors("(w bbb- b--- b--- -www)").empty());
  EXPECT_EQ(game->outcome("(b bbb- ---w ---w -www)"), "second_wins captures");
  EXPECT_EQ(abalone("abalone:4x4,misere")->outcome("(b bbb- ---w ---w -www)"), "first_wins captures");
  EXPECT_EQ(abalone("abalone:4x4,captures=3")->outcome("(b bbb- ---w ---w -www)"), "ongoing");
}

TEST(AbaloneReference, clause_3_2_trapped) {
  const std::string position = "(w wb- bb- ---)";
  EXPECT_EQ(abalone("abalone:3x3,captures=3")->outcome(position), "first_wins trapped");
  EXPECT_EQ(abalone("abalone:3x3,captures=3,misere")->outcome(position), "second_wins trapped");  // 4.1
  EXPECT_TRUE(abalone("abalone:3x3,captures=3")->successors(position).empty());
  // Captures are looked at before.
  EXPECT_EQ(abalone("abalone:3x3,captures=2,misere")->outcome(position), "second_wins captures");
}

TEST(AbaloneReference, clause_4_3_frozen_pieces) {
  const std::string position = "(b --b- bb-- b-ww bwww)";
  const Turns all = turns(*abalone("abalone:4x4"), position);
  const Turns strict = turns(*abalone("abalone:4x4,freeze"), position);
  const Turns initiator = turns(*abalone("abalone:4x4,freeze=initiator"), position);
  Turns not_chosen;  // all the moves whose chosen piece is neither b2 nor a4
  for (const std::string& t : all) {
    if (!t.starts_with("b2") && !t.starts_with("a4")) not_chosen.insert(t);
  }
  EXPECT_EQ(initiator, not_chosen);
  EXPECT_LT(initiator.size(), all.size());
  // Only a2b2 would move b2 along: c1b2, a3b2 and a3a4 end at the edge.
  Turns none_moved = not_chosen;
  EXPECT_EQ(none_moved.erase("a2b2"), 1U);
  EXPECT_EQ(strict, none_moved);
}

// The push b2c2 captures d2, but White could push c2 down from c4.
constexpr const char* frozen_capture = "(b ---- -bbw --w- --w-)";

TEST(AbaloneReference, clause_4_2_frozen_in_the_line) {
  EXPECT_EQ(turns(*abalone("abalone:4x4,captures=5,freeze"), frozen_capture),
            (Turns{"b2a1", "b2b1", "b2c1", "b2a2", "b2a3", "b2b3"}));
  EXPECT_EQ(turns(*abalone("abalone:4x4,captures=5,freeze=initiator"), frozen_capture),
            (Turns{"b2a1", "b2b1", "b2c1", "b2a2", "b2a3", "b2b3", "b2c2"}));
}

TEST(AbaloneReference, clause_4_4_must) {
  EXPECT_EQ(turns(*abalone("abalone:4x4,captures=5,must"), frozen_capture), (Turns{"b2c2"}));
  EXPECT_EQ(turns(*abalone("abalone:4x4,captures=5,must,freeze=initiator"), frozen_capture), (Turns{"b2c2"}));
  // A capture that freezing forbids forces nothing.
  EXPECT_EQ(turns(*abalone("abalone:4x4,captures=5,must,freeze"), frozen_capture),
            (Turns{"b2a1", "b2b1", "b2c1", "b2a2", "b2a3", "b2b3"}));
  const auto plain = abalone("abalone:4x4,must");
  EXPECT_EQ(turns(*plain, plain->initial()).size(), 15U);
}

TEST(AbaloneReference, clause_6_1_perft) {
  EXPECT_EQ(perft_from_start(*abalone("abalone:4x4"), 5), (Counts{15, 217, 3307, 47774, 717201}));
  EXPECT_EQ(perft_from_start(*abalone("abalone:4x4,freeze"), 5), (Counts{15, 211, 2971, 37082, 464685}));
}

TEST(AbaloneReference, clause_6_2_perft) {
  EXPECT_EQ(perft_from_start(*abalone("abalone:3x3,captures=1"), 5), (Counts{7, 40, 250, 1508, 8328}));
  EXPECT_EQ(perft_from_start(*abalone("abalone:3x3,captures=2,freeze"), 5), (Counts{7, 28, 120, 650, 2950}));
}

bool black_wins(const ReferenceGame& game, const std::string& position) {
  return game.outcome(position).starts_with("first_wins");
}

// True if Black can have won after at most `plies` more turns, whatever White plays.
bool black_forces(const ReferenceGame& game, const std::string& position, int plies) {
  if (black_wins(game, position)) return true;
  const std::vector<Successor> next = game.successors(position);
  if (plies == 0 || next.empty()) return false;
  const bool black_moves = position[1] == 'b';
  for (const Successor& s : next) {
    if (black_forces(game, s.position, plies - 1) == black_moves) return black_moves;
  }
  return !black_moves;
}

TEST(AbaloneReference, clause_6_2_black_wins_3x3) {
  const auto game = abalone("abalone:3x3,captures=1");
  EXPECT_TRUE(black_forces(*game, game->initial(), 3));
  EXPECT_FALSE(black_forces(*game, game->initial(), 2));
  const auto freeze = abalone("abalone:3x3,captures=1,freeze");
  EXPECT_TRUE(black_forces(*freeze, freeze->initial(), 1));
  EXPECT_EQ(freeze->outcome(after(*freeze, freeze->initial(), "a1b2")), "first_wins trapped");
}

using Graph = std::map<std::string, std::vector<Successor>>;

Graph reachable(const ReferenceGame& game) {
  Graph graph;
  std::vector<std::string> waiting{game.initial()};
  while (!waiting.empty()) {
    const std::string position = waiting.back();
    waiting.pop_back();
    if (graph.contains(position)) continue;
    graph[position] = game.successors(position);
    for (const Successor& s : graph[position]) waiting.push_back(s.position);
  }
  return graph;
}

// Every position whose winner can force a win: 'b' or 'w'; found by going over the graph until nothing changes.
std::map<std::string, char> solve(const ReferenceGame& game, const Graph& graph) {
  std::map<std::string, char> winner;
  for (const auto& [position, next] : graph) {
    if (next.empty()) winner[position] = black_wins(game, position) ? 'b' : 'w';
  }
  for (std::size_t before = 0; before != winner.size();) {
    before = winner.size();
    for (const auto& [position, next] : graph) {
      if (winner.contains(position)) continue;
      const char me = position[1];
      const char you = me == 'b' ? 'w' : 'b';
      std::size_t lost = 0;
      for (const Successor& s : next) {
        const auto found = winner.find(s.position);
        if (found == winner.end()) continue;
        if (found->second == me) winner[position] = me;
        if (found->second == you) ++lost;
      }
      if (lost == next.size()) winner[position] = you;
    }
  }
  return winner;
}

TEST(AbaloneReference, clause_6_2_misere_3x3_is_a_draw) {
  const auto misere = abalone("abalone:3x3,captures=1,misere");
  EXPECT_FALSE(solve(*misere, reachable(*misere)).contains(misere->initial()));
  const auto plain = abalone("abalone:3x3,captures=1");
  EXPECT_EQ(solve(*plain, reachable(*plain)).at(plain->initial()), 'b');
}

TEST(AbaloneReference, perft_file) { expect_perft_file("reference_abalone.txt", 25, 20000); }

}  // namespace
}  // namespace paika_reference
