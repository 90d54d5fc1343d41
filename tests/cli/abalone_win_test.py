"""Abalone 4x4 with 2 captures is a forced win for Black: the computer has to win it, whoever defends.

usage: abalone_win_test.py PAIKA-PROGRAM

Black is the computer with one second a turn. It must win within a few turns of what perfect play needs:
the solver says PERFECT plies from the start, and a defence that is not perfect only makes it shorter.
"""

import json
import random
import subprocess
import sys
import unittest

PAIKA = ""
SPEC = "abalone:4x4,captures=2"
PERFECT = 23  # found by retrograde analysis of all 13,398,488 positions
MARGIN = 6


def paika(*args):
    return subprocess.run([PAIKA, *args], capture_output=True, check=True, text=True).stdout


def best(turns, *limits):
    played = [word for turn in turns for word in ("--play", turn)]
    return json.loads(paika("best", SPEC, *played, *limits, "--json"))["move"]


def by_chance(seed):
    chance = random.Random(seed)

    def defend(turns):
        played = [word for turn in turns for word in ("--play", turn)]
        return chance.choice([line.split("\t")[0] for line in paika("moves", SPEC, *played).splitlines()])

    return defend


def by_engine(*limits):
    return lambda turns: best(turns, *limits)


class AbaloneWin(unittest.TestCase):
    def win_against(self, defend):
        turns = []
        while True:
            shown = json.loads(paika("show", SPEC, *[word for turn in turns for word in ("--play", turn)], "--json"))
            if shown["outcome"]["verdict"] != "ongoing":
                break
            self.assertLess(len(turns), PERFECT + MARGIN, turns)
            turns.append(best(turns, "--time-ms", "1000") if len(turns) % 2 == 0 else defend(turns))
        self.assertEqual(shown["outcome"]["verdict"], "first_wins", turns)
        return len(turns)

    def test_against_the_computer(self):
        for limits in (["--time-ms", "1000"], ["--time-ms", "3000"], ["--depth", "6"], ["--level", "5", "--seed", "3"]):
            with self.subTest(defence=limits):
                print(" ".join(limits), self.win_against(by_engine(*limits)), "plies", file=sys.stderr)

    def test_against_chance(self):
        for seed in range(5):
            with self.subTest(seed=seed):
                print("chance", seed, self.win_against(by_chance(seed)), "plies", file=sys.stderr)


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
