// The engine protocol: sample conversations, rubbish, and searches that must stop.
#include "play/ugi.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "base/random.hpp"
#include "engine/solver.hpp"
#include "engine/tables.hpp"
#include "tests/play/conversation.hpp"
#include "tests/play/puppets.hpp"
#include "tests/support/cpu_time.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::first_turn_engine;
using paika_tests::Listener;
using paika_tests::must;
using paika_tests::must_open;
using Lines = std::vector<std::string>;

class UgiTest : public testing::Test {
 protected:
  void tell(const std::string& line) { EXPECT_TRUE(ugi_.handle(line)) << line; }
  Lines ask(const std::string& line) {
    (void)listener_.heard();
    tell(line);
    return listener_.heard();
  }
  /// The error that alone answers, but for what a running search reports; empty if there is anything else.
  std::string error_of(const std::string& line) {
    Lines lines = ask(line);
    std::erase_if(lines, [](const std::string& said) { return said.starts_with("info "); });
    return lines.size() == 1 && lines[0].starts_with("error ") ? lines[0] : "";
  }

  Listener listener_;
  Ugi ugi_{must_open("othello"), {}, "1.2.3", listener_.writer(), first_turn_engine()};
};

TEST_F(UgiTest, greeting) {
  const Lines lines = ask("ugi");
  EXPECT_EQ(lines.front(), "id name Paika 1.2.3");
  EXPECT_EQ(lines.back(), "ugiok");
  for (const std::string_view name :
       {"Game", "Threads", "Hash", "MultiPV", "Level", "Seed", "Tables", "Book", "Ponder", "table", "endings"}) {
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.starts_with("option name " + std::string(name) + " type ");
    })) << name;
  }
  EXPECT_EQ(ask("isready"), Lines{"readyok"});
}

TEST_F(UgiTest, positions_and_questions) {
  EXPECT_EQ(ask("query moves"), Lines{"response d3 c4 f5 e6"});
  EXPECT_EQ(ask("moves"), Lines{"response d3 c4 f5 e6"});
  EXPECT_EQ(ask("query p1turn"), Lines{"response true"});
  tell("position startpos moves d3");
  EXPECT_EQ(ask("query p1turn"), Lines{"response false"});
  EXPECT_EQ(ask("query gameover"), Lines{"response false"});
  EXPECT_EQ(ask("query result"), Lines{"response none"});
  EXPECT_EQ(ask("query position"),
            Lines{"response -------------------X-------XX------XO--------------------------- O"});
  tell("setoption name game value wildebeest");
  tell(
      "position text W RNZBOKXBCNR/GPPSPJPPPPG/.........../.*.......*./.........../.....#...../.........../"
      ".*.......*./.........../gppspjppppg/rnzbokxbcnr 0 60000 0 moves b1b2");
  EXPECT_EQ(ask("query position")[0].substr(0, 30), "response B RNZB...BCNR/G.PS...");
}

TEST_F(UgiTest, a_finished_game) {
  tell("setoption name Game value abalone");
  tell("position text (w bbb- b--- ---- -www)");
  const Lines over = ask("query gameover");
  ASSERT_EQ(over.size(), 1U);
  if (over[0] == "response true") {
    EXPECT_EQ(ask("query result"), Lines{"response p1win"});
    EXPECT_EQ(ask("query moves"), Lines{"response"});
    EXPECT_EQ(ask("go depth 1"), (Lines{"info string the game is over", "bestmove none"}));
  }
  tell("setoption name Game value othello");
  // Black has taken everything.
  tell("position text ---------------------------XX------XX--------------------------- O");
  EXPECT_EQ(ask("query gameover"), Lines{"response true"});
  EXPECT_EQ(ask("query result"), Lines{"response p1win"});
  EXPECT_EQ(ask("query moves"), Lines{"response"});
  EXPECT_EQ(ask("go depth 1"), (Lines{"info string the game is over", "bestmove none"}));
}

TEST_F(UgiTest, a_refused_position_changes_nothing) {
  tell("position startpos moves d3 c3");
  const Lines before = ask("query position");
  EXPECT_NE(error_of("position startpos moves d3 c3 a1"), "");
  EXPECT_EQ(ask("query position"), before);
  EXPECT_NE(error_of("position startpos moves e6 a1"), "");
  EXPECT_EQ(ask("query position"), before);
  EXPECT_NE(error_of("position text nonsense moves d3"), "");
  EXPECT_EQ(ask("query position"), before);
  EXPECT_NE(error_of("position text ---------------------------OX------XO--------------------------- X moves d3 d3"),
            "");
  EXPECT_EQ(ask("query position"), before);
  for (const std::string bad :
       {"position", "position here", "position startpos d3", "position text", "position moves d3"}) {
    EXPECT_NE(error_of(bad), "") << bad;
  }
}

TEST_F(UgiTest, any_order_of_positions_gives_the_same_as_a_fresh_start) {
  const GamePtr game = must_open("othello");
  Random random(1);
  std::vector<std::string> turns;
  for (int round = 0; round < 200; ++round) {
    turns.resize(random.index(turns.size() + 1));
    const auto session = game->start();
    for (const std::string& turn : turns) ASSERT_TRUE(session->try_play(turn));
    for (std::uint64_t more = random.below(4); more > 0; --more) {
      std::vector<std::string> legal;
      session->for_each_turn([&](const ListedTurn& t) {
        legal.push_back(t.text);
        return true;
      });
      if (legal.empty()) break;
      turns.push_back(legal[random.index(legal.size())]);
      ASSERT_TRUE(session->try_play(turns.back()));
    }
    EXPECT_EQ(ask(fmt::format("position startpos moves {}", fmt::join(turns, " "))), Lines{});
    EXPECT_EQ(ask("query position"), Lines{"response " + session->position_text()});
  }
}

TEST_F(UgiTest, go_answers) {
  tell("position startpos moves d3");
  tell("go movetime 10");
  EXPECT_EQ(listener_.wait_for("info "),
            "info depth 1 seldepth 0 multipv 1 score cp 7 nodes 1 nps 1000 time 0 hashfull 0 "
            "pv c3");
  EXPECT_EQ(listener_.wait_for("bestmove"), "bestmove c3");
  // The peer may go on at once.
  for (int i = 0; i < 200; ++i) {
    tell("go depth 1");
    ASSERT_EQ(listener_.wait_for("bestmove"), "bestmove c3");
    ASSERT_EQ(ask("position startpos moves d3"), Lines{});
  }
}

TEST_F(UgiTest, an_endless_search_waits_for_stop) {
  tell("go infinite");
  EXPECT_EQ(error_of("position startpos"), "error position has to wait: a search is running; stop ends it");
  EXPECT_EQ(error_of("wait").substr(0, 30), "error this search runs until s");
  EXPECT_EQ(ask("isready"), Lines{"readyok"});
  tell("stop");
  EXPECT_EQ(listener_.wait_for("bestmove"), "bestmove d3");
  tell("stop");
  tell("go");
  ugi_.finish();
  EXPECT_EQ(listener_.wait_for("bestmove"), "bestmove d3");
}

TEST_F(UgiTest, pondering_ends_by_a_hit_or_by_stop) {
  tell("position startpos moves d3 c3");
  tell("go ponder p1time 1000 p2time 1000");
  EXPECT_EQ(error_of("position startpos"), "error position has to wait: a search is running; stop ends it");
  EXPECT_EQ(ask("isready"), Lines{"readyok"});
  (void)listener_.heard();
  tell("ponderhit");
  EXPECT_EQ(listener_.wait_for("bestmove"), "bestmove b3");
  tell("wait");
  const Lines rest = listener_.heard();
  EXPECT_TRUE(std::none_of(rest.begin(), rest.end(), [](const auto& line) { return line.starts_with("bestmove"); }))
      << "one answer only";
  tell("go ponder");
  tell("ponderhit movetime 5");
  EXPECT_EQ(listener_.wait_for("bestmove"), "bestmove b3");
  tell("go ponder p1time 1000 p2time 1000");
  tell("stop");
  EXPECT_EQ(listener_.wait_for("bestmove"), "bestmove b3") << "as any search that is stopped";
  EXPECT_EQ(error_of("ponderhit"), "error ponderhit has to follow go ponder");
  tell("go infinite");
  EXPECT_EQ(error_of("ponderhit"), "error ponderhit has to follow go ponder");
  tell("stop");
  (void)listener_.wait_for("bestmove");
  tell("go ponder depth 1");
  EXPECT_EQ(error_of("ponderhit fast").substr(0, 22), "error go does not know");
  tell("ponderhit");
  EXPECT_EQ(listener_.wait_for("bestmove"), "bestmove b3") << "a bad ponderhit changes nothing";
}

TEST(Ugi, tells_the_reply_it_expects_to_those_who_ponder) {
  Listener listener;
  SearchSettings settings;
  settings.hash_mb = 1;
  Ugi ugi(must_open("othello"), settings, "0", listener.writer());
  const auto answer = [&](const std::string& go) {
    EXPECT_TRUE(ugi.handle(go));
    return listener.wait_for("bestmove");
  };
  EXPECT_EQ(answer("go depth 4").find(" ponder "), std::string::npos);
  EXPECT_TRUE(ugi.handle("setoption name Ponder value true"));
  EXPECT_NE(answer("go depth 4").find(" ponder "), std::string::npos);
  // After a hit the answer keeps to its time, which begins with the hit.
  EXPECT_TRUE(ugi.handle("go ponder movetime 50"));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(listener.heard().back().substr(0, 5), "info ") << "no answer yet";
  EXPECT_TRUE(answer("ponderhit").starts_with("bestmove "));
}

TEST_F(UgiTest, quit_ends_it_also_during_a_search) {
  tell("go infinite");
  EXPECT_FALSE(ugi_.handle("quit"));
}

TEST_F(UgiTest, rubbish_is_answered_by_errors) {
  EXPECT_EQ(error_of("gone"), "error there is no command \"gone\" (did you mean go?); help lists them");
  EXPECT_NE(error_of(std::string(100'000, 'x')), "");
  EXPECT_LT(error_of(std::string(100'000, 'x')).size(), 300U);
  EXPECT_NE(error_of("\x01\xff\xfe"), "");
  EXPECT_EQ(ask("   \t "), Lines{});
  EXPECT_NE(error_of("go fast"), "");
  EXPECT_NE(error_of("go depth"), "");
  EXPECT_NE(error_of("go depth x"), "");
  EXPECT_NE(error_of("setoption"), "");
  EXPECT_NE(error_of("setoption name Hash value much"), "");
  EXPECT_NE(error_of("setoption name Hahs value 3"), "");
  EXPECT_NE(error_of("setoption name depth value 3"), "") << "limits are no options";
  EXPECT_NE(error_of("setoption name Game value chess"), "");
  EXPECT_NE(error_of("query everything"), "");
  EXPECT_EQ(ask("setoption name table value false"), Lines{});
  EXPECT_EQ(ask("isready"), Lines{"readyok"});
}

TEST(Ugi, plays_from_tables_and_says_so) {
  const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("paika ugi {}", ::getpid());
  std::filesystem::create_directories(folder);
  const auto solver = must(open_solver("abalone:3x3,captures=1"), "solver");
  const std::string table = table_path(folder.string(), solver->label());
  must(solver->solve({.table = table}).map([] { return 0; }), "table");
  Listener listener;
  SearchSettings settings;
  settings.hash_mb = 1;
  Ugi ugi(must_open("abalone:3x3,captures=1"), settings, "0", listener.writer());
  const auto answer = [&] {
    EXPECT_TRUE(ugi.handle("go nodes 100"));
    EXPECT_TRUE(ugi.handle("wait"));
    return listener.heard();
  };
  const std::string remark = "info string from the table " + table;
  const auto told = [&](const Lines& lines) { return std::find(lines.begin(), lines.end(), remark) != lines.end(); };
  EXPECT_FALSE(told(answer())) << "without the option no tables are looked for";
  EXPECT_TRUE(ugi.handle("setoption name tables value " + folder.string()));
  const Lines lines = answer();
  EXPECT_TRUE(told(lines));
  EXPECT_NE(lines.front().find("score win 3 exact"), std::string::npos) << lines.front();
  EXPECT_TRUE(ugi.handle("setoption name Tables value /no/such folder"));
  EXPECT_EQ(listener.heard(), Lines{"error there is no folder \"/no/such folder\"; give one that holds tables (paika "
                                    "solve makes them), or nothing for none"});
  EXPECT_TRUE(told(answer())) << "an option that was refused changes nothing";
  for (const char* none : {"setoption name Tables value", "setoption name Tables value <empty>"}) {
    EXPECT_TRUE(ugi.handle("setoption name Tables value " + folder.string()));
    EXPECT_TRUE(ugi.handle(none));
    EXPECT_FALSE(told(answer())) << none;
  }
  std::filesystem::remove_all(folder);
}

TEST(ReadGo, limits_and_clocks) {
  const auto request =
      must(read_go("p1time 60000 p2time 50000 p1inc 100 p2inc 200 movetime 30 depth 4 nodes 77", Player::second), "go");
  EXPECT_EQ(request.limits.clock->left.count(), 50'000);
  EXPECT_EQ(request.limits.clock->increment.count(), 200);
  EXPECT_EQ(request.limits.move_time->count(), 30);
  EXPECT_EQ(request.limits.depth, 4);
  EXPECT_EQ(request.limits.nodes, 77U);
  EXPECT_FALSE(request.infinite);
  EXPECT_EQ(must(read_go("wtime 9 btime 8", Player::first), "go").limits.clock->left.count(), 9);
  EXPECT_EQ(must(read_go("p1time 0", Player::first), "go").limits.clock->left.count(), 1) << "a moment is left";
  EXPECT_TRUE(must(read_go("", Player::first), "go").infinite);
  EXPECT_TRUE(must(read_go("p2time 100", Player::first), "go").infinite) << "no clock of its own";
  const auto endless = must(read_go("infinite depth 3", Player::first), "go");
  EXPECT_TRUE(endless.infinite);
  EXPECT_FALSE(any_limit(endless.limits));
}

TEST_F(UgiTest, go_refuses_numbers_that_are_no_limits) {
  EXPECT_EQ(error_of("go depth 0"), "error depth of go must be at least 1, not 0");
  EXPECT_EQ(error_of("go movetime 0"), "error movetime of go must be at least 1, not 0");
  EXPECT_EQ(error_of("go nodes -1"), "error nodes of go must be at least 1, not -1");
  EXPECT_EQ(error_of("go infinite depth -3"), "error depth of go must be at least 1, not -3");
  EXPECT_EQ(error_of("go p1time -5 p2time 9"), "error p1time of go must be at least 0, not -5");
  EXPECT_EQ(error_of("go wtime 9 binc -1"), "error binc of go must be at least 0, not -1");
  EXPECT_EQ(error_of("go depth 3x"), "error depth of go must be a whole number, not \"3x\"");
  EXPECT_EQ(error_of("go nodes 99999999999999999999"),
            "error nodes of go must be a whole number, not \"99999999999999999999\"");
  EXPECT_EQ(error_of("go movetime"), "error movetime of go needs a number after it, such as movetime 10");
  EXPECT_EQ(ask("stop"), Lines{}) << "no search was begun";
}

TEST(Info, scores_in_words) {
  SearchInfo info;
  info.depth = 5;
  info.nodes = 2000;
  info.time = Milliseconds(100);
  info.lines = {{win_in(3), true, false, {}, {"a1", "b2"}},
                {-40, false, false, {}, {"c3"}},
                {loss_in(4), true, true, {}, {"d4"}}};
  EXPECT_EQ(
      info_lines(info),
      (Lines{"info depth 5 seldepth 0 multipv 1 score win 3 exact nodes 2000 nps 20000 time 100 hashfull 0 pv a1 b2",
             "info depth 5 seldepth 0 multipv 2 score cp -40 nodes 2000 nps 20000 time 100 hashfull 0 pv c3",
             "info depth 5 seldepth 0 multipv 3 score loss 4 at_most exact nodes 2000 nps 20000 time 100 hashfull 0 pv "
             "d4"}));
}

TEST(UgiWithTheEngine, stops_soon_and_obeys_limits) {
  for (const std::string spec : {"fanorona", "abalone", "othello", "wildebeest"}) {
    Listener listener;
    SearchSettings settings;
    settings.hash_mb = 4;
    Ugi ugi(must_open(spec), settings, "0", listener.writer());
    ASSERT_TRUE(ugi.handle("isready"));
    ASSERT_TRUE(ugi.handle("go nodes 2000"));
    EXPECT_TRUE(ugi.handle("wait"));
    const std::string first = listener.wait_for("bestmove ");
    ASSERT_TRUE(ugi.handle("uginewgame"));
    ASSERT_TRUE(ugi.handle("go nodes 2000"));
    EXPECT_EQ(listener.wait_for("bestmove "), first) << "one thread and a number of nodes: always the same";
    EXPECT_TRUE(ugi.handle("go infinite"));
    std::this_thread::sleep_for(Milliseconds(50));
    const Milliseconds late = paika_tests::cpu_time([&] { EXPECT_TRUE(ugi.handle("stop")); });
    EXPECT_LT(late, Milliseconds(50)) << spec;  // 10 ms is the promise
    EXPECT_NE(listener.wait_for("bestmove "), "");
  }
}

}  // namespace
}  // namespace paika::play
