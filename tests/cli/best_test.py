"""`paika best` and `paika bench` as their users meet them.

usage: best_test.py PAIKA-PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import resource
import unittest

PAIKA = ""
DATA = pathlib.Path(__file__).resolve().parent.parent / "data"


def run(*args, **more):
    done = subprocess.run([PAIKA, *args], capture_output=True, timeout=100, check=False, text=True, **more)
    return done.returncode, done.stdout, done.stderr


class Best(unittest.TestCase):
    def test_turn_and_score_on_stdout_and_the_rest_on_stderr(self):
        status, out, err = run("best", "abalone:3x3,captures=1", "--depth", "5")
        turn, score = out.rstrip("\n").split("\t")
        self.assertEqual((status, score), (0, "win in 3"))  # docs/rules/abalone.md 6.2
        self.assertIn(f"expects: {turn} ", err)
        self.assertIn("(exact)", err)

    def test_json(self):
        status, out, err = run("best", "fanorona:3x3,sacrifice=off", "--depth", "15", "--json")
        self.assertEqual((status, err), (0, ""))
        told = json.loads(out)
        self.assertEqual(told["lines"][0]["win_in"], 11)  # docs/rules/fanorona.md 5.3
        self.assertEqual(told["lines"][0]["moves"][0], told["move"])
        self.assertNotIn("score", told["lines"][0])
        self.assertTrue(told["lines"][0]["exact"])
        self.assertFalse(told["lines"][0]["at_most"])
        self.assertGreater(told["nodes"], 0)

    def test_scores_are_for_the_first_player_or_the_mover(self):
        at = ("best", "othello", "--play", "f5", "--depth", "3")
        first, mover = run(*at), run(*at, "--view", "mover")
        self.assertIn("scores are for Black, who moves first in the game", first[2])
        self.assertIn("scores are for White, who is to move", mover[2])
        self.assertEqual(float(first[1].split("\t")[1]), -float(mover[1].split("\t")[1]))
        self.assertNotEqual(float(first[1].split("\t")[1]), 0)
        status, out, err = run(*at, "--view", "white")
        self.assertEqual((status, out), (2, ""))
        self.assertIn('--view takes first or mover, not "white"', err)

    def test_every_level_completes_a_depth(self):
        for spec in ("fanorona", "abalone:5x5,captures=3", "othello", "wildebeest"):
            for level in range(1, 14):
                told = json.loads(run("best", spec, "--level", str(level), "--json")[1])
                self.assertGreaterEqual(told["depth"], 1, (spec, level))

    def test_several_lines(self):
        _, out, _ = run("best", "othello", "--play", "f5", "--multipv", "3", "--depth", "4")
        self.assertEqual(len(set(line.split("\t")[0] for line in out.splitlines())), 3)

    def test_the_same_again(self):
        for spec in ("fanorona", "abalone", "othello", "wildebeest"):
            self.assertEqual(run("best", spec, "--nodes", "5000")[1], run("best", spec, "--nodes", "5000")[1], spec)

    def test_time_is_kept(self):
        """The processor's time is counted: a busy machine does not stretch it."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, _, _ = run("best", "fanorona:13x13", "--time-ms", "100", "--threads", "2", "--hash", "1")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(status, 0)
        self.assertLess(after.ru_utime - before.ru_utime, 1.0)

    def test_a_game_that_is_over_has_no_best_turn(self):
        status, out, err = run("best", "fanorona:1x1")
        self.assertEqual((status, out), (1, ""))
        self.assertIn("the game is over", err)

    def test_bad_input(self):
        for args, part in ((("otello",), "did you mean othello?"),
                           (("othello", "--depth", "0"), "from 1 to"),
                           (("othello", "--level", "15"), "from 1 to 14"),
                           (("othello", "--time-ms", "soon"), "whole number"),
                           (("othello", "--threads", "0"), "from 1 to 256"),
                           (("othello", "--position", "rubbish"), "")):
            status, out, err = run("best", *args)
            self.assertEqual((status, out), (2, ""), args)
            self.assertIn(part, err)


class Bench(unittest.TestCase):
    def test_signature(self):
        """A change of search or evaluation that was meant to change nothing shows here. If it was meant to,
        write the new numbers: paika bench --signature > tests/data/bench.txt."""
        status, out, _ = run("bench", "--signature")
        self.assertEqual(status, 0)
        self.assertEqual(out, (DATA / "bench.txt").read_text())


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
