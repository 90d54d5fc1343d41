"""The number of levels, which src/rules/search_traits.hpp decides, where other languages have to repeat it."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def number_in(path, pattern):
    return int(re.search(pattern, (ROOT / path).read_text())[1])


class Levels(unittest.TestCase):
    def setUp(self):
        self.full = number_in("src/rules/search_traits.hpp", r"full_level = (\d+);")

    def test_the_page_offers_all(self):
        self.assertEqual(number_in("web/src/lib/levels.svelte.ts", r"fullLevel = (\d+);"), self.full)

    def test_the_interface_documents_all(self):
        text = (ROOT / "docs/openapi.json").read_text()
        document = json.loads(text)
        analysis = document["components"]["schemas"]["AnalysisRequest"]["properties"]["level"]
        self.assertEqual((analysis["maximum"], analysis["default"]), (self.full, self.full))

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
