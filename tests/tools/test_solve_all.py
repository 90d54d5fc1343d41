"""tools/solve_all.py: checksums are compared with those of boards solved anew."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import solve_all  # noqa: E402

BOARD = "abalone:3x3,captures=1"


class SolveAll(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.results = self.folder / "solved.json"
        self.known = {"spec": BOARD, "value": "win", "turns": 3, "positions": 320, "wins": 1, "losses": 1, "draws": 1,
                      "longest": 7, "bytes": 1, "seconds": 1.0, "memory": 1, "verify_seconds": 1.0, "threads": 2,
                      "checksums": {"3-3": "a1"}}
        self.results.write_text(json.dumps({BOARD: self.known}), encoding="utf-8")
        self.found = {"3-3": "a1"}
        self.commands = []
        for name, value in {"RESULTS": self.results, "PAGE": self.folder / "solved.md",
                            "PICTURE": self.folder / "picture.svg", "measured": self.measured}.items():
            patch = mock.patch.object(solve_all, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def measured(self, command):
        """What the program answers of a board with the tiers `found`."""
        _, *words = map(str, command)
        self.commands.append(words)
        out = {"spec": BOARD, "value": "win", "win_in": 3, "positions": 320}
        if words[0] == "solve":
            table = pathlib.Path(words[words.index("--tables") + 1]) / "a.table"
            table.write_bytes(b"table")
            out["table"] = str(table)
        elif words[1] == "verify":
            return "all 320 values follow from their moves", 1.0, 1
        else:
            counts = {"wins": 1, "losses": 1, "draws": 1, "longest_win": 7, "longest_loss": 6}
            out["table"] = BOARD
            out["tiers"] = [{"tier": t, "checksum": c, **counts} for t, c in self.found.items()]
        return json.dumps(out), 1.0, 1

    def run_it(self, *arguments):
        """The exit status and what was said on stderr."""
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as err:
            try:
                status = solve_all.main(["--tables", str(self.folder / "tables"), *arguments])
            except SystemExit as end:
                status = end.code
        return status, err.getvalue()

    def folder_solved_in(self):
        solve = next(c for c in self.commands if c[0] == "solve")
        return pathlib.Path(solve[solve.index("--tables") + 1])

    def test_a_named_board_is_solved_anew(self):
        self.assertEqual(self.run_it("--checksums", BOARD), (0, ""))
        self.assertNotEqual(self.folder_solved_in(), self.folder / "tables")
        self.assertFalse(self.folder_solved_in().exists(), "nothing is left of it")

    def test_all_boards_have_the_tables_that_are_there(self):
        self.assertEqual(self.run_it("--checksums"), (0, ""))
        self.assertEqual(self.folder_solved_in(), self.folder / "tables")

    def test_other_checksums_are_named(self):
        self.found = {"3-3": "b2", "3-2": "c3"}
        status, said = self.run_it("--checksums", BOARD)
        self.assertEqual((status, said), (1, f"{BOARD}: other checksums than before, of tiers 3-3, 3-2\n"))
        self.assertEqual(json.loads(self.results.read_text())[BOARD], self.known)

    def test_a_tier_more_is_named(self):
        self.found["3-2"] = "c3"
        self.assertEqual(self.run_it("--checksums", BOARD), (1, f"{BOARD}: other checksums than before, of tiers 3-2\n"))

    def test_solving_compares_too(self):
        (self.folder / "tables").mkdir()
        self.found = {"3-3": "b2"}
        status, said = self.run_it(BOARD)
        self.assertEqual((status, said), (1, f"{BOARD}: other checksums than before, of tiers 3-3\n"))
        self.assertEqual(json.loads(self.results.read_text())[BOARD], self.known)

    def test_a_board_without_a_result(self):
        status, said = self.run_it("--checksums", "abalone:9x9")
        self.assertEqual(status, 1)
        self.assertIn("abalone:9x9: no such result in solved.json", said)

    def test_times_of_a_gpu_are_no_results(self):
        status, said = self.run_it("--gpu", BOARD)
        self.assertEqual(status, 2)
        self.assertIn("--gpu goes with --checksums", said)
        self.assertEqual(self.commands, [])


if __name__ == "__main__":
    unittest.main()
