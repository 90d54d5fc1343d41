"""Bots as their owners meet them: the starter bots, `paika bot check`, `paika confine`.

usage: bots_test.py PAIKA-PROGRAM
PAIKA_BOT_GAMES: how many games each starter bot plays of each game (2; Java only in one game then).
"""

import json
import os
import pathlib
import shlex
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from bot_case import BOTS, FAILURES, GAMES, GOOD, PAIKA, Folder, processes_with, run, with_thinking
from server_client import Http, Server

SMALL_GAMES = ("othello:6x6", "fanorona:5x5", "abalone", "wildebeest")


class Greedy(Folder):
    """The yardstick of the first level plays every game, and takes what is offered."""

    def test_against_the_first_level(self):
        for spec in SMALL_GAMES:
            told = run("match", spec, f"bot:/usr/bin/python3 {shlex.quote(f'{BOTS}/greedy/bot.py')} {shlex.quote(PAIKA)}", "engine:level=1", "--json",
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
    unittest.main()
