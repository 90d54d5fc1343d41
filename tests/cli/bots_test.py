"""Bots as their owners and their victims meet them: the starter bots, `paika bot check`, `paika confine`, hostile programs.

usage: bots_test.py PAIKA-PROGRAM
PAIKA_BOT_GAMES: how many games each starter bot plays of each game (2; Java only in one game then). More than 2 also
means 20 games for each hostile bot.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from server_client import Http, Server

PAIKA = ""
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BOTS = ROOT / "bots"
GAMES = int(os.environ.get("PAIKA_BOT_GAMES", "2"))
HOSTILE_GAMES = 2 if GAMES <= 2 else 20
SMALL_GAMES = ("othello:6x6", "fanorona:5x5", "abalone", "wildebeest")
FAILURES = ("illegal", "time", "crash", "protocol", "stall", "memory", "flood")


def run(*args, cwd=None, timeout=300):
    done = subprocess.run([PAIKA, *args], capture_output=True, timeout=timeout, check=False, cwd=cwd,
                          stdin=subprocess.DEVNULL)
    done.out, done.err = done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    return done


def processes_with(word):
    """The command lines of the processes that have this word in them."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if entry.name.isdigit() and word in line:
            found.append(line)
    return found


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="paika-bots-"))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def check(self, command, *args):
        return run("bot", "check", command, *args, cwd=self.folder)


class Greedy(Folder):
    """The yardstick of the first level plays every game, and takes what is offered."""

    def test_against_the_first_level(self):
        for spec in SMALL_GAMES:
            told = run("match", spec, f"bot:/usr/bin/python3 {BOTS}/greedy/bot.py {PAIKA}", "engine:level=1", "--json",
                       "--each", "hash=1", "--games", "2", "--depth", "1", "--max-moves", "30")
            self.assertEqual(told.returncode, 0, told.err)
            report = json.loads(told.out)
            self.assertEqual(report["games"], 2)
            self.assertEqual(report["a"]["failures"], {name: 0 for name in FAILURES}, spec)


class Starters(Folder):
    """Each starter bot passes the check and plays games that no rule forbids."""

    def try_bot(self, command, folder, specs=SMALL_GAMES):
        done = run("bot", "check", command, cwd=folder)
        self.assertEqual(done.returncode, 0, done.out + done.err)
        self.assertIn("wildebeest", done.out)
        for spec in specs:
            told = run("match", spec, f"bot:{command}", f"bot:{command}", "--confine", "--json", "--openings", "2", "--balance",
                       "0", "--games", str(GAMES), "--time-ms", "2000", "--max-moves", "80", cwd=folder)
            self.assertEqual(told.returncode, 0, told.err)
            report = json.loads(told.out)
            self.assertGreaterEqual(report["games"], GAMES)
            for side in "ab":
                self.assertEqual(report[side]["failures"], {name: 0 for name in FAILURES}, spec)
            self.assertGreater(report["a"]["moves"] + report["b"]["moves"], 0, "by chance games of Wildebeest are short")

    def test_they_are_short(self):
        starters = [file for file in BOTS.glob("*/*.*") if file.parent.name != "greedy"]
        self.assertGreaterEqual(len(starters), 4)
        for file in starters:
            self.assertLess(len(file.read_text().splitlines()), 60, file)

    def test_python(self):
        self.try_bot("/usr/bin/python3 bot.py", BOTS / "python")

    def test_cpp(self):
        subprocess.run(["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o", self.folder / "bot",
                        BOTS / "cpp/bot.cpp"], check=True)
        self.try_bot("./bot", self.folder)

    def test_javascript(self):
        if not shutil.which("node"):
            self.skipTest("NOT TESTED: the JavaScript bot; there is no node here")
        self.try_bot("node bot.js", BOTS / "javascript")

    def test_java(self):
        if not shutil.which("javac"):
            self.skipTest("NOT TESTED: the Java bot; there is no JDK here")
        subprocess.run(["javac", "-d", self.folder, BOTS / "java/Bot.java"], check=True)
        self.try_bot("java -XX:TieredStopAtLevel=1 Bot", self.folder, SMALL_GAMES if GAMES > 2 else SMALL_GAMES[:1])


GOOD = (BOTS / "python/bot.py").read_text()


def with_thinking(code):
    """The Python starter that does something else when it is asked for a turn."""
    assert "    return chance.choice(turns)" in GOOD
    return GOOD.replace("    return chance.choice(turns)", "\n".join("    " + line for line in code.splitlines()))


class Check(Folder):
    def failed(self, text, *args):
        self.write("bot.py", text)
        done = self.check("/usr/bin/python3 bot.py", "--game", "othello:6x6", *args)
        self.assertEqual(done.returncode, 1, done.out + done.err)
        return done.out

    def test_each_step_has_a_number(self):
        self.write("bot.py", GOOD)
        done = self.check("/usr/bin/python3 bot.py", "--game", "othello:6x6")
        self.assertEqual(done.returncode, 0, done.out)
        numbers = [int(n) for n in re.findall(r"^ *(\d+)\. .* … ok$", done.out, re.M)]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertIn(f"all {len(numbers)} steps passed", done.out)

    def test_a_command_that_is_not_there(self):
        done = self.check("no-such-bot")
        self.assertEqual(done.returncode, 1)
        self.assertIn("status 127", done.out)
        self.assertIn("no-such-bot: not found", done.out)

    def test_without_flush(self):
        out = self.failed("import sys\nfor line in sys.stdin:\n  print(line)\n", "--json")
        told = json.loads(out)
        self.assertFalse(told["passed"])
        self.assertEqual(told["steps"][-1]["what"], "answers ugi with ugiok")
        self.assertIn("flush", told["steps"][-1]["hint"])

    def test_what_the_bot_said_is_shown(self):
        out = self.failed(with_thinking("say('info string I think')\nreturn 'z99'"))
        self.assertIn("  < info string I think", out)
        self.assertIn("  < bestmove z99", out)
        self.assertIn('its move "z99" is not legal', out)
        out = self.failed(with_thinking("raise ValueError('my own mistake')"))
        self.assertIn("it ended with status 1", out)
        self.assertIn("my own mistake", out, "standard error")

    def test_late_and_stubborn_ones(self):
        out = self.failed(with_thinking("import time\nif '50' in limits.split(): time.sleep(0.3)\nreturn turns[0]"))
        self.assertIn("answers in 50 ms if told so … FAILED", out)
        out = self.failed(GOOD + "\nimport time\ntime.sleep(100)\n")
        self.assertIn("ends when its input ends … FAILED", out)

    def test_bad_arguments(self):
        for args in (("x", "--game", "chess"), ("x", "--folder", "nowhere")):
            done = self.check(*args)
            self.assertEqual(done.returncode, 2, done.out)
            self.assertIn("there is no", done.err)


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
    "loop": ("while True: pass", "time", "ms more than its"),
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


class Left(Folder):
    """What is left when somebody is killed."""

    def start(self, *args):
        self.marker = f"left{os.getpid()}.py"
        stay = "import os, time\nos.fork()\ntry: os.setsid()\nexcept OSError: pass\ntime.sleep(300)"
        # Without a referee nobody asks it for a turn: it stays from the start.
        self.write(self.marker, with_thinking(stay) if args[0] == "match" else stay)
        process = subprocess.Popen([PAIKA, *[arg.replace("BOT", f"/usr/bin/python3 {self.marker}") for arg in args]],
                                   cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, true):
        for _ in range(3000):
            if true(processes_with(self.marker)):
                return True
            time.sleep(0.02)
        return False

    def test_the_referee_is_killed(self):
        process = self.start("match", "othello:6x6", "bot:BOT", "engine:depth=1", "--confine", "--time-ms", "200000")
        self.assertTrue(self.wait_until(lambda found: len(found) >= 4))
        time.sleep(0.3)
        process.kill()
        self.assertTrue(self.wait_until(lambda found: not found), processes_with(self.marker))

    def test_the_watcher_is_killed(self):
        for sandbox in ("bubblewrap", "own"):
            process = self.start("confine", "--sandbox", sandbox, "--folder", str(self.folder), "--", "sh", "-c",
                                 "BOT & sleep 300")
            self.assertTrue(self.wait_until(lambda found: len(found) >= 3))
            process.kill()
            self.assertTrue(self.wait_until(lambda found: not found), processes_with(self.marker))


class Confine(unittest.TestCase):
    def test_status_and_words(self):
        done = run("confine", "--", "sh", "-c", "echo hello; exit 5")
        self.assertEqual((done.returncode, done.out), (5, "hello\n"))
        done = run("confine", "--memory", "64M", "--", "/usr/bin/python3", "-c",
                   "x = bytearray(200 << 20); import time; time.sleep(20)")
        self.assertEqual(done.returncode, 1)
        self.assertIn("paika: it used too much memory: ", done.err)

    def test_bad_arguments(self):
        for args, words in ((["--", ""], "cannot run"), ([], "no command to run"), (["--sandbox", "paper", "--", "x"], "own"),
                            (["--memory", "1", "--", "x"], "too little"), (["--folder", "/", "--", "x"], "whole file system"),
                            (["--read", "/nowhere", "--", "x"], "nothing to read")):
            done = run("confine", *args)
            self.assertIn(done.returncode, (2, 127), args)
            self.assertIn(words, done.err, args)


class OtherInterpreters(Folder):
    """Bots whose interpreter lies outside /usr."""

    BOT = ("#!{}\n"
           "import sys\n"
           "for line in sys.stdin:\n"
           "  word = line.split()[0] if line.split() else ''\n"
           "  if word == 'ugi': print('ugiok', flush=True)\n"
           "  elif word == 'isready': print('readyok', flush=True)\n"
           "  elif word == 'go':\n"
           "    print('query moves', flush=True)\n"
           "    print('bestmove', sys.stdin.readline().split()[1], flush=True)\n")

    def setUp(self):
        super().setUp()
        # A copy of the interpreter outside what a sandbox shows, as version managers have them.
        self.elsewhere = tempfile.TemporaryDirectory()
        self.addCleanup(self.elsewhere.cleanup)
        os.chmod(self.elsewhere.name, 0o755)
        self.python = pathlib.Path(self.elsewhere.name, "bin", "python-elsewhere")
        self.python.parent.mkdir()
        shutil.copy(os.path.realpath("/usr/bin/python3"), self.python)
        self.write("bot.py", self.BOT.format(self.python))
        (self.folder / "bot.py").chmod(0o755)

    def match(self, *args):
        done = run("match", "othello:6x6", "bot:./bot.py", "engine:nodes=5,hash=1", "--games", "2", "--max-moves", "6",
                   "--time-ms", "20000", "--confine", "--json", *args, cwd=self.folder)
        return done

    def test_a_match(self):
        done = self.match()
        words = done.err if done.returncode else json.loads(done.out)["last_failure"]
        self.assertIn("status 127", words)
        self.assertIn(f"interpreter \"{self.python}\"", words)
        self.assertIn("outside what a bot can see", words)
        done = self.match("--read", self.elsewhere.name)
        self.assertEqual(done.returncode, 0, done.err)
        self.assertEqual(json.loads(done.out)["a"]["failures"], {name: 0 for name in FAILURES}, done.out)

    def test_a_tournament(self):
        plan = ('[tournament]\ngames = ["othello:6x6"]\ntime = "20s"\nmax_moves = 6\n'
                '[[player]]\nname = "other"\nbot = "./bot.py"\nfolder = "."\n{}\n'
                '[[player]]\nname = "ours"\nengine = "nodes=5,hash=1"\n')
        for key, failures in (("", 1), (f'read = ["{self.elsewhere.name}"]', 0)):
            self.write("plan.toml", plan.format(key))
            done = run("tournament", "plan.toml", "--results", f"results-{failures}", "--json", "out.json", cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.err)
            games = json.loads((self.folder / "out.json").read_text())["games"]
            self.assertEqual(sum(1 for game in games if game["failure"]), failures * len(games), done.out)
        self.write("plan.toml", plan.format('read = ["/no/such/place"]'))
        done = run("tournament", "plan.toml", "--results", "x", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing to read", done.err)

    def test_a_shebang_that_leads_nowhere(self):
        for first, words in (("/no/such/python", 'interpreter "/no/such/python"'),
                             ("/usr/bin/env no-such-python", 'interpreter "no-such-python"'),
                             ("/usr/bin/python3\r", "carriage return")):
            self.write("bot.py", self.BOT.format(first))
            # Without a sandbox `env` may meet folders that it must not read, and says 126.
            for option in ((), ("--unsafe-bots",)) if "env" not in first else ((),):
                done = run("bot", "check", "./bot.py", "--game", "othello:6x6", *option, cwd=self.folder)
                self.assertEqual(done.returncode, 1, done.err)
                self.assertIn(words, done.out, option)


class BoardFiles(Folder):
    """Programs that exchange files with the referee do so from within the sandbox, and keep what they wrote."""

    def test_a_match(self):
        a3 = pathlib.Path(PAIKA).parent / "a3"
        if not a3.exists():
            self.skipTest("NOT TESTED: board files; there is no a3 beside paika")
        shutil.copy(a3, self.folder / "a3")
        self.write("program.py", "import os, pathlib, subprocess, sys\n"
                   "home = pathlib.Path(os.environ['HOME'])\n"
                   "turns = home / 'turns'\n"
                   "turns.write_text(turns.read_text() + 'x' if turns.exists() else 'x')\n"
                   "work = home / 'work'\n"
                   "work.mkdir()\n"
                   "with open(sys.argv[1]) as board:\n"
                   "  subprocess.run([os.getcwd() + '/a3'], stdin=board, cwd=work, check=True)\n"
                   "boards = [path.read_text() for path in sorted(work.glob('board.*'))]\n"
                   "answer = [board for board in boards if 'K' in board and 'k' in board][0]\n"
                   "subprocess.run(['rm', '-r', work], check=True)\n"
                   "open(sys.argv[2], 'w').write(answer)\n")
        player = "board-files:/usr/bin/python3 program.py {in} {out}"
        done = run("match", "wildebeest", player, player, "--confine", "--json", "--games", "2", "--openings", "0", "--balance",
                   "0", "--time-ms", "60000", "--max-moves", "8", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.err)
        report = json.loads(done.out)
        for side in "ab":
            self.assertEqual(report[side]["failures"], {name: 0 for name in FAILURES}, report["last_failure"])
            self.assertEqual(report[side]["moves"], 8)


class Weak(Folder):
    """A machine on which the kernel does not count for us: here one without the folders of control groups."""

    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.program = PAIKA  # an ordinary user has none, unless somebody delegated one
        else:
            self.write("paika", f'#!/bin/sh\numount -R -l /sys/fs/cgroup\nexec {PAIKA} "$@"\n')
            self.write("weak", f'#!/bin/sh\nexec unshare -m {self.folder}/paika "$@"\n')
            for name in ("paika", "weak"):
                (self.folder / name).chmod(0o755)
            self.program = str(self.folder / "weak")
        done = self.run_weak("confine", "--accounting", "kernel", "--", "true")
        if "control group" not in done.stderr.decode():
            self.skipTest("NOT TESTED: a machine without control groups")

    def run_weak(self, *args):
        return subprocess.run([self.program, *args], capture_output=True, cwd=self.folder, stdin=subprocess.DEVNULL,
                              timeout=300, check=False)

    def test_a_match_says_so_once(self):
        self.write("bot.py", GOOD)
        done = self.run_weak("match", "othello:6x6", *["bot:python3 bot.py"] * 2, "--confine", "--games", "2", "--time-ms",
                             "20000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.decode().count("only sampled here"), 1, done.stderr)

    def test_ladders_need_an_option(self):
        bot = {"name": "Bot", "run": "python3 bot.py", "files": [{"path": "bot.py", "text": GOOD}]}
        for options, status in (((), 503), (("--weak-sandbox",), 201)):
            server = Server(self.program, *options)
            self.addCleanup(server.close)
            http = Http(server, origin=server.origin)
            http.cookie = http.post("/api/session").cookie()
            http.cookie = http.post("/api/account", {"name": "Teacher", "password": "correct horse battery"}).cookie()
            made = http.post("/api/classes", {"name": "Games", "spec": "othello:6x6"}).json
            self.assertEqual(http.post("/api/classes/join", {"code": made["code"]}).status, 200)
            answer = http.post(f"/api/classes/{made['id']}/bots", bot)
            http.close()
            self.assertEqual(answer.status, status, answer)
            if status == 503:
                self.assertEqual(answer.code, "no_sandbox")
                self.assertIn("--weak-sandbox", answer.error["message"])
            self.assertIn('"weak_sandbox"', server.log_path.read_text())
            server.close()


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
