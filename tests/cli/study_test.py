"""`paika convert`, `paika review` and `paika puzzles` as their users meet them.

usage: study_test.py PAIKA-PROGRAM

The environment variable PAIKA_ALL_PUZZLES makes it prove every puzzle of the repository, with tables that it solves
first; otherwise a sample of those that need no table is proven.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PAIKA = ""
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
PUZZLES = SOURCE / "data/puzzles"
HEADER = "id\tspec\tposition\tgoal\tmoves\tsolution\tlevel\tthemes\tproof"


def paika(*arguments, stdin="", timeout=120):
    done = subprocess.run([PAIKA, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=False,
                          timeout=timeout)
    return done.returncode, done.stdout, done.stderr


class WithFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="paika study ")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


class Convert(WithFolder):
    def test_there_and_back(self):
        games = "f5d6c3d3c4\ne6f4e3d6\n"
        transcript = self.write("games.txt", games)
        for form in ("tree", "record", "ggf", "nboard", "positions"):
            status, text, error = paika("convert", transcript, "--to", form)
            self.assertEqual((status, error), (0, ""))
            more = ["--game", "othello", "--from", "positions"] if form == "positions" else []
            status, again, error = paika("convert", "-", "--to", "transcript", *more, stdin=text)
            self.assertEqual((status, again, error), (0, games, ""), form)

    def test_wthor_is_three_files(self):
        tree = self.write("game.txt", '[Game "othello"]\n[First "Ann"]\n[Second "Bob"]\n[Event "Cup"]\n\n1. f5 d6 *\n')
        self.assertEqual(paika("convert", tree, "--to", "wthor")[0], 2)
        status, _, error = paika("convert", tree, "--to", "wthor", "--output", self.folder / "base.wtb")
        self.assertEqual((status, error), (0, ""))
        self.assertEqual((self.folder / "base.wtb").stat().st_size, 16 + 68)
        status, text, _ = paika("convert", self.folder / "base.wtb")
        self.assertEqual(status, 0)
        for tag in ('[First "Ann"]', '[Second "Bob"]', '[Event "Cup"]'):
            self.assertIn(tag, text)

    def test_wrong_input(self):
        for arguments, stdin, words in (
            (["-", "--to", "gff"], "f5d6c3\n", 'there is no format "gff" (did you mean ggf?)'),
            (["-"], "hello\n", "none of the formats"),
            (["-"], "", "none of the formats"),
            (["-"], '[Game "othello"]\n\n1. a1 *\n', "line 3, column 4"),
            (["nowhere.txt"], "", "cannot open"),
        ):
            status, _, error = paika("convert", *arguments, stdin=stdin)
            self.assertEqual(status, 2, arguments)
            self.assertIn(words, error)


class Review(WithFolder):
    def test_a_tree_is_reviewed(self):
        game = self.write("game.txt", '[Game "abalone:3x3,captures=1"]\n\n1. b1b2 c3c2 2. b2c3 (2. a2b2) *\n')
        status, text, error = paika("review", game, "--time-ms", "600", "--ascii")
        self.assertEqual((status, error), (0, ""))
        self.assertIn("Turning points:\n  3. Black b2c3: ", text)
        self.assertTrue(text.isascii())


class Puzzles(WithFolder):
    def test_make_and_verify(self):
        status, text, error = paika("puzzles", "make", "othello:6x6", "--count", "4", "--max-empty", "8", "--seed", "3")
        self.assertEqual((status, error), (0, ""))
        self.assertEqual(text.splitlines()[0], HEADER)
        self.assertEqual(paika("puzzles", "make", "othello:6x6", "--count", "4", "--max-empty", "8", "--seed", "3")[1], text)
        status, told, _ = paika("puzzles", "verify", self.write("made.tsv", text))
        self.assertEqual((status, told), (0, "4 puzzles proven, 0 wrong\n"))

    def test_a_puzzle_with_two_solutions_is_named(self):
        line = "x\tothello:6x6\tXXXXXXXXXXOOXXOXOOXOXXOOXOXXO-O----- X\twin\t\tb6\t1\t\tending"
        status, told, _ = paika("puzzles", "verify", self.write("wrong.tsv", f"{HEADER}\n{line}\n"))
        self.assertEqual(status, 1)
        self.assertTrue(told.startswith("line 2: x: it has 5 solutions"), told)
        status, _, error = paika("puzzles", "verify", self.write("bad.tsv", f"{HEADER}\nx\n"))
        self.assertEqual(status, 2)
        self.assertIn("line 2", error)

    def test_a_table_that_is_not_there_is_missed_once(self):
        lines = [line for line in (PUZZLES / "abalone.tsv").read_text(encoding="utf-8").splitlines()
                 if line.endswith("\ttable")]
        path = self.write("tables.tsv", "\n".join([HEADER, *lines]) + "\n")
        status, told, error = paika("puzzles", "verify", path, "--tables", self.folder, "--threads", "2")
        self.assertEqual((status, told), (2, ""))
        self.assertIn("line 2: ", error)
        self.assertLess(len(error.splitlines()), 4, error)

    def test_those_of_the_repository(self):
        games = sorted(path.stem for path in PUZZLES.glob("*.tsv"))
        self.assertEqual(games, ["abalone", "fanorona", "othello", "wildebeest"])
        everything = "PAIKA_ALL_PUZZLES" in os.environ
        if everything:
            tables = ["--tables", self.folder]
            self.assertEqual(paika("solve", "abalone:4x4", "--no-count", *tables, timeout=1000)[0], 0)
            self.assertEqual(paika("solve", "fanorona:5x5", "--stones", "6", "--distances", *tables, timeout=1000)[0], 0)
        for game in games:
            path = PUZZLES / f"{game}.tsv"
            lines = path.read_text(encoding="utf-8").splitlines()
            self.assertEqual(lines[0], HEADER)
            self.assertLess(path.stat().st_size, 120_000)
            self.assertEqual(len({line.split("\t")[0] for line in lines[1:]}), len(lines) - 1)
            if everything:
                status, told, error = paika("puzzles", "verify", path, *tables, "--threads", os.cpu_count(), timeout=1000)
                self.assertEqual((status, told), (0, f"{len(lines) - 1} puzzles proven, 0 wrong\n"), error)
                continue
            alone = [line for line in lines[1:] if not line.endswith("\ttable")][::40]
            if not alone:
                continue
            sample = self.write(f"{game}.tsv", "\n".join([HEADER, *alone]) + "\n")
            status, told, error = paika("puzzles", "verify", sample)
            self.assertEqual((status, told), (0, f"{len(alone)} puzzles proven, 0 wrong\n"), error)


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
