#!/usr/bin/python3
"""Feeds tools/check_clauses.py small trees, good and bad, and expects the right refusals."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_clauses  # noqa: E402

RULES = "# Go\n\n## 1 Board\n\n**1.1** Points.\n\n**1.2 Start.** See **7.7**.\n"


class CheckClauses(unittest.TestCase):
    def faults(self, source, test="", rules=RULES):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            files = {"src/games/go/explain.cpp": source, "tests/games/go/go_test.cpp": test, "docs/rules/go.md": rules}
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                if text is not None:
                    (root / name).write_text(text, encoding="utf-8")
            return list(check_clauses.faults(root))

    def test_clauses_and_sections_are_found(self):
        self.assertEqual(self.faults('no("1.1");\nno(b ? "1.2" : "1");\nsay("over (rules 1.2)");\n',
                                     "TEST(Go, clause_1_1_points)\nTEST(Go, clause_1_board)\nTEST(Go, clause_1_1_3x3)"),
                         [])

    def test_other_clauses_are_refused_with_their_line(self):
        self.assertEqual(self.faults('ok("1.1");\nno("1.3");\n'),
                         ["src/games/go/explain.cpp:2: docs/rules/go.md has no clause 1.3"])
        self.assertIn("no clause 2", self.faults('no("1.1", "2");')[0])
        self.assertIn("no clause 4.1", self.faults('no("1.1", "the end (rules 4.1)");')[0])

    def test_only_the_beginning_of_a_line_makes_a_clause(self):
        self.assertEqual(len(self.faults('no("7.7");')), 1)

    def test_names_of_tests_cite_too(self):
        self.assertEqual(self.faults('ok("1.1");', "\nTEST(Go, clause_1_5_x) {"),
                         ["tests/games/go/go_test.cpp:2: docs/rules/go.md has no clause 1.5"])

    def test_a_game_needs_rules_and_cites_them(self):
        self.assertIn("no docs/rules/go.md", self.faults('ok("1.1");', rules=None)[0])
        self.assertIn("no clause at all", self.faults("return;")[0])

    def test_a_translation_has_the_same_clauses_in_the_same_order(self):
        def with_french(text):
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                (root / "docs/rules/fr").mkdir(parents=True)
                (root / "src/games").mkdir(parents=True)
                (root / "docs/rules/go.md").write_text(RULES, encoding="utf-8")
                (root / "docs/rules/fr/go.md").write_text(text, encoding="utf-8")
                return list(check_clauses.faults(root))

        self.assertEqual(with_french("# Go\n\n## 1 Plateau\n\n**1.1** Points.\n\n**1.2 Début.** Voir **7.7**.\n"), [])
        self.assertEqual(with_french("## 1 Plateau\n\n**1.2** Début.\n\n**1.1** Points.\n"),
                         ["docs/rules/fr/go.md: 1.2 stands where docs/rules/go.md has 1.1"])
        self.assertEqual(with_french("## 1 Plateau\n\n**1.1** Points.\n"),
                         ["docs/rules/fr/go.md: the end stands where docs/rules/go.md has 1.2"])
        self.assertIn("blocks of code", with_french(RULES + "```\nx\n```\n")[0])

    def test_this_repository_passes(self):
        self.assertEqual(list(check_clauses.faults(pathlib.Path(__file__).resolve().parents[2])), [])


if __name__ == "__main__":
    unittest.main()
