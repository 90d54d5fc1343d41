// The Go Text Protocol: sample conversations, what is wrong with bad ones, and its clock.
#include "play/gtp.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "base/text.hpp"
#include "play/pass.hpp"
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

class GtpTest : public testing::Test {
 protected:
  /// The answer to a command without the empty line at its end, lines joined by '|'.
  std::string ask(const std::string& line) {
    (void)listener_.heard();
    EXPECT_TRUE(gtp_.handle(line)) << line;
    gtp_.finish();  // waits for what genmove says
    const Lines heard = listener_.heard();
    if (heard.empty()) return "";
    EXPECT_EQ(heard.back(), "");
    std::string text = heard.front();
    for (std::size_t i = 1; i + 1 < heard.size(); ++i) text += "|" + heard[i];
    return text;
  }

  Listener listener_;
  Gtp gtp_{must_open("othello"), {}, "1.2", listener_.writer(), first_turn_engine()};
};

TEST_F(GtpTest, a_game) {
  EXPECT_EQ(ask("protocol_version"), "= 2");
  EXPECT_EQ(ask("name"), "= Paika");
  EXPECT_EQ(ask("17 version"), "=17 1.2");
  EXPECT_EQ(ask("boardsize 6"), "=");
  EXPECT_EQ(ask("clear_board"), "=");
  EXPECT_EQ(ask("play Black C2"), "=");
  EXPECT_EQ(ask("genmove white"), "= b2");  // the puppet plays the first legal move
  EXPECT_EQ(ask("play b pass"),
            "? illegal move: \"pass\": Black may not pass: a pawn can be placed on a2 (one of 4 squares) "
            "(docs/rules/othello.md 2.2)");
  EXPECT_EQ(ask("undo"), "=");
  EXPECT_EQ(ask("4 reg_genmove w"), "=4 b2");
  EXPECT_EQ(ask("play white b2"), "=");  // was not played by reg_genmove
  EXPECT_NE(ask("showboard").find("|Black to move"), std::string::npos);
  EXPECT_FALSE(gtp_.handle("quit"));
  EXPECT_EQ(listener_.heard(), (Lines{"=", ""}));
}

TEST_F(GtpTest, lines_are_cleaned) {
  EXPECT_EQ(ask("  9\tname \r"), "=9 Paika");
  EXPECT_EQ(ask("name # which?"), "= Paika");
  EXPECT_EQ(ask(""), "");
  EXPECT_EQ(ask("# nothing"), "");
  EXPECT_EQ(ask("12"), "");
}

TEST_F(GtpTest, bad_commands_are_refused_and_change_nothing) {
  EXPECT_EQ(ask("6 dance"), "?6 unknown command");
  EXPECT_EQ(ask("boardsize 7"), "? unacceptable size: size 7x7: the number must be even, 6 to 26");
  EXPECT_EQ(ask("boardsize x"), "? boardsize is written as boardsize N");
  EXPECT_EQ(ask("play green d3"), "? illegal move: \"green\" is not a colour: black or white");
  EXPECT_EQ(ask("play white d3"), "? illegal move: Black to move");
  EXPECT_TRUE(ask("play black a1").starts_with("? illegal move: \"a1\": a1 encloses nothing"));
  EXPECT_EQ(ask("undo"), "? cannot undo");
  EXPECT_EQ(ask("final_score"), "? cannot score: the game is not over");
  EXPECT_EQ(ask("time_left black soon 0"), "? time_left is written as time_left COLOUR SECONDS STONES");
  EXPECT_TRUE(ask("time_settings 1 2").starts_with("? time_settings is written as"));
  EXPECT_TRUE(ask("set_game chess").starts_with("? there is no game"));
  EXPECT_EQ(ask("known_command genmove"), "= true");
  EXPECT_EQ(ask("known_command dance"), "= false");
}

TEST_F(GtpTest, a_whole_game_with_its_score) {
  (void)ask("boardsize 6");
  std::string answer;
  int moves = 0;
  for (bool black = true; !answer.starts_with("?") && moves < 100; black = !black, ++moves) {
    answer = ask(black ? "genmove black" : "genmove white");
  }
  EXPECT_EQ(answer, "? the game is over");
  EXPECT_GE(moves, 30);
  const std::string score = ask("final_score");
  EXPECT_TRUE(score == "= 0" || score.starts_with("= B+") || score.starts_with("= W+")) << score;
}

/// The moves of a random game of 6x6 up to a forced pass, each with its colour.
Lines moves_up_to_a_pass() {
  const GamePtr game = must_open("othello:6x6");
  for (std::uint64_t seed = 1; seed < 100; ++seed) {
    Random random(seed);
    const auto session = game->start();
    Lines moves;
    while (!session->outcome().over() && !must_pass(*session)) {
      std::vector<ListedTurn> turns;
      session->for_each_turn([&](const ListedTurn& turn) {
        turns.push_back(turn);
        return true;
      });
      const ListedTurn& turn = turns[random.index(turns.size())];
      moves.push_back(lowered(session->notation().player_name(session->board().to_move)) + " " + turn.text);
      session->play(turn.steps);
    }
    if (!session->outcome().over()) return moves;
  }
  return {};
}

TEST_F(GtpTest, forced_passes_may_be_left_unsaid) {
  (void)ask("boardsize 6");
  const Lines moves = moves_up_to_a_pass();
  ASSERT_FALSE(moves.empty());
  for (const std::string& move : moves) ASSERT_EQ(ask("play " + move), "=");
  const bool black_moved = moves.back().starts_with("black");
  const std::string passes = black_moved ? "white" : "black";
  const std::string moves_again = black_moved ? "black" : "white";
  EXPECT_EQ(ask("play " + passes + " Pass"), "=");
  EXPECT_EQ(ask("undo"), "=");
  EXPECT_EQ(ask("genmove " + passes), "= PASS");
  EXPECT_EQ(ask("undo"), "=");
  EXPECT_TRUE(ask("play " + moves_again + " a9").starts_with("? illegal move"));
  EXPECT_EQ(ask("reg_genmove " + passes), "= PASS") << "no pass was played for a bad move";
  EXPECT_TRUE(ask("genmove " + moves_again).starts_with("= ")) << "the pass was left out";
}

TEST_F(GtpTest, other_games) {
  EXPECT_NE(ask("list_games").find("Othello"), std::string::npos);
  EXPECT_EQ(ask("set_game Abalone"), "=");
  EXPECT_TRUE(ask("genmove black").starts_with("= "));
  EXPECT_EQ(ask("boardsize 5"), "=");
  EXPECT_NE(ask("showboard").find("5 "), std::string::npos);
}

TEST(GtpTimes, main_time_then_periods) {
  using std::chrono::seconds;
  const auto time = must(read_gtp_time_settings("60 30 3"), "time");
  ASSERT_TRUE(time);
  GtpTime left = time->start();
  EXPECT_EQ(left.left, seconds(60));
  EXPECT_EQ(left.stones, 0);
  left = time->after(left, seconds(59));
  EXPECT_EQ(left.left, seconds(1));
  EXPECT_EQ(left.stones, 0);
  left = time->after(left, seconds(2));  // the main time is over
  EXPECT_EQ(left.left, seconds(30));
  EXPECT_EQ(left.stones, 3);
  left = time->after(left, seconds(10));
  EXPECT_EQ(left.left, seconds(20));
  EXPECT_EQ(left.stones, 2);
  left = time->after(time->after(left, seconds(5)), seconds(5));  // a period anew after its moves
  EXPECT_EQ(left.left, seconds(30));
  EXPECT_EQ(left.stones, 3);
  EXPECT_EQ(must(read_gtp_time_settings("0 30 1"), "time")->start().stones, 1);
  EXPECT_FALSE(must(read_gtp_time_settings("0 1 0"), "time"));  // no limit
  for (const char* bad : {"", "1", "1 2", "-1 0 0", "1 2 3 4", "a b c", "99999999999 0 0"}) {
    EXPECT_FALSE(read_gtp_time_settings(bad)) << bad;
  }
}

}  // namespace
}  // namespace paika::play
