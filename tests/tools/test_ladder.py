"""tools/tune/ladder.py: the ladder that follows from results."""

import argparse
import importlib.util
import json
import pathlib
import tempfile
import types
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
found = importlib.util.spec_from_file_location("ladder", ROOT / "tools/tune/ladder.py")
ladder = importlib.util.module_from_spec(found)
found.loader.exec_module(ladder)

ARGS = types.SimpleNamespace(first=5.0, hottest=3.0, coldest=0.1, ratio=1.35)


def played(grid, results, strength, rounds):
    """Plays the steps of the current ladder again and again, each as strength(plan) has it."""
    for _ in range(rounds):
        steps = ladder.ladder_of(grid, results)
        for above, below in zip(steps[1:], steps):
            share = ladder.expected(strength(above) - strength(below))
            wins = round(10 * share)
            row = {"spec": "toy", "a": above.text, "b": below.text, "wins": wins, "draws": 0, "losses": 10 - wins}
            results.add(row)
    return ladder.ladder_of(grid, results)


class Ladder(unittest.TestCase):
    def setUp(self):
        self.grid = ladder.candidates(ARGS)
        self.all = [plan for row in self.grid for plan in row]

    def test_begins_with_the_first_plan_and_ends_at_full_strength(self):
        steps = ladder.ladder_of(self.grid, ladder.Results(None, "toy"))
        self.assertEqual((len(steps), steps[0], steps[-1]), (ladder.LEVELS, self.all[0], self.all[-1]))
        self.assertEqual(steps[0].temperature, 5.0)

    def test_levels_look_deeper_or_err_less_than_those_below(self):
        steps = ladder.ladder_of(self.grid, ladder.Results(None, "toy"))
        for below, above in zip(steps, steps[1:-1]):
            self.assertTrue(below.below(above), f"{below.text} {above.text}")

    def test_even_steps_are_found_by_playing(self):
        # Truly 1300 Elo from the first to the last, far fewer than the guesses say.
        places = [plan.place for plan in self.all]
        low, high = min(places), max(places)
        strength = {plan: 1300 * (plan.place - low) / (high - low) for plan in self.all}
        steps = played(self.grid, ladder.Results(None, "toy"), strength.get, 30)
        true = [ladder.expected(strength[a] - strength[b]) for a, b in zip(steps[1:], steps)]
        self.assertTrue(all(0.55 < share < 0.85 for share in true), [f"{share:.2f}" for share in true])

    def test_wrong_plans_are_named(self):
        plan = "1/3000/500/2"
        for text, words in (("1/3000/x/2", "'1/3000/x/2' is not DEPTH/"), (plan + " 5", "'5' is not DEPTH/"), (plan, "not 1")):
            with self.assertRaisesRegex(argparse.ArgumentTypeError, words):
                ladder.given(text)
        self.assertEqual(len(ladder.given(" ".join([plan] * (ladder.LEVELS - 1)))), ladder.LEVELS)

    def test_results_outlive_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.jsonl"
            row = {"spec": "toy", "a": "x", "b": "y", "wins": 6, "draws": 2, "losses": 2, "seed": 1}
            ladder.Results(path, "toy").add(row)
            path.write_text(path.read_text() + json.dumps({**row, "spec": "other"}) + "\n")
            self.assertEqual(ladder.Results(path, "toy").pairs, {("x", "y"): [6, 2, 2]})


if __name__ == "__main__":
    unittest.main()
