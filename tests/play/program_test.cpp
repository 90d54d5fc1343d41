// Programs as players: good ones, and every kind of bad one. The programs are small shell scripts.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "play/child_process.hpp"
#include "play/program_player.hpp"
#include "tests/support/files.hpp"
#include "tests/support/session.hpp"

namespace paika::play {
namespace {

using paika_tests::must;
using paika_tests::must_open;
using Clock = ChildProcess::Clock;
using Trouble = ChildProcess::Trouble;

Clock::time_point in(int ms) { return Clock::now() + std::chrono::milliseconds(ms); }

/// True if we have no child left, running or dead.
bool no_children() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

/// True if the process is gone or a zombie, at the latest after some seconds.
bool is_dead(pid_t process) {
  for (int i = 0; i < 500; ++i, usleep(10'000)) {
    std::FILE* file = std::fopen(fmt::format("/proc/{}/stat", process).c_str(), "r");
    if (file == nullptr) return true;
    std::array<char, 256> line{};
    const bool read = std::fgets(line.data(), line.size(), file) != nullptr;
    std::fclose(file);
    if (!read || std::string_view(line.data()).find(") Z") != std::string_view::npos) return true;
  }
  return false;
}

TEST(ChildProcess, talks_both_ways_and_leaves_nothing) {
  {
    const auto child = must(ChildProcess::start(shell_launch("while read x; do echo got $x; done")), "start");
    ASSERT_TRUE(child->write_line("one", in(2000)));
    EXPECT_EQ(child->read_line(in(5000), {}).value_or("?"), "got one");
    ASSERT_TRUE(child->write_line("two", in(2000)));
    EXPECT_EQ(child->read_line(in(5000), {}).value_or("?"), "got two");
    EXPECT_EQ(child->read_line(in(30), {}).error(), Trouble::timeout);
  }
  EXPECT_TRUE(no_children());
}

TEST(ChildProcess, one_that_ended_is_noticed_and_raises_no_signal) {
  const auto child = must(ChildProcess::start(shell_launch("echo last; exit 3")), "start");
  EXPECT_EQ(child->read_line(in(5000), {}).value_or("?"), "last");
  EXPECT_EQ(child->read_line(in(5000), {}).error(), Trouble::closed);
  tl::expected<void, Trouble> written;
  for (int i = 0; written && i < 1000; ++i) {
    written = child->write_line("hello", in(100));
    usleep(1000);  // its end of the pipe may be closed a moment after the other
  }
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), Trouble::closed);
}

TEST(ChildProcess, its_standard_error_can_go_to_a_file) {
  std::string folder = (std::filesystem::temp_directory_path() / "paika-log-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string log = folder + "/made/for/it.log";
  for (int i = 0; i < 2; ++i) {
    const auto child = must(ChildProcess::start(shell_launch("echo trouble >&2; echo done", log)), "sh");
    EXPECT_EQ(child->read_line(in(5000), {}), "done");
  }
  EXPECT_EQ(paika_tests::read_whole(log), "trouble\ntrouble\n") << "one after the other";
  // A folder is no file: the words are lost, the program runs.
  const auto child = must(ChildProcess::start(shell_launch("echo trouble >&2; echo done", folder)), "sh");
  EXPECT_EQ(child->read_line(in(5000), {}), "done");
  std::filesystem::remove_all(folder);
}

TEST(ChildProcess, one_that_never_reads_cannot_block_us) {
  const auto child = must(ChildProcess::start(shell_launch("sleep 60")), "start");
  const std::string big(1 << 20, 'x');
  EXPECT_EQ(child->write_line(big, in(100)).error(), Trouble::timeout) << "it would be closed after the sleep";
}

TEST(ChildProcess, one_that_floods_us_is_cut_off) {
  const auto child =
      must(ChildProcess::start(shell_launch("head -c 200000 /dev/zero | tr '\\0' x; echo; sleep 60")), "start");
  EXPECT_EQ(child->read_line(in(10'000), {}).error(), Trouble::flood);
  const auto endless = must(ChildProcess::start(shell_launch("tr '\\0' x < /dev/zero")), "start");
  EXPECT_EQ(endless->read_line(in(20'000), {}).error(), Trouble::flood);
}

TEST(ChildProcess, a_stubborn_one_and_its_children_are_killed) {
  pid_t grandchild = 0;
  {
    const auto child = must(
        ChildProcess::start(shell_launch("trap '' TERM HUP INT; sleep 600 & echo $!; while :; do sleep 600; done")),
        "start");
    grandchild = std::stoi(child->read_line(in(5000), {}).value_or("0"));
    ASSERT_GT(grandchild, 0);
    ASSERT_EQ(kill(grandchild, 0), 0);
  }
  EXPECT_TRUE(no_children());
  // The grandchild is not ours to wait for: whoever adopts it may leave it as a zombie.
  EXPECT_TRUE(is_dead(grandchild));
}

TEST(ChildProcess, waiting_can_be_stopped) {
  const auto child = must(ChildProcess::start(shell_launch("sleep 60")), "start");
  const std::stop_source source;
  source.request_stop();
  EXPECT_EQ(child->read_line(in(60'000), source.get_token()).error(), Trouble::stopped);
}

// ---- The protocol ----

/// A program that speaks the protocol and answers every go with the words `answer`.
std::string script(const std::string& answer) {
  return "while read a b; do case $a in ugi) echo id name x; echo ugiok;; isready) echo readyok;; go) " + answer +
         ";; quit) exit;; esac; done";
}

struct Played {
  tl::expected<void, Failed> started;
  tl::expected<Choice, Failed> choice;
};

Played play_once(const std::string& command, int move_time = 10'000) {
  const GamePtr game = must_open("othello");
  const auto session = game->start();
  const ProgramPlayer::Patience patience{Milliseconds(5000), Milliseconds(50), Milliseconds(1000)};
  ProgramPlayer program(game->notation().spec(), "bot", shell_launch(command), patience);
  Played played{program.start(1), tl::unexpected(Failed{})};
  if (!played.started) return played;
  Allowance allowance;
  allowance.limits.move_time = Milliseconds(move_time);
  played.choice = program.choose({*session, "", {}}, allowance, {});
  return played;
}

// ---- Watchers: they tell what a program waited for while others had the processors ----

/// A watcher and its program in one, which answers a question after `seconds`. It reports that between a resume and the
/// next question it waited `waited_ms` for a processor, and if not `runs`, that it has not been let run yet.
Launch watched_launch(double seconds, int waited_ms, bool runs = true) {
  Launch launch;
  launch.text = "watched";
  launch.watched = true;
  launch.words = {"/usr/bin/python3", "-c",
                  fmt::format(R"(
import os, socket, sys, threading, time
control = socket.socket(fileno=int(os.environ['PAIKA_CONTROL']))
def now(): return time.monotonic_ns() // 1000 if {2} else 0
def watch():
  waited, since = 0, now()
  while message := control.recv(64):
    if message == b'resume': waited, since = waited + {1} * 1000, now()
    else: control.send(b'used 7000 %d %d' % (waited, since))
threading.Thread(target=watch, daemon=True).start()
print('ready', flush=True)
for line in sys.stdin:
  if line == 'question\n' or line[:3] == 'go ': time.sleep({0})
  print({{'ugi\n': 'ugiok', 'isready\n': 'readyok'}}.get(line, 'answer'), flush=True)
)",
                              seconds, waited_ms, runs ? "True" : "False")};
  return launch;
}

/// Such a program when it has been asked something, at the beginning of its turn.
std::unique_ptr<ChildProcess> asked(const Launch& launch) {
  auto child = must(ChildProcess::start(launch), "start");
  EXPECT_EQ(child->read_line(in(60'000), {}).value_or("?"), "ready");
  child->pause();
  child->resume();
  EXPECT_TRUE(child->write_line("question", in(5000)));
  return child;
}

TEST(ChildProcess, a_deadline_is_put_off_by_what_a_watched_one_waited) {
  const auto child = asked(watched_launch(1.5, 10'000));
  const auto before = Clock::now();
  EXPECT_EQ(child->read_line(in(500), {}).value_or("?"), "answer");
  EXPECT_GE(Clock::now() - before, std::chrono::milliseconds(500));
  const ChildProcess::Use use = child->pause();
  EXPECT_GE(use.waited, std::chrono::seconds(10));
  EXPECT_EQ(use.charged(std::chrono::milliseconds(1500)), use.charge) << "what it had of the processors it pays for";
  EXPECT_EQ(use.charged(std::chrono::seconds(60)), std::chrono::seconds(60) - use.waited);
}

TEST(ChildProcess, a_line_too_long_that_comes_with_the_deadline_is_a_flood) {
  const auto child = must(ChildProcess::start(shell_launch("printf '%070000d\\nnext\\n' 0; sleep 60")), "start");
  auto line = child->read_line(in(0), {});
  for (const auto end = in(30'000); !line && line.error() == Trouble::timeout && Clock::now() < end;) {
    line = child->read_line(in(0), {});
  }
  ASSERT_FALSE(line) << *line;
  EXPECT_EQ(line.error(), Trouble::flood);
}

TEST(ChildProcess, who_waited_for_nothing_is_late) {
  const auto child = asked(watched_launch(30, 0));
  EXPECT_EQ(child->read_line(in(200), {}).error(), Trouble::timeout);
}

TEST(ChildProcess, a_deadline_is_not_put_off_for_ever) {
  const auto child = asked(watched_launch(300, 1'000'000));
  EXPECT_EQ(child->read_line(in(100), {}).error(), Trouble::timeout);
}

TEST(ChildProcess, who_has_ended_is_not_late_although_its_pipes_are_open) {
  Launch launch = watched_launch(300, 0);
  const std::string answer = "control.send(b'used 7000 %d %d' % (waited, since))";
  std::string& script = launch.words.back();
  script.replace(script.find(answer), answer.size(), "control.send(b'exited 3 ')");
  const auto child = must(ChildProcess::start(launch), "start");
  ASSERT_EQ(child->read_line(in(60'000), {}).value_or("?"), "ready");
  EXPECT_EQ(child->read_line(in(100), {}).error(), Trouble::closed);
}

TEST(ChildProcess, until_it_is_let_run_it_only_waits) {
  const auto child = asked(watched_launch(300, 0, false));
  EXPECT_EQ(child->read_line(in(100), {}).error(), Trouble::timeout);
  EXPECT_GE(child->use().waited, std::chrono::milliseconds(900)) << "ten times the time it has, less that time";
}

TEST(ProgramPlayer, a_good_one_plays) {
  const Played played = play_once(script("echo info depth 7 score cp -12 pv d3; echo bestmove d3"));
  ASSERT_TRUE(played.choice) << played.choice.error().message;
  EXPECT_EQ(played.choice->turn, "d3");
  EXPECT_EQ(played.choice->score, -12);
  EXPECT_EQ(played.choice->depth, 7);
}

TEST(ProgramPlayer, bad_ones_fail_by_name) {
  EXPECT_EQ(play_once(script("sleep 5"), 50).choice.error().how, Failure::time);
  EXPECT_EQ(play_once(script("exit 1")).choice.error().how, Failure::crash);
  EXPECT_EQ(play_once(script("echo bestmove")).choice.error().how, Failure::protocol);
  EXPECT_EQ(play_once("no-such-program-anywhere 2>/dev/null").started.error().how, Failure::crash);
  EXPECT_TRUE(no_children());
}

TEST(ProgramPlayer, who_waited_longer_than_passed_is_not_charged_less_than_nothing) {
  const GamePtr game = must_open("othello");
  const auto session = game->start();
  for (const bool limited : {true, false}) {
    const ProgramPlayer::Patience patience{Milliseconds(30'000), Milliseconds(50), Milliseconds(100)};
    ProgramPlayer program(game->notation().spec(), "bot", watched_launch(300, 1'000'000), patience);
    const auto started = program.start(1);
    ASSERT_TRUE(started) << started.error().message;
    Allowance allowance;
    if (limited) allowance.limits.move_time = Milliseconds(100);
    const auto choice = program.choose({*session, "", {}}, allowance, {});
    ASSERT_FALSE(choice);
    const std::string& message = choice.error().message;
    EXPECT_EQ(message.find('-'), std::string::npos) << message;
    EXPECT_NE(message.find(limited ? "more than its 100 ms" : "no time limit"), std::string::npos) << message;
  }
}

TEST(ProgramPlayer, what_a_failure_was_is_told_with_evidence) {
  const auto fault = [](const std::string& answer, std::optional<int> move_time) -> Failed {
    const GamePtr game = must_open("othello");
    const auto session = game->start();
    const bool never_starts = answer.starts_with("#");
    const Milliseconds to_start(never_starts ? 1000 : 10'000);
    const ProgramPlayer::Patience patience{to_start, Milliseconds(50), Milliseconds(200)};
    Launch launch = shell_launch(never_starts ? answer.substr(1) : script(answer));
    launch.max_output = 100'000;
    ProgramPlayer program(game->notation().spec(), "bot", launch, patience);
    if (const auto started = program.start(1); !started) return started.error();
    Allowance allowance;
    if (move_time) allowance.limits.move_time = Milliseconds(*move_time);
    const auto choice = program.choose({*session, "", {}}, allowance, {});
    return choice ? Failed{Failure::stopped, choice->turn} : choice.error();
  };
  const auto expect = [&](const std::string& answer, std::optional<int> move_time, Failure how,
                          std::string_view words) {
    const Failed failed = fault(answer, move_time);
    EXPECT_EQ(name(failed.how), name(how)) << answer << ": " << failed.message;
    EXPECT_NE(failed.message.find(words), std::string::npos) << failed.message << " has no " << words;
  };
  expect("sleep 5", 20, Failure::time, "ms more than its 20 ms");
  expect("sleep 5", std::nullopt, Failure::stall, "no move in");
  expect("exit 3", 10'000, Failure::crash, "it ended with status 3");
  expect("kill -SEGV $$", 10'000, Failure::crash, "signal 11 (segmentation fault)");
  expect("echo hm; exit 3", 10'000, Failure::crash, "it said \"hm\"");
  expect("sleep 60 & exit 3", 10'000, Failure::crash, "status 3");
  expect("exec 1>&-; sleep 1", 10'000, Failure::crash, "closed its input or output");
  expect("while :; do echo info string xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done", 10'000, Failure::flood, "97 KiB");
  expect("#while read x; do echo what; done", 1000, Failure::protocol, "it said \"what\"");
  expect("#sleep 5", 1000, Failure::stall, "no ugiok");
  expect("#true", 1000, Failure::crash, "status 0");
}

TEST(ProgramPlayer, may_ask_for_the_rules) {
  const std::string asking =
      "echo query moves; read word first rest; echo query weather; read error; echo bestmove $first";
  const Played played = play_once(script(asking));
  ASSERT_TRUE(played.choice) << played.choice.error().message;
  EXPECT_EQ(played.choice->turn, "d3") << "the first of those listed";
}

TEST(ProgramPlayer, the_conversation_is_kept) {
  std::string folder = (std::filesystem::temp_directory_path() / "paika-log-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const GamePtr game = must_open("othello");
  Launch launch = shell_launch(script("echo ouch >&2; echo bestmove d3"), folder + "/bot.log");
  launch.log_talk = true;
  {
    ProgramPlayer program(game->notation().spec(), "bot", launch, {});
    ASSERT_TRUE(program.start(1));
    ASSERT_TRUE(program.choose({*game->start(), "", {}}, {}, {}));
  }
  const std::string log = paika_tests::read_whole(folder + "/bot.log");
  for (const char* part : {" > ugi\n", " < ugiok\n", " > position startpos\n", "ouch\n", " < bestmove d3\n"}) {
    EXPECT_NE(log.find(part), std::string::npos) << part << " is not in\n" << log;
  }
  std::filesystem::remove_all(folder);
}

TEST(Launch, endings_are_told_and_read) {
  for (const Ending& ending : {Ending{Ending::Kind::exited, 3, ""}, Ending{Ending::Kind::signalled, 9, "too many"},
                               Ending{Ending::Kind::memory, 0, "1.2 GiB, more than its 1 GiB"}}) {
    const auto read = read_status_line(status_line(ending) + "\n");
    ASSERT_TRUE(read);
    EXPECT_EQ(words_for(*read), words_for(ending));
  }
  EXPECT_FALSE(read_status_line("hello 3"));
  EXPECT_FALSE(read_status_line("exited"));
  EXPECT_EQ(failure_of({Ending::Kind::memory, 0, ""}), Failure::memory);
  EXPECT_EQ(failure_of({Ending::Kind::output, 0, ""}), Failure::flood);
  EXPECT_EQ(failure_of({Ending::Kind::processor, 0, ""}), Failure::time);
  EXPECT_EQ(words_for({Ending::Kind::exited, 127, ""}), "it ended with status 127 (there is no such command)");
}

TEST(Launch, use_is_told_and_read) {
  const ProcessorUse use{std::chrono::microseconds(12), std::chrono::microseconds(3),
                         Clock::time_point(std::chrono::microseconds(456))};
  EXPECT_EQ(use_line(use), "used 12 3 456");
  EXPECT_EQ(read_use_line(use_line(use)), use);
  for (const std::string_view line : {"", "used", "used 1", "used 1 2", "used 1 x 3", "used 1 -2 3", "exited 1 2 3"}) {
    EXPECT_FALSE(read_use_line(line)) << line;
  }
}

TEST(ProgramPlayer, ending_a_stubborn_one_is_not_its_turns_time) {
  const GamePtr game = must_open("othello");
  const auto session = game->start();
  const ProgramPlayer::Patience patience{Milliseconds(5000), Milliseconds(20), Milliseconds(1000)};
  // It does not end when its input does, so it has to be killed.
  ProgramPlayer program(game->notation().spec(), "bot", shell_launch(script("sleep 60; sleep 60")), patience);
  EXPECT_TRUE(program.start(1));
  Allowance allowance;
  allowance.limits.move_time = Milliseconds(30);
  EXPECT_EQ(program.choose({*session, "", {}}, allowance, {}).error().how, Failure::time);
  EXPECT_FALSE(no_children()) << "its turn's time was used to kill it";
  program.tidy();
  EXPECT_TRUE(no_children());
}

TEST(ProgramPlayer, is_started_anew_after_a_crash) {
  const GamePtr game = must_open("othello");
  const auto session = game->start();
  ProgramPlayer program(game->notation().spec(), "bot", script("exit 1"));
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(program.start(1));
    EXPECT_EQ(program.choose({*session, "", {}}, {}, {}).error().how, Failure::crash);
    EXPECT_EQ(program.choose({*session, "", {}}, {}, {}).error().how, Failure::crash);
  }
}

TEST(ProgramPlayer, is_told_the_whole_game) {
  const GamePtr game = must_open("othello");
  const auto session = game->start();
  const std::vector<std::string> turns = {"d3", "c3"};
  // The program answers with what it was told, blanks made to signs.
  ProgramPlayer program(game->notation().spec(), "bot",
                        "p=; while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; setoption) "
                        "o=$b;; position) p=$b;; go) echo bestmove $(echo \"$o|$p|$b\" | tr ' ' _);; esac; done");
  ASSERT_TRUE(program.start(1));
  for (const std::string& turn : turns) ASSERT_TRUE(session->try_play(turn));
  Allowance allowance;
  allowance.limits.clock = GameClock{Milliseconds(5000), Milliseconds(10)};
  allowance.opponent = GameClock{Milliseconds(7000), Milliseconds(20)};
  const auto choice = program.choose({*session, "", turns}, allowance, {});
  ASSERT_TRUE(choice) << choice.error().message;
  EXPECT_EQ(choice->turn, "name_Game_value_othello:8x8|startpos_moves_d3_c3|p1time_5000_p2time_7000_p1inc_10_p2inc_20");
}

TEST(ProgramPlayer, info_lines_are_read) {
  Choice choice;
  read_info("info depth 3 score win 5 nodes 1 pv a b", choice);
  EXPECT_EQ(choice.score, win_in(5));
  EXPECT_EQ(choice.depth, 3);
  read_info("info multipv 2 depth 9 score cp 1", choice);
  EXPECT_EQ(choice.depth, 3) << "not the best line";
  read_info("info string score cp 99", choice);
  read_info("info score cp x", choice);
  read_info("score cp 4", choice);
  EXPECT_EQ(choice.score, win_in(5));
  read_info("info score loss 99999999999", choice);
  EXPECT_EQ(choice.score, loss_in(longest_win));
}

}  // namespace
}  // namespace paika::play
