// The proof search against the exact values of small games and graphs, and its promises.
//
// The second opinion is the plainest solver there is: all positions that can be reached, in a map by key,
// and rounds over them in which a position is won if some turn (the attacker's) or every turn (the
// defender's) leads to one that is.
#include "search/proof.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unordered_map>

#include "base/random.hpp"
#include "games/abalone/rules.hpp"
#include "games/fanorona/rules.hpp"
#include "tests/support/must.hpp"

namespace paika {
namespace {

using paika_tests::must;

/// Fanorona's number of moves where it leads to a draw.
struct KeyWithMoves {
  template <class R>
  [[nodiscard]] std::uint64_t operator()(const R& rules, const typename R::Position& p) const {
    return rules.options().limit == 0 ? rules.key(p) : rules.key(p) ^ mix64(static_cast<std::uint64_t>(p.moves));
  }
};

/// All positions reachable from a start, with the turns that each attacker needs to force a win.
template <Rules R, class KeyOf = PlainKey>
class Exact {
 public:
  using Position = typename R::Position;
  static constexpr int never = -1;

  explicit Exact(const R& rules, const Position& start) : rules_(rules) {
    number(start);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      const Position p = positions_[i];
      std::vector<std::size_t> next;
      rules_.for_each_turn(p, [&](const auto& m) {
        next.push_back(number(rules_.play(p, m)));
        return true;
      });
      next_.push_back(std::move(next));
    }
    solve(Player::first);
    solve(Player::second);
  }

  [[nodiscard]] const std::vector<Position>& positions() const { return positions_; }
  /// The fewest turns in which `attacker` can force a win from a position; never if he cannot.
  [[nodiscard]] int turns(std::size_t i, Player attacker) const {
    return turns_[static_cast<std::size_t>(attacker)][i];
  }
  [[nodiscard]] int turns(const Position& p, Player attacker) const {
    return turns(numbers_.at(KeyOf{}(rules_, p)), attacker);
  }

 private:
  std::size_t number(const Position& p) {
    const auto [place, is_new] = numbers_.try_emplace(KeyOf{}(rules_, p), positions_.size());
    if (is_new) positions_.push_back(p);
    return place->second;
  }
  void solve(Player attacker) {
    auto& turns = turns_[static_cast<std::size_t>(attacker)];
    turns.assign(positions_.size(), never);
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (rules_.outcome(positions_[i]).won_by(attacker)) turns[i] = 0;
    }
    bool changed = true;
    for (int round = 1; changed; ++round) {
      changed = false;
      for (std::size_t i = 0; i < positions_.size(); ++i) {
        if (turns[i] != never || next_[i].empty()) continue;
        const auto won = [&](std::size_t j) { return turns[j] != never && turns[j] < round; };
        const bool attackers = rules_.to_move(positions_[i]) == attacker;
        if (attackers ? std::any_of(next_[i].begin(), next_[i].end(), won)
                      : std::all_of(next_[i].begin(), next_[i].end(), won)) {
          turns[i] = round;
          changed = true;
        }
      }
    }
  }

  const R& rules_;
  std::unordered_map<std::uint64_t, std::size_t> numbers_;
  std::vector<Position> positions_;
  std::vector<std::vector<std::size_t>> next_;
  std::array<std::vector<int>, 2> turns_;
};

constexpr ProofSettings roomy = {.table_bytes = 1 << 20, .check_bytes = 16 << 20};
constexpr ProofSettings tiny = {.table_bytes = 64 << 10, .check_bytes = 16 << 20};

/// PAIKA_PROOF_FACTOR=20 asks about twenty times as many positions.
std::size_t denser(std::size_t stride) {
  const char* factor = std::getenv("PAIKA_PROOF_FACTOR");
  return factor == nullptr ? stride
                           : std::max<std::size_t>(1, stride / std::max(1UL, std::strtoul(factor, nullptr, 10)));
}

/// The line can be played, ends with a win of the attacker, and keeps to the length.
template <Rules R>
void expect_good_line(const R& rules, typename R::Position p, Player attacker,
                      const ProofResult<typename R::Move>& result) {
  for (const auto& wanted : result.line) {
    bool legal = false;
    rules.for_each_turn(p, [&](const auto& m) {
      legal = legal || m == wanted;
      return !legal;
    });
    ASSERT_TRUE(legal);
    p = rules.play(p, wanted);
  }
  EXPECT_TRUE(rules.outcome(p).won_by(attacker));
  ASSERT_TRUE(result.length);
  EXPECT_LE(static_cast<int>(result.line.size()), *result.length);
}

struct Tally {
  int proven = 0;
  int refuted = 0;
};

/// Asks about every `stride`th position and both attackers.
template <class KeyOf, Rules R>
Tally check_positions(const R& rules, const Exact<R, KeyOf>& exact, const ProofSettings& settings, std::size_t stride) {
  ProofSearch<R, KeyOf> search(rules, settings);
  Tally tally;
  for (std::size_t i = 0; i < exact.positions().size() && !testing::Test::HasFailure(); i += stride) {
    const auto& p = exact.positions()[i];
    for (const Player attacker : {Player::first, Player::second}) {
      SCOPED_TRACE("position " + std::to_string(i) + ", attacker " + std::to_string(static_cast<int>(attacker)));
      const auto result = search.ask(p, attacker, {.nodes = 50'000'000, .time = {}});
      const int turns = exact.turns(i, attacker);
      EXPECT_EQ(result.answer, turns < 0 ? ProofAnswer::disproven : ProofAnswer::proven);
      if (turns < 0 || result.answer != ProofAnswer::proven) {
        ++tally.refuted;
        continue;
      }
      ++tally.proven;
      if (!result.checked) continue;
      expect_good_line(rules, p, attacker, result);
      EXPECT_GE(*result.length, turns);
      for (const auto& m : result.winning) EXPECT_GE(exact.turns(rules.play(p, m), attacker), 0);
      EXPECT_EQ(result.winning.empty(), turns == 0 || rules.to_move(p) != attacker);
    }
  }
  return tally;
}

// ---- Games small enough to know everything; one shape of boards has room for all of them ----

template <class Use>
void with_abalone(const std::string& spec, const Use& use) {
  use(abalone::BitboardRules<RuntimeShape<64>>(must(abalone::read_options(spec), spec)));
}
template <class Use>
void with_fanorona(const std::string& spec, const Use& use) {
  use(fanorona::BitboardRules<RuntimeShape<64>>(must(fanorona::read_options(spec), spec)));
}

/// Asks about every `stride`th position of a game with room for all, and with very little.
template <class KeyOf, Rules R>
void check_game(const R& rules, std::size_t stride) {
  const Exact<R, KeyOf> exact(rules, rules.initial());
  for (const ProofSettings& settings : {roomy, tiny}) {
    SCOPED_TRACE("table of " + std::to_string(settings.table_bytes) + " bytes");
    const Tally tally = check_positions<KeyOf>(rules, exact, settings, denser(stride));
    EXPECT_GT(tally.refuted, 0);
  }
}
void check_abalone(const std::string& spec, std::size_t stride) {
  SCOPED_TRACE(spec);
  with_abalone(spec, [&](const auto& rules) { check_game<PlainKey>(rules, stride); });
}
void check_fanorona(const std::string& spec, std::size_t stride) {
  SCOPED_TRACE(spec);
  with_fanorona(spec, [&](const auto& rules) { check_game<KeyWithMoves>(rules, stride); });
}

TEST(ProofSearch, abalone_3x3_for_one_capture) { check_abalone("abalone:3x3,captures=1", 11); }
TEST(ProofSearch, abalone_3x3_for_two_captures) { check_abalone("abalone:3x3,captures=2", 101); }
TEST(ProofSearch, abalone_3x3_misere) {
  check_abalone("abalone:3x3,captures=1,misere", 151);
  check_abalone("abalone:3x3,captures=2,misere", 499);
}
TEST(ProofSearch, abalone_3x3_freeze) {
  check_abalone("abalone:3x3,captures=2,freeze", 41);
  check_abalone("abalone:3x3,captures=2,freeze=initiator", 41);
  check_abalone("abalone:3x3,captures=1,misere,freeze,must", 1);
}
TEST(ProofSearch, fanorona_3x3) {
  check_fanorona("fanorona:3x3,classic", 5);
  check_fanorona("fanorona:3x3,classic,limit=30", 101);
  check_fanorona("fanorona:3x3,limit=0", 41);
  check_fanorona("fanorona:3x3,limit=9", 211);
}

// docs/rules/fanorona.md 5.3
TEST(ProofSearch, fanorona_3x3_is_won_from_the_start) {
  for (const std::string spec : {"fanorona:3x3,classic", "fanorona:3x3,classic,limit=30"}) {
    with_fanorona(spec, [&]<class R>(const R& rules) {
      ProofSearch<R, KeyWithMoves> search(rules, roomy);
      const auto result = search.value(rules.initial());
      EXPECT_EQ(result.value, KnownValue::win) << spec;
      EXPECT_TRUE(result.mover.checked) << spec;
      EXPECT_GE(result.mover.length.value_or(0), 11) << spec;
      EXPECT_FALSE(result.opponent) << spec;
      expect_good_line(rules, rules.initial(), Player::first, result.mover);
    });
  }
}

// A win in 11 turns is none if 10 are allowed, and the key must say how many are left.
TEST(ProofSearch, a_limit_of_moves_makes_a_draw) {
  with_fanorona("fanorona:3x3,classic,limit=10", []<class R>(const R& rules) {
    ProofSearch<R, KeyWithMoves> search(rules, roomy);
    const auto result = search.value(rules.initial());
    EXPECT_EQ(result.value, KnownValue::draw);
    EXPECT_TRUE(result.mover.checked);
  });
  with_fanorona("fanorona:3x3,classic,limit=11", []<class R>(const R& rules) {
    ProofSearch<R, KeyWithMoves> search(rules, roomy);
    const auto result = search.value(rules.initial());
    EXPECT_EQ(result.value, KnownValue::win);
    EXPECT_EQ(result.mover.length, 11);
  });
}

// ---- Graphs with loops ----

/// A game on a graph: the two sides move a token along edges until it comes to an end. Every node belongs
/// to one side, and edges lead from one side's nodes to the other's.
class GraphGame {
 public:
  struct Position {
    std::int32_t node = 0;
    friend bool operator==(const Position&, const Position&) = default;
  };
  using Move = Position;  // where to

  struct Node {
    Player owner = Player::first;
    Verdict end = Verdict::ongoing;
    std::vector<std::int32_t> next;
  };
  explicit GraphGame(std::vector<Node> nodes) : nodes_(std::move(nodes)) {}

  [[nodiscard]] Position initial() const { return {}; }
  [[nodiscard]] Player to_move(const Position& p) const { return node(p).owner; }
  [[nodiscard]] Outcome outcome(const Position& p) const {
    return node(p).end == Verdict::ongoing ? Outcome{} : Outcome{node(p).end, EndReason::captures};
  }
  template <class Visit>
  bool for_each_turn(const Position& p, Visit&& visit) const {
    return std::all_of(node(p).next.begin(), node(p).next.end(), [&](std::int32_t to) { return visit(Move{to}); });
  }
  [[nodiscard]] std::uint64_t count_turns(const Position& p) const { return node(p).next.size(); }
  [[nodiscard]] Position play(const Position& /*p*/, const Move& m) const { return m; }
  [[nodiscard]] std::uint64_t key(const Position& p) const { return mix64(static_cast<std::uint64_t>(p.node) + 1); }
  [[nodiscard]] std::uint64_t key_from_scratch(const Position& p) const { return key(p); }
  [[nodiscard]] Position from_board(const Board& board) const {
    return {static_cast<std::int32_t>(board.cells.cols()) - 1};
  }
  [[nodiscard]] Board to_board(const Position& p) const { return {Grid<Cell>(p.node + 1, 1), to_move(p), {}}; }
  [[nodiscard]] Turn to_turn(const Position& /*p*/, const Move& m) const { return {{StepKind::to, Square{m.node, 0}}}; }
  [[nodiscard]] Move from_turn(const Position& /*p*/, const Turn& turn) const { return {turn.front().square.col}; }
  [[nodiscard]] Position transform(const Position& p, Symmetry /*symmetry*/) const { return p; }

 private:
  [[nodiscard]] const Node& node(const Position& p) const { return nodes_[static_cast<std::size_t>(p.node)]; }

  std::vector<Node> nodes_;
};
static_assert(Rules<GraphGame>);

/// Few ends and many edges, so that most of the play goes round in loops.
GraphGame random_graph(Random& random, std::size_t size) {
  std::vector<GraphGame::Node> nodes(size);
  std::array<std::vector<std::int32_t>, 2> sides;
  for (std::size_t i = 0; i < size; ++i) {
    const auto owner = i < 2 ? i : random.index(2);
    nodes[i].owner = static_cast<Player>(owner);
    sides[owner].push_back(static_cast<std::int32_t>(i));
    if (i >= 2 && random.one_in(6)) nodes[i].end = static_cast<Verdict>(1 + random.below(3));
  }
  for (GraphGame::Node& node : nodes) {
    if (node.end != Verdict::ongoing) continue;
    const auto& others = sides[static_cast<std::size_t>(other(node.owner))];
    const std::size_t edges = 1 + random.index(4);
    for (std::size_t e = 0; e < edges; ++e) node.next.push_back(others[random.index(others.size())]);
    std::sort(node.next.begin(), node.next.end());
    node.next.erase(std::unique(node.next.begin(), node.next.end()), node.next.end());
  }
  return GraphGame(std::move(nodes));
}

// A table of a single bucket forgets nearly everything, so every way to a wrong answer is tried.
TEST(ProofSearch, random_graphs_with_loops) {
  Random random(2024);
  Tally sum;
  for (int i = 0; i < 4000 && !HasFailure(); ++i) {
    SCOPED_TRACE("graph " + std::to_string(i));
    const GraphGame game = random_graph(random, 4 + random.index(i % 10 == 0 ? 60 : 20));
    const Exact<GraphGame> exact(game, game.initial());
    for (const std::size_t bytes : {std::size_t{1} << 14, std::size_t{64}}) {
      const ProofSettings settings = {.table_bytes = bytes, .check_bytes = 1 << 20};
      const Tally tally = check_positions<PlainKey>(game, exact, settings, 1);
      sum.proven += tally.proven;
      sum.refuted += tally.refuted;
    }
  }
  EXPECT_GT(sum.proven, 10'000);
  EXPECT_GT(sum.refuted, 10'000);
}

// The smallest trap. Below 2 the turn to 4 leads back to 2, so 4 looks refuted; 2 is won all the same, through
// 5. Then the defender at 1 tries 3, from where the attacker can only repeat 1 or go to 4. Who still believes
// that 4 is refuted calls 3, 1 and 0 refuted as well; but 4 leads to 2 only, and all of them are won.
TEST(ProofSearch, a_loop_does_not_hide_a_win) {
  using N = GraphGame::Node;
  const Player a = Player::first;
  const Player d = Player::second;
  const GraphGame game({N{a, Verdict::ongoing, {1}}, N{d, Verdict::ongoing, {2, 3}}, N{a, Verdict::ongoing, {4, 5}},
                        N{a, Verdict::ongoing, {1, 4}}, N{d, Verdict::ongoing, {2}}, N{d, Verdict::ongoing, {6}},
                        N{a, Verdict::first_wins, {}}});
  const Exact<GraphGame> exact(game, game.initial());
  for (const Player attacker : {a, d}) {
    for (std::size_t i = 0; i < exact.positions().size(); ++i) {
      ProofSearch<GraphGame> search(game, roomy);
      const auto result = search.ask(exact.positions()[i], attacker);
      EXPECT_EQ(result.answer, exact.turns(i, attacker) < 0 ? ProofAnswer::disproven : ProofAnswer::proven) << i;
      EXPECT_TRUE(result.checked) << i;
    }
  }
}

// ---- Promises ----

using AbaloneRules4 = abalone::BitboardRules<FixedShape<4, 4>>;

AbaloneRules4 abalone_rules4() { return AbaloneRules4(must(abalone::read_options("abalone:4x4"), "abalone:4x4")); }

TEST(ProofSearch, the_same_question_has_the_same_answer) {
  with_abalone("abalone:3x3,captures=2,misere", []<class R>(const R& rules) {
    ProofSearch<R> search(rules, tiny);
    const auto first = search.ask(rules.initial(), Player::first);
    for (int i = 0; i < 2; ++i) {
      const auto again = search.ask(rules.initial(), Player::first);
      EXPECT_EQ(again.answer, first.answer);
      EXPECT_EQ(again.nodes, first.nodes);
      EXPECT_EQ(again.checked_positions, first.checked_positions);
    }
  });
}

TEST(ProofSearch, keeps_to_its_nodes_and_says_so) {
  ProofSearch<AbaloneRules4> search(abalone_rules4(), roomy);
  for (const std::uint64_t nodes : {0U, 1U, 2U, 1000U}) {
    const auto result = search.ask(abalone_rules4().initial(), Player::first, {.nodes = nodes, .time = {}});
    EXPECT_EQ(result.answer, ProofAnswer::unknown);
    EXPECT_EQ(result.end, ProofEnd::nodes);
    EXPECT_EQ(result.nodes, nodes);
  }
  const auto value = search.value(abalone_rules4().initial(), {.nodes = 100, .time = {}});
  EXPECT_EQ(value.value, KnownValue::unknown);
  ASSERT_TRUE(value.opponent);
  EXPECT_EQ(value.opponent->nodes, 100U);
}

TEST(ProofSearch, stops_at_once) {
  ProofSearch<AbaloneRules4> search(abalone_rules4(), roomy);
  std::stop_source source;
  std::uint64_t nodes = 0;
  const auto result = search.ask(abalone_rules4().initial(), Player::second, {}, source.get_token(),
                                 [&](const ProofProgress& progress) {
                                   EXPECT_FALSE(source.stop_requested());
                                   nodes = progress.nodes;
                                   source.request_stop();
                                 });
  EXPECT_EQ(result.answer, ProofAnswer::unknown);
  EXPECT_EQ(result.end, ProofEnd::stopped);
  EXPECT_GT(nodes, 0U);
  EXPECT_LE(result.nodes, nodes + 64) << "it looks around after every 64 turns";
  const auto timed = search.ask(abalone_rules4().initial(), Player::second, {.nodes = {}, .time = Milliseconds(20)});
  EXPECT_EQ(timed.end, ProofEnd::time);
  EXPECT_GE(timed.time, Milliseconds(20));
}

TEST(ProofSearch, tells_its_progress_not_too_often) {
  ProofSearch<AbaloneRules4> search(abalone_rules4(), roomy);
  std::vector<ProofProgress> told;
  search.ask(abalone_rules4().initial(), Player::second, {.nodes = {}, .time = Milliseconds(350)}, {},
             [&](const ProofProgress& progress) { told.push_back(progress); });
  ASSERT_GE(told.size(), 1U);
  for (std::size_t i = 1; i < told.size(); ++i) {
    EXPECT_GE(told[i].time - told[i - 1].time, Milliseconds(100));
    EXPECT_GT(told[i].nodes, told[i - 1].nodes);
  }
}

// Without room for the check, a refutation that rests on loops is not given; a proof is, but not as checked.
TEST(ProofSearch, claims_no_more_than_it_has_checked) {
  with_abalone("abalone:3x3,captures=1,misere", []<class R>(const R& rules) {
    ProofSearch<R> search(rules, {.table_bytes = 1 << 20, .check_bytes = 1000});
    const auto result = search.ask(rules.initial(), Player::first);
    EXPECT_EQ(result.answer, ProofAnswer::unknown);
    EXPECT_EQ(result.end, ProofEnd::memory);
  });
  with_abalone("abalone:3x3,captures=2", []<class R>(const R& rules) {
    ProofSearch<R> search(rules, {.table_bytes = 1 << 20, .check_bytes = 1000});
    const auto result = search.ask(rules.initial(), Player::first);
    EXPECT_EQ(result.answer, ProofAnswer::proven);
    EXPECT_FALSE(result.checked);
    EXPECT_TRUE(result.length);
  });
}

/// Knows every position with a stone less than at the start.
template <class R>
struct EndingOracle {
  const Exact<R>* exact;
  int stones;
  [[nodiscard]] ProbeAnswer operator()(const typename R::Position& p, Player attacker) const {
    if (p.pieces[0].count() + p.pieces[1].count() == stones) return ProbeAnswer::unknown;
    return exact->turns(p, attacker) < 0 ? ProbeAnswer::attacker_does_not_win : ProbeAnswer::attacker_wins;
  }
};

TEST(ProofSearch, believes_its_probe) {
  with_abalone("abalone:3x3,captures=2", []<class R>(const R& rules) {
    const Exact<R> exact(rules, rules.initial());
    const EndingOracle<R> probe{&exact, 6};
    ProofSearch<R, PlainKey, EndingOracle<R>> search(rules, roomy, {}, probe);
    for (std::size_t i = 0; i < exact.positions().size(); i += 97) {
      for (const Player attacker : {Player::first, Player::second}) {
        const auto result = search.ask(exact.positions()[i], attacker);
        const bool won = exact.turns(i, attacker) >= 0;
        EXPECT_EQ(result.answer, won ? ProofAnswer::proven : ProofAnswer::disproven) << i;
        const bool over = rules.outcome(exact.positions()[i]).over();
        if (won && !over && probe(exact.positions()[i], attacker) != ProbeAnswer::unknown) {
          EXPECT_TRUE(result.ends_in_probe);
        }
      }
    }
  });
}

// ---- The table ----

TEST(ProofTable, gives_back_what_was_stored) {
  ProofTable table(1 << 20);
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t key = random.next();
    ProofEntry entry;
    entry.kind = static_cast<ProofKind>(random.below(4));
    entry.phi = 1 + static_cast<std::uint32_t>(random.below(infinite_number - 1));
    entry.delta = 1 + static_cast<std::uint32_t>(random.below(infinite_number - 1));
    entry.length = static_cast<std::uint32_t>(random.below(unknown_length + 1));
    entry.work = random.next() >> random.below(64);
    table.store(key, entry);
    const auto found = table.find(key);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, entry.kind);
    if (entry.kind == ProofKind::open) {
      EXPECT_EQ(found->phi, entry.phi);
      EXPECT_EQ(found->delta, entry.delta);
    } else {
      EXPECT_EQ(found->length, entry.length);
    }
    EXPECT_LE(found->work, entry.work);
    EXPECT_GE(found->work, entry.work / 5 * 4);
    EXPECT_FALSE(table.find(key + 1));
  }
  table.clear();
  EXPECT_EQ(table.permille(), 0);
}

TEST(ProofTable, keeps_its_size_and_what_cost_most) {
  ProofTable table(0);
  EXPECT_EQ(table.bytes(), 64U);
  EXPECT_LE(ProofTable(1000).bytes(), 1000U);
  for (std::uint64_t key = 1; key <= 3; ++key) table.store(key, {ProofKind::proven, 1, 1, 9, 1000 * key});
  for (std::uint64_t key = 10; key < 100; ++key) {
    table.store(key, {ProofKind::open, 1, 1, 0, key});
    EXPECT_TRUE(table.find(key));
  }
  for (std::uint64_t key = 1; key <= 3; ++key) EXPECT_TRUE(table.find(key));
  EXPECT_EQ(table.permille(), 1000);
}

}  // namespace
}  // namespace paika
