// What hostile programs try in a sandbox: looking into process 1, calls they have no use for, memory and files that
// nobody counts, running while it is not their turn.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

#include "sandbox/process_use.hpp"
#include "tests/sandbox/confined.hpp"

namespace paika::sandbox {
namespace {

using play::ChildProcess;
using EndingKind = play::Ending::Kind;
using std::chrono::microseconds;

class Attacked : public Confined {};

INSTANTIATE_TEST_SUITE_P(Sandbox, Attacked, all_sandboxes, name_of_kind);

// ---- Process 1 ----

TEST_P(Attacked, process_1_shows_nothing) {
  setenv("PAIKA_SECRET", "the-server-s-own", 1);
  const Story run = run_to_end(python(R"(import os
opened = []
for name in ('environ', 'mem', 'maps', 'auxv', 'stack', 'syscall', 'io', 'fd/0', 'root/etc/passwd', 'cwd/.'):
    try:
        text = open(f'/proc/1/{name}', 'rb').read(1 << 16)
        opened.append(name)
    except OSError: pass
for name in ('fd', 'map_files', 'root', 'cwd'):
    try:
        os.listdir(f'/proc/1/{name}')
        opened.append(name)
    except OSError: pass
for name in ('mem', 'oom_score_adj', 'clear_refs', 'autogroup', 'comm'):
    try:
        os.open(f'/proc/1/{name}', os.O_WRONLY)
        opened.append(name + ' to write')
    except OSError: pass
print(opened)
lines = []
for pid in filter(str.isdigit, os.listdir('/proc')):
    lines.append(open(f'/proc/{pid}/cmdline').read())
print(any(word in line for line in lines for word in ('SECRET', 'the-server', '--memory', '--folder')))
)"));
  unsetenv("PAIKA_SECRET");
  EXPECT_EQ(run.said, "[]\nFalse\n") << errors();
}

TEST_P(Attacked, process_1_is_held_like_the_program) {
  const Story run = run_to_end(
      "for p in 1 self; do grep -E '^(Seccomp|NoNewPrivs|CapEff|CapPrm|CapInh|CapAmb):' /proc/$p/status; "
      "grep -E 'open files|processes|file size|core' /proc/$p/limits; done");
  ASSERT_EQ(run.said.size() % 2, 0U) << run.said;
  const std::string first = run.said.substr(0, run.said.size() / 2);
  EXPECT_EQ(first, run.said.substr(run.said.size() / 2));
  EXPECT_NE(first.find("Seccomp:\t2"), std::string::npos) << first;
  EXPECT_NE(first.find("NoNewPrivs:\t1"), std::string::npos) << first;
  EXPECT_NE(first.find("CapPrm:\t0000000000000000"), std::string::npos) << first;
}

TEST_P(Attacked, process_1_cannot_be_changed) {
  const Story run = run_to_end(python(R"(import ctypes, os, signal
libc = ctypes.CDLL(None, use_errno=True)
class Part(ctypes.Structure): _fields_ = [('base', ctypes.c_void_p), ('size', ctypes.c_size_t)]
room = ctypes.create_string_buffer(8)
mine, theirs = Part(ctypes.addressof(room), 8), Part(0x400000, 8)
print(libc.ptrace(16, 1, 0, 0))  # attach
print(libc.process_vm_readv(1, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0))
print(libc.process_vm_writev(1, ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0))
print(libc.prlimit(1, 7, None, ctypes.byref(ctypes.create_string_buffer(16))))
print(libc.setpriority(0, 1, 19))
for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGTERM, signal.SIGUSR1): os.kill(1, number)
print('alive')
)"));
  EXPECT_EQ(run.said, "-1\n-1\n-1\n-1\n-1\nalive\n") << errors();
}

// ---- Calls ----

TEST_P(Attacked, calls_that_no_program_needs_are_not_there) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "NOT TESTED: the numbers of system calls are those of x86-64";
#endif
  const Story run = run_to_end(python(R"(import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
calls = dict(msgget=68, semget=64, shmget=29, mq_open=240, memfd_create=319, memfd_secret=447, userfaultfd=323,
             io_uring_setup=425, bpf=321, keyctl=250, add_key=248, ptrace=101, unshare=272, setns=308, mount=165,
             personality=135, clone3=435, timer_create=222, perf_event_open=298, mknod=133, setxattr=188, inotify_init1=294,
             fanotify_init=300, mbind=237, sched_setscheduler=144, sched_setaffinity=203, setpriority=141, seccomp=317,
             unknown=900)
print([name for name, number in calls.items()
       if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() != errno.ENOSYS])
refused = dict(setsid=112, setpgid=109, socket=41, setsockopt=54)
print([name for name, number in refused.items()
       if libc.syscall(number, 1, 1, 0, 0, 0, 0) != -1 or ctypes.get_errno() != errno.EPERM])
SIGCONT = 18
print(libc.syscall(56, SIGCONT, 0, 0, 0, 0), libc.syscall(56, 0x10000000 | 17, 0, 0, 0, 0),  # clone
      libc.prctl(1, SIGCONT), libc.fcntl(0, 10, SIGCONT), libc.prctl(4, 0))
)"));
  EXPECT_EQ(run.said, "[]\n[]\n-1 -1 -1 -1 -1\n") << errors();
}

TEST_P(Attacked, core_dumps_cannot_be_had) {
  rlimit own{};
  ASSERT_EQ(getrlimit(RLIMIT_CORE, &own), 0);
  const rlim_t limit = std::min<rlim_t>(1, own.rlim_max);
  const Story run = run_to_end(python(R"(import ctypes, resource
libc = ctypes.CDLL(None, use_errno=True)
core, pair = resource.RLIMIT_CORE, ctypes.c_ulong * 2
def tried(call):
  try: call()
  except (OSError, ValueError): return 'refused'
  return 'done'
for limits in (0, 0), (0, 1), (1, 1), (-1, -1):
  print(tried(lambda: resource.setrlimit(core, limits)), libc.syscall(160, core, ctypes.byref(pair(*limits))))
print(resource.getrlimit(core), open('/proc/self/coredump_filter').read().strip())
print(tried(lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))), resource.getrlimit(resource.RLIMIT_NOFILE))
)"));
  EXPECT_EQ(run.said, "refused -1\nrefused -1\nrefused -1\nrefused -1\n" + fmt::format("({0}, {0}) 00000000\n", limit) +
                          "done (20, 20)\n")
      << "with a limit of 0 the kernel would still feed a dump to a program; " << errors();
}

// ---- Memory and files that nobody counts ----

TEST_P(Attacked, page_tables_are_memory) {
  confinement_.limits.memory = memory_limit(100);
  const Story run = run_to_end(python(R"(import mmap, time
m = mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
for i in range(0, 1 << 38, 1 << 21): m[i]
time.sleep(5)
)"));
  EXPECT_EQ(run.ending.kind, EndingKind::memory) << words_for(run.ending) << errors();
}

TEST_P(Attacked, socket_buffers_are_memory) {
  confinement_.limits.memory = memory_limit(150);
  const Story run = run_to_end(python(R"(import os, socket, time
for i in range(6):
    if os.fork() == 0: break
kept = []
try:
    while True:
        a, b = socket.socketpair()
        kept += [a, b]
        for end in (a, b):
            end.setblocking(False)
            try:
                while True: end.send(b'x' * 65536)
            except BlockingIOError: pass
except OSError: pass
time.sleep(10)
)"));
  EXPECT_EQ(run.ending.kind, EndingKind::memory) << words_for(run.ending) << errors();
}

TEST_P(Attacked, unlinked_files_are_counted) {
  confinement_.limits.written = std::uint64_t{4} << 20U;
  const Story run = run_to_end(python(R"(import mmap, os
kept, total = [], 0
try:
    for i in range(100):
        name = os.environ['HOME'] + '/x'
        with open(name, 'w+b') as file:
            os.unlink(name)
            file.write(b'x' * (1 << 20))
            file.flush()
            kept.append(mmap.mmap(file.fileno(), 1 << 20))
            total += 1
except OSError as error: print(error.strerror)
print(total <= 4)
)"));
  EXPECT_EQ(run.said, "No space left on device\nTrue\n") << errors();
}

TEST_P(Attacked, hidden_folders_are_counted_and_gone) {
  confinement_.limits.written = std::uint64_t{4} << 20U;
  const paika_tests::TemporaryFolder temporary;
  setenv("TMPDIR", temporary.path().c_str(), 1);
  const std::string command = python(R"(import os
home = os.environ['HOME']
total = 0
try:
    os.chdir(home)
    for i in range(1100):
        os.mkdir('d')
        os.chdir('d')
    os.mkdir(home + '/secret')
    os.chmod(home + '/secret', 0o300)
    for i in range(100):
        open(f'{home}/secret/{i}', 'wb').write(b'x' * (1 << 20))
        total += 1
except OSError as error: print(error.strerror)
print(total <= 4)
)");
  play::Launch launch = confined(confinement_, command, own_.path().string(), "");
  launch.error_log = logs_ / "errors";
  {
    const auto child = paika_tests::must(ChildProcess::start(launch), "start");
    EXPECT_EQ(child->read_line(in(60'000), {}).value_or("?"), "No space left on device") << errors();
    EXPECT_EQ(child->read_line(in(60'000), {}).value_or("?"), "True");
  }
  unsetenv("TMPDIR");
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path())) << "something is left behind";
}

// ---- Running while it is not its turn ----

/// A program with twenty children that never rest, some of which come and go, and that answers every line.
std::string busy_program(const std::string& marker) {
  return fmt::format(R"(import os, sys, time
for i in range(20):
    if os.fork() == 0:
        try: os.setsid()
        except OSError: pass
        while True:
            if i % 2 == 0 and os.fork(): os._exit(0)
            for k in range(300000): pass
print('ready', flush=True)
for line in sys.stdin: print('heard', line.strip(), flush=True)
# {}
)",
                     marker);
}

/// How many of the processes with a marker are not stopped.
int running_with(const std::string& marker) {
  int running = 0;
  for (const auto& process : with_argument(marker)) {
    const std::string stat = read_of_process(process / "stat");
    const auto name_end = stat.rfind(") ");
    if (name_end == std::string::npos) continue;
    const char state = stat[name_end + 2];
    if (state != 'T' && state != 'Z' && state != 'X') ++running;
  }
  return running;
}

TEST_P(Attacked, writing_errors_does_not_make_the_watcher_look_more_often) {
  const auto child = start(python(R"(import os, time
print('ready', flush=True)
written, end = 0, time.monotonic() + 1
while time.monotonic() < end: written += os.write(2, b'x')
print(written, flush=True)
time.sleep(60)
)"));
  const auto read_so_far = [&] {
    const std::string io = read_of_process(fmt::format("/proc/{}/io", child->process()));
    return io.starts_with("rchar: ") ? std::stol(io.substr(7)) : 0;
  };
  const auto begin = ChildProcess::Clock::now();
  ASSERT_EQ(child->read_line(in(60'000), {}).value_or("?"), "ready");
  const long before = read_so_far();
  if (before == 0) GTEST_SKIP() << "NOT TESTED: the system does not count what a process reads";
  const long written = std::stol(child->read_line(in(60'000), {}).value_or("0"));
  ASSERT_GT(written, 0);
  const long read = read_so_far() - before - written;
  const auto looks = (ChildProcess::Clock::now() - begin) / std::chrono::milliseconds(20);
  EXPECT_LT(read, 8000 * looks) << "bytes of /proc";
}

TEST_P(Attacked, nothing_runs_while_it_is_paused) {
  const std::string marker =
      fmt::format("busy{}{}{}", getpid(), static_cast<int>(GetParam().first), static_cast<int>(GetParam().second));
  confinement_.limits.processes = 500;  // those that came and went count until they are taken note of
  const auto child = start(python(busy_program(marker)) + " " + marker);
  ASSERT_EQ(child->read_line(in(60'000), {}).value_or("?"), "ready") << errors();
  for (int round = 0; round < 5; ++round) {
    child->pause();
    // To stop, a process needs the processor once more, if only for the kernel; one that was just born is found later.
    int looks = 0;
    for (int i = 0; i < 500 && looks < 5; ++i, usleep(10'000)) looks = running_with(marker) == 0 ? looks + 1 : 0;
    EXPECT_FALSE(with_argument(marker).empty());
    EXPECT_EQ(running_with(marker), 0);
    ASSERT_TRUE(child->write_line("hello", in(1000)));
    EXPECT_EQ(child->read_line(in(100), {}).error(), ChildProcess::Trouble::timeout) << "it cannot answer now";
    EXPECT_EQ(running_with(marker), 0);
    child->resume();
    EXPECT_EQ(child->read_line(in(60'000), {}).value_or("?"), "heard hello");
  }
}

TEST_P(Attacked, waiting_for_a_processor_is_told) {
  if (play::own_waiting() == microseconds(0)) GTEST_SKIP() << "NOT TESTED: the system does not count what threads wait";
  const auto child = start(python(R"(import sys, time
print('ready', flush=True)
for line in sys.stdin:
    until = time.process_time() + 0.3
    while time.process_time() < until: pass
    print('done', flush=True)
)"));
  ASSERT_EQ(child->read_line(in(60'000), {}).value_or("?"), "ready") << errors();
  child->pause();
  // All of us on one processor, three of which never rest.
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  for (const auto& process : with_argument("program.py")) {
    static_cast<void>(sched_setaffinity(std::stoi(process.filename().string()), sizeof one, &one));
  }
  std::vector<std::jthread> busy;
  for (int i = 0; i < 3; ++i) {
    busy.emplace_back([one](const std::stop_token& stop) {
      static_cast<void>(sched_setaffinity(0, sizeof one, &one));
      while (!stop.stop_requested()) {
      }
    });
  }
  child->resume();
  ASSERT_TRUE(child->write_line("work", in(5000)));
  const auto begun = ChildProcess::Clock::now();
  ASSERT_EQ(child->read_line(in(60'000), {}).value_or("?"), "done");
  const auto passed = std::chrono::duration_cast<microseconds>(ChildProcess::Clock::now() - begun);
  const ChildProcess::Use use = child->pause();
  EXPECT_GE(use.waited, std::chrono::milliseconds(100)) << "with one of two shares of the processor at most";
  EXPECT_LE(use.charged(passed), passed - std::chrono::milliseconds(100));
}

TEST_P(Attacked, clearing_away_is_not_its_time) {
  const auto child = start(python(R"(import os, time
for i in range(1500):
    with open(os.environ['HOME'] + f'/{i}', 'w') as file: file.write('x' * 5000)
print(time.monotonic_ns(), flush=True)
)"));
  const auto line = child->read_line(in(60'000), {});
  ASSERT_TRUE(line);
  for (const auto end = in(60'000); !child->ending();) ASSERT_LT(ChildProcess::Clock::now(), end);
  const auto done = ChildProcess::Clock::time_point(std::chrono::nanoseconds(std::stoll(*line)));
  EXPECT_GE(child->use().waited, (ChildProcess::Clock::now() - done) / 2);
}

TEST_P(Attacked, processor_time_is_charged_and_not_while_paused) {
  confinement_.limits.processors = 1;
  // Four processes that each use a fifth of a second, however long that takes.
  const auto child = start(python(R"(import os, sys, time
print('ready', flush=True)
for line in sys.stdin:
    children = []
    for i in range(4):
        child = os.fork()
        if child == 0:
            while time.process_time() < 0.2: pass
            os._exit(0)
        children.append(child)
    for one in children: os.waitpid(one, 0)
    print('done', flush=True)
)"));
  ASSERT_EQ(child->read_line(in(60'000), {}).value_or("?"), "ready") << errors();
  child->pause();
  child->resume();
  ASSERT_TRUE(child->write_line("work", in(1000)));
  ASSERT_EQ(child->read_line(in(60'000), {}).value_or("?"), "done");
  const microseconds charge = child->pause().charge;
  EXPECT_GE(charge, std::chrono::milliseconds(700));
  EXPECT_LE(charge, std::chrono::milliseconds(3000));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  child->resume();
  EXPECT_LT(child->pause().charge, std::chrono::milliseconds(150));
}

}  // namespace
}  // namespace paika::sandbox
