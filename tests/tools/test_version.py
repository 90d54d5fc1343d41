"""The version is written in CMakeLists.txt; the few files that must repeat it say the same."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERSION = re.search(r"^project\(paika VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]


class Version(unittest.TestCase):
    def test_it_has_three_numbers(self):
        self.assertRegex(VERSION, r"^\d+\.\d+\.\d+$")

    def test_debian_builds_that_version(self):
        first = (ROOT / "debian/changelog").read_text(encoding="utf-8").splitlines()[0]
        self.assertRegex(first, rf"^paika \({re.escape(VERSION)}(\+[a-z0-9.]+)?\) ")

    def test_the_changelog_begins_with_it(self):
        text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"^## ([0-9.]+)", text, re.M)[1], VERSION)

    def test_npm_packages_have_none_of_their_own(self):
        """tools/packages.mjs fills it in."""
        for path in [ROOT / "web/package.json", *ROOT.glob("web/packages/*/package.json")]:
            package = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(package["version"], "0.0.0", path)
            for name, wanted in package.get("dependencies", {}).items():
                self.assertEqual(wanted, "0.0.0", f"{path}: {name}")


if __name__ == "__main__":
    unittest.main()
