// The NBoard protocol and GGF: sample conversations and what is wrong with bad ones.
#include "play/nboard.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "tests/play/conversation.hpp"
#include "tests/play/puppets.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::first_turn_engine;
using paika_tests::Listener;
using paika_tests::must;
using paika_tests::must_open;
using Lines = std::vector<std::string>;

constexpr std::string_view board8 = "8 ---------------------------O*------*O--------------------------- *";

std::string ggf(std::string_view moves, std::string_view board = board8) {
  return fmt::format("(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[x]PW[y\\]]RE[?]TI[15:00]TY[8]BO[{}]{};)",
                     board, moves);
}

TEST(Ggf, a_game_is_read) {
  const GgfGame game = must(read_ggf(ggf("B[F5//1.5]W[f6/2.10/0.25]B[PA]")), "ggf");
  EXPECT_EQ(game.size, 8);
  EXPECT_EQ(game.position, "---------------------------O*------*O--------------------------- *");
  EXPECT_EQ(game.time->count(), 900'000);
  ASSERT_EQ(game.moves.size(), 3U);
  EXPECT_EQ(game.moves[0].text, "f5");
  EXPECT_EQ(game.moves[0].time.count(), 1500);
  EXPECT_EQ(game.moves[1].text, "f6");
  EXPECT_EQ(game.moves[1].time.count(), 250);
  EXPECT_EQ(game.moves[2].text, "pass");
}

TEST(Ggf, bad_games_are_explained) {
  for (const std::string bad : {"", "hello", "(;", "(;GM[Othello];)", "(;GM[Chess];)", "(;GM[Othello", "(;GM Othello;)",
                                "(;BO[8 ---];)", "(;BO[99 -];)", "(;BO[x];)"}) {
    const auto game = read_ggf(bad);
    ASSERT_FALSE(game) << bad;
    EXPECT_FALSE(game.error().message.empty());
  }
  EXPECT_FALSE(read_ggf(ggf("B[]")));
  EXPECT_FALSE(read_ggf(ggf("B[abcdefgh]")));
}

class NBoardTest : public testing::Test {
 protected:
  void tell(const std::string& line) { EXPECT_TRUE(nboard_.handle(line)) << line; }
  Lines ask(const std::string& line) {
    (void)listener_.heard();
    tell(line);
    return listener_.heard();
  }

  Listener listener_;
  NBoard nboard_{must_open("othello"), {}, listener_.writer(), first_turn_engine()};
};

TEST_F(NBoardTest, the_sample_conversation) {
  EXPECT_EQ(ask("nboard 2"), Lines{"set myname Paika"});
  EXPECT_EQ(ask("set depth 6"), Lines{"set myname Paika6"});
  EXPECT_EQ(ask("set game " + ggf("B[F5]W[F6]B[D3]W[C5]")), Lines{});
  EXPECT_EQ(ask("ping 17"), Lines{"pong 17"});
  tell("go");
  EXPECT_EQ(listener_.wait_for("status"), "status Paika is thinking");
  EXPECT_EQ(listener_.wait_for("search"), "search B5 0.07 0 1");
  EXPECT_EQ(listener_.wait_for("nodestats"), "nodestats 1 0.00");
  EXPECT_EQ(listener_.wait_for("==="), "=== B5/0.07/0.00");
  EXPECT_EQ(listener_.wait_for("status"), "status Paika is waiting");
  EXPECT_EQ(ask("learn"), Lines{"learned"});
  EXPECT_EQ(ask("set contempt 3"), Lines{});
  EXPECT_EQ(ask("something new"), Lines{}) << "what is unknown is to be ignored";
  EXPECT_FALSE(nboard_.handle("quit"));
}

TEST_F(NBoardTest, moves_change_the_board) {
  tell("set game " + ggf(""));
  EXPECT_EQ(ask("move F5/1.2/0.3"), Lines{});
  EXPECT_EQ(ask("D6"), Lines{}) << "version 1 sends moves alone";
  EXPECT_EQ(ask("move A1").at(0).substr(0, 12), "status \"a1\":");
  tell("hint 2");
  EXPECT_EQ(listener_.wait_for("search").substr(0, 9), "search C3");
}

/// A game by chance that has come to a forced pass, with the turn after the pass.
struct PassPosition {
  std::string board;  // as GGF has it
  std::string next;   // a placing for the other side
};

PassPosition find_pass() {
  const GamePtr game = must_open("othello");
  for (std::uint64_t seed = 0;; ++seed) {
    Random random(seed);
    const auto session = game->start();
    for (;;) {
      std::vector<ListedTurn> turns;
      session->for_each_turn([&](const ListedTurn& turn) {
        turns.push_back(turn);
        return true;
      });
      if (turns.empty()) break;
      if (turns[0].text == "pass") {
        PassPosition found{"8 " + session->position_text(), ""};
        session->play(turns[0].steps);
        session->for_each_turn([&](const ListedTurn& turn) {
          found.next = turn.text;
          return false;
        });
        return found;
      }
      session->play(turns[random.index(turns.size())].steps);
    }
  }
}

TEST_F(NBoardTest, a_forced_pass_is_played_and_may_be_left_out) {
  const PassPosition at = find_pass();
  EXPECT_EQ(ask("set game " + ggf("", at.board)), Lines{});
  EXPECT_EQ(ask("go"), Lines{"=== PA"});
  EXPECT_EQ(ask("move " + at.next), Lines{}) << "the pass was left out";
  EXPECT_EQ(ask("set game " + ggf("", at.board)), Lines{});
  EXPECT_EQ(ask("move PA"), Lines{});
  EXPECT_EQ(ask("move " + at.next), Lines{});
  EXPECT_EQ(ask("set game " + ggf("", at.board)), Lines{});
  EXPECT_EQ(ask("move A9").size(), 1U) << "nor is a pass played for a bad move";
  EXPECT_EQ(ask("go"), Lines{"=== PA"});
}

TEST_F(NBoardTest, bad_games_are_told_and_change_nothing) {
  tell("set game " + ggf("B[F5]"));
  EXPECT_EQ(ask("set game nonsense").at(0).substr(0, 7), "status ");
  EXPECT_EQ(ask("set game " + ggf("", "8 -------------------------------------------------------------OX* *")).size(),
            1U);
  EXPECT_EQ(ask("set depth none").at(0), "status \"none\" is not a depth");
  tell("go");
  EXPECT_EQ(listener_.wait_for("==="), "=== F4/0.07/0.00");
}

TEST_F(NBoardTest, other_sizes_follow_the_game) {
  EXPECT_EQ(ask("set game " + ggf("B[C2]", "6 --------------O*----*O-------------- *")), Lines{});
  tell("go");
  EXPECT_EQ(listener_.wait_for("===").substr(0, 5), "=== B");
}

TEST_F(NBoardTest, analysis_goes_from_the_end_to_the_start) {
  tell("set depth 3");
  tell("set game " + ggf("B[F5]W[F6]"));
  tell("analyze");
  EXPECT_EQ(listener_.wait_for("analysis"), "analysis 2 0.07");
  EXPECT_EQ(listener_.wait_for("analysis"), "analysis 1 0.07");
  EXPECT_EQ(listener_.wait_for("analysis"), "analysis 0 0.07");
  EXPECT_EQ(listener_.wait_for("status"), "status Paika is waiting");
  tell("go");
  EXPECT_NE(listener_.wait_for("==="), "") << "the game is still where it was";
}

TEST(NBoardWithTheEngine, a_stopped_search_gives_no_move) {
  Listener listener;
  EngineSettings settings;
  settings.search.hash_mb = 4;
  settings.limits.depth = 60;
  NBoard nboard(must_open("othello"), settings, listener.writer());
  ASSERT_TRUE(nboard.handle("set game " + ggf("B[F5]")));
  ASSERT_TRUE(nboard.handle("go"));
  ASSERT_TRUE(nboard.handle("ping 5"));
  const Lines lines = listener.heard();
  EXPECT_EQ(lines.back(), "pong 5");
  EXPECT_TRUE(std::none_of(lines.begin(), lines.end(), [](const auto& line) { return line.starts_with("==="); }));
}

}  // namespace
}  // namespace paika::play
