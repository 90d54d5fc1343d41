// The full-screen user interface without a terminal: keys go in, and the game and the view show what they did.
#include "apps/terminal/play_screen.hpp"

#include <gtest/gtest.h>
#include <set>

#include "engine/registry.hpp"

namespace paika::terminal {
namespace {

/// A game between two people, and a screen of 80x24.
class ScreenFixture {
 public:
  explicit ScreenFixture(std::string_view spec, std::string_view start = "", bool animation = false) {
    play::LivePlan plan;
    plan.game = *open_game(spec);
    plan.start = start;
    for (play::PlayerText& player : plan.players) player = *play::read_seat("human", {}, {});
    auto game = play::LiveGame::begin(std::move(plan), {});
    EXPECT_TRUE(game) << game.error().message;
    conversation_ = std::make_unique<Conversation>(std::move(*game), ConversationSetup{});
    screen_ = std::make_unique<PlayScreen>(*conversation_, false, animation, [this] { return now_; });
  }

  void press(KeyKind kind) { screen_->take({kind, {}, {}}, shown()); }
  /// Presses keys: letters, and Enter for '\n'.
  void type(std::string_view letters) {
    for (const char c : letters) {
      if (c == '\n') {
        press(KeyKind::enter);
      } else {
        screen_->take({KeyKind::character, std::string(1, c), {}}, shown());
      }
    }
  }
  /// Clicks on a square by its name.
  void click(std::string_view name) {
    const Composed now = shown();
    const auto square = game().notation().coordinates().read(name);
    for (int y = 0; y < 24; ++y) {
      for (int x = 0; x < 80; ++x) {
        if (now.picture.square_at({x - now.board_at.x, y - now.board_at.y}) == square) {
          screen_->take({KeyKind::click, {}, {x, y}}, now);
          return;
        }
      }
    }
    FAIL() << "the square is not on the screen";
  }

  /// Lets time go by, as the loop of the screen would.
  void pass(std::chrono::milliseconds time) {
    now_ += time;
    screen_->poll();
  }
  [[nodiscard]] Board board_shown() const { return screen_->view().board; }

  [[nodiscard]] Composed shown() const { return compose(screen_->view(), {80, 24}, Catalogue()); }
  [[nodiscard]] std::string text() const { return shown().canvas.text(); }
  [[nodiscard]] bool shows(std::string_view words) const { return text().find(words) != std::string::npos; }
  [[nodiscard]] const play::LiveGame& game() const { return conversation_->game(); }
  [[nodiscard]] PlayScreen& screen() { return *screen_; }
  [[nodiscard]] std::string turns() const {
    std::string out;
    for (const auto& turn : game().turns()) out += turn.text + ' ';
    return out;
  }

 private:
  play::TimePoint now_;
  std::unique_ptr<Conversation> conversation_;
  std::unique_ptr<PlayScreen> screen_;
};

TEST(PlayScreen, PlacesByCursorMouseAndTyping) {
  ScreenFixture fixture("othello");
  fixture.type("j\n");  // the cursor begins on e5
  fixture.click("f4");
  fixture.press(KeyKind::tab);
  fixture.type("e3\n");
  fixture.press(KeyKind::escape);
  fixture.type("f6\n");  // f would be a fling, where there is something to fling
  EXPECT_EQ(fixture.turns(), "e6 f4 e3 f6 ");
  EXPECT_TRUE(fixture.shows("Move 5")) << fixture.text();
}

TEST(PlayScreen, ExplainsWhatIsRefusedAndChangesNothing) {
  ScreenFixture fixture("othello");
  fixture.click("a1");
  EXPECT_EQ(fixture.turns(), "");
  EXPECT_TRUE(fixture.shows("encloses nothing")) << fixture.text();
  EXPECT_TRUE(fixture.shows("2.1"));
}

TEST(PlayScreen, AsksForApproachOrWithdrawal) {
  ScreenFixture fixture("fanorona");
  fixture.click("d3");
  EXPECT_TRUE(fixture.shows("S sacrifice")) << fixture.text();
  fixture.click("e3");
  EXPECT_TRUE(fixture.shows("A approach, W withdraw")) << fixture.text();
  EXPECT_EQ(fixture.turns(), "");
  fixture.type("w");
  EXPECT_EQ(fixture.turns(), "d3e3W ");
  ScreenFixture other("fanorona");
  other.click("d3");
  other.click("e3");
  other.click("f3");  // the stone that an approach would take
  EXPECT_EQ(other.turns(), "d3e3A ");
}

TEST(PlayScreen, WalksAChainAndStopsInIt) {
  const char* start = "....b/...../b.b../..b../w.... w 0";
  ScreenFixture fixture("fanorona:5x5", start);
  fixture.click("a1");
  fixture.click("b2");
  EXPECT_TRUE(fixture.shows(". stop here")) << fixture.text();
  EXPECT_TRUE(fixture.shows(": 3, lost: 1")) << "the board shows how far the chain has come\n" << fixture.text();
  fixture.click("b2");
  EXPECT_EQ(fixture.turns(), "a1b2A ");
  ScreenFixture longer("fanorona:5x5", start);
  longer.click("a1");
  longer.click("b2");
  longer.press(KeyKind::backspace);
  longer.click("b2");
  longer.click("c1");
  EXPECT_EQ(longer.turns(), "a1b2A,c1W ");
}

TEST(PlayScreen, SacrificesOnlyWhenTold) {
  ScreenFixture fixture("fanorona:5x5");
  fixture.click("a1");
  EXPECT_EQ(fixture.turns(), "");
  fixture.click("b1");  // another piece instead
  EXPECT_EQ(fixture.turns(), "");
  fixture.type("s");
  EXPECT_EQ(fixture.turns(), "Sb1 ");
}

TEST(PlayScreen, FlingsAndPushes) {
  ScreenFixture fling(
      "wildebeest",
      "W ....K....../.........../.........../.*.......*./..NCp.G...r/.....#...../.........../.*.......*./"
      ".........../.........../.....k..... 0 60000 0");
  fling.click("c4");
  fling.type("f");
  fling.click("k4");
  EXPECT_EQ(fling.turns(), "Fc4k4 ");
  EXPECT_TRUE(fling.shows("flung: N c4-k4")) << fling.text();
  ScreenFixture push("abalone");
  push.click("a1");
  push.click("b2");
  EXPECT_EQ(push.turns(), "a1b2 ");
}

TEST(PlayScreen, PassesByEnter) {
  ScreenFixture fixture("othello:6x6");
  fixture.press(KeyKind::tab);
  for (const char* turn : {"c2", "b2", "a2", "a1", "d5", "c5", "c6", "a3"}) fixture.type(std::string(turn) + "\n");
  fixture.press(KeyKind::escape);
  EXPECT_TRUE(fixture.shows("must pass: press Enter")) << fixture.text();
  fixture.press(KeyKind::enter);
  EXPECT_EQ(fixture.game().turns().back().text, "pass");
}

TEST(PlayScreen, ShowsATurnInStagesForAShortTime) {
  ScreenFixture fixture("wildebeest", "", true);
  const Board before = fixture.game().board();
  fixture.press(KeyKind::tab);
  fixture.type("b1b3\n");  // moves, is carried by a pad, and Joey explodes: several stages
  const Board after = fixture.game().board();
  ASSERT_NE(before.cells, after.cells);
  EXPECT_EQ(fixture.board_shown().cells, before.cells);
  std::set<std::string> seen;
  for (int i = 0; i < 60; ++i) {
    seen.insert(fixture.game().notation().position_text(fixture.board_shown()));
    ASSERT_TRUE(fixture.board_shown().cells == after.cells || fixture.screen().deadline())
        << "nobody would wake the screen";
    fixture.pass(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(fixture.board_shown().cells, after.cells) << "0.6 seconds at the most";
  EXPECT_GE(seen.size(), 3U);
}

TEST(PlayScreen, SkipsAnAnimationByAnyKey) {
  ScreenFixture fixture("othello", "", true);
  fixture.click("e6");
  EXPECT_NE(fixture.board_shown().cells, fixture.game().board().cells);
  fixture.type("v");
  EXPECT_EQ(fixture.board_shown().cells, fixture.game().board().cells);
}

TEST(PlayScreen, UndoesFlipsAndHelps) {
  ScreenFixture fixture("othello");
  fixture.click("e6");
  fixture.type("u");
  EXPECT_EQ(fixture.turns(), "");
  fixture.type("r");
  EXPECT_EQ(fixture.turns(), "e6 ");
  fixture.type("x");
  EXPECT_TRUE(fixture.shows("h   g   f   e")) << fixture.text();
  fixture.type("x");
  fixture.type("?");
  EXPECT_TRUE(fixture.shows("move the cursor"));
  fixture.type(" ");
  EXPECT_FALSE(fixture.shows("move the cursor"));
  fixture.press(KeyKind::escape);
  EXPECT_TRUE(fixture.shows("Move 2"));
}

TEST(PlayScreen, MovesTheCursorAsItIsSeen) {
  ScreenFixture fixture("abalone");
  fixture.type("hhhhkkkk");
  EXPECT_TRUE(fixture.shows("4 |[.]| w |")) << fixture.text();
  fixture.type("x");
  fixture.type("hhhhkkkk");
  EXPECT_TRUE(fixture.shows("1 |[.]| b |")) << fixture.text();
}

TEST(PlayScreen, LeavesWhenAskedTwice) {
  ScreenFixture fixture("othello");
  fixture.type("q");
  EXPECT_FALSE(fixture.screen().done());
  EXPECT_TRUE(fixture.shows("Press q again"));
  fixture.type("v");
  fixture.type("q");
  EXPECT_FALSE(fixture.screen().done());
  fixture.type("q");
  EXPECT_TRUE(fixture.screen().done());
  ScreenFixture other("othello");
  other.press(KeyKind::leave);
  EXPECT_TRUE(other.screen().done());
  EXPECT_TRUE(other.screen().last_words().empty()) << "nobody is greeted when he leaves";
}

TEST(PlayScreen, SurvivesRubbish) {
  ScreenFixture fixture("fanorona:5x5");
  std::uint64_t state = 88172645463325252ULL;
  const auto next = [&] {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    return state;
  };
  for (int i = 0; i < 3000 && !fixture.screen().done(); ++i) {
    const Composed shown = fixture.shown();
    Key key;
    key.kind = static_cast<KeyKind>(next() % (static_cast<unsigned>(KeyKind::unknown) + 1));
    if (key.kind == KeyKind::leave) continue;
    if (key.kind == KeyKind::character) {
      key.text = next() % 8 == 0 ? "é" : std::string(1, static_cast<char>(' ' + next() % 95));
      if (key.text == "q" || key.text == "t") continue;  // to leave, and to think, are no rubbish
    }
    key.place = {static_cast<int>(next() % 90) - 5, static_cast<int>(next() % 30) - 3};
    fixture.screen().take(key, shown);
  }
  EXPECT_FALSE(fixture.text().empty());
}

}  // namespace
}  // namespace paika::terminal
