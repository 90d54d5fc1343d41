"""`paika match` as its users meet it: reports, records, programs as players, interrupts, bad input.

usage: match_test.py PAIKA-PROGRAM
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PAIKA = ""
NO_FAILURES = {name: 0 for name in ("illegal", "time", "crash", "protocol", "stall", "memory", "flood")}


def match(*args):
    done = subprocess.run([PAIKA, "match", *args], capture_output=True, timeout=100, check=False)
    done.out, done.err = done.stdout.decode(), done.stderr.decode()
    return done


def report(*args):
    done = match(*args, "--json")
    assert done.returncode == 0, done.err
    return json.loads(done.out)


class Reports(unittest.TestCase):
    def test_more_nodes_win(self):
        told = report("othello:6x6", "engine:nodes=2000", "engine:nodes=10", "--each", "hash=1", "--games", "20")
        self.assertEqual(told["games"], 20)
        self.assertEqual(told["a"]["wins"] + told["b"]["wins"] + told["draws"], 20)
        self.assertEqual(sum(told["pairs"]), 10)
        self.assertGreater(told["score"], 0.6)
        self.assertEqual(told["a"]["failures"], NO_FAILURES)

    def test_the_same_match_again(self):
        args = ("abalone", "engine:nodes=200", "engine:nodes=100", "--each", "hash=1", "--games", "10", "--seed", "5")
        one, two = report(*args), report(*args, "--concurrency", "2")
        for key in ("games", "pairs", "draws", "elo", "first_wins", "second_wins"):
            self.assertEqual(one[key], two[key], key)

    def test_sprt_stops_early(self):
        told = report("othello:6x6", "engine:nodes=500", "engine:nodes=5", "--each", "hash=1", "--games", "20000",
                      "--sprt", "0,60")
        self.assertEqual(told["sprt"]["state"], "elo1 accepted")
        self.assertLess(told["games"], 2000)

    def test_text(self):
        done = match("fanorona:5x5", "engine:depth=2", "engine:depth=1", "--each", "hash=1", "--games", "3", "--sprt", "0,5")
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.err, "paika: games come in pairs with colours reversed: playing 4 instead of 3\n")
        self.assertIn("of 4 games", done.out, "games come in pairs")
        for words in ("Elo of A over B", "SPRT of Elo 0 against 5", "lost on time: 0", "A: engine:depth=2"):
            self.assertIn(words, done.out)

    def test_every_game(self):
        for game in ("fanorona", "abalone", "othello", "wildebeest"):
            told = report(game, "engine:nodes=50", "engine:nodes=50", "--each", "hash=1", "--games", "2", "--max-moves", "60")
            self.assertEqual(told["games"], 2)


class Records(unittest.TestCase):
    def test_all_games_are_added_to_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "games.txt"
            for _ in range(2):
                report("othello:6x6", "engine:nodes=20", "engine:nodes=20", "--each", "hash=1", "--games", "4",
                       "--record", str(path))
            text = path.read_text(encoding="utf-8")
            self.assertEqual(text.count("paika-record 1\n"), 8)
            self.assertEqual(text.count("\nend\n"), 8)
            self.assertIn("\nfirst engine:nodes=20\n", text)
            self.assertIn("\nopening 6\n", text)

    def test_a_file_that_cannot_be_written(self):
        done = match("othello", "engine", "engine", "--record", "/no/such/folder/games.txt")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write", done.err)


class Openings(unittest.TestCase):
    ONE, TWO = "--------X-----XX----XO-------------- O", "-------------XXX----XO-------------- O"

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="paika match "))
        self.addCleanup(shutil.rmtree, self.folder)
        self.openings = self.folder / "openings.txt"

    def match(self, *args):
        return match("othello:6x6", "engine:nodes=20", "engine:nodes=20", "--each", "hash=1", "--openings",
                     str(self.openings), *args)

    def test_a_file(self):
        self.openings.write_text(f"# two of them\n\n{self.ONE}\nb3\t{self.TWO}\tdraw\n", encoding="utf-8")
        record = self.folder / "games.txt"
        done = self.match("--games", "6", "--record", str(record))
        self.assertEqual(done.returncode, 0, done.err)
        self.assertIn("2 different openings of the 2 given", done.out)
        starts = [line.split(" ", 1)[1] for line in record.read_text(encoding="utf-8").splitlines()
                  if line.startswith("start ")]
        self.assertEqual(starts, [self.ONE] * 2 + [self.TWO] * 2 + [self.ONE] * 2, "in pairs, in turn")

    def test_bad_files_are_told_before_any_game(self):
        for text, words in ((f"{self.ONE}\n\nnonsense\n", "line 3: bad position for othello:6x6"),
                            ("--------------XX----XX-------------- O\n", "line 1: the game is over"),
                            ("# nothing\n", "there is no opening"), (f"{self.ONE}\nc2\t\n", "line 2: there is no position")):
            self.openings.write_text(text, encoding="utf-8")
            record = self.folder / "none.txt"
            done = self.match("--record", str(record))
            self.assertEqual((done.returncode, done.out), (2, ""), text)
            self.assertIn(words, done.err)
            self.assertIn(str(self.openings), done.err)
            self.assertFalse(record.exists())
        self.openings.write_text(self.ONE, encoding="utf-8")
        done = self.match("--position", self.ONE)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--position", done.err)
        self.openings.unlink()
        self.assertEqual(self.match().returncode, 2)


class Programs(unittest.TestCase):
    def test_our_own_engine_as_a_program(self):
        told = report("othello:6x6", "engine:nodes=100,hash=1", f"bot:'{PAIKA}' engine --settings hash=1", "--nodes", "100",
                      "--games", "4")
        self.assertEqual(told["games"], 4)
        self.assertEqual(told["pairs"], [0, 0, 2, 0, 0], "the same player twice")
        self.assertEqual(told["b"]["failures"], NO_FAILURES)

    def test_programs_that_misbehave_lose_by_name(self):
        base = "while read a b; do case $a in ugi) echo ugiok;; isready) echo readyok;; go) {};; esac; done"
        for answer, failure in (("echo bestmove a1", "illegal"), ("exit", "crash"), ("echo bestmove", "protocol"),
                                ("sleep 5", "time")):
            told = report("othello:6x6", "engine:nodes=10,hash=1", "bot:" + base.format(answer), "--time-ms", "100",
                          "--games", "2")
            self.assertEqual(told["b"]["failures"][failure], 2, answer)
            self.assertEqual(told["a"]["wins"], 2)

    def test_one_that_cannot_start_is_bad_input(self):
        done = match("othello", "engine", "bot:exit 3")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot play", done.err)


class Interrupts(unittest.TestCase):
    def test_a_report_of_what_was_played(self):
        process = subprocess.Popen([PAIKA, "match", "othello:6x6", "engine:nodes=50", "engine:nodes=50", "--each", "hash=1",
                                    "--games", "1000000", "--json"], stdout=subprocess.PIPE)
        time.sleep(1.5)
        os.kill(process.pid, signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 0)
        self.assertGreater(json.loads(out)["games"], 0)


class BadInput(unittest.TestCase):
    def test_is_explained(self):
        for args, part in (
                (["chess", "engine", "engine"], "there is no game"),
                (["othello", "engine", "human"], "is not a player"),
                (["othello", "engine:hahs=3", "engine"], "did you mean hash?"),
                (["othello", "engine", "engine", "--sprt", "5"], "two numbers"),
                (["othello", "engine", "engine", "--sprt", "5,0"], "less than"),
                (["othello", "engine", "engine", "--sprt", "0,5", "--alpha", "2"], "--alpha"),
                (["othello", "engine", "engine", "--games", "0"], "--games"),
                (["othello", "engine", "engine", "--openings", "1001"], "--openings"),
                (["othello", "engine", "engine", "--openings", "-1"], "--openings"),
                (["othello", "engine", "engine", "--openings", "no such file"], "a file of openings: cannot open"),
                (["othello", "engine", "engine", "--each", "time=5"], "in --each"),
                (["othello", "engine", "engine", "--position", "x"], "bad position"),
                (["othello", "engine"], "B")):
            done = match(*args)
            self.assertEqual(done.returncode, 2, args)
            self.assertIn(part, done.err)
            self.assertEqual(done.out, "")


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
