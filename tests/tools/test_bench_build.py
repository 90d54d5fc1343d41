#!/usr/bin/python3
"""Runs tools/bench_build.py in a small repository whose ./paika only notes what it is asked for."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

PAIKA = """\
#!/bin/sh
echo "${CCACHE_DISABLE-cached} ${PAIKA_WITHOUT_WASM-0} $(ls -d build 2>/dev/null) $1" >>"$CALLS"
case $1 in
  test) exit "$TESTS_EXIT" ;;
  serve) echo "at http://127.0.0.1:1/"; sleep 60 & trap "kill $!" INT; wait ;;
esac
mkdir -p build
"""


class BenchBuild(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.root = self.folder / "root"
        (self.root / "tools").mkdir(parents=True)
        (self.folder / "scratch").mkdir()
        shutil.copy(ROOT / "tools/bench_build.py", self.root / "tools")
        (self.root / "paika").write_text(PAIKA)
        (self.root / "paika").chmod(0o755)
        git = ["git", "-C", self.root, "-c", "user.name=n", "-c", "user.email=e"]
        for words in [["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]]:
            subprocess.run([*git, *words], check=True)

    def measure(self, *rows, tests_exit="0"):
        """Status, stdout and stderr, and the calls of ./paika."""
        calls = self.folder / "calls"
        calls.write_text("")
        environment = {**os.environ, "CALLS": str(calls), "TESTS_EXIT": tests_exit, "TMPDIR": str(self.folder / "scratch")}
        run = subprocess.run(["/usr/bin/python3", "-B", self.root / "tools/bench_build.py", *rows], env=environment,
                             capture_output=True, text=True, check=False)
        self.assertEqual(os.listdir(self.folder / "scratch"), [], "nothing is left")
        return run, calls.read_text().splitlines()

    def test_measures_everything_in_the_order_of_a_newcomer(self):
        run, calls = self.measure()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(calls, ["1 0  --version", "1 1 build web", "1 0 build setup", "1 0 build test", "1 0 build web",
                                 "1 0  serve"])
        rows = re.findall(r"^\| (.*?) \| \d+ s \| \d+ s \|$", run.stdout, re.MULTILINE)
        document = (ROOT / "docs/performance.md").read_text()
        for row in rows:
            self.assertIn(f"\n| {row} |", document)
        self.assertEqual(len(rows), 7)

    def test_measures_one_row_with_what_it_needs(self):
        self.assertEqual(self.measure("engine")[1], ["1 1  web", "1 0 build web"])

    def test_says_what_failed(self):
        run, _ = self.measure("test", tests_exit="8")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn("exit status 8", run.stderr)
        run, calls = self.measure("nothing")
        self.assertEqual((run.returncode, calls), (2, []))


if __name__ == "__main__":
    unittest.main()
