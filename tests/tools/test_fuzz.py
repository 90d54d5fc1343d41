"""tools/fuzz.py, with a script in the place of the fuzz program."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import fuzz  # noqa: E402

SAID = """INFO: seed corpus: files: 3
#4\tINITED cov: 12 ft: 20 corp: 3/9b exec/s: 0 rss: 60Mb
#512\tNEW    cov: 15 ft: 31 corp: 4/12b lim: 4 exec/s: 0 rss: 61Mb
"""
DONE = "#900\tDONE   cov: 15 ft: 33 corp: 4/12b exec/s: 90\nDone 900 runs in 10 second(s)\n"
CRASH = "==7==ERROR: AddressSanitizer: heap-buffer-overflow\n"

PROGRAM = """#!/bin/sh
case ${PAIKA_FUZZ_TARGET-} in
  '') printf 'good\\nbad\\n' ;;
  good) echo "#7 DONE cov: 1 ft: 2"; echo "Done 7 runs in 1 second(s)" ;;
  bad) echo "#3 NEW cov: 1 ft: 1"; exit 77 ;;
esac
"""


class Reading(unittest.TestCase):
    def test_a_run_that_found_nothing(self):
        self.assertEqual(fuzz.read_run("x", SAID + DONE, 0), fuzz.Run("x", 10, 900, 33, 0))

    def test_a_run_that_broke_off(self):
        self.assertEqual(fuzz.read_run("x", SAID + CRASH, 77), fuzz.Run("x", 0, 512, 31, 1))


class Running(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "program"
        self.program.write_text(PROGRAM)
        self.program.chmod(0o755)

    def run_fuzz(self, *words):
        return subprocess.run([sys.executable, "-B", ROOT / "tools/fuzz.py", self.program, self.folder / "out", *words],
                              capture_output=True, text=True, check=False)

    def test_all_targets_run_and_the_findings_decide(self):
        done = self.run_fuzz("1")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("| bad | 0 | 3 | 1 | 1 |\n| good | 1 | 7 | 2 | 0 |\n", done.stdout)
        self.assertIn("failed: bad;", done.stderr)
        self.assertEqual((self.folder / "out/summary.md").read_text(), done.stdout)

    def test_named_targets_alone(self):
        done = self.run_fuzz("1", "good")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("bad", done.stdout)

    def test_an_unknown_target(self):
        done = self.run_fuzz("1", "better")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no target 'better'; use good, bad", done.stderr)


if __name__ == "__main__":
    unittest.main()
