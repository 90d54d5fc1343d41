"""The number of levels, which src/rules/search_traits.hpp decides, where other languages have to repeat it."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


PLANS = [f"src/games/{game}" for game in ("fanorona/params.cpp", "abalone/params.cpp", "othello/params.cpp",
                                          "wildebeest/search_traits.cpp")]
# Where people read how many levels there are.
TEXTS = [("web/packages/engine/src/engine.ts", r"1 to (\d+), which is full strength"),
         ("web/packages/board/README.md", r"how strong: 1 to (\d+)"),
         ("docs/play.md", r"lower \[level\]\(strategy/levels.md\), from 1 to (\d+)"),
         ("docs/play.md", r"which levels \d+ and (\d+) play from"),
         ("docs/protocol.md", r"`Level` \| 1 to (\d+) \|"),
         ("docs/protocol.md", r"(\d+) is full strength"),
         ("docs/protocol.md", r"choices below level (\d+)"),
         ("docs/protocol.md", r"`Book` at levels \d+ and (\d+)"),
         ("docs/book.md", r"engine's levels \d+ and (\d+)"),
         ("docs/server.md", r"a level from 1 to (\d+)"),
         ("docs/server.md", r"`level` \(1 to (\d+)\)"),
         ("docs/write-a-bot.md", r"levels 1 to (\d+)"),
         ("python/paika/engine.py", r"level \(1 to (\d+)\)")]


def number_in(path, pattern):
    return int(re.search(pattern, (ROOT / path).read_text())[1])


def properties(node):
    """All properties in a document of schemas, by name."""
    if isinstance(node, list):
        for one in node:
            yield from properties(one)
    elif isinstance(node, dict):
        for name, schema in node.items():
            if name in ("properties", "schemas") and isinstance(schema, dict):
                yield from schema.items()
            yield from properties(schema)


class Levels(unittest.TestCase):
    def setUp(self):
        self.full = number_in("src/rules/search_traits.hpp", r"full_level = (\d+);")

    def test_the_page_offers_all(self):
        self.assertEqual(number_in("web/src/lib/levels.svelte.ts", r"fullLevel = (\d+);"), self.full)

    def test_the_interface_documents_all(self):
        document = json.loads((ROOT / "docs/openapi.json").read_text())
        levels = [schema for name, schema in properties(document) if name in ("level", "engine") and "maximum" in schema]
        self.assertGreaterEqual(len(levels), 4)
        for schema in levels:
            self.assertEqual((schema["minimum"], schema["maximum"]), (1, self.full), schema)
            self.assertEqual(schema.get("default", self.full), self.full)

    def test_texts_name_the_full_level(self):
        for path, pattern in TEXTS:
            found = re.findall(pattern, (ROOT / path).read_text())
            self.assertTrue(found, f"{path}: nothing like {pattern}")
            self.assertEqual({int(number) for number in found}, {self.full}, path)

    def test_the_document_has_the_plans_of_the_games(self):
        document = (ROOT / "docs/strategy/levels.md").read_text()
        table = document[document.index("## The plans"):document.index("## Differences")]
        rows = [line.split("|")[2:-1] for line in re.findall(r"^\| \d+ \|.*", table, re.MULTILINE)]
        self.assertEqual(len(rows), self.full)
        for column, path in enumerate(PLANS):
            written = [row[column].strip().replace(" ", "").replace("nolimit", "0/0/1/0") for row in rows]
            plans = re.findall(r"^ +\{([\d', .]+)\},$", (ROOT / path).read_text(), re.MULTILINE)
            numbers = [plan.replace("'", "").split(",") for plan in plans]
            self.assertEqual(written, [f"{int(d)}/{int(n)}/{int(m)}/{float(t):g}" for d, n, m, t in numbers], path)

    def test_the_tools_measure_all(self):
        self.assertEqual(number_in("tools/tune/ladder.py", r"LEVELS = (\d+)"), self.full)

    def test_the_document_has_a_line_for_each(self):
        names = re.findall(r'\{translatable\("([^"]*)"\), translatable\("([^"]*)"\)\}',
                           (ROOT / "src/engine/level_names.cpp").read_text())
        self.assertEqual(len(names), self.full)
        document = (ROOT / "docs/strategy/levels.md").read_text()
        for level, (name, description) in enumerate(names, 1):
            self.assertIn(f"| {level} | {name} | {description} |", document)


if __name__ == "__main__":
    unittest.main()
