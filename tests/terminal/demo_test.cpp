// Demonstrations: every one that is built in holds what it expects, in every language; bad files are refused.
#include "play/demo.hpp"

#include <gtest/gtest.h>
#include <set>

#include "apps/terminal/walk.hpp"
#include "apps/terminal/walk_screen.hpp"
#include "rules/spec.hpp"

namespace paika::terminal {
namespace {

using play::Demo;

Demo demo_of(const std::string& name) {
  auto demo = play::find_demo(name);
  EXPECT_TRUE(demo) << demo.error().message;
  return std::move(*demo);
}

TEST(Demos, AllHoldWhatTheyExpect) {
  ASSERT_FALSE(play::demo_names().empty());
  for (const std::string& name : play::demo_names()) {
    const auto demo = play::find_demo(name);
    EXPECT_TRUE(demo) << demo.error().message;
    if (!demo) continue;
    EXPECT_TRUE(name.starts_with(std::string(spec_name(demo->game->notation().spec())) + "-")) << name;
  }
}

TEST(Demos, SpeakEveryLanguage) {
  for (const std::string& name : play::demo_names()) {
    const Demo demo = demo_of(name);
    for (const std::string& language : languages()) {
      EXPECT_TRUE(demo.title.has(language)) << name << " " << language;
      for (const play::DemoStep& step : demo.steps) {
        EXPECT_TRUE(step.caption.empty() || step.caption.has(language)) << name << " " << step.text << " " << language;
      }
    }
  }
}

TEST(Demos, ShowWhatIsSpecialInEachGame) {
  std::map<std::string, std::set<EffectKind>> shown;
  std::map<std::string, std::set<EndReason>> ends;
  int refusals = 0;
  for (const std::string& name : play::demo_names()) {
    const Demo demo = demo_of(name);
    const std::string game(spec_name(demo.game->notation().spec()));
    const auto session = demo.game->start_from(demo.start);
    for (const play::DemoStep& step : demo.steps) {
      refusals += step.refused ? 1 : 0;
      if (!step.turn) continue;
      for (const Effect& e : demo.game->notation().effects(session->board(), *step.turn)) shown[game].insert(e.kind);
      session->play(*step.turn);
      ends[game].insert(session->outcome().reason);
    }
  }
  for (const EffectKind kind : {EffectKind::placed, EffectKind::flipped, EffectKind::passed}) {
    EXPECT_TRUE(shown["othello"].contains(kind)) << name(kind);
  }
  for (const EndReason reason : {EndReason::eliminated, EndReason::blocked, EndReason::board_full}) {
    EXPECT_TRUE(ends["othello"].contains(reason)) << name(reason);
  }
  for (const EffectKind kind : {EffectKind::captured, EffectKind::sacrificed, EffectKind::removed}) {
    EXPECT_TRUE(shown["fanorona"].contains(kind)) << name(kind);
  }
  for (const EffectKind kind : {EffectKind::pushed, EffectKind::captured}) {
    EXPECT_TRUE(shown["abalone"].contains(kind)) << name(kind);
  }
  EXPECT_TRUE(ends["abalone"].contains(EndReason::trapped));
  for (const EffectKind kind : {EffectKind::poisoned, EffectKind::transformed, EffectKind::flung, EffectKind::pushed,
                                EffectKind::swept, EffectKind::teleported, EffectKind::exploded}) {
    EXPECT_TRUE(shown["wildebeest"].contains(kind)) << name(kind);
  }
  EXPECT_GE(refusals, 4);
}

TEST(Demos, RefuseWhatDoesNotHold) {
  const std::string head = "title t\nspec othello:6x6\n";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "no English title"},
      {"title t\n", "spec is missing"},
      {"title t\ntitle u\n", "line 2: the title is given twice"},
      {head, "neither a move nor a caption"},
      {head + "move a1\n", "line 3: \"a1\": a1 encloses nothing"},
      {head + "move c2\nexpect flipped c4\n", "line 4: expected \"flipped c4\""},
      {head + "move c2\nexpect exploded\n", "did not do that"},
      {head + "move c2\nexpect result draw blocked\n", "it is \"ongoing none\""},
      {head + "move c2\nexpect pieces 4 2\n", "than 4 and 1"},
      {head + "move c2\nexpect moves pass\n", "expected other moves"},
      {head + "refused c2 2.1\n", "is legal"},
      {head + "refused a1 9.9\n", "forbidden by clause 2.1"},
      {head + "refused a1\n", "the clause"},
      {head + "mvoe c2\n", "did you mean move?"},
      {head + "move\n", "needs something"},
      {head + "caption.fr oui\n", "the English caption comes first"},
      {head + "move.fr c2\n", "is not a keyword"},
      {head + "caption.FRANCE x\n", "is not a keyword"},
      {"title t\nstart x\n", "spec comes before"},
      {head + "start rubbish\n", "line 3"},
      {head + "move c2\nstart --------------OX----XO-------------- X\n", "before the moves"},
      {"title t\nspec chess\n", "there is no game"},
      {head + std::string(2'000'000, 'x'), "longer than"},
      {head + std::string("move \0\xff\x1b[0m\n", 12), "line 3"},
      {head + "caption \x1b[31mred\n", "line 3: there is a control character"},
  };
  for (const auto& [text, expected] : bad) {
    const auto demo = play::read_demo("bad", text);
    ASSERT_FALSE(demo) << text.substr(0, 100);
    EXPECT_NE(demo.error().message.find(expected), std::string::npos) << demo.error().message << "\n  for " << expected;
  }
}

TEST(Demos, AreFoundByName) {
  const auto demo = play::find_demo("othello-pas");
  ASSERT_FALSE(demo);
  EXPECT_NE(demo.error().message.find("did you mean othello-pass?"), std::string::npos) << demo.error().message;
}

TEST(Walks, StopAtEveryCaptionAndTurn) {
  const auto demo = play::read_demo("d",
                                    "title t\nspec othello:6x6\ncaption one\ncaption more\nmove c2\nrefused a1 2.1\n"
                                    "caption last\ncaption.fr fin\n");
  ASSERT_TRUE(demo) << demo.error().message;
  const Walk walk = walk_of(*demo, Catalogue(), "fr");
  ASSERT_EQ(walk.stops.size(), 4U);
  EXPECT_EQ(walk.stops[0].words.front().text, "one more");
  EXPECT_EQ(walk.stops[1].words.front().text, "Move 1, Black: c2");
  EXPECT_FALSE(walk.stops[1].effects.empty());
  EXPECT_FALSE(walk.stops[2].refused.empty());
  EXPECT_EQ(walk.stops[3].words.front().text, "fin");
  EXPECT_EQ(walk.turns, std::vector<std::string>{"c2"});
}

TEST(Walks, ShowRecordsWithTheirClocks) {
  const auto records = play::parse_records(
      "paika-record 1\nspec othello:6x6\nfirst engine\nsecond human\nfirst-limits clock=90s\nmove c2 time=2000000us "
      "score=30 depth=3\nmove b2\nresult second_wins time\nremark too slow\nend\n");
  ASSERT_TRUE(records) << records.error().message;
  const auto walk = walk_of(records->front(), Catalogue());
  ASSERT_TRUE(walk) << walk.error().message;
  ASSERT_EQ(walk->stops.size(), 3U);
  EXPECT_EQ(walk->stops[0].clocks[0], "1:30");
  EXPECT_EQ(walk->stops[2].clocks[0], "1:28");
  EXPECT_EQ(walk->stops[1].score, 30);
  EXPECT_EQ(walk->players[0], "Black: engine");
  EXPECT_EQ(walk->stops[2].words.back().text, "too slow");
}

}  // namespace
}  // namespace paika::terminal
