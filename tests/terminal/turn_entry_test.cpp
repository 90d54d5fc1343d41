// Entering turns step by step: the steps lead to the legal turns and to nothing else.
#include "apps/terminal/turn_entry.hpp"

#include <gtest/gtest.h>
#include <set>

#include "base/random.hpp"
#include "engine/registry.hpp"
#include "tests/support/cpu_time.hpp"
#include "tests/support/play_on.hpp"

namespace paika::terminal {
namespace {

using paika_tests::play_on;

std::unique_ptr<Session> open(std::string_view spec, std::string_view position = "") {
  const auto game = open_game(spec);
  EXPECT_TRUE(game) << spec;
  if (position.empty()) return (*game)->start();
  auto session = (*game)->start_from_text(position);
  EXPECT_TRUE(session) << session.error().message;
  return std::move(*session);
}

std::string text_of(const Session& session, const Turn& turn) {
  return session.notation().turn_text(session.board(), turn);
}

std::set<std::string> legal_turns(const Session& session) {
  std::set<std::string> turns;
  session.for_each_turn([&](const ListedTurn& turn) { return turns.insert(turn.text).second; });
  return turns;
}

/// All turns that an entry can be led to.
void collect(const Session& session, const TurnEntry& entry, std::set<std::string>& turns) {
  if (entry.complete()) turns.insert(text_of(session, entry.prefix()));
  for (const Step& step : entry.choices()) {
    TurnEntry next = entry;
    ASSERT_TRUE(next.choose(step));
    ASSERT_TRUE(next.complete() || !next.choices().empty()) << "a step that leads nowhere";
    collect(session, next, turns);
    ASSERT_TRUE(next.back());
    ASSERT_EQ(next.prefix(), entry.prefix());
    ASSERT_EQ(next.choices(), entry.choices());
  }
}

std::set<std::string> entered_turns(const Session& session, std::size_t bound) {
  std::set<std::string> turns;
  collect(session, TurnEntry(session, bound), turns);
  return turns;
}

TEST(TurnEntry, LeadsToExactlyTheLegalTurns) {
  Random random(7);
  for (const char* spec :
       {"fanorona:5x5", "fanorona", "fanorona:5x5,sacrifice=off", "abalone", "othello:6x6", "wildebeest"}) {
    auto session = open(spec);
    for (int i = 0; i < 6; ++i) {
      if (session->outcome().over()) break;
      EXPECT_EQ(entered_turns(*session, TurnEntry::standard_bound), legal_turns(*session)) << session->position_text();
      play_on(*session, 3, random);
    }
  }
}

TEST(TurnEntry, FindsByTheRulesWhatTheListLeavesOut) {
  Random random(3);
  for (const char* spec : {"fanorona:5x5", "fanorona:7x5,sacrifice=off"}) {
    auto session = open(spec);
    for (int i = 0; i < 8 && !session->outcome().over(); ++i) {
      for (const std::size_t bound : {std::size_t{0}, std::size_t{2}}) {
        EXPECT_EQ(entered_turns(*session, bound), legal_turns(*session)) << session->position_text();
        EXPECT_FALSE(TurnEntry(*session, bound).cut());
      }
      play_on(*session, 2, random);
    }
  }
}

TEST(TurnEntry, SaysWhereTurnsMayBeMissing) {
  const auto session = open("othello");
  EXPECT_FALSE(TurnEntry(*session).cut());
  const TurnEntry entry(*session, 2);
  EXPECT_TRUE(entry.cut());
  EXPECT_EQ(entry.choices().size(), 2U);
}

TEST(TurnEntry, IsQuickWhereTurnsAreMany) {
  // One white stone among stripes of black ones has hundreds of thousands of chains.
  const auto session = open("fanorona:13x13,limit=0,sacrifice=off",
                            "bb..bb..bb..b/.bb..bb..bb../..bb..bb..bb./b..bb..bb..bb/bb..bb..bb..b/.bb..bb..bb../"
                            "..bb..wb..bb./b..bb..bb..bb/bb..bb..bb..b/.bb..bb..bb../..bb..bb..bb./b..bb..bb..bb/"
                            "bb..bb..bb..b w 0");
  ASSERT_GT(session->count_turns_up_to(100'000), 50'000U) << "the position is not what this test is about";
  const auto took = paika_tests::cpu_time([&] {
    TurnEntry entry(*session);
    for (int i = 0; i < 8 && !entry.choices().empty(); ++i) ASSERT_TRUE(entry.choose(entry.choices().front()));
    EXPECT_FALSE(session->refuse(entry.prefix()));
    EXPECT_FALSE(entry.cut());
  });
  EXPECT_LT(took, std::chrono::seconds(3));
}

TEST(TurnEntry, AsksForApproachOrWithdrawal) {
  const auto session = open("fanorona");
  TurnEntry entry(*session);
  EXPECT_TRUE(entry.choose(*entry.choice_at({3, 2})));  // d3
  EXPECT_TRUE(entry.choice_of(StepKind::sacrifice));
  EXPECT_TRUE(entry.choose(*entry.choice_at({4, 2})));  // e3
  EXPECT_TRUE(entry.targets().empty());
  EXPECT_FALSE(entry.complete());
  ASSERT_TRUE(entry.choice_of(StepKind::approach));
  ASSERT_TRUE(entry.choice_of(StepKind::withdraw));
  TurnEntry other = entry;
  EXPECT_TRUE(entry.choose({StepKind::approach, {}}));
  EXPECT_EQ(text_of(*session, entry.prefix()), "d3e3A");
  EXPECT_TRUE(other.choose({StepKind::withdraw, {}}));
  EXPECT_EQ(text_of(*session, other.prefix()), "d3e3W");
  EXPECT_EQ(entry.chosen_squares(), (std::vector<Square>{{3, 2}, {4, 2}}));
}

TEST(TurnEntry, NeverSacrificesByItself) {
  // a1 cannot move at the start; to choose it must not give it up.
  const auto session = open("fanorona:5x5");
  TurnEntry entry(*session);
  ASSERT_TRUE(entry.choose(*entry.choice_at({0, 4})));  // a1
  EXPECT_FALSE(entry.complete());
  EXPECT_EQ(entry.choices(), (Turn{{StepKind::sacrifice, {}}}));
}

TEST(TurnEntry, MayStopInAChainOrGoOn) {
  const auto session = open("fanorona:5x5,sacrifice=off", "....b/...../b.b../..b../w.... w 0");
  TurnEntry entry(*session);
  entry.choose({StepKind::from, {0, 4}});
  ASSERT_TRUE(entry.choose({StepKind::to, {1, 3}}));
  EXPECT_TRUE(entry.complete());
  EXPECT_FALSE(entry.finished());
  EXPECT_EQ(entry.targets().size(), 2U);
  ASSERT_TRUE(entry.choose({StepKind::to, {0, 3}}));
  EXPECT_TRUE(entry.finished());
  EXPECT_EQ(text_of(*session, entry.prefix()), "a1b2A,a2W");
  EXPECT_TRUE(entry.back());
  EXPECT_EQ(text_of(*session, entry.prefix()), "a1b2A");
  entry.clear();
  EXPECT_TRUE(entry.prefix().empty());
  EXPECT_FALSE(entry.back());
}

TEST(TurnEntry, RefusesWhatIsNoChoice) {
  const auto session = open("othello");
  TurnEntry entry(*session);
  EXPECT_FALSE(entry.choose({StepKind::place, {0, 0}}));
  EXPECT_TRUE(entry.prefix().empty());
  EXPECT_FALSE(entry.choice_at({0, 0}));
  EXPECT_FALSE(entry.choice_of(StepKind::place)) << "there are several";
  EXPECT_TRUE(entry.choose({StepKind::place, {3, 2}}));
  EXPECT_TRUE(entry.finished());
  EXPECT_TRUE(TurnEntry().empty());
  EXPECT_FALSE(TurnEntry().choose({StepKind::pass, {}}));
}

TEST(TurnEntry, OffersAPassAndAFling) {
  auto pass = open("othello:6x6");
  for (const char* turn : {"c2", "b2", "a2", "a1", "d5", "c5", "c6", "a3"}) ASSERT_TRUE(pass->try_play(turn));
  TurnEntry passing(*pass);
  EXPECT_EQ(passing.choices(), (Turn{{StepKind::pass, {}}}));
  EXPECT_TRUE(passing.choose(*passing.choice_of(StepKind::pass)));
  EXPECT_TRUE(passing.finished());
  const auto fling = open("wildebeest",
                          "W ....K....../.........../.........../.*.......*./..NCp.G...r/.....#...../.........../"
                          ".*.......*./.........../.........../.....k..... 0 60000 0");
  TurnEntry entry(*fling);
  ASSERT_TRUE(entry.choose({StepKind::from, {2, 4}}));
  ASSERT_TRUE(entry.choice_of(StepKind::fling));
  ASSERT_TRUE(entry.choose({StepKind::fling, {}}));
  ASSERT_TRUE(entry.choose({StepKind::to, {10, 4}}));
  EXPECT_EQ(text_of(*fling, entry.prefix()), "Fc4k4");
}

}  // namespace
}  // namespace paika::terminal
