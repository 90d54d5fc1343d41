"""Hostile bots beside honest ones, and bots on a busy machine.

usage: hostile_bots_test.py PAIKA-PROGRAM
PAIKA_BOT_GAMES: more than 2 (the default) means 20 games for each hostile bot.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from bot_case import FAILURES, GAMES, PAIKA, Folder, processes_with, run, with_thinking

HOSTILE_GAMES = 2 if GAMES <= 2 else 20

# Bots that go on playing while what they have started works against the opponent. 60 children that never rest:
BUSY = """
import os
if not hasattr(os, 'started'):
  os.started = True
  for i in range(60):
    if os.fork() == 0:
      try: os.setsid()
      except OSError: pass
      while True: pass
return turns[0]"""
# Children that are gone before anybody can count or stop them, and leave others.
RESPAWN = """
import os
if not hasattr(os, 'started'):
  os.started = True
  for i in range(20):
    if os.fork() == 0:
      try: os.setsid()
      except OSError: pass
      while True:
        try:
          if os.fork(): os._exit(0)
        except OSError: pass
        for k in range(1000): pass
return turns[0]"""
PAGE_TABLES = """
import mmap, time
m = mmap.mmap(-1, 1 << 42, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
for i in range(0, 1 << 40, 1 << 21): m[i]
time.sleep(60)"""
SOCKETS = """
import os, socket, time
for i in range(30):
  if os.fork() == 0: break
kept = []
try:
  while True:
    kept += socket.socketpair()
    for end in kept[-2:]:
      end.setblocking(False)
      try:
        while True: end.send(b'x' * 65536)
      except BlockingIOError: pass
except OSError: pass
time.sleep(60)"""
# Numbers of x86-64: msgget, semget, shmget, mq_open, memfd_create, memfd_secret.
QUEUES = """
import ctypes
libc = ctypes.CDLL(None)
return 'made-' + str(sum(libc.syscall(number, 0, 0o1600, 0o1600, 0) >= 0 for number in (68, 64, 29, 240, 319, 447)))"""
UNLINKED = """
import mmap, os
kept = []
try:
  for i in range(500):
    with open(os.environ['HOME'] + '/x', 'w+b') as file:
      os.unlink(file.name)
      file.write(b'x' * (1 << 20))
      file.flush()
      kept.append(mmap.mmap(file.fileno(), 1 << 20))
except OSError: pass
return 'kept-' + ('few' if len(kept) <= 64 else 'many')"""
FOLDERS = """
import os
written = 0
try:
  for root in (os.environ['HOME'], '/tmp', '/dev/shm'):
    os.chdir(root)
    os.mkdir('d')
    os.chmod('d', 0o300)
    for i in range(200):
      open('d/' + str(i), 'wb').write(b'x' * (1 << 20))
      written += 1
except OSError: pass
try:
  for i in range(1100):
    os.mkdir('e')
    os.chdir('e')
except OSError: pass
return 'wrote-' + ('few' if written <= 64 else 'many')"""
PROCESS_1 = """
import os
found = []
for name in ('environ', 'mem', 'maps', 'fd/0', 'root/etc/passwd', 'auxv'):
  try: found.append(open('/proc/1/' + name, 'rb').read(100))
  except OSError: pass
try: found.append(os.open('/proc/1/mem', os.O_RDWR))
except OSError: pass
if 'SECRET' in ''.join(open('/proc/' + pid + '/cmdline').read() for pid in os.listdir('/proc') if pid.isdigit()):
  found.append('a command line')
return 'found-' + str(len(found))"""
DRIBBLE = """
import sys, time
for i in range(100000):
  sys.stdout.write('b')
  sys.stdout.flush()
  time.sleep(0.01)"""

# What hostile bots do when they are asked for a turn, how they lose, and the evidence; those that lose by nothing play
# on. OTHER is a file of another bot.
HOSTILE = {
    "segfault": ("import ctypes\nctypes.string_at(0)", "crash", "signal 11 (segmentation fault)"),
    "loop": ("while True: pass", "time", "more than its"),
    "sleep": ("import time\ntime.sleep(1000)", "time", "no move in"),
    "forks": ("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", "crash",
              "more than its 64 processes and threads"),
    "memory": ("x = []\nwhile len(x) < 8192: x.append(bytearray(b'x' * (1 << 20)))", "memory", "more than its 1.00 GiB"),
    "output": ("while True: print('info string ' + 'x' * 1000)", "flood", "it said more than 65536 KiB"),
    # Inside its sandbox the only process it can reach is itself and its children.
    "killer": ("import os, signal\nassert os.getpid() < 50\nos.kill(os.getpid(), 0)\n"
               "os.fork() or __import__('time').sleep(60)\ntry: os.kill(-1, signal.SIGKILL)\n"
               "except ProcessLookupError: pass\nreturn 'a1'", "illegal", "a1 encloses nothing"),
    "spy": ("found = []\n"
            "for path in ('/etc/shadow', 'OTHER', '/proc/1/environ', '/proc/1/root/etc/shadow'):\n"
            "  try: found.append(open(path).read())\n  except OSError: pass\n"
            "return 'found-' + str(len(found))", "illegal", '"found-0"'),
    "network": ("import socket\ntry:\n  socket.socket().connect(('127.0.0.1', 22))\n  return 'open'\n"
                "except PermissionError: return 'shut'", "illegal", '"shut"'),
    "nonsense": ("say('\\x00\\xff banana')\nreturn 'banana'", "illegal", '"banana"'),
    "mute": ("return ''", "protocol", "bestmove without a move"),
    "busy": (BUSY, None, ""),
    "respawn": (RESPAWN, None, ""),
    "page_tables": (PAGE_TABLES, "memory", "more than its 1.00 GiB"),
    "sockets": (SOCKETS, "memory", "more than"),
    "queues": (QUEUES, "illegal", '"made-0"'),
    "unlinked": (UNLINKED, "illegal", '"kept-few"'),
    "folders": (FOLDERS, "illegal", '"wrote-few"'),
    "process_1": (PROCESS_1, "illegal", '"found-0"'),
    "dribble": (DRIBBLE, "time", "no move in"),
}
# A busy machine takes its time to count processes, to fill a gigabyte or to say 64 MiB: only who is to lose by time is
# given little of it.
SHORT = ("loop", "sleep", "dribble")
# Thinks, in the processor's time, for a twenty-fifth of the time it has, and no longer than a fifth of a second.
HONEST = with_thinking("import time\nuntil = time.process_time() + min(0.2, int(limits.split()[1]) / 25000)\n"
                       "while time.process_time() < until: pass\nreturn turns[-1]")


class Hostile(Folder):
    """Each plays well until it is asked for a turn. It loses by what it did, an honest bot beside it keeps its result, and
    nothing of the hostile one is left."""

    def play(self, name, code):
        marker = f"hostile{os.getpid()}.py"
        self.write(marker, with_thinking(code))
        self.write("honest.py", HONEST)
        # Those who slow down others have to be met with a limit; the more so as they have 60 processes and it one.
        limit = "1500" if name in SHORT else "5000" if HOSTILE[name][1] is None else "60000"
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        done = subprocess.run([PAIKA, "match", "othello:6x6", f"bot:exec /usr/bin/python3 {marker}",
                               "bot:exec /usr/bin/python3 honest.py", "--json", "--games", str(HOSTILE_GAMES), "--openings",
                               "2", "--time-ms", limit, "--confine"], cwd=self.folder, capture_output=True, check=False,
                              stdin=subprocess.DEVNULL, timeout=1200,
                              env={**os.environ, "PAIKA_SECRET": "SECRET", "TMPDIR": str(temporary)})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(list(temporary.iterdir()), [], "files are left")
        self.assertEqual(processes_with(marker), [], "processes are left")
        return json.loads(done.stdout)

    def test_in_a_match(self):
        other = pathlib.Path(tempfile.mkdtemp(prefix="paika-other-"))
        self.addCleanup(shutil.rmtree, other)
        other.chmod(0o755)
        (other / "bot.py").write_text("secret")
        none = {name: 0 for name in FAILURES}
        for name, (code, failure, evidence) in HOSTILE.items():
            with self.subTest(name):
                report = self.play(name, code.replace("OTHER", f"{other}/bot.py"))
                self.assertEqual(report["games"], HOSTILE_GAMES)
                self.assertEqual(report["b"]["failures"], none, "the honest bot: " + str(report["last_failure"]))
                if failure is None:
                    continue
                self.assertEqual(report["a"]["failures"], {**none, failure: HOSTILE_GAMES}, report["last_failure"])
                self.assertEqual(report["b"]["wins"], HOSTILE_GAMES)
                self.assertIn(evidence, report["last_failure"])

    def test_all_in_a_tournament(self):
        marker = f"tournament{os.getpid()}.py"
        plan = ['[tournament]\nsystem = "gauntlet"\ngames = ["othello:6x6"]\nlegs = 1\nopenings = 2\ntime = "5s"\n'
                'concurrency = 2\n[limits]\nmemory = "100M"\noutput = "1M"\n'
                '[[player]]\nname = "good"\nengine = "level=1,hash=1"\n']
        for name, (code, _, _) in HOSTILE.items():
            folder = self.folder / name
            folder.mkdir()
            folder.chmod(0o755)
            (folder / marker).write_text(with_thinking(code.replace("OTHER", str(self.folder / "loop" / marker))))
            plan.append(f'[[player]]\nname = "{name}"\nbot = "exec /usr/bin/python3 {marker}"\nfolder = "{name}"\n')
        self.write("hostile.toml", "".join(plan))
        done = run("tournament", "hostile.toml", "--quiet", "--json", "report.json", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.err)
        report = json.loads((self.folder / "report.json").read_text())
        self.assertEqual(report["status"], "complete")
        self.assertFalse(report["unsafe"])
        games = {next(player for player in game["players"] if player != "good"): game for game in report["games"]}
        for name, (_, failure, evidence) in HOSTILE.items():
            with self.subTest(name):
                if failure is None:
                    continue
                self.assertEqual(games[name]["failure"], failure, games[name]["evidence"])
                if failure not in ("memory", "flood"):  # the plan has limits of its own for these
                    self.assertIn(evidence, games[name]["evidence"])
        self.assertEqual(report["standings"][0]["player"], "good")
        playing_on = sum(failure is None for _, failure, _ in HOSTILE.values())
        self.assertGreaterEqual(report["standings"][0]["wins"], len(HOSTILE) - playing_on)
        self.assertEqual(processes_with(marker), [], "something is left")


class Neighbours(Folder):
    """A machine that has much else to do: a bot is charged for what it does, not for what others do."""

    BUSY = 8

    def setUp(self):
        super().setUp()
        if not pathlib.Path("/proc/self/schedstat").exists():
            self.skipTest("NOT TESTED: the system does not count how long programs wait for a processor")
        processors = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, processors)
        os.sched_setaffinity(0, {min(processors)})  # for all that is started from here on
        for _ in range(self.BUSY):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"], start_new_session=True)
            self.addCleanup(busy.wait)
            self.addCleanup(busy.kill)

    def test_they_cost_nobody_a_game(self):
        # 0.08 s of the processor for each move; beside the others that takes nine times as long, and more than there is.
        self.write("bot.py", with_thinking("import time\nuntil = time.process_time() + 0.08\n"
                                           "while time.process_time() < until: pass\nreturn turns[-1]"))
        done = run("match", "othello:6x6", *["bot:exec /usr/bin/python3 bot.py"] * 2, "--confine", "--json", "--games", "2",
                   "--openings", "2", "--max-moves", "8", "--time-ms", "500", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.err)
        report = json.loads(done.out)
        for side in "ab":
            self.assertEqual(report[side]["failures"], {name: 0 for name in FAILURES}, report["last_failure"])

    def test_they_are_no_excuse(self):
        self.write("bot.py", with_thinking("import time\ntime.sleep(1000)"))
        done = run("match", "othello:6x6", *["bot:exec /usr/bin/python3 bot.py"] * 2, "--confine", "--json", "--games", "2",
                   "--openings", "2", "--time-ms", "500", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.err)
        self.assertEqual(json.loads(done.out)["a"]["failures"]["time"], 1)


if __name__ == "__main__":
    unittest.main()
