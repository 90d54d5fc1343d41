// Sandbox around programs: what they keep out, what they keep in, and what is said of those that go too far.
#include "sandbox/confinement.hpp"

#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "sandbox/process_use.hpp"
#include "tests/sandbox/confined.hpp"

namespace paika::sandbox {
namespace {

using paika_tests::must;
using paika_tests::TemporaryFolder;
using play::ChildProcess;
using play::Ending;
using EndingKind = Ending::Kind;
using std::chrono::microseconds;

INSTANTIATE_TEST_SUITE_P(Sandbox, Confined, all_sandboxes, name_of_kind);

TEST_P(Confined, tells_how_it_ended) {
  const Story left = run_to_end("exit 3");
  EXPECT_EQ(left.ending.kind, EndingKind::exited);
  EXPECT_EQ(left.ending.number, 3);
  const Story crashed = run_to_end("kill -SEGV $$");
  EXPECT_EQ(crashed.ending.kind, EndingKind::signalled);
  EXPECT_EQ(words_for(crashed.ending), "it was ended by signal 11 (segmentation fault)");
  EXPECT_EQ(run_to_end("no-such-program").ending.number, 127);
}

TEST_P(Confined, sees_its_own_files_and_nobody_elses) {
  EXPECT_EQ(run_to_end("pwd; cat mine.txt").said, own_.path().string() + "\nmy own\n");
  EXPECT_EQ(run_to_end("cat " + (other_ / "secret.txt") + " || echo no").said, "no\n");
  EXPECT_EQ(run_to_end("cat /etc/shadow || echo no").said, "no\n");
  EXPECT_EQ(run_to_end("ls /home /var /run >/dev/null 2>&1 || echo no").said, "no\n");
  confinement_.readable = {other_.path().string()};
  EXPECT_EQ(run_to_end("cat " + (other_ / "secret.txt")).said, "not yours\n");
}

TEST_P(Confined, writes_only_to_its_scratch_folder) {
  EXPECT_EQ(run_to_end("echo kept > $HOME/note; [ $HOME = $TMPDIR ] && cat $TMPDIR/note").said, "kept\n");
  EXPECT_EQ(paika_tests::read_whole(scratch_ / "note"), "kept\n");
  for (const char* place : {"mine.txt", "new.txt", "/new.txt", "/usr/new.txt", "/etc/new.txt", "/dev/new.txt"}) {
    EXPECT_EQ(run_to_end(fmt::format("(echo x > {}) 2>/dev/null || echo no", place)).said, "no\n") << place;
  }
  EXPECT_EQ(paika_tests::read_whole(own_ / "mine.txt"), "my own\n");
}

TEST_P(Confined, knows_nothing_of_our_environment) {
  setenv("PAIKA_SECRET", "42", 1);
  EXPECT_EQ(run_to_end("echo \"[$PAIKA_SECRET$PAIKA_STATUS$PAIKA_CONFINE]\"").said, "[]\n");
  unsetenv("PAIKA_SECRET");
}

TEST_P(Confined, has_no_network) {
  const std::string python =
      "/usr/bin/python3 -c 'import socket\n"
      "for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET):\n"
      "  try: socket.socket(family, socket.SOCK_RAW if family > 10 else socket.SOCK_STREAM); print(\"open\")\n"
      "  except OSError: print(\"no\")'";
  EXPECT_EQ(run_to_end(python).said, "no\nno\nno\nno\n");
}

TEST_P(Confined, cannot_make_namespaces_or_mounts) {
  EXPECT_EQ(run_to_end("unshare -U true 2>/dev/null || echo no").said, "no\n");
  EXPECT_EQ(run_to_end("mount -t tmpfs x /tmp 2>/dev/null || echo no").said, "no\n");
}

TEST_P(Confined, is_alone) {
  // The number of the shell shows that it is in a namespace of its own: only then the next line is harmless.
  EXPECT_EQ(run_to_end("[ $$ -lt 50 ] && echo alone").said, "alone\n");
  EXPECT_EQ(run_to_end("[ $$ -lt 50 ] && { sleep 60 & sleep 60 & kill -9 -1; echo left; }").said, "left\n");
}

TEST_P(Confined, memory_is_that_of_all_its_processes) {
  if (counts_shadow()) GTEST_SKIP() << "process 1 is larger than this with the sanitizer";
  confinement_.limits.memory = memory_limit(100);
  const std::uint64_t limit = confinement_.limits.memory >> 20U;
  const std::string greedy = "/usr/bin/python3 -c 'x = bytearray({} << 20); import time; time.sleep({})'";
  const Story alone = run_to_end(fmt::format(fmt::runtime(greedy), 3 * limit, 20));
  EXPECT_EQ(alone.ending.kind, EndingKind::memory) << words_for(alone.ending);
  EXPECT_NE(alone.ending.detail.find(fmt::format("more than its {}.0 MiB", limit)), std::string::npos)
      << alone.ending.detail;
  const std::string part = fmt::format(fmt::runtime(greedy), limit / 2, 20);
  EXPECT_EQ(run_to_end(fmt::format("{} & {} & {}", part, part, part)).ending.kind, EndingKind::memory);
  EXPECT_EQ(run_to_end(fmt::format(fmt::runtime(greedy), limit / 2, 0)).ending.kind, EndingKind::exited);
}

TEST_P(Confined, memory_that_is_shared_counts_once) {
  if (counts_shadow()) GTEST_SKIP() << "process 1 is larger than this with the sanitizer";
  confinement_.limits.memory = memory_limit(150);
  const Story run = run_to_end(
      "/usr/bin/python3 -c 'import os, time\nx = bytearray(80 << 20)\n"
      "for i in range(4):\n  if os.fork() == 0: time.sleep(0.3); os._exit(0)\n"
      "time.sleep(0.5)'");
  EXPECT_EQ(run.ending.kind, EndingKind::exited) << words_for(run.ending);
}

TEST_P(Confined, processes_are_counted) {
  confinement_.limits.processes = 20;
  const Story run = run_to_end("i=0; while [ $i -lt 200 ]; do sleep 20 & i=$((i+1)); done; wait");
  EXPECT_EQ(run.ending.kind, EndingKind::signalled);
  EXPECT_EQ(words_for(run.ending), "it was ended: it had more than its 20 processes and threads");
}

TEST_P(Confined, what_it_leaves_is_counted_however_late_the_watcher_looks) {
  confinement_.limits.processes = 20;
  const auto child =
      start("echo ready; read go; i=0; while [ $i -lt 40 ]; do sleep 20 & i=$((i+1)); done; echo done; exit 3");
  ASSERT_EQ(child->read_line(in(30'000), {}).value_or("?"), "ready");
  kill(child->process(), SIGSTOP);
  ASSERT_TRUE(child->write_line("go", in(30'000)));
  // The kernel lets it start no more than it may.
  if (confinement_.accounting == Accounting::sampled) {
    EXPECT_EQ(child->read_line(in(30'000), {}).value_or("?"), "done");
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // it ends meanwhile
  kill(child->process(), SIGCONT);
  const auto ending = child->ending();
  ASSERT_TRUE(ending);
  EXPECT_EQ(words_for(*ending), "it was ended: it had more than its 20 processes and threads");
}

TEST_P(Confined, all_that_it_writes_counts_together) {
  confinement_.limits.written = std::uint64_t{2} << 20U;
  const std::string fill = "head -c 900000 /dev/zero > {} 2>/dev/null && echo {}; ";
  std::string command;
  for (const char* place : {"$HOME/1", "/tmp/2", "/dev/shm/3", "$TMPDIR/4"}) {
    command += fmt::format(fmt::runtime(fill), place, place[0] == '$' ? "home" : place);
  }
  EXPECT_EQ(run_to_end(command).said, "home\n/tmp/2\n") << "the third does not fit";
  EXPECT_EQ(run_to_end("ls $HOME /tmp").said.find("\n2\n"), std::string::npos)
      << "nothing is left but the home's files";
}

TEST_P(Confined, too_many_files_end_it) {
  const Story run =
      run_to_end(python("import os, time\ntry:\n  for i in range(20000):\n    open(f'/tmp/{i}', 'x').close()\n"
                        "except OSError: print('full')\ntime.sleep(0.5)"));
  EXPECT_TRUE(run.said == "full\n" || run.ending.kind == EndingKind::output) << words_for(run.ending);
}

TEST_P(Confined, files_are_exchanged_by_copies) {
  std::ofstream(scratch_ / "in") << "given\n";
  EXPECT_EQ(run_to_end("cd $HOME; cat in; rm in; mkdir -p a/b; echo deep > a/b/c; echo '#' > run; chmod 700 run; "
                       "ln -s a/b link; ln -s /etc/passwd out; ln -s ../x up; chmod 300 a")
                .said,
            "given\n");
  EXPECT_EQ(paika_tests::read_whole(scratch_ / "a/b/c"), "deep\n");
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "in"));
  EXPECT_EQ(std::filesystem::read_symlink(scratch_ / "link"), "a/b");
  EXPECT_FALSE(std::filesystem::is_symlink(scratch_ / "out"));
  EXPECT_FALSE(std::filesystem::is_symlink(scratch_ / "up"));
  using std::filesystem::perms;
  EXPECT_NE(std::filesystem::status(scratch_ / "run").permissions() & perms::owner_exec, perms::none);
  // What is too much is not taken, and what was there stays.
  const Story sparse = run_to_end("cd $HOME; mkdir many; for i in $(seq 70); do mkdir d; cd d; done");
  EXPECT_EQ(sparse.ending.kind, EndingKind::output) << words_for(sparse.ending);
  EXPECT_TRUE(std::filesystem::exists(scratch_ / "run"));
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "many"));
}

TEST_P(Confined, the_processors_time_is_counted) {
  confinement_.limits.cpu_seconds = 1;
  EXPECT_EQ(run_to_end("while :; do :; done").ending.kind, EndingKind::processor);
}

TEST_P(Confined, what_it_writes_to_standard_error_is_kept_up_to_a_limit) {
  EXPECT_EQ(run_to_end("echo ouch >&2").ending.number, 0);
  EXPECT_EQ(errors(), "ouch\n");
  EXPECT_EQ(run_to_end("head -c 5000000 /dev/zero >&2").ending.number, 0);
  EXPECT_LT(errors().size(), std::size_t{1'200'000});
  EXPECT_TRUE(errors().ends_with("is not kept\n"));
}

TEST_P(Confined, all_its_threads_stand_still_when_it_is_paused) {
  const std::string marker = fmt::format("{}{}{}", getpid(), name(GetParam().first), name(GetParam().second));
  const auto child = start(python("import threading, time\n"
                                  "def spin():\n  while True: pass\n"
                                  "for _ in range(4): threading.Thread(target=spin, daemon=True).start()\n"
                                  "print('ready', flush=True)\ntime.sleep(60)") +
                           " " + marker);
  ASSERT_EQ(child->read_line(in(30'000), {}).value_or("?"), "ready");
  for (int round = 0; round < 5; ++round) {
    child->pause();
    const auto found = with_argument(marker);
    ASSERT_EQ(found.size(), 1U);
    for (const auto& thread : std::filesystem::directory_iterator(found[0] / "task")) {
      const std::string stat = read_of_process(thread.path() / "stat");
      EXPECT_EQ(stat.substr(stat.rfind(')'), 3), ") T") << stat;
    }
    child->resume();
  }
}

TEST_P(Confined, nothing_is_left) {
  const std::string marker =
      fmt::format("60.{}{}{}1", getpid(), static_cast<int>(GetParam().first), static_cast<int>(GetParam().second));
  // One that tries to leave its session, and one whose parent ends.
  const std::string strays =
      fmt::format("(setsid sleep {0} || sleep {0}) 2>/dev/null & (sleep {0} &) ; sleep 0.1; echo ready", marker);
  EXPECT_EQ(run_to_end(strays).ending.kind, EndingKind::exited);
  EXPECT_TRUE(all_gone(marker)) << "after its end";
  for (const bool paused : {false, true}) {
    const auto child = start(strays + "; trap '' TERM HUP; while :; do sleep 60; done");
    EXPECT_EQ(child->read_line(in(30'000), {}).value_or("?"), "ready");
    EXPECT_FALSE(with_argument(marker).empty());
    if (paused) child->pause();
  }
  EXPECT_TRUE(all_gone(marker)) << "after it was dropped";
}

TEST_P(Confined, nothing_is_left_when_the_watcher_is_killed) {
  for (const bool paused : {false, true}) {
    const std::string marker = fmt::format("61.{}{}{}{}1", getpid(), static_cast<int>(GetParam().first),
                                           static_cast<int>(GetParam().second), paused ? 1 : 0);
    const auto child = start(fmt::format("(setsid sleep {0} || sleep {0}) & echo ready; sleep {0}", marker));
    EXPECT_EQ(child->read_line(in(30'000), {}).value_or("?"), "ready");
    if (paused) child->pause();
    kill(child->process(), SIGKILL);
    EXPECT_TRUE(all_gone(marker)) << paused;
  }
}

TEST_P(Confined, a_death_is_noticed_although_others_hold_its_pipes) {
  const auto child = start("sleep 60 & exit 4");
  EXPECT_EQ(child->read_line(in(50'000), {}).error(), ChildProcess::Trouble::closed)
      << "and no timeout: the other process holds them for 60 s";
  const auto ending = child->ending();
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->number, 4);
}

TEST(Sandbox, are_found_and_named) {
  const auto sandbox = find_sandbox();
  ASSERT_TRUE(sandbox) << sandbox.error().message;
  EXPECT_NE(*sandbox, Sandbox::none);
  EXPECT_EQ(name(Sandbox::bubblewrap), "bubblewrap");
}

TEST(Sandbox, without_any_the_limits_still_hold) {
  const TemporaryFolder scratch;
  Confinement confinement;
  confinement.sandbox = Sandbox::none;
  confinement.limits.memory = memory_limit(100);
  const auto child =
      must(ChildProcess::start(confined(confinement,
                                        "/usr/bin/python3 -c 'x = bytearray(300 << 20); import time; time.sleep(20)'",
                                        "", scratch.path().string())),
           "start");
  EXPECT_EQ(child->read_line(in(20'000), {}).error(), ChildProcess::Trouble::closed);
  const auto ending = child->ending();
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->kind, EndingKind::memory) << words_for(*ending);
}

TEST(ProcessUse, descendants_are_found) {
  const std::vector<ProcessUse> all = {{2, 1, 1, 0, 0}, {5, 2, 1, 0, 0}, {7, 5, 1, 0, 0}, {8, 1, 1, 0, 0}};
  const auto found = descendants(all, 2);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].process, 5);
  EXPECT_EQ(found[1].process, 7);
}

// ---- What threads wait for, as a /proc folder of our own reports it ----

class Waiting : public testing::Test {
 protected:
  /// What the system reports of a thread: nanoseconds that it ran and that it waited up to now, and its state.
  void write_schedstat(pid_t process, pid_t thread, std::int64_t ran, std::int64_t waited, char state = 'S') const {
    const auto folder = proc_.path() / fmt::format("{}/task/{}", process, thread);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "schedstat") << ran << ' ' << waited << " 7\n";
    std::ofstream(folder / "stat") << thread << " (a name) " << state << " 1 1";
  }
  microseconds look(std::initializer_list<pid_t> processes) {
    watch_.look(open_proc_, sleeping(processes));
    return watch_.total();
  }
  [[nodiscard]] bool any_run(std::initializer_list<pid_t> processes) const {
    return any_runs(open_proc_, sleeping(processes));
  }
  static std::vector<ProcessUse> sleeping(std::initializer_list<pid_t> processes) {
    std::vector<ProcessUse> all;
    for (const pid_t process : processes) all.push_back({process, 1, 1, 0, 0, 'S'});
    return all;
  }
  void TearDown() override { close(open_proc_); }

  TemporaryFolder proc_;
  int open_proc_ = open(proc_.path().c_str(), O_RDONLY | O_DIRECTORY);
  WaitingWatch watch_;
};

TEST_F(Waiting, of_all_threads_is_added_up) {
  write_schedstat(5, 5, 1000, 2'000'000);
  write_schedstat(5, 6, 1000, 3'000'000);
  write_schedstat(7, 7, 1000, 4'000'000);
  EXPECT_EQ(look({5, 7}), microseconds(9000));
  write_schedstat(5, 6, 1000, 13'000'000);
  EXPECT_EQ(look({5, 7}), microseconds(19'000));
}

TEST_F(Waiting, of_those_who_ended_stays) {
  write_schedstat(5, 5, 1000, 2'000'000);
  write_schedstat(7, 7, 1000, 4'000'000);
  EXPECT_EQ(look({5, 7}), microseconds(6000));
  EXPECT_EQ(look({5}), microseconds(6000));
  EXPECT_EQ(look({5}), microseconds(6000)) << "once";
  // Another thread has the number of one that ended.
  write_schedstat(5, 5, 0, 1'000'000);
  EXPECT_EQ(look({5}), microseconds(7000));
}

TEST_F(Waiting, that_is_not_over_counts_too) {
  write_schedstat(5, 5, 1000, 2'000'000, 'R');
  EXPECT_EQ(look({5}), microseconds(2000));
  const microseconds first = look({5});  // it could run, and has not
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(look({5}) - first, microseconds(20'000));
  write_schedstat(5, 5, 2000, 30'000'000, 'R');
  EXPECT_EQ(look({5}), microseconds(30'000)) << "as the system says";
  write_schedstat(5, 5, 2000, 30'000'000, 'S');
  look({5});
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(look({5}), microseconds(30'000)) << "who sleeps waits for no processor";
}

TEST_F(Waiting, or_running_is_any_thread_that_could_run) {
  write_schedstat(5, 5, 1000, 2'000'000, 'S');
  write_schedstat(5, 6, 1000, 2'000'000, 'S');
  write_schedstat(7, 7, 1000, 2'000'000, 'R');
  EXPECT_FALSE(any_run({5}));
  EXPECT_TRUE(any_run({5, 7}));
  write_schedstat(5, 6, 2000, 2'000'000, 'R');
  EXPECT_TRUE(any_run({5})) << "though its first thread sleeps";
}

TEST_F(Waiting, is_nothing_where_the_system_does_not_count) {
  std::filesystem::create_directories(proc_.path() / "5/task/5");
  EXPECT_EQ(look({5, 6}), microseconds(0));
}

}  // namespace
}  // namespace paika::sandbox
