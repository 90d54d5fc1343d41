// What the computer player knows of Abalone, held against slow counts and against the rules.
#include "games/abalone/search_traits.hpp"

#include <cstdlib>

#include "base/random.hpp"
#include "helpers.hpp"

namespace paika::abalone::testing {
namespace {

/// Calls f(traits, position) for positions of random games of a spec.
template <class F>
void with_positions(const char* spec, int games, std::uint64_t seed, F&& f) {
  with_rules(Game(spec).options(), [&]<class Shape>(const BitboardRules<Shape>& rules) {
    using Move = typename BitboardRules<Shape>::Move;
    const BitboardTraits<Shape> traits(rules, Evaluation::tuned);
    Random random(seed);
    for (int game = 0; game < games; ++game) {
      auto p = rules.initial();
      for (int ply = 0; ply < 60 && !rules.outcome(p).over(); ++ply) {
        f(traits, p);
        std::vector<Move> moves;
        rules.for_each_turn(p, [&](const Move& m) { return moves.push_back(m), true; });
        p = rules.play(p, moves[random.index(moves.size())]);
      }
    }
  });
}

constexpr const char* all_specs[] = {"abalone:3x3,captures=1", "abalone:4x4",        "abalone:5x5,captures=3",
                                     "abalone:4x4,misere",     "abalone:5x4,freeze", "abalone:7x6,captures=5",
                                     "abalone:9x20",           "abalone:4x4,must",   "abalone:30x26"};

int value_of(const Features<feature_count>& f, Feature feature) { return f.values[static_cast<std::size_t>(feature)]; }

TEST(AbaloneTraits, symmetric_positions_are_worth_the_same) {
  for (const char* spec : all_specs) {
    const auto symmetries = Game(spec).notation().symmetries();
    with_positions(spec, 3, 11, [&](const auto& k, const auto& p) {
      for (const Symmetry& s : symmetries) ASSERT_EQ(k.evaluate(k.rules().transform(p, s)), k.evaluate(p)) << spec;
    });
  }
}

TEST(AbaloneTraits, terms_add_up) {
  for (const char* spec : all_specs) {
    with_positions(spec, 3, 12, [&](const auto& k, const auto& p) {
      int sum = 0;
      for (const Term& term : k.terms(p)) sum += term.value;
      ASSERT_NEAR(sum, k.evaluate(p), static_cast<int>(feature_count)) << spec;
      ASSERT_LT(std::abs(k.evaluate(p)), evaluation_bound) << spec;
    });
  }
}

TEST(AbaloneTraits, what_is_own_minus_theirs_changes_sign_with_the_turn) {
  for (const char* spec : all_specs) {
    with_positions(spec, 2, 13, [&](const auto& k, const auto& p) {
      const auto now = k.features(p);
      const auto then = k.features(k.pass(p));
      for (const Feature f : {Feature::captures, Feature::goal, Feature::steps, Feature::rim, Feature::corners,
                              Feature::depth, Feature::pairs, Feature::rows}) {
        ASSERT_EQ(value_of(now, f), -value_of(then, f)) << feature_names[static_cast<std::size_t>(f)];
      }
      ASSERT_EQ(value_of(now, Feature::threats), value_of(then, Feature::threatened));
      ASSERT_EQ(value_of(now, Feature::pushes), value_of(then, Feature::pushed));
      ASSERT_EQ(now.phase, then.phase);
    });
  }
}

/// What the rules list for the side to move. A line of k pieces that pushes j is counted once, at its
/// shortest: k = j + 1 (2.4).
struct ListedCounts {
  int steps = 0;
  int threats = 0;
  int pushes = 0;
};

template <class Rules>
ListedCounts listed_counts(const Rules& rules, const typename Rules::Position& p) {
  ListedCounts counts;
  rules.for_each_turn(p, [&](const typename Rules::Move& m) {
    if (m.own == m.pushed + 1) ++(m.pushed == 0 ? counts.steps : m.captures != 0 ? counts.threats : counts.pushes);
    return true;
  });
  return counts;
}

TEST(AbaloneTraits, reach_is_what_the_rules_list) {
  for (const char* spec : {"abalone:3x3,captures=2", "abalone:4x4", "abalone:5x5,captures=3", "abalone:7x6,captures=5",
                           "abalone:9x20,captures=9"}) {
    with_positions(spec, 5, 14, [&](const auto& k, const auto& p) {
      const ListedCounts own = listed_counts(k.rules(), p);
      const ListedCounts theirs = listed_counts(k.rules(), k.pass(p));
      const auto f = k.features(p);
      ASSERT_EQ(value_of(f, Feature::steps), own.steps - theirs.steps) << spec;
      ASSERT_EQ(value_of(f, Feature::threats), own.threats) << spec;
      ASSERT_EQ(value_of(f, Feature::threatened), theirs.threats) << spec;
      ASSERT_EQ(value_of(f, Feature::pushes), own.pushes) << spec;
      ASSERT_EQ(value_of(f, Feature::pushed), theirs.pushes) << spec;
    });
  }
}

TEST(AbaloneTraits, counts_what_a_person_would_count) {
  // Black: a1 a2 a3 in a row, b2 beside them; White: d4 in the corner, c3 next to it.
  const Game game("abalone:4x4,captures=4");
  const BitboardRules<FixedShape<4, 4>> rules(game.options());
  const BitboardTraits<FixedShape<4, 4>> k(rules, Evaluation::plain);
  const auto f = k.features(rules.from_board(game.board("(b b--- bb-- b-w- ---w)")));
  EXPECT_EQ(value_of(f, Feature::captures), 2);        // White has lost three, Black one
  EXPECT_EQ(value_of(f, Feature::goal), 64 - 64 / 3);  // Black needs one more, White three
  EXPECT_EQ(value_of(f, Feature::rim), 3 - 1);
  EXPECT_EQ(value_of(f, Feature::corners), 1 - 1);
  EXPECT_EQ(value_of(f, Feature::depth), 1 - 1);
  EXPECT_EQ(value_of(f, Feature::pairs), 5 - 1);
  EXPECT_EQ(value_of(f, Feature::rows), 1);
  EXPECT_EQ(value_of(f, Feature::threats), 0);
  EXPECT_EQ(f.phase, 3 * 256 / 4);
  EXPECT_EQ(k.evaluate(rules.from_board(game.board("(b b--- bb-- b-w- ---w)"))), 200);
}

TEST(AbaloneTraits, tuned_weights_are_built_in) {
  using K = BitboardTraits<FixedShape<4, 4>>;
  for (const char* spec : {"abalone:4x4", "abalone:4x4,freeze"}) {
    const BitboardRules<FixedShape<4, 4>> rules(Game(spec).options());
    const auto tuned = K(rules, Evaluation::tuned).weights();
    const auto plain = K(rules, Evaluation::plain).weights();
    int different = 0;
    for (std::size_t i = 0; i < feature_count; ++i) different += tuned[i] == plain[i] ? 0 : 1;
    EXPECT_GT(different, static_cast<int>(feature_count) / 2) << spec;
  }
}

TEST(AbaloneTraits, captures_are_bad_in_the_misere_game) {
  for (const bool misere : {false, true}) {
    const Game game(misere ? "abalone:4x4,captures=4,misere" : "abalone:4x4,captures=4");
    const BitboardRules<FixedShape<4, 4>> rules(game.options());
    for (const Evaluation evaluation : {Evaluation::tuned, Evaluation::plain}) {
      const BitboardTraits<FixedShape<4, 4>> k(rules, evaluation);
      EXPECT_EQ(k.evaluate(rules.from_board(game.board("(b bbb- b--- b--- --ww)"))) < 0, misere);
    }
  }
}

TEST(AbaloneTraits, a_capture_is_tactical_unless_it_harms) {
  for (const char* spec : {"abalone:4x4", "abalone:4x4,misere", "abalone:9x20"}) {
    const int sign = Game(spec).options().misere ? -1 : 1;
    int captures = 0;
    with_positions(spec, 20, 15, [&](const auto& k, const auto& p) {
      using K = std::remove_cvref_t<decltype(k)>;
      k.rules().for_each_turn(p, [&](const typename K::Move& m) {
        EXPECT_EQ(k.tactical_score(p, m), m.captures != 0 ? sign : 0);
        EXPECT_LT(k.history_index(p, m), K::history_size);
        captures += m.captures;
        return true;
      });
    });
    EXPECT_GT(captures, 0) << spec;
  }
}

TEST(AbaloneTraits, passing_changes_the_side_only) {
  with_positions("abalone:4x4", 3, 16, [&](const auto& k, const auto& p) {
    const auto q = k.pass(p);
    ASSERT_EQ(q.key, k.rules().key_from_scratch(q));
    ASSERT_EQ(q.to_move, other(p.to_move));
    ASSERT_TRUE(k.pass(q) == p);
  });
}

}  // namespace
}  // namespace paika::abalone::testing
