#!/usr/bin/python3
"""Tests tools/mutations.py, which plants faults, and the parts of tools/mutate.py that need no build."""

import pathlib
import random
import sys
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import mutate  # noqa: E402
import mutations  # noqa: E402

SAMPLE = """\
#include <a> // if (x < 1) y();
#define MORE(a, b) \\
  (a < b && b)
namespace a {

/// Not a < b && c here.
int least(int x, std::vector<int> list) {
  const char* text = "a < b && return x;";
  if (x < 3 && list.size() >= 10) return std::min(x, 4);
  while (auto next = list.find(x); !next) {
    ++count;
    total += x * 2;
    list.push_back(x);
  }
  const int total = 5;
  Type name(x);
  assert(x == '<' || R"(a && b)" != text);
  return x - 1;
}
}  // namespace a
"""


def changes(kind, text=SAMPLE):
    """What becomes of the lines, for all faults of a kind."""
    found = []
    for fault in mutations.faults_in(text):
        if fault.kind == kind:
            _, _, after, _, _ = mutations.lines_around(text, fault)
            found.append(after.strip())
    return found


class Planting(unittest.TestCase):
    def test_comments_literals_and_macros_are_left_alone(self):
        code = mutations.visible(SAMPLE)
        self.assertEqual(len(code), len(SAMPLE))
        self.assertEqual(code.count("\n"), SAMPLE.count("\n"))
        for hidden in ["include", "MORE", "a < b", "Not", "return x;", "a && b", "'<'"]:
            self.assertNotIn(hidden, code)
        self.assertIn("x < 3 && list.size() >= 10", code)

    def test_comparisons_become_their_neighbours(self):
        self.assertEqual(changes("comparison", "  a < b;\n"), ["a <= b;", "a > b;"])
        self.assertEqual(changes("comparison", "  a == b;\n"), ["a != b;"])
        self.assertEqual(changes("comparison", "std::vector<int> a; b->c();\n"), [])

    def test_bounds_move_by_one(self):
        self.assertIn("if (x < 4 && list.size() >= 10) return std::min(x, 4);", changes("bound"))
        self.assertIn("if (x < 3 && list.size() >= 9) return std::min(x, 4);", changes("bound"))
        self.assertIn("return x - 0;", changes("bound"))
        self.assertEqual(changes("bound", "  a < 0x10; a < 1.5; a < 2'000; b[3];\n"), [])
        self.assertEqual(changes("bound", "  a == 0U;\n"), ["a == 1U;"])

    def test_conditions_are_negated_behind_what_they_declare(self):
        self.assertEqual(changes("negated condition"),
                         ["if (!(x < 3 && list.size() >= 10)) return std::min(x, 4);",
                          "while (auto next = list.find(x); !(!next)) {"])

    def test_logic_and_extremes_change_sides(self):
        self.assertEqual(changes("logic"), ["if (x < 3 || list.size() >= 10) return std::min(x, 4);",
                                            "assert(x == '<' && R\"(a && b)\" != text);"])
        self.assertEqual(changes("min and max"), ["if (x < 3 && list.size() >= 10) return std::max(x, 4);"])

    def test_statements_are_dropped_but_not_declarations(self):
        dropped = [SAMPLE[f.start:f.end] for f in mutations.faults_in(SAMPLE) if f.kind == "dropped statement"]
        self.assertEqual(dropped[:3], ["++count;", "total += x * 2;", "list.push_back(x);"])
        self.assertNotIn("Type name(x);", dropped)
        self.assertFalse([text for text in dropped if text.startswith(("const", "return"))])

    def test_constants_are_returned(self):
        self.assertIn("return {};", changes("returned constant"))
        self.assertNotIn("return true;", changes("returned constant", "  return true;\n"))
        self.assertEqual(changes("returned constant", "  return std::nullopt;\n"), ["return true;"])

    def test_assertions_are_left_alone(self):
        self.assertEqual(mutations.faults_in("  PAIKA_CHECK(a < 3 &&\n              b);\n  static_assert(a < 3);\n"), [])

    def test_a_fault_changes_its_place_alone(self):
        for fault in mutations.faults_in(SAMPLE):
            planted = mutations.planted(SAMPLE, fault)
            self.assertNotEqual(planted, SAMPLE)
            self.assertEqual(planted[:fault.start], SAMPLE[:fault.start])
            self.assertTrue(planted.endswith(SAMPLE[fault.end:]))

    def test_the_name_of_a_fault_follows_from_the_lines_around_it(self):
        fault = mutations.faults_in(SAMPLE)[0]
        name = mutations.content_hash("a.cpp", SAMPLE, fault)
        lower = "// new\n" + SAMPLE
        self.assertEqual(mutations.content_hash("a.cpp", lower, mutations.faults_in(lower)[0]), name)
        self.assertNotEqual(mutations.content_hash("b.cpp", SAMPLE, fault), name)
        names = [mutations.content_hash("a.cpp", SAMPLE, fault) for fault in mutations.faults_in(SAMPLE)]
        self.assertEqual(len(set(names)), len(names))

    def test_a_fault_is_shown_as_in_a_patch(self):
        fault = next(f for f in mutations.faults_in(SAMPLE) if f.kind == "min and max")
        self.assertEqual(mutations.hunk("a.cpp", SAMPLE, fault).splitlines(),
                         ["a.cpp:9", "-  if (x < 3 && list.size() >= 10) return std::min(x, 4);",
                          "+  if (x < 3 && list.size() >= 10) return std::max(x, 4);"])


class Choosing(unittest.TestCase):
    def draw(self, seed, weight_of=lambda path: 1):
        texts = {"a.cpp": SAMPLE, "b.cpp": SAMPLE.replace("least", "other")}
        return list(mutations.Chooser(texts, weight_of, random.Random(seed)))

    def test_the_same_seed_draws_the_same(self):
        self.assertEqual(self.draw(3), self.draw(3))
        self.assertNotEqual(self.draw(3), self.draw(4))

    def test_every_fault_is_drawn_once(self):
        drawn = self.draw(1)
        self.assertEqual(len(drawn), len(set(drawn)))
        self.assertEqual(len(drawn), 2 * len(mutations.faults_in(SAMPLE)))

    def test_weights_prefer_a_file(self):
        first = [path for path, _ in self.draw(1, lambda path: 50 if path == "b.cpp" else 1)[:10]]
        self.assertGreater(first.count("b.cpp"), 6)

    def test_what_matters_most_is_preferred(self):
        self.assertGreater(mutate.weight_of("src/play/clock.cpp"), mutate.weight_of("src/play/ugi.cpp"))
        self.assertGreater(mutate.weight_of("src/server/store/writer.cpp"), mutate.weight_of("src/apps/main.cpp"))


class Campaigns(unittest.TestCase):
    """The order of things, with tests that are made up."""

    def setUp(self):
        self.tests = mock.Mock()
        self.tests.baseline = {"unit": 1.0, "cli": 2.0, "broken": None}
        self.tests.touched_by.return_value = ["unit", "broken", "cli"]
        self.tests.build.return_value = (0, "")
        patch = mock.patch.object(mutate, "TREE", mock.MagicMock())
        patch.start()
        self.addCleanup(patch.stop)
        self.fault = mutations.faults_in(SAMPLE)[0]

    def try_fault(self):
        return mutate.Campaign(self.tests).try_fault("src/a.cpp", SAMPLE, self.fault)

    def test_the_first_test_that_fails_catches_it(self):
        self.tests.run.side_effect = [(1, "", 1)]
        self.assertEqual(self.try_fault(), ("caught", "unit"))

    def test_a_test_that_takes_too_long_catches_it(self):
        self.tests.run.side_effect = [(0, "", 1), (None, "", 99)]
        self.assertEqual(self.try_fault(), ("caught", "cli (time-out)"))

    def test_what_all_tests_pass_survives(self):
        self.tests.run.side_effect = [(0, "", 1), (0, "", 1)]
        self.assertEqual(self.try_fault(), ("survived", "unit, cli"))

    def test_what_does_not_compile_does_not_count(self):
        self.tests.build.return_value = (1, "error")
        self.assertEqual(self.try_fault()[0], "invalid")
        self.tests.run.assert_not_called()

    def test_the_source_is_put_back(self):
        self.tests.run.side_effect = RuntimeError
        with self.assertRaises(RuntimeError):
            self.try_fault()
        (mutate.TREE / "src/a.cpp").write_text.assert_called_with(SAMPLE)

    def test_equivalent_faults_are_read_with_their_reasons(self):
        self.assertEqual(mutate.equivalents("# a\n\nabc  the same order\n"), {"abc": "the same order"})

    def test_tests_are_read_with_their_programs_and_labels(self):
        text = '''add_test([=[unit]=] "/b/tests/test_unit")
set_tests_properties([=[unit]=] PROPERTIES  ENVIRONMENT "HOME=/b/user" LABELS "cpp;threads" _BACKTRACE "x")
add_test([=[cli]=] "/usr/bin/python3" "/tests/cli_test.py" "/b/bin/paika")
set_tests_properties([=[cli]=] PROPERTIES  ENVIRONMENT "HOME=/b/user")
'''
        self.assertEqual(mutate.read_tests(text, "/b"),
                         {"unit": (["tests/test_unit"], ["cpp", "threads"]), "cli": (["bin/paika"], [])})

    def test_the_report_counts(self):
        caught = {"status": "caught"}
        survived = {"status": "survived", "hash": "h", "kind": "k", "hunk": "x", "by": "y"}
        with mock.patch("builtins.print"):
            self.assertEqual(mutate.report([caught] * 9 + [survived]), 0)
            self.assertEqual(mutate.report([caught] * 8 + [survived] * 2), 1)


if __name__ == "__main__":
    unittest.main()
