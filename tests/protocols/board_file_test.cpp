// Board files given to programs and taken from them; programs that are run to their end.
#include "games/wildebeest/board_file.hpp"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "protocols/board_file_player.hpp"
#include "protocols/fitted_depth.hpp"
#include "protocols/nboard_player.hpp"
#include "sandbox/run_program.hpp"
#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/must.hpp"
#include "tests/support/session.hpp"

namespace paika::protocols {
namespace {

using Clock = std::chrono::steady_clock;
using play::Failure;

/// The board file after a turn, with integers of its own.
std::string board_after(const Session& session, std::string_view turn, const wildebeest::IntegerTexts& integers) {
  auto next = session.game().start_from(session.board());
  EXPECT_TRUE(next->try_play(turn));
  return wildebeest::board_file_text(next->board(), integers);
}

TEST(BoardFile, integers_are_time_used_time_allowed_and_move_number) {
  const auto session = paika_tests::session_at("wildebeest");
  const std::vector<std::string> turns = {"f1f2", "f9f8", "f2f3"};
  for (const std::string& turn : turns) ASSERT_TRUE(session->try_play(turn));
  play::Allowance allowance;
  const auto integers = [&] {
    const std::string text = board_file_for({*session, "", turns}, allowance, Milliseconds(1500));
    const auto file = wildebeest::parse_board_file(text);
    EXPECT_TRUE(file);
    return file->integers;
  };
  EXPECT_EQ(integers(), (wildebeest::IntegerTexts{"1500", "60000", "3"})) << "no limit: what the start says";
  allowance.limits.clock = GameClock{Milliseconds(8500), Milliseconds(0)};
  EXPECT_EQ(integers(), (wildebeest::IntegerTexts{"1500", "10000", "3"}));
  allowance.limits.move_time = Milliseconds(500);
  EXPECT_EQ(integers(), (wildebeest::IntegerTexts{"1500", "2000", "3"})) << "the second less the first is what is left";
}

TEST(BoardFile, the_turn_is_found_from_the_board) {
  const auto session = paika_tests::session_at("wildebeest");
  int turns = 0;
  session->for_each_turn([&](const ListedTurn& turn) {
    const std::string text = board_after(*session, turn.text, {"7", "8", "9"});
    const auto found = turn_to(*session, text);
    EXPECT_TRUE(found) << turn.text;
    // Two flings may lead to the same board; then one of them is found.
    EXPECT_EQ(board_after(*session, *found, {"7", "8", "9"}), text);
    ++turns;
    return true;
  });
  EXPECT_EQ(turns, 30);
}

TEST(BoardFile, what_programs_write_after_the_board_is_not_believed) {
  const auto session = paika_tests::session_at("wildebeest");
  const std::string text = board_after(*session, "b1b2", {"0", "60000", "0"});
  const std::string squares = text.substr(0, 2 + 11 * 12);
  for (const std::string& tail : {std::string("0\n60000\n1\n"), std::string("0\n60000\n1"), std::string("12 \n\n"),
                                  std::string(), std::string("\n\n")}) {
    EXPECT_EQ(turn_to(*session, squares + tail).value_or("?"), "b1b2") << testing::PrintToString(tail);
  }
  std::string windows;
  for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
  EXPECT_EQ(turn_to(*session, windows).value_or("?"), "b1b2");
}

TEST(BoardFile, what_is_no_answer_is_told_with_what_is_wrong) {
  const auto session = paika_tests::session_at("wildebeest");
  const std::string text = board_after(*session, "b1b2", {"0", "60000", "0"});
  const auto failed = [&](const std::string& written) { return turn_to(*session, written).error(); };
  EXPECT_EQ(failed("").how, Failure::protocol);
  EXPECT_EQ(failed("hello\n").how, Failure::protocol);
  EXPECT_NE(failed("hello\n").message.find("line 1"), std::string::npos);
  EXPECT_EQ(failed(text + "done\n").how, Failure::protocol);
  std::string same_side = text;
  same_side[0] = 'W';
  EXPECT_EQ(failed(same_side).how, Failure::illegal);
  EXPECT_EQ(failed(same_side).message, "its board has White to move; the first line must be B");
  std::string other = text;
  other[2 + 12 * 2 + 1] = '.';  // the pawn on b2
  EXPECT_EQ(failed(other).how, Failure::illegal);
  EXPECT_EQ(
      failed(other).message,
      "no legal move leads to the board it wrote; the nearest is that of b1b2, where b2 shows '.' instead of 'P'");
}

TEST(BoardFile, only_wildebeest_has_them) {
  const Participant participant{"x", {}, BotProtocol::board_file, ""};
  EXPECT_FALSE(make_board_file_player(participant, paika_tests::must_open("othello"), {}, ""));
  Participant no_place{"x", {}, BotProtocol::board_files, ""};
  no_place.player.command = "prog";
  const auto made = make_board_file_player(no_place, paika_tests::must_open("wildebeest"), {}, "");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("{in}"), std::string::npos);
  EXPECT_FALSE(make_nboard_player(participant, paika_tests::must_open("abalone"), {}, ""));
}

TEST(NBoardAnswer, move_and_score) {
  EXPECT_EQ(read_nboard_answer("=== F5/1.25/0.3")->turn, "f5");
  EXPECT_EQ(read_nboard_answer("=== F5/1.25/0.3")->score, 125);
  EXPECT_EQ(read_nboard_answer("===PA")->turn, "pass");
  EXPECT_FALSE(read_nboard_answer("===PA")->score);
  EXPECT_FALSE(read_nboard_answer("==="));
  EXPECT_FALSE(read_nboard_answer("search F5 1 0 3"));
}

TEST(FittedDepth, follows_the_time_that_turns_take) {
  using std::chrono::milliseconds;
  FittedDepth depth;
  const int first = depth.for_turn(milliseconds(100), true);
  EXPECT_GE(first, 5);
  EXPECT_EQ(depth.for_turn(milliseconds(100), true), first);  // nothing known yet
  depth.took(milliseconds(0));
  EXPECT_EQ(depth.for_turn(milliseconds(100), true), first);  // from a book
  depth.took(milliseconds(10));
  EXPECT_EQ(depth.for_turn(milliseconds(100), true), first + 2);
  depth.took(milliseconds(70));
  EXPECT_EQ(depth.for_turn(milliseconds(100), true), first + 2);
  depth.took(milliseconds(1000));
  EXPECT_EQ(depth.for_turn(milliseconds(100), true), first - 1);  // three doublings too long
  depth.took(milliseconds(5));
  EXPECT_EQ(depth.for_turn(milliseconds(100), false), first - 1);  // an ending is no reason to go deeper
  depth.took(milliseconds(410));
  EXPECT_EQ(depth.for_turn(milliseconds(100), false), first - 3);
  depth.took(milliseconds(60));
  depth.start_game();
  EXPECT_EQ(depth.for_turn(milliseconds(100), true), first - 1);  // what an ending took is forgotten
  for (int i = 0; i < 20; ++i) {
    depth.took(std::chrono::hours(1));
    EXPECT_GE(depth.for_turn(milliseconds(100), true), FittedDepth::min_depth);
  }
}

sandbox::ProgramRun run(const std::string& command, std::string_view input = "", int ms = 5000,
                        std::size_t most = 1 << 20) {
  auto done =
      sandbox::run_program(play::shell_launch(command, "/dev/null"), input, Clock::now() + Milliseconds(ms), most, {});
  EXPECT_TRUE(done);
  return std::move(*done);
}

TEST(RunProgram, input_output_and_end) {
  const sandbox::ProgramRun echo = run("cat", "one\ntwo\n");
  EXPECT_EQ(echo.output, "one\ntwo\n");
  EXPECT_TRUE(echo.ended_well());
  EXPECT_EQ(run("printf 'a\\r\\nb'").output, "a\nb") << "a last line without an end counts";
  const sandbox::ProgramRun deaf = run("exit 3", std::string(1 << 18, 'x') + "\n");
  EXPECT_FALSE(deaf.ended_well());
  EXPECT_EQ(words_for(deaf), "it ended with status 3");
  EXPECT_NE(words_for(run("kill -SEGV $$")).find("signal 11"), std::string::npos);
}

TEST(RunProgram, nothing_waits_for_ever) {
  EXPECT_EQ(run("sleep 10000", "", 100).cut, sandbox::ProgramRun::Cut::late);
  EXPECT_EQ(run("exec >&-; sleep 10000", "", 100).cut, sandbox::ProgramRun::Cut::late);
  EXPECT_EQ(run("yes", "", 5000).cut, sandbox::ProgramRun::Cut::flood);
  const std::stop_source stop;
  stop.request_stop();
  const auto stopped = sandbox::run_program(play::shell_launch("sleep 10000"), "", Clock::now() + std::chrono::hours(1),
                                            1000, stop.get_token());
  EXPECT_EQ(stopped->cut, sandbox::ProgramRun::Cut::stopped);
}

// ---- Programs that waited while others had the processors, as a watcher of our own reports it ----

/// The beginning of a Python program that is a watcher and its program in one: at each resume it has waited 1000 s.
constexpr const char* watcher = R"(#!/usr/bin/python3
import os, socket, sys, threading, time
control = socket.socket(fileno=int(os.environ['PAIKA_CONTROL']))
waited, since = 10 ** 9, time.monotonic_ns() // 1000
def report():
  control.send(b'used 7000 %d %d' % (waited, since))
def watch():
  global waited, since
  while message := control.recv(64):
    if message == b'resume': waited, since = waited + 10 ** 9, time.monotonic_ns() // 1000
    else: report()
threading.Thread(target=watch, daemon=True).start()
)";

TEST(RunProgram, a_program_that_has_closed_its_output_may_wait_too) {
  play::Launch launch;
  launch.text = "watched";
  launch.watched = true;
  launch.words = {"/usr/bin/python3", "-c",
                  std::string(watcher) + "os.close(1)\ntime.sleep(4)\nreport()\ncontrol.send(b'exited 0 ')\n"};
  const auto done = sandbox::run_program(launch, "", Clock::now() + Milliseconds(1500), 1000, {});
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->ended_well()) << words_for(*done);
}

TEST(NBoardPlayer, is_given_the_times_that_its_clock_is_charged) {
  const paika_tests::TemporaryFolder folder;
  std::ofstream(folder / "watcher") << watcher << R"(
for line in sys.stdin:
  if line.startswith('ping '): print('pong', line[5:], end='', flush=True)
  if line.startswith('go'):
    time.sleep(1)
    print('=== F5', flush=True)
)";
  std::filesystem::permissions(folder / "watcher", std::filesystem::perms(0755));
  const std::string real = std::getenv("PAIKA_CONFINE");
  setenv("PAIKA_CONFINE", (folder / "watcher").c_str(), 1);
  const auto player = paika_tests::must(
      make_nboard_player(Participant{}, paika_tests::must_open("othello"), SandboxPolicy{}, folder / "log"), "player");
  setenv("PAIKA_CONFINE", real.c_str(), 1);
  ASSERT_TRUE(player->start(1));
  const auto session = paika_tests::session_at("othello");
  play::Allowance allowance;
  allowance.limits.depth = 1;
  std::vector<std::string> turns;
  for (int turn = 0; turn < 2; ++turn) {
    const auto choice = player->choose({*session, "", turns}, allowance, {});
    ASSERT_TRUE(choice) << choice.error().message;
    player->tidy();
    if (turn > 0) break;
    turns = {"f5", "d6"};
    for (const std::string& text : turns) ASSERT_TRUE(session->try_play(text));
  }
  const std::string log = paika_tests::read_whole(folder / "log");
  EXPECT_NE(log.find("B[F5//0.0"), std::string::npos) << log;
}

}  // namespace
}  // namespace paika::protocols
