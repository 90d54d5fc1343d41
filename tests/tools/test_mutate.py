#!/usr/bin/python3
"""Tests tools/mutations.py, which plants faults, and the parts of tools/mutate.py that need no build."""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
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


class MadeUp:
    """Tests by name with the statuses they end with, in the place of the build, ctest and the sandbox."""

    def __init__(self, **statuses):
        self.statuses = statuses

    def parts_of(self, program):
        return {program, "changed.o"}

    def confines(self, _programs):
        return False

    def run(self, words, _folder, _environment, _limit):
        return self.statuses[pathlib.Path(words[0]).name].pop(0)


def test_of(name, *labels):
    return mutate.Test({"name": name, "command": [f"{mutate.BUILD}/{name}"],
                        "properties": [{"name": "LABELS", "value": list(labels)}]})


class Campaigns(unittest.TestCase):
    """The order of things, with tests that are made up. The first status of each is that without a fault."""

    def try_fault(self, **statuses):
        tests = [test_of("cli"), test_of("unit", "cpp"), test_of("broken", "cpp")]
        made_up = MadeUp(**{"broken": [1], **statuses})
        made = mock.Mock(objects={"changed.o"}, place=lambda program: f"/mutant/{program}")
        made.link.side_effect = self.link
        made.link.return_value = True
        with mock.patch.object(mutate.mutant, "Mutant", return_value=made), mock.patch.object(mutate, "say"):
            return mutate.Campaign(tests, made_up, made_up).try_fault("src/a.cpp", SAMPLE, pathlib.Path("/nowhere"))

    link = None

    def test_the_first_test_that_fails_twice_catches_it(self):
        self.assertEqual(self.try_fault(unit=[0, 1, 1]), ("caught", "unit"))

    def test_a_test_that_fails_once_catches_nothing(self):
        self.assertEqual(self.try_fault(unit=[0, 1, 0], cli=[0, 0]), ("survived", "unit, cli"))

    def test_a_test_that_takes_too_long_catches_it(self):
        self.assertEqual(self.try_fault(unit=[0, 0], cli=[0, None]), ("caught", "cli (time-out)"))

    def test_what_all_tests_pass_survives(self):
        self.assertEqual(self.try_fault(unit=[0, 0], cli=[0, 0]), ("survived", "unit, cli"))

    def test_what_does_not_compile_or_changes_nothing_does_not_count(self):
        self.link = mutate.mutant.DoesNotCompile
        self.assertEqual(self.try_fault(unit=[0], cli=[0])[0], "invalid")
        self.link = lambda program: False
        self.assertEqual(self.try_fault(unit=[0], cli=[0])[0], "invalid")

    def test_equivalent_faults_are_read_with_their_reasons(self):
        self.assertEqual(mutate.equivalents("# a\n\nabc  the same order\n"), {"abc": "the same order"})

    def test_tests_are_read_with_their_programs_and_labels(self):
        text = json.dumps({"tests": [
            {"name": "unit", "command": [f"{mutate.BUILD}/tests/test_unit"], "properties": [
                {"name": "LABELS", "value": ["cpp"]}, {"name": "ENVIRONMENT", "value": ["HOME=/b/user"]}]},
            {"name": "cli", "command": ["/usr/bin/python3", "/tests/cli_test.py", f"{mutate.BUILD}/bin/paika"]},
            {"name": "long", "command": [f"{mutate.BUILD}/x"], "properties": [{"name": "LABELS", "value": ["slow"]}]},
            {"name": "texts", "command": ["/usr/bin/python3", "/tools/check_text.py"]}]})
        unit, cli = mutate.read_tests(text, "")
        self.assertEqual((unit.programs, unit.is_script, unit.environment), (["tests/test_unit"], False, {"HOME": "/b/user"}))
        self.assertEqual((cli.programs, cli.is_script), (["bin/paika"], True))
        self.assertEqual(cli.words(lambda program: f"/m/{program}"), ["/usr/bin/python3", "/tests/cli_test.py", "/m/bin/paika"])

    def test_the_report_counts(self):
        caught = {"status": "caught"}
        survived = {"status": "survived", "hash": "h", "kind": "k", "hunk": "x", "by": "y"}
        with mock.patch("builtins.print"):
            self.assertEqual(mutate.report([caught] * 9 + [survived]), 0)
            self.assertEqual(mutate.report([caught] * 8 + [survived] * 2), 1)


NINJA = """rule cxx
  command = g++ -MD -MF $out.d -Isrc -o $out -c $in
  deps = gcc
  depfile = $out.d
rule ar
  command = rm -f $out && ar qc $out $in
rule link
  command = : && g++ $in -o $out lib.a && :
build one.o: cxx {root}/src/a/one.cpp
build Unity/group.o: cxx {root}/build/Unity/group.cxx
build lib.a: ar one.o Unity/group.o
build main.o: cxx {root}/src/a/main.cpp
build program: link main.o | lib.a
"""
PROJECT = {
    "src/a/number.hpp": "#pragma once\ninline int number() { return 1; }\n",
    "src/a/one.cpp": '#include "a/number.hpp"\nint one() { return number(); }\n',
    "src/a/two.cpp": "int two() { return 20; }\n",
    "src/a/main.cpp": "int one(); int two();\nint main() { return one() + two(); }\n",
    "build/Unity/group.cxx": '#include "{root}/src/a/two.cpp"\n',
    "build/build.ninja": NINJA.replace("-Isrc", "-I{root}/src"),
}


@unittest.skipIf(not shutil.which("ninja") or not shutil.which("g++"), "no tools to build with")
class Mutants(unittest.TestCase):
    """Programs from a changed file: a source, one of a group, a header."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = pathlib.Path(folder.name).resolve()
        for name, text in PROJECT.items():
            (cls.root / name).parent.mkdir(parents=True, exist_ok=True)
            (cls.root / name).write_text(text.replace("{root}", str(cls.root)))
        build = cls.root / "build"
        subprocess.run(["ninja", "-C", build], check=True, capture_output=True)
        commands = subprocess.run(["ninja", "-C", build, "-t", "compdb", "cxx"], check=True, capture_output=True).stdout
        (build / "compile_commands.json").write_bytes(commands)
        cls.build = mutate.mutant.Build(cls.root, build)

    def status(self, path, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        made = mutate.mutant.Mutant(self.build, path, text, folder.name)
        self.assertEqual(made.link("program"), text != PROJECT[path])
        return subprocess.run([made.place("program")], check=False).returncode

    def test_a_source(self):
        self.assertEqual(self.status("src/a/one.cpp", "int one() { return 2; }\n"), 22)

    def test_a_source_of_a_group(self):
        self.assertEqual(self.status("src/a/two.cpp", "int two() { return 30; }\n"), 31)

    def test_a_source_outside_libraries(self):
        self.assertEqual(self.status("src/a/main.cpp", "int main() { return 5; }\n"), 5)

    def test_a_header(self):
        self.assertEqual(self.status("src/a/number.hpp", "inline int number() { return 3; }\n"), 23)

    def test_the_same_code_is_no_mutant(self):
        for path in ("src/a/one.cpp", "src/a/two.cpp", "src/a/number.hpp"):
            self.assertEqual(self.status(path, PROJECT[path]), 21)

    def test_the_tree_stays_as_it_is(self):
        self.status("src/a/one.cpp", "int one() { return 2; }\n")
        self.assertEqual(subprocess.run([self.root / "build/program"], check=False).returncode, 21)

    def test_what_the_compiler_refuses(self):
        with self.assertRaises(mutate.mutant.DoesNotCompile):
            self.status("src/a/one.cpp", "int one() { return; }\n")

    def test_a_file_that_no_program_has(self):
        made = mutate.mutant.Mutant(self.build, "src/a/other.cpp", "", self.root / "other")
        made.link("program")
        self.assertEqual(made.place("program"), str(self.root / "build/program"))


if __name__ == "__main__":
    unittest.main()
