#!/usr/bin/python3
"""Feeds tools/check_text.py good and bad texts and expects the right refusals."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import check_text  # noqa: E402


class CheckText(unittest.TestCase):
    def faults(self, text, name="docs/page.md"):
        return list(check_text.file_faults(name, text if isinstance(text, bytes) else text.encode()))

    def refused(self, text, part, name="docs/page.md"):
        found = self.faults(text, name)
        self.assertEqual(len(found), 1, found)
        self.assertIn(part, found[0])

    def test_plain_text_is_fine(self):
        self.assertEqual(self.faults("Play.\n\n  ..XXX..\nsee docs/work/, ~/home/ and registry.find(key)\n"), [])
        self.assertEqual(self.faults(""), [])

    # The bad words below are put together at run time, so that this file itself passes the check.
    def test_machine_paths(self):
        for folder in ["work", "home", "root"]:
            self.refused(f"one\nsee /{folder}/x\n", f"docs/page.md:2: a path of one machine: /{folder}/")
        self.refused(f"cat /tmp/{'bash'}_jobs.0/1\n", "a path of one machine")

    def test_registry_hosts(self):
        for host in ["registry." + "npmjs.org", "registry." + "packages.some.example", "deb." + "debian.org",
                     "nexus." + "some.internal"]:
            self.refused(f'"resolved": "https://{host}/x.tgz"\n', "package registry")

    def test_notes_for_later(self):
        for note in ["TO" + "DO", "FIX" + "ME", "XX" + "X"]:
            self.refused(f"int x;  // {note}: better\n", "to do something later", "src/base/a.cpp")

    def test_blanks_and_line_ends(self):
        self.refused("one \ntwo\n", "page.md:1: blanks at the end")
        self.refused("one\t\n", "blanks at the end")
        self.refused("one\r\n", "blanks at the end")
        self.refused("one\ntwo", "page.md:2: the last line has no end")
        self.refused("one\n\n", "page.md:2: empty lines at the end")

    def test_test_data_is_left_alone(self):
        self.assertEqual(self.faults("one \ntwo", "tests/data/board.txt"), [])
        self.assertEqual(self.faults(b"\0 \n", "data/weights.bin"), [])

    def test_long_sources(self):
        self.assertEqual(self.faults("\n".join(["x;"] * 600) + "\n", "src/base/a.cpp"), [])
        self.assertEqual(self.faults("\n".join(["x"] * 601) + "\n", "docs/a.md"), [])
        for name in ["src/base/a.cpp", "tests/cli/a_test.py", "web/src/lib/a.ts", "src/a.cuh", "include/a.h", "a.c", "a.js", "a.mjs"]:
            self.refused("\n".join(["x;"] * 601) + "\n", "601 lines", name)

    def test_looks_at_new_files_and_not_at_ignored_or_deleted_ones(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "-q", folder], check=True)
            (root / ".gitignore").write_text("/build/\n")
            (root / "build").mkdir()
            (root / "build/log.txt").write_text("bad \n")
            (root / "gone.txt").write_text("bad \n")
            subprocess.run(["git", "-C", folder, "add", "gone.txt"], check=True)
            (root / "gone.txt").unlink()
            (root / "a b.txt").write_text("bad \n")
            command = [sys.executable, str(ROOT / "tools/check_text.py"), folder]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout), (1, "a b.txt:1: blanks at the end of the line\n"))
            (root / "a b.txt").write_text("good\n")
            self.assertEqual(subprocess.run(command, check=False).returncode, 0)


if __name__ == "__main__":
    unittest.main()
