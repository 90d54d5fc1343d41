// What the computer player knows of Fanorona, held against slow counts and against the rules.
#include "games/fanorona/search_traits.hpp"

#include <cstdlib>
#include <map>
#include <set>

#include "base/random.hpp"
#include "helpers.hpp"

namespace paika::fanorona::testing {
namespace {

/// Calls f(traits, position) for positions of random games on the board of a spec.
template <class F>
void with_positions(const char* spec, int games, std::uint64_t seed, F&& f, Evaluation evaluation = Evaluation::tuned) {
  with_rules(options_of(spec), [&]<class Shape>(const BitboardRules<Shape>& rules) {
    using Move = typename BitboardRules<Shape>::Move;
    const BitboardTraits<Shape> traits(rules, evaluation);
    Random random(seed);
    for (int game = 0; game < games; ++game) {
      auto p = rules.initial();
      for (int ply = 0; ply < 60 && !rules.outcome(p).over(); ++ply) {
        f(traits, p);
        std::vector<Move> moves;
        rules.for_each_turn_within(p, 5000, [&](const Move& m) {
          // Few sacrifices: games of nothing else would be short.
          if (m.kind != MoveKind::sacrifice || random.one_in(8) || moves.empty()) moves.push_back(m);
          return true;
        });
        p = rules.play(p, moves[random.index(moves.size())]);
      }
    }
  });
}

constexpr const char* small_specs[] = {"fanorona:3x3", "fanorona:5x5", "fanorona:3x1", "fanorona:5x3,sacrifice=off"};
constexpr const char* all_specs[] = {"fanorona:1x3",     "fanorona:3x3", "fanorona:5x5", "fanorona:9x5",
                                     "fanorona:classic", "fanorona:7x7", "fanorona:11x9"};

/// A position of 13x13 with more than 70,000 turns, most of them chains of one stone.
constexpr const char* many_chains =
    ".bb..b...b.../b.bbbb....bb./.b.bb.b.bb.bb/b....b.bbbbbb/....bb..bb.../b..b.bb....../b.b.bbwbb...b/"
    "b.bbbb.b.b.../b..b....bbb.b/bb...bb..bb.b/..b..b..b.bb./b..bbb.bbb.../bb..bb.b.bbb. w 0";

int value_of(const Features<feature_count>& f, Feature feature) { return f.values[static_cast<std::size_t>(feature)]; }

// ---- The evaluation ----

TEST(FanoronaTraits, symmetric_positions_are_worth_the_same) {
  for (const char* spec : all_specs) {
    const auto symmetries = Game(spec).notation().symmetries();
    with_positions(spec, 4, 11, [&](const auto& k, const auto& p) {
      for (const Symmetry& s : symmetries) ASSERT_EQ(k.evaluate(k.rules().transform(p, s)), k.evaluate(p)) << spec;
    });
  }
}

TEST(FanoronaTraits, terms_add_up) {
  for (const char* spec : all_specs) {
    with_positions(spec, 4, 12, [&](const auto& k, const auto& p) {
      int sum = 0;
      for (const Term& term : k.terms(p)) sum += term.value;
      ASSERT_NEAR(sum, k.evaluate(p), static_cast<int>(feature_count)) << spec;
      ASSERT_LT(std::abs(k.evaluate(p)), evaluation_bound) << spec;
    });
  }
}

TEST(FanoronaTraits, what_is_own_minus_theirs_changes_sign_with_the_turn) {
  with_positions("fanorona:9x5", 10, 13, [&](const auto& k, const auto& p) {
    if (p.block.any()) return;  // it would leave the board
    const auto now = k.features(p);
    const auto then = k.features(k.pass(p));
    for (const Feature f : {Feature::stones, Feature::share, Feature::capturer, Feature::steps, Feature::strong,
                            Feature::edge, Feature::centre, Feature::pairs}) {
      ASSERT_EQ(value_of(now, f), -value_of(then, f)) << feature_names[static_cast<std::size_t>(f)];
    }
    ASSERT_EQ(value_of(now, Feature::attack), value_of(then, Feature::exposed));
    ASSERT_EQ(value_of(now, Feature::turn), 1);
    ASSERT_EQ(now.phase, then.phase);
  });
}

/// The counts of `own` that a person would make on a board: edge points, pairs of joined stones, …
struct SlowCounts {
  int strong = 0;
  int edge = 0;
  int pairs = 0;
};

SlowCounts slow_counts(const Board& board, Player player) {
  SlowCounts counts;
  const int cols = board.cells.cols();
  const int rows = board.cells.rows();
  const auto strong = [&](Square s) { return (s.col + s.row + cols / 2 + rows / 2) % 2 == 0; };  // 1.3
  board.cells.for_each_square([&](Square s) {
    if (!board.cells[s].belongs_to(player)) return;
    counts.strong += strong(s) ? 1 : 0;
    counts.edge += s.col == 0 || s.row == 0 || s.col == cols - 1 || s.row == rows - 1 ? 1 : 0;
    for (const Direction d : all_directions) {
      const Square next = step(s, d);
      const bool joined = board.cells.contains(next) && (!is_diagonal(d) || strong(s));
      counts.pairs += joined && board.cells[next].belongs_to(player) ? 1 : 0;  // each pair twice
    }
  });
  counts.pairs /= 2;
  return counts;
}

TEST(FanoronaTraits, counts_what_a_person_would_count) {
  for (const char* spec : {"fanorona:9x5", "fanorona:5x5", "fanorona:3x1", "fanorona:7x7", "fanorona:11x7"}) {
    with_positions(spec, 5, 14, [&](const auto& k, const auto& p) {
      const Board board = k.rules().to_board(p);
      const SlowCounts own = slow_counts(board, board.to_move);
      const SlowCounts theirs = slow_counts(board, other(board.to_move));
      const auto f = k.features(p);
      const int mine = count_pieces(board, board.to_move);
      const int yours = count_pieces(board, other(board.to_move));
      ASSERT_EQ(value_of(f, Feature::stones), mine - yours);
      ASSERT_EQ(value_of(f, Feature::share), 1024 * (mine - yours) / (mine + yours));
      ASSERT_EQ(value_of(f, Feature::strong), own.strong - theirs.strong);
      ASSERT_EQ(value_of(f, Feature::edge), own.edge - theirs.edge);
      ASSERT_EQ(value_of(f, Feature::pairs), own.pairs - theirs.pairs) << spec;
    });
  }
}

TEST(FanoronaTraits, attack_is_what_first_steps_take) {
  // On these boards no run is longer than the three stones that are looked at.
  for (const char* spec : small_specs) {
    with_positions(spec, 30, 15, [&](const auto& k, const auto& p) {
      using Rules = std::remove_cvref_t<decltype(k.rules())>;
      typename Rules::Set taken;
      std::set<int> capturers;
      int paikas = 0;
      k.rules().for_each_turn(p, [&](const typename Rules::Move& m) {
        if (m.kind == MoveKind::paika) ++paikas;
        if (m.kind == MoveKind::capture) capturers.insert(m.from);
        if (m.kind == MoveKind::capture && m.steps == 1) taken |= m.captured;
        return true;
      });
      const auto f = k.features(p);
      ASSERT_EQ(value_of(f, Feature::attack), taken.count()) << spec;
      if (p.block.any()) return;
      // 2.3: paikas are listed only without captures, so steps are known of such positions.
      const auto reply = k.features(k.pass(p));
      if (capturers.empty() && value_of(reply, Feature::attack) == 0) {
        int replies = 0;
        k.rules().for_each_turn(k.pass(p), [&](const typename Rules::Move& m) {
          replies += m.kind == MoveKind::paika ? 1 : 0;
          return true;
        });
        ASSERT_EQ(value_of(f, Feature::steps), paikas - replies) << spec;
        ASSERT_EQ(value_of(f, Feature::capturer), 0) << spec;
      }
      if (value_of(reply, Feature::attack) == 0) {
        ASSERT_EQ(value_of(f, Feature::capturer), static_cast<int>(capturers.size())) << spec;
      }
    });
  }
}

TEST(FanoronaTraits, an_advantage_fades_as_the_draw_comes_near) {
  const Game game("fanorona:5x5");
  with_rules(game.options(), [&]<class Shape>(const BitboardRules<Shape>& rules) {
    const BitboardTraits<Shape> k(rules, Evaluation::plain);
    const auto value = [&](int moves) {
      return k.evaluate(rules.from_board(game.board("ww.../w..../w..../...../....b w " + std::to_string(moves))));
    };
    EXPECT_EQ(value(0), 300);
    EXPECT_EQ(value(34), 300);  // 16 moves left
    EXPECT_EQ(value(42), 150);
    EXPECT_GT(value(49), 0);
    EXPECT_LT(value(49), 30);
  });
  const Game endless("fanorona:5x5,limit=0");
  with_rules(endless.options(), [&]<class Shape>(const BitboardRules<Shape>& rules) {
    const BitboardTraits<Shape> k(rules, Evaluation::plain);
    EXPECT_EQ(k.evaluate(rules.from_board(endless.board("ww.../w..../w..../...../....b w 999999"))), 300);
  });
}

TEST(FanoronaTraits, tuned_weights_are_built_in) {
  const BitboardRules<FixedShape<9, 5>> rules(options_of("fanorona"));
  using K = BitboardTraits<FixedShape<9, 5>>;
  const auto tuned = K(rules, Evaluation::tuned).weights();
  const auto plain = K(rules, Evaluation::plain).weights();
  int different = 0;
  for (std::size_t i = 0; i < feature_count; ++i) different += tuned[i] == plain[i] ? 0 : 1;
  EXPECT_GT(different, static_cast<int>(feature_count) / 2);
}

// ---- Turns ----

TEST(FanoronaTraits, tactical_scores_and_history_indices_fit_the_turns) {
  for (const char* spec : {"fanorona:3x3", "fanorona:9x5", "fanorona:11x9"}) {
    with_positions(spec, 3, 16, [&](const auto& k, const auto& p) {
      using K = std::remove_cvref_t<decltype(k)>;
      k.rules().for_each_turn(p, [&](const typename K::Move& m) {
        EXPECT_EQ(k.tactical_score(p, m) > 0, m.kind == MoveKind::capture);
        EXPECT_EQ(k.tactical_score(p, m) < 0, m.kind == MoveKind::sacrifice);
        EXPECT_LT(k.history_index(p, m), K::history_size);
        return true;
      });
    });
  }
}

/// How many chains of `p` lead where another did; checks that equal keys and equal positions go together.
template <class K>
int count_twins(const K& k, const typename K::Position& p) {
  int twins = 0;
  std::map<std::uint64_t, typename K::Position> by_key;
  std::map<std::uint64_t, std::uint64_t> by_position;
  k.for_each_candidate(p, 20'000, [&](const typename K::Move& m) {
    const std::uint64_t key = k.result_key(p, m);
    EXPECT_EQ(key == 0, m.steps < 2);
    if (key == 0) return true;
    const auto next = k.rules().play(p, m);
    const auto [seen, fresh] = by_key.try_emplace(key, next);
    EXPECT_TRUE(seen->second == next) << "two positions with one key";
    EXPECT_EQ(by_position.try_emplace(next.key, key).first->second, key) << "two keys for one position";
    twins += fresh ? 0 : 1;
    return true;
  });
  return twins;
}

TEST(FanoronaTraits, result_keys_tell_positions_apart) {
  int twins = 0;
  for (const char* spec : {"fanorona:5x5", "fanorona:9x5", "fanorona:7x7", "fanorona:11x7", "fanorona:13x13"}) {
    with_positions(spec, 20, 17, [&](const auto& k, const auto& p) { twins += count_twins(k, p); });
  }
  EXPECT_GT(twins, 5) << "the test has seen too few chains with one result";
}

TEST(FanoronaTraits, search_keys_know_the_moves_left) {
  for (const bool limited : {true, false}) {
    with_positions(limited ? "fanorona:5x5" : "fanorona:5x5,limit=0", 1, 18, [&](const auto& k, const auto& p) {
      auto later = p;
      later.moves += 2;
      EXPECT_EQ(k.search_key(later) == k.search_key(p), !limited);
    });
  }
}

TEST(FanoronaTraits, passing_changes_the_side_and_drops_the_block) {
  with_positions("fanorona:5x5", 30, 19, [&](const auto& k, const auto& p) {
    const auto q = k.pass(p);
    ASSERT_EQ(q.key, k.rules().key_from_scratch(q));
    ASSERT_TRUE(q.own == p.opp && q.opp == p.own && q.block.none());
    ASSERT_EQ(q.mover, other(p.mover));
    ASSERT_EQ(q.moves, p.moves);
  });
}

// ---- Few of many turns ----

TEST(FanoronaCandidates, enough_budget_gives_all_turns) {
  for (const char* spec : {"fanorona:1x1", "fanorona:3x3", "fanorona:9x5", "fanorona:classic", "fanorona:11x7"}) {
    with_positions(spec, 2, 20, [&](const auto& k, const auto& p) {
      using Move = typename std::remove_cvref_t<decltype(k)>::Move;
      std::vector<Move> all;
      std::vector<Move> candidates;
      k.rules().for_each_turn(p, [&](const Move& m) { return all.push_back(m), all.size() < 100'000; });
      k.for_each_candidate(p, 10'000'000,
                           [&](const Move& m) { return candidates.push_back(m), candidates.size() < 100'000; });
      ASSERT_EQ(all, candidates) << spec;
    });
  }
}

TEST(FanoronaCandidates, a_small_budget_gives_every_first_step_and_little_more) {
  for (const int most : {0, 1, 20, 200}) {
    with_positions("fanorona:9x5", 6, 21, [&](const auto& k, const auto& p) {
      using Move = typename std::remove_cvref_t<decltype(k)>::Move;
      std::vector<Move> all;
      std::vector<Move> some;
      int always = 0;  // what is visited in any case
      k.rules().for_each_turn(p, [&](const Move& m) {
        all.push_back(m);
        always += m.steps < 2 ? 1 : 0;
        return true;
      });
      k.for_each_candidate(p, most, [&](const Move& m) { return some.push_back(m), true; });
      std::size_t at = 0;  // `some` is a part of `all` in the same order
      for (const Move& m : all) {
        const bool visited = at < some.size() && some[at] == m;
        at += visited ? 1 : 0;
        ASSERT_TRUE(visited || m.steps >= 2);
      }
      ASSERT_EQ(at, some.size());
      ASSERT_LE(some.size(), static_cast<std::size_t>(std::max(most + 1, always)) + 40);
    });
  }
}

TEST(FanoronaCandidates, very_many_chains_cost_no_more_than_the_budget) {
  const Game game("fanorona:13x13");
  const Board board = game.board(many_chains);
  with_rules(game.options(), [&]<class Shape>(const BitboardRules<Shape>& rules) {
    const BitboardTraits<Shape> k(rules, Evaluation::plain);
    const auto p = rules.from_board(board);
    int visits = 0;
    const bool many = !rules.for_each_turn(p, [&](const auto&) { return ++visits < 70'000; });
    EXPECT_TRUE(many) << "the position is no longer a hard one: " << visits;
    visits = 0;
    EXPECT_FALSE(k.for_each_candidate(p, 4000, [&](const auto&) { return ++visits > 0; })) << "some are left out";
    EXPECT_GE(visits, 2000);
    EXPECT_LE(visits, 4100);
  });
}

TEST(FanoronaCandidates, stop_when_told) {
  with_positions("fanorona:9x5", 1, 22, [&](const auto& k, const auto& p) {
    int visits = 0;
    EXPECT_FALSE(k.for_each_candidate(p, 1000, [&](const auto&) { return ++visits < 1; }));
    EXPECT_EQ(visits, 1);
  });
}

}  // namespace
}  // namespace paika::fanorona::testing
