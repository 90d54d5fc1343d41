// Participants as players: confined programs and the engine, in whole games.
#include "protocols/participant.hpp"

#include <gtest/gtest.h>
#include <string>

#include "play/referee.hpp"
#include "protocols/bot_check.hpp"
#include "sandbox/scratch.hpp"
#include "tests/support/files.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/session.hpp"

namespace paika::protocols {
namespace {

using paika_tests::must;
using paika_tests::must_open;
using paika_tests::TemporaryFolder;

/// A bot that does `answer` when it is to move.
std::string script(const std::string& answer) {
  return "while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) " + answer + ";; esac; done";
}

const std::string first_turn = "echo query moves; read r turn rest; echo bestmove $turn";

Participant bot(const std::string& command) {
  Participant participant;
  participant.name = "bot";
  participant.player = must(play::read_player("bot:" + command, {}), "player");
  return participant;
}

Participant engine() {
  Participant participant;
  participant.name = "engine";
  participant.player = must(play::read_player("engine:level=1,hash=1", {}), "player");
  return participant;
}

play::GameReport play_bot(const std::string& command, const SandboxPolicy& policy, const std::string& log = "") {
  const GamePtr game = must_open("othello:6x6");
  const auto first = must(make_game_player(bot(command), game, policy, log), "bot");
  const auto second = must(make_game_player(engine(), game, policy, ""), "engine");
  play::GamePlan plan;
  plan.game = game;
  SearchLimits limits;
  limits.depth = 1;
  return play_game(plan, {play::Side{*first, limits}, play::Side{*second, limits}}, {});
}

SandboxPolicy a_house() {
  SandboxPolicy policy;
  policy.confinement.sandbox = must(sandbox::find_sandbox(), "sandbox");
  policy.stall_after = Milliseconds(10'000);
  return policy;
}

TEST(Participant, a_confined_bot_plays_a_whole_game) {
  const TemporaryFolder folder;
  const auto report = play_bot(script("echo thinking >&2; " + first_turn), a_house(), folder / "logs/bot.log");
  EXPECT_FALSE(report.failure) << report.record.result.remark;
  EXPECT_EQ(report.record.players[0], "bot");
  const std::string log = paika_tests::read_whole(folder / "logs/bot.log");
  for (const char* part : {" > go depth 1\n", " < query moves\n", " > response ", "thinking\n"}) {
    EXPECT_NE(log.find(part), std::string::npos) << part;
  }
}

TEST(Participant, faults_have_names) {
  SandboxPolicy policy = a_house();
  policy.confinement.limits.memory = paika_tests::memory_limit(64);
  policy.confinement.limits.output = 100'000;
  const auto fault = [&](const std::string& answer) {
    const auto report = play_bot(script(answer), policy);
    return report.failure ? std::string(name(*report.failure)) : "none";
  };
  EXPECT_EQ(fault("echo bestmove a1"), "illegal");
  EXPECT_EQ(fault("exit 1"), "crash");
  EXPECT_EQ(fault("echo bestmove"), "protocol");
  EXPECT_EQ(fault("while :; do echo info string xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"), "flood");
  EXPECT_EQ(fault("/usr/bin/python3 -c 'x = bytearray(400 << 20); import time; time.sleep(20)'"), "memory");
  policy.stall_after = Milliseconds(300);
  EXPECT_EQ(fault("sleep 20"), "stall");
  policy.to_start = Milliseconds(3000);
  const auto mute = play_bot("sleep 20", policy);
  EXPECT_EQ(mute.failure, play::Failure::stall) << mute.record.result.remark;
  const auto strange = play_bot("while read x; do echo pardon; done", policy);
  EXPECT_EQ(strange.failure, play::Failure::protocol) << strange.record.result.remark;
  EXPECT_NE(strange.record.result.remark.find("\"pardon\""), std::string::npos);
}

TEST(Participant, protocols_have_names) {
  for (const BotProtocol protocol :
       {BotProtocol::ugi, BotProtocol::nboard, BotProtocol::board_file, BotProtocol::board_files}) {
    EXPECT_EQ(read_protocol(name(protocol)), protocol);
  }
  const auto wrong = read_protocol("ugy");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(
      wrong.error().message,
      "there is no protocol \"ugy\" (did you mean ugi?); the protocols are ugi, nboard, board-file and board-files");
}

TEST(BotCheck, goes_up_to_the_first_step_that_fails) {
  const TemporaryFolder scratch;
  BotCheck check;
  check.games = {must_open("othello:6x6")};
  check.to_start = Milliseconds(2000);
  const auto run = [&](const std::string& command) {
    check.launch = play::shell_launch(command);
    return check_bot(check);
  };
  const auto good = run(script(first_turn));
  EXPECT_TRUE(good.back().passed) << good.back().what << ": " << good.back().problem;
  EXPECT_EQ(good.back().what, "ends when its input ends");
  const auto bad = run(script("echo bestmove a1"));
  EXPECT_FALSE(bad.back().passed);
  EXPECT_EQ(bad.back().what, "othello:6x6: plays a legal first move");
  EXPECT_EQ(bad.back().talk.back(), "< bestmove a1");
  EXPECT_FALSE(bad.back().hint.empty());
  const auto twice = run(script(first_turn + "; echo bestmove $turn"));
  EXPECT_FALSE(twice.back().passed);
}

TEST(ScratchFolder, goes_with_all_that_is_in_it) {
  std::string path;
  {
    const auto scratch = must(sandbox::ScratchFolder::make(), "folder");
    path = scratch.path();
    std::filesystem::create_directories(path + "/a/b");
    std::filesystem::permissions(path + "/a", std::filesystem::perms::none);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace paika::protocols
