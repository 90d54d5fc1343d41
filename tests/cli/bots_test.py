"""Bots as their owners and their victims meet them: the starter bots, `paika bot check`, `paika confine`, hostile programs.

usage: bots_test.py PAIKA-PROGRAM
PAIKA_BOT_GAMES: how many games each starter bot plays of each game (2; Java only in one game then).
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

PAIKA = ""
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BOTS = ROOT / "bots"
GAMES = int(os.environ.get("PAIKA_BOT_GAMES", "2"))
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
        for file in BOTS.glob("*/*.*"):
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


# What hostile bots do when they are asked for a turn, how they lose, and the evidence. OTHER is a file of another bot.
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
}
# A busy machine takes its time to count processes, to fill a gigabyte or to say 64 MiB: only who is to lose by time is
# given little of it.
SHORT = ("loop", "sleep")


class Hostile(Folder):
    """Each plays well until it is asked for a turn. It loses by what it did, the games go on, and nothing of it is left."""

    def test_in_a_match(self):
        other = pathlib.Path(tempfile.mkdtemp(prefix="paika-other-"))
        self.addCleanup(shutil.rmtree, other)
        other.chmod(0o755)
        (other / "bot.py").write_text("secret")
        marker = f"hostile{os.getpid()}.py"
        for name, (code, failure, evidence) in HOSTILE.items():
            with self.subTest(name):
                self.write(marker, with_thinking(code.replace("OTHER", f"{other}/bot.py")))
                done = run("match", "othello:6x6", f"bot:exec /usr/bin/python3 {marker}", "engine:level=1,hash=1", "--json",
                           "--games", "2", "--openings", "2", "--time-ms", "1000" if name in SHORT else "60000", "--confine",
                           cwd=self.folder)
                self.assertEqual(done.returncode, 0, done.err)
                report = json.loads(done.out)
                self.assertEqual(report["a"]["failures"], {**{name: 0 for name in FAILURES}, failure: 2}, report["last_failure"])
                self.assertEqual(report["b"]["wins"], 2)
                self.assertIn(evidence, report["last_failure"])
                self.assertEqual(processes_with(marker), [], "something is left")

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
                self.assertEqual(games[name]["failure"], failure, games[name]["evidence"])
                if failure not in ("memory", "flood"):  # the plan has limits of its own for these
                    self.assertIn(evidence, games[name]["evidence"])
        self.assertEqual(report["standings"][0]["player"], "good")
        self.assertEqual(report["standings"][0]["wins"], len(HOSTILE))
        self.assertEqual(processes_with(marker), [], "something is left")


class Left(Folder):
    """What is left when somebody is killed."""

    def start(self, *args):
        self.marker = f"left{os.getpid()}.py"
        self.write(self.marker, with_thinking("import os, time\nos.fork()\nos.setsid()\ntime.sleep(300)"))
        process = subprocess.Popen([PAIKA, *[arg.replace("BOT", f"/usr/bin/python3 {self.marker}") for arg in args]],
                                   cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, true):
        for _ in range(500):
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


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
