// Pondering: players that think on the opponent's time, if they are told to.
#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>
#include <unistd.h>

#include "play/engine_player.hpp"
#include "play/program_player.hpp"
#include "play/referee.hpp"
#include "tests/play/puppets.hpp"
#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::must;
using paika_tests::must_open;
using paika_tests::TemporaryFolder;

/// What a PonderingEngine did, for its test.
struct Watched {
  std::atomic<int> endless{0};  // searches without a limit that have begun
  std::atomic<int> running{0};  // searches that are under way
  std::vector<std::string> positions;
};

/// Plays the first legal turn and expects the first reply; without a limit it thinks until it is stopped.
class PonderingEngine final : public Engine {
 public:
  explicit PonderingEngine(Watched& watched) : watched_(watched) {}

  [[nodiscard]] Decision think(const Session& session, const SearchLimits& limits, std::stop_token stop,
                               const std::function<void(const SearchInfo&)>& /*on_progress*/) override {
    EXPECT_EQ(watched_.running++, 0) << "one search at a time";
    Decision decision;
    InfoLine line;
    const auto scratch = session.clone();
    for (int i = 0; i < 2 && !scratch->outcome().over(); ++i) {
      ListedTurn first;
      scratch->for_each_turn([&](const ListedTurn& turn) {
        first = turn;
        return false;
      });
      line.turns.push_back(first.steps);
      line.texts.push_back(first.text);
      scratch->play(first.steps);
    }
    decision.turn = line.turns.front();
    decision.text = line.texts.front();
    decision.info.lines.push_back(line);
    if (!limits.nodes) {
      watched_.positions.push_back(session.position_text());
      ++watched_.endless;
      while (!stop.stop_requested()) std::this_thread::yield();
    }
    --watched_.running;
    return decision;
  }
  void set(const SearchSettings& /*settings*/) override {}
  void forget() override {}

 private:
  Watched& watched_;
};

/// A game in which both sides play the first legal turn; what the first one thought of.
void play(bool ponder, Watched& watched) {
  const GamePtr game = must_open("othello:6x6");
  EnginePlayer first(*game, "ponders", {}, ponder,
                     [&](const Game&, const SearchSettings&) { return std::make_unique<PonderingEngine>(watched); });
  paika_tests::Puppet second("waits", [&](const GameSoFar& so_far, const Allowance&, const std::stop_token&) {
    // While this one is to move, the other one ponders.
    for (int i = 0; ponder && watched.endless == 0 && i < 5000; ++i) usleep(1000);
    return paika_tests::Puppet::first_turn(so_far);
  });
  SearchLimits limits;
  limits.nodes = 1;
  const GameReport report =
      play_game({.game = game, .start = "", .opening = {}}, {Side{first, limits}, Side{second, limits}}, {});
  EXPECT_FALSE(report.failure) << report.record.result.remark;
  EXPECT_EQ(watched.running, 0) << "when the game is over nobody thinks any more";
}

TEST(Ponder, is_off_unless_it_is_asked_for) {
  Watched watched;
  play(false, watched);
  EXPECT_EQ(watched.endless, 0);
}

TEST(Ponder, thinks_about_the_expected_reply) {
  Watched watched;
  play(true, watched);
  EXPECT_GE(watched.endless, 1);
  const auto session = must_open("othello:6x6")->start();
  for (int i = 0; i < 2; ++i) {
    Turn turn;
    session->for_each_turn([&](const ListedTurn& t) {
      turn = t.steps;
      return false;
    });
    session->play(turn);
  }
  ASSERT_FALSE(watched.positions.empty());
  EXPECT_EQ(watched.positions.front(), session->position_text());
}

/// A bot in the shell that writes down what it is told. It plays the first legal turn of the referee's list, and
/// expects `reply` of every opponent.
std::string scribe(const std::string& log, const std::string& option, const std::string& reply) {
  return fmt::format(
      "while read command words; do echo $command $words >> {0}; case $command in "
      "ugi) {1} echo ugiok ;; isready) echo readyok ;; stop) echo bestmove none ;; "
      "go) case \"$words\" in ponder*) ;; *) echo query moves; read r turn others; echo \"bestmove $turn ponder {2}\" "
      ";; "
      "esac ;; ponderhit) echo query moves; read r turn others; echo \"bestmove $turn\" ;; esac; done",
      log, option, reply);
}

/// What a bot was told after `uginewgame` and `isready`.
std::vector<std::string> talk(bool ponder, const std::string& option, const std::string& reply) {
  const TemporaryFolder folder;
  const std::string log = folder / "talk";
  {
    const GamePtr game = must_open("othello");
    ProgramPlayer player(game->notation().spec(), "scribe", shell_launch(scribe(log, option, reply)), {}, ponder);
    EXPECT_TRUE(player.start(1));
    const auto session = game->start();
    std::vector<std::string> turns;
    Allowance allowance;
    allowance.limits.move_time = Milliseconds(5000);
    for (int i = 0; i < 2; ++i) {
      const auto choice = player.choose({*session, "", turns}, allowance, {});
      EXPECT_TRUE(choice) << choice.error().message;
      if (!choice) break;
      player.tidy();
      if (i > 0) break;
      for (const std::string& turn : {choice->turn, std::string("c3")}) {
        turns.push_back(turn);
        EXPECT_TRUE(session->try_play(turn)) << turn;
      }
    }
    player.rest();
  }
  std::vector<std::string> lines;
  std::istringstream text(paika_tests::read_whole(log));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(Ponder, programs_that_can_are_let) {
  using Lines = std::vector<std::string>;
  const std::string can = "echo option name Ponder type check default false;";
  Lines told = talk(true, can, "c3");
  ASSERT_GE(told.size(), 9U);
  EXPECT_EQ(told[1], "setoption name Ponder value true");
  EXPECT_EQ(Lines(told.begin() + 5, told.begin() + 10),
            (Lines{"position startpos", "go movetime 5000", "position startpos moves d3 c3", "go ponder",
                   "ponderhit movetime 5000"}));
  told = talk(true, can, "e3");
  ASSERT_GE(told.size(), 12U);
  EXPECT_EQ(Lines(told.begin() + 7, told.begin() + 12), (Lines{"position startpos moves d3 e3", "go ponder", "stop",
                                                               "position startpos moves d3 c3", "go movetime 5000"}));
  for (const auto& quiet : {talk(false, can, "c3"), talk(true, "", "c3"), talk(true, can, "a1")}) {
    EXPECT_EQ(std::count(quiet.begin(), quiet.end(), "go ponder"), 0) << "off, or it cannot, or expects nonsense";
  }
}

}  // namespace
}  // namespace paika::play
