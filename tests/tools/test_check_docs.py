#!/usr/bin/python3
"""Feeds tools/check_docs.py small documents and expects it to see what differs."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_docs  # noqa: E402


def console(*lines):
    return "# Page\n\n```console\n" + "\n".join(lines) + "\n```\n"


class Parsing(unittest.TestCase):
    def test_commands_outputs_and_statuses(self):
        text = console("$ one", "a", "b", "$ two # exit 2", "$ three \\", "  more", "c")
        found = [(c.line, c.text, c.expected, c.status) for c in check_docs.commands(text)]
        self.assertEqual(found, [(4, "one", ["a", "b"], 0), (7, "two # exit 2", None, 2),
                                 (8, "three \\\n  more", ["c"], 0)])

    def test_other_blocks_are_left_alone(self):
        text = "```sh\n$ no\n```\n````text\n```console\n$ no\n```\n````\n  ```console\n  $ yes\n   a\n  ```\n$ no\n"
        self.assertEqual([(c.text, c.expected) for c in check_docs.commands(text)], [("yes", [" a"])])

    def test_output_without_a_command_is_a_fault(self):
        with self.assertRaises(ValueError):
            list(check_docs.commands(console("no command")))


class Matching(unittest.TestCase):
    def test_dots_match_any_lines(self):
        def same(expected, actual):
            return check_docs.matches(expected.split(), actual.split())
        self.assertTrue(same("a b", "a b"))
        self.assertFalse(same("a b", "a c"))
        self.assertFalse(same("a", "a b"))
        self.assertFalse(same("a b", "a"))
        self.assertTrue(same("...", ""))
        self.assertTrue(same("a ... c", "a c"))
        self.assertTrue(same("a ... c ... e", "a c b c d e"))
        self.assertFalse(same("a ... c", "a c d"))
        self.assertFalse(same("... z ...", "a b"))


class Links(unittest.TestCase):
    def faults(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "docs").mkdir()
            (root / "docs/other.md").write_text("# Other\n## 2 The end, and `more`\n```text\n# none\n```\n")
            (root / "docs/page.md").write_text(text)
            return list(check_docs.link_faults(root, root / "docs/page.md", text))

    def test_links_that_lead_somewhere(self):
        self.assertEqual(self.faults("# Top\n[a](other.md) ![b](../docs) [c](#top) [d](other.md#2-the-end-and-more)\n"
                                     "[e](https://no.example/x.md) `[f](no.md)`\n```text\n[g](no.md)\n```\n"), [])

    def test_links_that_lead_nowhere(self):
        found = self.faults("[a](other.md)\n[b](no.md) and [c](other.md#none)\n[d](#none) [e](../../passwd)\n")
        self.assertEqual(found, ["docs/page.md:2: no.md: there is no such file",
                                 "docs/page.md:2: other.md#none: there is no such heading",
                                 "docs/page.md:3: #none: there is no such heading",
                                 "docs/page.md:3: ../../passwd: there is no such file"])


class Running(unittest.TestCase):
    def check(self, readme, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "build/release/bin").mkdir(parents=True)
            (root / "build/release/bin/paika").touch()
            (root / ".gitignore").write_text("/build/\n")
            (root / "paika").write_text('#!/bin/sh\necho "real in $(dirname "$(readlink -f "$0")")" "$@"\n')
            (root / "paika").chmod(0o755)
            (root / "data.txt").write_text("kept\n")
            (root / "README.md").write_text(readme.replace("ROOT", str(root.resolve())))
            subprocess.run(["git", "init", "-q", folder], check=True)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = check_docs.main(["--root", folder, *arguments])
            self.assertEqual((root / "data.txt").read_text(), "kept\n")
            return status, output.getvalue()

    def test_true_documents_pass(self):
        status, output = self.check(console(
            "$ ./paika 'a b'", "real in ROOT a b", "$ echo spoiled > data.txt", "$ cat data.txt", "spoiled",
            "$ echo bad >&2; exit 2 # exit 2", "bad"))
        self.assertEqual((status, output), (0, "4 commands in 1 documents, 0 faults\n"))

    def test_other_output_is_shown_as_a_difference(self):
        status, output = self.check(console("$ seq 2", "1", "3"))
        self.assertEqual(status, 1)
        self.assertIn("README.md:4: $ seq 2", output)
        self.assertIn("\n  -3\n  +2\n", output)

    def test_dead_links_are_faults(self):
        status, output = self.check("[a](data.txt) [b](no.txt)\n")
        self.assertEqual((status, output), (1, "README.md:1: no.txt: there is no such file\n"
                                               "0 commands in 1 documents, 1 faults\n"))

    def test_other_statuses_are_faults(self):
        self.assertIn("exit status 1, expected 0", self.check(console("$ false"))[1])
        status, output = self.check(console("$ echo words; true # exit 2"))
        self.assertEqual(status, 1)
        self.assertIn("exit status 0, expected 2; it said:\n  | words", output)

    def test_endless_commands_are_faults(self):
        status, output = self.check(console("$ sleep 20"), "--seconds", "0.2")
        self.assertEqual(status, 1)
        self.assertIn("still running", output)

    def test_needs_a_built_program(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(check_docs.main(["--root", folder]), 2)


if __name__ == "__main__":
    unittest.main()
