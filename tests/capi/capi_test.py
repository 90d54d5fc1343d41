"""Runs the conformance program of the C interface, with a table to look into, and the example.

usage: capi_test.py CONFORMANCE EXAMPLE PAIKA
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONFORMANCE, EXAMPLE, PAIKA = sys.argv[1:4]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


class CInterface(unittest.TestCase):
    def test_the_interface_is_as_its_header_says(self):
        with tempfile.TemporaryDirectory() as folder:
            solved = run(PAIKA, "solve", "fanorona:3x3", "--tables", folder)
            self.assertEqual(solved.returncode, 0, solved.stderr)
            result = run(CONFORMANCE, folder)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_example_plays_a_game_to_its_end(self):
        for spec in ["fanorona:5x5", "othello:6x6", "abalone:4x4"]:
            result = run(EXAMPLE, spec, "nodes=500,hash=1,level=3")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout, r"^1\. \w+: \S+")
            self.assertIn(f"(docs/rules/{spec.split(':')[0]}.md", result.stdout)
            self.assertIn("depth 1:", result.stderr)

    def test_the_example_says_what_is_wrong(self):
        result = run(EXAMPLE, "othello:7x7")
        self.assertEqual(result.returncode, 2)
        self.assertIn("even", result.stderr)

    def test_the_example_is_short(self):
        self.assertLessEqual(len((ROOT / "examples/play.c").read_text().splitlines()), 60)

    def test_the_manuals_snippets_compile(self):
        """Those of docs/c.md one after the other, as the body of a function; they name a callback that is the reader's."""
        snippets = re.findall(r"^```c\n(.*?)^```$", (ROOT / "docs/c.md").read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreaterEqual(len(snippets), 2)
        program = ("#include <paika.h>\n#include <stdio.h>\nextern int on_depth(const paika_search_info *info, void *user);\n"
                   "int main(void) {\n" + "".join(snippets) + "return 0;\n}\n")
        command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'include'}", "-fsyntax-only", "-xc", "-"]
        compiled = subprocess.run(command, input=program, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
