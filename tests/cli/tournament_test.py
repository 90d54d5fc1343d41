"""`paika tournament` as its users meet it: every system, reports, interruptions of all kinds, bad plans.

usage: tournament_test.py PAIKA-PROGRAM
"""

import csv
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PAIKA = ""

PLAN = """
[tournament]
name = "Class"
system = "{system}"
games = ["othello:6x6"]
settings = "hash=1"
nodes = {nodes}
{more}

[[player]]
name = "ada"
engine = "nodes=60"
[[player]]
name = "bob"
engine = ""
[[player]]
name = "cy"
engine = "level=3"
[[player]]
name = "dee"
engine = "nodes=5"
"""


def games_of(results):
    """The games of a results file without what differs between two runs: id, players, turns, result."""
    games = {}
    for line in results.read_text(encoding="utf-8").splitlines()[1:]:
        game = json.loads(line)["entry"]
        turns = re.findall(r"^move (\S+)", game["record"], re.MULTILINE)
        assert turns, game["record"]
        assert game["id"] not in games, "a game is there twice"
        games[game["id"]] = (game["players"], turns, game["result"], game["failure"])
    return games


class Tournament(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="paika tournament "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.plan = self.folder / "class.toml"
        self.results = self.folder / "class.results"

    def write_plan(self, system="round-robin", nodes=30, more="", extra=""):
        self.plan.write_text(PLAN.format(system=system, nodes=nodes, more=more) + extra, encoding="utf-8")

    def command(self, *args):
        return [PAIKA, "tournament", str(self.plan), *args]

    def run_plan(self, *args, status=0):
        done = subprocess.run(self.command(*args), capture_output=True, timeout=100, check=False, cwd=self.folder)
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, status, done.err + done.out)
        return done

    def state(self):
        return json.loads((self.folder / "class.state.json").read_text(encoding="utf-8"))


class Systems(Tournament):
    def test_every_system(self):
        for system, games in (("round-robin", 6), ("double-round-robin", 12), ("gauntlet", 6), ("swiss", 4),
                              ("knockout", 0)):
            self.write_plan(system)
            results = self.folder / f"{system}.results"
            done = self.run_plan("--results", str(results))
            state = json.loads((self.folder / f"{system}.state.json").read_text(encoding="utf-8"))
            self.assertEqual(state["status"], "complete")
            self.assertEqual(state["system"], system)
            played = games_of(results)
            if games:
                self.assertEqual(len(played), games)
            self.assertEqual({game["id"] for game in state["games"]}, set(played))
            self.assertEqual(sum(row["wins"] for row in state["standings"]),
                             sum(row["losses"] for row in state["standings"]))
            self.assertEqual(state["running"], [])
            self.assertEqual(done.out.count("\nr"), len(played) - 1, "a line a game")
            self.assertIn("complete", done.out)

    def test_by_options(self):
        done = subprocess.run([PAIKA, "tournament", "--system", "swiss", "--game", "othello:6x6", "--game", "fanorona:5x5",
                               "--each", "nodes=20,hash=1", "--player", "a=engine", "--player", "b=engine:nodes=40",
                               "--player", "c=engine:level=1", "--openings", "2", "--seed", "3", "--quiet"],
                              capture_output=True, timeout=100, check=False, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"4 of 4 games, complete", done.stdout)
        self.assertTrue((self.folder / "tournament.results").exists())

    def test_the_same_games_whatever_the_concurrency(self):
        self.write_plan("swiss")
        self.run_plan("--concurrency", "1", "--results", "one.results")
        self.run_plan("--concurrency", "3", "--results", "two.results")
        self.assertEqual(games_of(self.folder / "one.results"), games_of(self.folder / "two.results"))

    def test_openings_from_a_file(self):
        opening = "--------X-----XX----XO-------------- O"
        (self.folder / "openings.txt").write_text(opening + "\n", encoding="utf-8")
        self.write_plan(more='openings = "openings.txt"')
        self.run_plan()
        self.assertEqual(self.results.read_text(encoding="utf-8").count(f"start {opening}"), 6)


class Failures(Tournament):
    BOTS = """
[[player]]
name = "dead"
bot = "exit 3"
[[player]]
name = "parrot"
bot = "cat"
"""

    def test_a_failing_program_loses_and_the_tournament_ends(self):
        self.write_plan(extra=self.BOTS, more='[limits]\nstart = "500ms"')
        self.run_plan("--unsafe-bots")
        state = self.state()
        rows = {row["player"]: row for row in state["standings"]}
        self.assertEqual(rows["dead"]["failures"], {"crash": 5})
        self.assertEqual(sum(rows["parrot"]["failures"].values()), rows["parrot"]["losses"])
        self.assertGreaterEqual(rows["parrot"]["losses"], 4)
        self.assertEqual(state["status"], "complete")
        self.assertTrue(state["unsafe"], "the results say that there was no sandbox")
        for game in state["games"]:
            self.assertEqual(game["failure"] != "", game["evidence"] != "")


class Reports(Tournament):
    def test_files(self):
        self.write_plan(more="legs = 2")
        self.run_plan("--out", "out", "--csv", "table.csv", "--json", "all.json", "--quiet")
        with (self.folder / "table.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual({row["player"] for row in rows}, {"ada", "bob", "cy", "dee"})
        self.assertEqual(sum(float(row["points"]) for row in rows), 12)
        self.assertEqual(json.loads((self.folder / "all.json").read_text(encoding="utf-8"))["played"], 12)
        out = self.folder / "out"
        page = (out / "index.html").read_text(encoding="utf-8")
        links = re.findall(r'href="(games/[^"]*)"', page)
        self.assertEqual(len(set(links)), 12)
        for link in links:
            game = (out / link).read_text(encoding="utf-8")
            self.assertIn("<script>", game)
            self.assertIsNone(re.search(r"(?:src|href)=\"https?:|@import|url\((?!#)", game + page), "nothing from elsewhere")
            self.assertLess(len(game), 200_000)
        with (out / "games.csv").open(encoding="utf-8", newline="") as file:
            self.assertEqual(len(list(csv.DictReader(file))), 12)
        self.assertEqual((out / "records.txt").read_text(encoding="utf-8").count("paika-record 1\n"), 12)

    def test_one_page_with_everything(self):
        self.write_plan(more="legs = 2")
        self.run_plan("--report", "cup.html", "--json", "all.json", "--quiet")
        page = (self.folder / "cup.html").read_text(encoding="utf-8")
        for heading in ("Standings", "Crosstable", "Ratings, game by game", "Time", "Games"):
            self.assertIn(f"<h2>{heading}</h2>", page)
        self.assertEqual(page.count("<polyline"), 4, "a curve for each player")
        self.assertIsNone(re.search(r"(?:src|href)=\"(?!#)|@import|url\((?!#)", page), "nothing but the page itself")
        self.assertEqual(set(re.findall(r'href="#game-(\d+)"', page)), {str(i) for i in range(12)})
        # Every game can be walked through: its moves and a frame for each position are there.
        script = page[page.index("<script>"):]
        games = json.loads(re.search(r"const games = (\[.*\]);", script).group(1))
        frames = json.loads(re.search(r"const frames = (\[.*\]);", script).group(1))
        pieces = json.loads(re.search(r"const pieces = (\[.*\]);", script).group(1))
        played = json.loads((self.folder / "all.json").read_text(encoding="utf-8"))["games"]
        self.assertEqual(len(games), len(played))
        self.assertEqual(len(frames), sum(len(game["turns"]) + 1 for game in games))
        for game in games:
            for frame in frames[game["from"]:game["from"] + len(game["turns"]) + 1]:
                drawing = "".join(pieces[i] for i in frame)
                self.assertTrue(drawing.startswith("<svg") and drawing.rstrip().endswith("</svg>"), drawing[:80])


class Interruptions(Tournament):
    def test_killed_at_any_moment_it_goes_on(self):
        self.write_plan("swiss", nodes=300, more="legs = 4\nrounds = 3")
        self.run_plan("--results", "whole.results")
        whole = games_of(self.folder / "whole.results")
        self.assertEqual(len(whole), 24)
        chance = random.Random(8)
        for _ in range(10):
            process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       cwd=self.folder)
            time.sleep(chance.uniform(0.02, 0.25))
            process.kill()
            process.wait()
        done = self.run_plan()
        self.assertEqual(games_of(self.results), whole)
        self.assertEqual(self.state()["status"], "complete")
        again = self.run_plan()
        self.assertIn("resuming after 24 games", again.err)
        self.assertEqual(done.out.splitlines()[-5:], again.out.splitlines()[-5:])

    def test_a_torn_line_is_dropped(self):
        self.write_plan()
        self.run_plan()
        whole = games_of(self.results)
        self.results.write_bytes(self.results.read_bytes()[:-20])
        self.assertIn("incomplete", self.run_plan().err)
        self.assertEqual(games_of(self.results), whole)

    def test_interrupts(self):
        self.write_plan(nodes=20_000, more="legs = 40\nopenings = 2\nconcurrency = 2")
        process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, err)
        self.assertIn(b"running games are finished", err)
        self.assertIn(b"stopped", out)
        self.assertEqual(self.state()["status"], "stopped")
        self.assertEqual(self.state()["running"], [])

    def test_a_second_interrupt_stops_at_once(self):
        self.write_plan(more='legs = 2\ntime = "3600s"\nmax_moves = 6'.replace("time", "clock"), nodes=1_000_000_000)
        process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)

    def test_one_director_at_a_time(self):
        self.write_plan(nodes=20_000, more="legs = 40")
        process = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while not self.results.exists() or not self.results.stat().st_size:
            time.sleep(0.01)
        self.assertIn("is in use", self.run_plan(status=2).err)


class Workers(Tournament):
    database = "queue.db"

    def start(self, *command):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def director(self, *args):
        return self.start(*self.command("--db", self.database, "--concurrency", "0", *args))

    def worker(self, *args):
        return self.start(PAIKA, "worker", "--db", self.database, "--unsafe-bots", *args)

    def test_workers_and_directors_are_killed_and_nothing_is_lost(self):
        self.write_plan("swiss", nodes=1000, more="legs = 12\nrounds = 3")
        self.run_plan("--results", "whole.results")
        chance = random.Random(9)
        workers = [self.worker("--threads", "2"), self.worker("--threads", "1")]
        director = self.director()
        for i in range(6):
            time.sleep(chance.uniform(0.1, 0.4))
            if i % 2 == 0:
                workers[0].kill()
                workers = [workers[1], self.worker("--threads", "2")]
            elif director.poll() is None:
                director.kill()
                director.communicate()
                director = self.director()
        out, err = director.communicate(timeout=90)
        self.assertEqual(director.returncode, 0, err)
        self.assertIn(b"72 of 72 games, complete", out)
        self.assertEqual(games_of(self.results), games_of(self.folder / "whole.results"))
        self.assertTrue(all(game["worker"] for game in self.state()["games"]), "all by workers")
        self.assertIsNone(workers[0].poll(), "workers wait for the next tournament")
        workers[0].send_signal(signal.SIGINT)
        workers[0].communicate(timeout=30)
        self.assertEqual(workers[0].returncode, 1)

    def test_workers_play_several_tournaments_and_end_when_there_is_nothing_to_do(self):
        self.write_plan(nodes=300)
        directors = [self.director(), self.start(*self.command("--db", self.database, "--concurrency", "0", "--results",
                                                               "other.results"))]
        worker = self.worker("--threads", "2", "--max-idle", "3")
        for director in directors:
            out, err = director.communicate(timeout=60)
            self.assertEqual(director.returncode, 0, err)
            self.assertIn(b"6 of 6 games, complete", out)
        worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 0)

    def test_logs_are_plain_text(self):
        hostile = r'printf "\033]0;title\007\033[2Jfarewell\302\233 31m\r\n" >&2; exit 7'
        self.write_plan(extra=f"[[player]]\nname = \"sad\"\nbot = '''{hostile}'''\n")
        self.run_plan("--unsafe-bots")
        logs = list((self.folder / "class.logs").glob("*.sad.log"))
        self.assertEqual(len(logs), 4)
        for log in logs:
            text = log.read_text(encoding="utf-8")
            self.assertIn("farewell", text)
            self.assertFalse([c for c in text if ord(c) < 32 and c not in "\n\t" or 127 <= ord(c) < 160], repr(text))

    def test_programs_travel_and_their_logs_come_back(self):
        bot = self.folder / "bots" / "sad"
        (bot / "words").mkdir(parents=True)
        (bot / "words" / "last.txt").write_text("\x1b[2Jfarewell\n", encoding="utf-8")
        (bot / "run.sh").write_text("#!/bin/sh\ncat words/last.txt >&2; exit 7\n", encoding="utf-8")
        (bot / "run.sh").chmod(0o755)
        command = "cd bots/sad 2>/dev/null; ./run.sh"
        self.write_plan(extra=f'[[player]]\nname = "sad"\nbot = "{command}"\nfolder = "bots/sad"\n')
        director = self.director("--unsafe-bots")
        self.worker("--threads", "1")
        _, err = director.communicate(timeout=60)
        self.assertEqual(director.returncode, 0, err)
        rows = {row["player"]: row for row in self.state()["standings"]}
        self.assertEqual(rows["sad"]["failures"], {"crash": 4})
        logs = list((self.folder / "class.logs").glob("*.sad.log"))
        self.assertEqual(len(logs), 4)
        for log in logs:
            self.assertIn("farewell", log.read_text(encoding="utf-8"))
            self.assertNotIn("\x1b", log.read_text(encoding="utf-8"))

    def test_bad_options(self):
        self.write_plan()
        self.assertIn("is not a database of this server", self.run_plan("--db", "class.toml", status=2).err)
        for database in ("postgresql://127.0.0.1:1/none", "postgresql://[", "/nowhere/at/all", "class.toml"):
            done = subprocess.run([PAIKA, "worker", "--db", database, "--unsafe-bots"], capture_output=True, timeout=30,
                                  cwd=self.folder, check=False)
            self.assertEqual(done.returncode, 2, database)


class BadInput(Tournament):
    def test_plans(self):
        player = '[[player]]\nname = "{}"\nengine = ""\n'
        two = player.format("a") + player.format("b")
        head = '[tournament]\ngames = ["othello"]\n'
        for text, *parts in (
                ("[tournament\n", "line 1, column", "not TOML"),
                ("[turnament]\n", "line 1", "did you mean tournament?"),
                (head + 'sistem = "swiss"\n' + two, "line 3, column 1", "did you mean system?"),
                (head + 'system = "swis"\n' + two, "line 3", "did you mean swiss?"),
                (head + 'seed = "one"\n' + two, "line 3", "seed must be a whole number"),
                (head + "legs = 0\n" + two, "legs must be a whole number from 1 to 1000, not 0"),
                (head + 'time = "fast"\n' + two, "line 3"),
                (head + 'openings = "none.txt"\n' + two, "none.txt"),
                (head + "rounds = 3\n" + two, "only swiss has rounds"),
                (head + 'system = "swiss"\nrounds = 3\n' + two, "2 players can play 1 rounds without meeting twice"),
                ('[tournament]\ngames = ["chess"]\n' + two, "line 2", "chess"),
                ('[tournament]\n' + two, "no game is named"),
                (head + player.format("a"), "2 to 256 players, not 1"),
                (head + two + player.format("A"), "two players"),
                (head + two + player.format("../x"), "is not a name"),
                (head + two + '[[player]]\nname = "c"\n', "either bot"),
                (head + two + '[[player]]\nname = "c"\nbot = "x"\nfolder = "nowhere"\n', "no folder"),
                (head + two + '[[player]]\nname = "c"\nengine = "nods=3"\n', "nods"),
                (head + two + '[limits]\nmemory = "lots"\n', "a size such as"),
                (head + two + '[limits]\nmemori = "1G"\n', "did you mean memory?")):
            self.plan.write_text(text, encoding="utf-8")
            done = self.run_plan(status=2)
            for part in (str(self.plan), *parts):
                self.assertIn(part, done.err, text)
            self.assertEqual(done.out, "")
            self.assertFalse(self.results.exists(), text)

    def test_a_changed_plan_is_refused(self):
        self.write_plan()
        self.run_plan()
        before = self.results.read_bytes()
        self.write_plan(nodes=31)
        self.assertIn("settings was", self.run_plan(status=2).err)
        self.assertEqual(self.results.read_bytes(), before)

    def test_damaged_results_are_refused(self):
        self.write_plan()
        self.run_plan()
        damaged = self.results.read_bytes().replace(b'"reason"', b'"reasan"', 1)
        self.results.write_bytes(damaged)
        self.assertIn("line 2 is damaged: its checksum is wrong", self.run_plan(status=2).err)
        self.assertEqual(self.results.read_bytes(), damaged)

    def test_options(self):
        for args, part in ((["--system", "swiss"], "both say what is played"), (["--player", "a=engine"], "both say"),
                           (["--concurrency", "x"], "--concurrency"), (["--no-such-option"], "--no-such-option")):
            self.write_plan()
            self.assertIn(part, self.run_plan(*args, status=2).err)
        done = subprocess.run([PAIKA, "tournament", "--player", "nonsense"], capture_output=True, timeout=10, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"NAME=engine:SETTINGS", done.stderr)
        self.plan.unlink()
        self.assertIn("class.toml", self.run_plan(status=2).err)


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
