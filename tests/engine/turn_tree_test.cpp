// The tree of steps has exactly the legal turns, whether they were listed or the rules are asked.
#include "engine/turn_tree.hpp"

#include <gtest/gtest.h>
#include <set>

#include "tests/support/cpu_time.hpp"
#include "tests/support/play_on.hpp"
#include "tests/support/session.hpp"

namespace paika {
namespace {

using paika_tests::play_on;
using paika_tests::session_at;

using Texts = std::multiset<std::string>;

Texts legal_turns(const Session& session, const std::function<bool(const Turn&)>& wanted = {}) {
  Texts turns;
  session.for_each_turn([&](const ListedTurn& turn) {
    if (!wanted || wanted(turn.steps)) turns.insert(turn.text);
    return true;
  });
  return turns;
}

Texts tree_turns(const Session& session, const TurnTree& tree, const Turn& prefix) {
  Texts turns;
  EXPECT_TRUE(tree.for_each_turn(prefix, [&](const Turn& turn) {
    turns.insert(session.notation().turn_text(session.board(), turn));
    return true;
  }));
  return turns;
}

void collect(const Session& session, const TurnTree& tree, Turn& prefix, Texts& turns) {
  const Following next = tree.following(prefix);
  EXPECT_FALSE(next.cut);
  if (next.complete) turns.insert(session.notation().turn_text(session.board(), prefix));
  EXPECT_TRUE(next.complete || !next.steps.empty()) << "a step that leads nowhere";
  for (const Step& step : next.steps) {
    prefix.push_back(step);
    collect(session, tree, prefix, turns);
    prefix.pop_back();
  }
}

/// Bound 1 makes a tree that must ask the rules, where the board has lines.
void expect_same_turns(const Session& session, std::size_t bound) {
  const TurnTree tree(session, bound);
  const Texts legal = legal_turns(session);
  Turn prefix;
  Texts walked;
  if (!legal.empty()) collect(session, tree, prefix, walked);
  EXPECT_EQ(walked, legal) << session.position_text();
  EXPECT_EQ(tree_turns(session, tree, {}), legal) << session.position_text();
  for (const Step& first : tree.following({}).steps) {
    EXPECT_EQ(tree_turns(session, tree, {first}),
              legal_turns(session, [&](const Turn& turn) { return turn.front() == first; }));
  }
}

TEST(TurnTree, has_exactly_the_legal_turns) {
  Random random(7);
  for (const char* spec : {"fanorona:5x5", "fanorona:5x5,sacrifice=off", "abalone", "othello:6x6", "wildebeest"}) {
    const auto session = session_at(spec);
    for (int i = 0; i < 6; ++i) {
      expect_same_turns(*session, TurnTree::standard_bound);
      play_on(*session, 3, random);
    }
  }
}

TEST(TurnTree, finds_by_the_rules_what_the_list_leaves_out) {
  Random random(9);
  for (const char* spec : {"fanorona:5x5", "fanorona:7x5,sacrifice=off", "fanorona:1x5", "fanorona:9x1"}) {
    const auto session = session_at(spec);
    for (int i = 0; i < 6 && !session->outcome().over(); ++i) {
      expect_same_turns(*session, 1);
      play_on(*session, 3, random);
    }
  }
}

TEST(TurnTree, says_when_something_may_be_missing) {
  const auto session = session_at("othello");
  const TurnTree tree(*session, 2);
  EXPECT_TRUE(tree.cut());
  EXPECT_FALSE(tree.whole());
  EXPECT_TRUE(tree.following({}).cut);
  EXPECT_EQ(tree.following({}).steps.size(), 2U);
}

TEST(TurnTree, has_nothing_after_rubbish_and_when_the_game_is_over) {
  const auto session = session_at("fanorona:5x5");
  for (const std::size_t bound : {std::size_t{1}, TurnTree::standard_bound}) {
    const TurnTree tree(*session, bound);
    for (const Turn& rubbish : {Turn{{StepKind::pass, {}}}, Turn{{StepKind::from, {0, 0}}, {StepKind::from, {0, 0}}},
                                Turn{{StepKind::to, {1, 1}}}, Turn(300, Step{StepKind::to, {2, 2}})}) {
      EXPECT_FALSE(tree.following(rubbish).complete);
      EXPECT_TRUE(tree.following(rubbish).steps.empty());
      EXPECT_TRUE(tree_turns(*session, tree, rubbish).empty());
    }
  }
  const auto over = session_at("fanorona:3x3,limit=10", "w../.../..b w 10");
  ASSERT_TRUE(over->outcome().over());
  EXPECT_TRUE(TurnTree(*over).following({}).steps.empty());
  EXPECT_TRUE(TurnTree().following({}).steps.empty());
}

/// One white stone among stripes of black ones has hundreds of thousands of chains.
constexpr const char* many_chains =
    "bb..bb..bb..b/.bb..bb..bb../..bb..bb..bb./b..bb..bb..bb/bb..bb..bb..b/.bb..bb..bb../..bb..wb..bb./"
    "b..bb..bb..bb/bb..bb..bb..b/.bb..bb..bb../..bb..bb..bb./b..bb..bb..bb/bb..bb..bb..b w 0";

TEST(TurnTree, stays_quick_where_there_are_too_many_turns) {
  const auto session = session_at("fanorona:13x13", many_chains);
  const auto took = paika_tests::cpu_time([&] {
    const TurnTree tree(*session);
    EXPECT_TRUE(tree.whole());
    Turn prefix;
    for (Following next = tree.following(prefix); !next.steps.empty(); next = tree.following(prefix)) {
      EXPECT_FALSE(next.cut);
      prefix.push_back(next.steps.back());
      ASSERT_LT(prefix.size(), 400U);
    }
    EXPECT_FALSE(session->refuse(prefix)) << "the tree leads to turns";
    int listed = 0;
    const bool all = tree.for_each_turn({prefix[0], prefix[1]}, [&](const Turn&) { return ++listed < 200; });
    EXPECT_TRUE(!all || listed < 200);
  });
  EXPECT_LT(took, std::chrono::seconds(20));
}

}  // namespace
}  // namespace paika
