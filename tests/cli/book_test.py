"""`paika book`: growing, interrupting, looking and verifying, as people do it.

usage: book_test.py PAIKA-PROGRAM
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PAIKA = ""


def run(*words, status=0, folder=None):
    done = subprocess.run([PAIKA, *words], capture_output=True, text=True, timeout=120, cwd=folder, check=False)
    if done.returncode != status:
        raise AssertionError(f"{words}: exit {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done


class Books(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.book = os.path.join(self.folder.name, "a, b.book")

    def grow(self, *words, **how):
        return run("book", "grow", self.book, "--nodes", "300", "--moves", "3", "--hash", "1", *words, **how)

    def test_grow_show_verify(self):
        grown = self.grow("--game", "othello", "--empty", "--positions", "20")
        self.assertRegex(grown.stdout, r"^othello:8x8: 20 positions, the longest line has \d+ moves, the start is worth ")
        shown = run("book", "show", self.book)
        self.assertEqual(len(shown.stdout.splitlines()), 4, "the four first moves")
        self.assertIn("book for othello:8x8: 20 positions, ", shown.stderr)
        after = json.loads(run("book", "show", self.book, "--play", "e6", "--json").stdout)
        self.assertEqual(after["positions"], 20)
        self.assertGreaterEqual(len(after["moves"]), 2)
        self.assertEqual(set(after["moves"][0]), {"move", "score"})
        far = run("book", "show", self.book, "--play", "e6", "--play", "d6", "--play", "c3", "--play", "f3", status=1)
        self.assertIn("it does not hold this position", far.stderr)
        self.assertIn("all 20 positions", run("book", "verify", self.book, "--sample", "3").stdout)
        self.grow("--positions", "30", "--threads", "2")
        self.assertIn("all 30 positions", run("book", "verify", self.book, "--sample", "0").stdout)

    def test_the_engine_plays_from_it(self):
        self.grow("--game", "othello", "--empty", "--positions", "20")
        talk = f"setoption name Book value {self.book}\nposition startpos moves e6\ngo movetime 50\nwait\n"
        talk += "setoption name Book value off\ngo movetime 50\nwait\nsetoption name Book value none.book\n"
        said = subprocess.run([PAIKA, "engine", "--game", "othello"], input=talk, capture_output=True, text=True,
                              timeout=60, check=True).stdout
        self.assertEqual(said.count("info string from the opening book"), 1)
        self.assertEqual(said.count("bestmove"), 2)
        self.assertIn("error ", said)
        shown = run("best", "othello", "--play", "e6", "--depth", "2", "--multipv", "3", "--book", self.book)
        self.assertRegex(shown.stdout, r"(?m)^\w\d\t[-+.\d]+\tbook [-+.\d]+$")
        plain = run("best", "othello", "--play", "e6", "--depth", "2", "--book", "off")
        self.assertNotIn("book", plain.stdout)
        lines = json.loads(run("best", "othello", "--play", "e6", "--depth", "2", "--book", self.book,
                               "--json").stdout)["lines"]
        self.assertIn("score", lines[0]["book"])
        match = run("match", "othello", "engine:book=on", "engine", "--each", "time=5ms,hash=1", "--book", self.book,
                    "--games", "2", "--openings", "0", "--margin-ms", "5000")
        self.assertIn("of 2 games", match.stdout)

    def test_an_interrupt_saves(self):
        growing = subprocess.Popen([PAIKA, "book", "grow", self.book, "--game", "othello", "--empty", "--nodes", "2000",
                                    "--hash", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler))
        time.sleep(3)
        growing.send_signal(signal.SIGINT)
        said, _ = growing.communicate(timeout=60)
        self.assertEqual(growing.returncode, 0)
        positions = int(said.split(": ")[1].split(" ")[0])
        self.assertGreater(positions, 0)
        self.assertEqual(os.listdir(self.folder.name), ["a, b.book"])
        self.assertIn(f"all {positions} positions", run("book", "verify", self.book, "--sample", "0").stdout)
        self.grow("--positions", str(positions + 5))
        self.assertIn(f"all {positions + 5} positions", run("book", "verify", self.book, "--sample", "0").stdout)

    def test_what_is_wrong_is_said(self):
        self.assertIn("--game says for which game", self.grow(status=2).stderr)
        self.assertIn("there is no game", self.grow("--game", "chess", status=2).stderr)
        self.assertIn("must be a number from 0 to 1000",
                      self.grow("--game", "othello", "--loss-weight", "much", status=2).stderr)
        self.assertIn("--time: ", self.grow("--game", "othello", "--time", "soon", status=2).stderr)
        self.assertIn("no file", run("book", "show", "nothing.book", status=2).stderr)
        self.assertIn("no built-in book", run("book", "show", "abalone", status=2).stderr)
        self.grow("--game", "othello", "--empty", "--positions", "5")
        self.assertIn("is a book for othello:8x8, not for othello:6x6",
                      self.grow("--game", "othello:6x6", status=2).stderr)
        self.assertIn("not for othello:6x6", run("best", "othello:6x6", "--book", self.book, status=2).stderr)
        with open(self.book, "rb+") as file:
            file.seek(50)
            file.write(b"\xff\xfe\xfd")
        for command in (["book", "show"], ["book", "verify"], ["book", "grow"]):
            self.assertIn("its checksum is wrong", run(*command, self.book, status=2).stderr)
        with open(self.book, "wb") as file:
            file.write(b"nonsense")
        self.assertIn("this is no opening book", run("book", "show", self.book, status=2).stderr)


if __name__ == "__main__":
    PAIKA = sys.argv.pop(1)
    unittest.main()
