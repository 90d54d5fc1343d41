#!/usr/bin/python3
"""Which sources tools/run_tidy.py looks at for a change: a changed header must be seen through one that includes it."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import run_tidy  # noqa: E402

FILES = {
    "src/search/tree.hpp": '#include "search/table.hpp"\n',
    "src/search/table.hpp": "#include <vector>\n",
    "src/search/alone.hpp": "",
    "src/engine/big.cpp": '#include "search/tree.hpp"\n#include "search/small.hpp"\n#include "local.hpp"\n',
    "src/engine/local.hpp": '#include "engine/local.hpp"\n',
    "src/search/small.hpp": "",
    "src/search/small.cpp": '#  include "search/small.hpp"\n',
    "src/search/table.cpp": '#include "search/table.hpp"\n',
    "tests/search/table_test.cpp": '#include "search/table.hpp"\n',
}


class Choice(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name, text in FILES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text, encoding="utf-8")

    def path(self, name):
        return str(self.root / name)

    def chosen(self, *changed):
        sources = {self.path(name): {} for name in FILES if name.startswith("src/") and name.endswith(".cpp")}
        found, orphans = run_tidy.sources_for([self.path(name) for name in changed], sources, run_tidy.Includes(self.root))
        return [pathlib.Path(file).relative_to(self.root).as_posix() for file in (*found, *orphans)]

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True,
                       capture_output=True)

    def test_a_source_stands_for_itself(self):
        self.assertEqual(self.chosen("src/search/small.cpp"), ["src/search/small.cpp"])

    def test_a_header_is_seen_through_the_smallest_source_that_includes_it(self):
        self.assertEqual(self.chosen("src/search/table.hpp"), ["src/search/table.cpp"])
        self.assertEqual(self.chosen("src/search/tree.hpp"), ["src/engine/big.cpp"])

    def test_a_header_seen_already_adds_nothing(self):
        self.assertEqual(self.chosen("src/engine/big.cpp", "src/search/table.hpp", "src/engine/local.hpp"),
                         ["src/engine/big.cpp"])

    def test_a_header_that_no_source_includes_is_named(self):
        self.assertEqual(self.chosen("src/search/alone.hpp"), ["src/search/alone.hpp"])

    def test_files_are_ordered_by_their_last_change(self):
        self.git("init", "-q")
        self.git("add", "src/engine", "src/search/table.hpp")
        self.git("commit", "-qm", "first")
        self.git("add", "src/search/table.cpp")
        self.git("commit", "-qm", "second")
        changed = [pathlib.Path(file).name for file in run_tidy.changed_last(str(self.root))[0]]
        self.assertLess(changed.index("tree.hpp"), changed.index("table.cpp"))  # not committed yet
        self.assertLess(changed.index("table.cpp"), changed.index("table.hpp"))

    def test_nothing_since_a_named_commit_is_passed_over_and_otherwise_the_size_is_bounded(self):
        self.git("init", "-q")
        self.git("commit", "-qm", "first", "--allow-empty")
        self.git("tag", "passed")
        sources = [f"src/base/{i}.cpp" for i in range(6)]
        (self.root / "src/base").mkdir()
        for name in sources:
            (self.root / name).touch()
            self.git("add", "-A")
            self.git("commit", "-qm", name)
        entries = {self.path(name): {} for name in [*FILES, *sources] if name.startswith("src/") and name.endswith(".cpp")}

        def choice(since):
            with unittest.mock.patch.multiple(run_tidy, TIDIED=1, WARNED=2), \
                    unittest.mock.patch.dict(os.environ, {"PAIKA_CHECK_SINCE": since}):
                looked_at, tidied, _ = run_tidy.quick_choice(entries, entries, ["/src/"], str(self.root))
            return set(looked_at), tidied

        for files in choice("passed"):
            self.assertLessEqual({self.path(name) for name in sources}, files)
        self.assertEqual(choice(""), ({self.path(name) for name in sources[-2:]}, {self.path(sources[-1])}))
        with unittest.mock.patch.dict(os.environ, {"PAIKA_CHECK_SINCE": "nowhere"}), self.assertRaises(SystemExit):
            run_tidy.changed_last(str(self.root))

    def test_without_a_history_everything_is_looked_at(self):
        entries = {self.path("src/search/small.cpp"): {}}
        self.assertEqual(run_tidy.quick_choice(entries, entries, [], str(self.root)), (entries, set(entries), []))

    def test_the_static_analyzer_reads_what_ships(self):
        with_analyzer = [(file, quick) for file in ("src/a.cpp", "tests/src/a.cpp") for quick in (False, True)
                         if not run_tidy.options_for(f"{run_tidy.ROOT}/{file}", quick)]
        self.assertEqual(with_analyzer, [("src/a.cpp", False)])

    def test_a_group_is_looked_at_under_a_name_that_the_analyzer_knows(self):
        build = self.root / "build"
        group = build / "src/CMakeFiles/paika_a.dir/Unity/unity_0_cxx.cxx"
        group.parent.mkdir(parents=True)
        group.write_text("// two sources", encoding="utf-8")
        commands = [{"file": str(file), "command": f"c++ -c {file} -o a.o", "directory": str(build)}
                    for file in (group, build / "data.cpp", self.path("src/search/small.cpp"))]
        (build / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
        copy = build / "tidy/UnifiedSource-src-paika_a-unity_0_cxx.cpp"
        entries = run_tidy.read_entries(build)
        self.assertEqual(sorted(entries), sorted([str(copy), self.path("src/search/small.cpp")]))
        self.assertEqual(entries[str(copy)]["command"], f"c++ -c {copy} -o a.o")
        self.assertEqual(copy.read_text(encoding="utf-8"), "// two sources")
        self.assertEqual(run_tidy.options_for(str(copy), False), run_tidy.OF_GROUPS)

    def test_the_quick_choice_is_of_the_parts_asked_for(self):
        self.git("init", "-q")
        self.git("commit", "-qm", "first", "--allow-empty")
        (self.root / "tests/search/alone.hpp").touch()
        entries = {self.path(name): {} for name in FILES if name.startswith("src/") and name.endswith(".cpp")}
        looked_at, tidied, findings = run_tidy.quick_choice(entries, entries, ["/src/"], str(self.root))
        self.assertEqual(looked_at.keys(), entries.keys())
        self.assertIn(self.path("src/engine/big.cpp"), tidied)
        self.assertEqual(findings, ["src/search/alone.hpp: no source includes this header"])

    def test_a_header_for_tests_is_seen_through_a_test(self):
        self.git("init", "-q")
        self.git("commit", "-qm", "first", "--allow-empty")
        (self.root / "tests/search/alone_test.cpp").write_text('#include "search/alone.hpp"\n', encoding="utf-8")
        entries = {self.path(name): {} for name in FILES if name.startswith("src/") and name.endswith(".cpp")}
        everything = entries | {self.path("tests/search/alone_test.cpp"): {}}
        _, tidied, findings = run_tidy.quick_choice(everything, entries, ["/src/"], str(self.root))
        self.assertIn(self.path("tests/search/alone_test.cpp"), tidied)
        self.assertEqual(findings, [])


if __name__ == "__main__":
    unittest.main()
