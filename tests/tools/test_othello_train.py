"""tools/tune/othello: a small fit without a GPU, and weights files there and back."""

import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import unittest

TUNE = pathlib.Path(__file__).resolve().parents[2] / "tools" / "tune" / "othello"
sys.path.insert(0, str(TUNE))
import weights_file  # noqa: E402

# A pattern of three squares of the upper edge of 6x6, in two places that mirror each other; its weights stand for
# themselves, as the pattern has no symmetry of its own.
LAYOUT = {"size": 6, "knots": 9, "knot_step": 4, "phase_step": 2, "counts": 3, "count_values": 128, "checks": [],
          "patterns": [{"name": "edge", "places": [[0, 1, 2], [5, 4, 3]], "symmetries": [[0, 1, 2]]}]}
LENGTH = 27 + 3 * 128


def worth(own, opponent):
    """What the samples teach: a corner is worth 5 discs, the square beside it -2."""
    value = lambda square: (own >> square & 1) - (opponent >> square & 1)
    return 5 * (value(0) + value(5)) - 2 * (value(1) + value(4))


def samples(count):
    chance = random.Random(1)
    text = b""
    for number in range(count):
        taken, colours = chance.getrandbits(36), chance.getrandbits(36)
        own, opponent = taken & colours, taken & ~colours
        if bin(taken).count("1") < 4 or taken == 2 ** 36 - 1:
            continue
        text += struct.pack("<QQBBbBhhH", own, opponent, chance.randrange(9), chance.randrange(9),
                            worth(own, opponent), 2, 0, 0, number % 1000)
    return text


class Train(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "layout.json").write_text(json.dumps(LAYOUT), encoding="utf-8")

    def train(self, *arguments):
        return subprocess.run([sys.executable, TUNE / "train.py", "--cpu", "--layout", self.folder / "layout.json",
                               *arguments], capture_output=True, text=True, timeout=60)

    def test_learns_what_the_samples_teach(self):
        (self.folder / "samples.bin").write_bytes(samples(20000))
        out = self.folder / "out.weights"
        run = self.train("--penalty", "1:1", "--steps", "60", "--step", "2", "--out", out, self.folder / "samples.bin")
        self.assertEqual(run.returncode, 0, run.stderr)
        step, knots = weights_file.read_weights(out, 9, LENGTH)
        self.assertEqual(step, 2)
        # In the middle of the game, where there are samples: an own corner against an empty one.
        self.assertAlmostEqual((knots[4][1] - knots[4][0]) * step, 500, delta=30)
        self.assertAlmostEqual((knots[4][3] - knots[4][0]) * step, -200, delta=30)
        self.assertAlmostEqual((knots[4][2] - knots[4][0]) * step, -500, delta=30)
        self.assertRegex(run.stdout, r"pawns  12- 19 samples +\d+ held-out rmse 0\.\d+ before [1-9]")

    def test_without_samples_it_says_what_it_needs(self):
        run = self.train()
        self.assertEqual(run.returncode, 2)
        self.assertIn("training needs samples and --out", run.stderr)

    def test_check_compares_with_the_numbers_of_the_program(self):
        self.assertIn("9 knots of 411 weights", self.train("--check").stdout)
        wrong = dict(LAYOUT, checks=[{"board": "X" + "-" * 35, "numbers": [2, 0]}])
        (self.folder / "layout.json").write_text(json.dumps(wrong), encoding="utf-8")
        self.assertIn("weights differ from those of C++", self.train("--check").stderr)


class WeightsFile(unittest.TestCase):
    def test_there_and_back(self):
        chance = random.Random(2)
        for numbers in ([0], [0, 1, -1], [0, 0, 0, 3, -700, 2000], range(-300, 300)):
            knots = [[chance.choice(list(numbers)) for _ in range(500)] for _ in range(3)]
            self.assertEqual(weights_file.decoded(weights_file.coded(knots), 3, 500), knots)

    def test_files_in_use_can_be_read(self):
        data = TUNE.parents[2] / "data"
        for size in (6, 8, 10):
            head = (data / f"othello-{size}x{size}.weights").read_bytes().split(b"\ndata\n")[0].decode().splitlines()
            self.assertEqual(head[:2], [weights_file.FIRST_LINE, f"size {size}"])


if __name__ == "__main__":
    unittest.main()
