"""The tests that docs/security.md names exist in the files that it names."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
FOLDERS = [TESTS, TESTS / "server", ROOT]
TEST_NAMES = re.compile(r"^ *(?:class|def) (\w+)|^TEST\w*\((\w+),\s*(\w+)\)", re.MULTILINE)
FILE = re.compile(r"\.(py|cpp|mjs)$")


def file_of(name):
    """The file that a document calls so; nothing if there is none."""
    return next((folder / name for folder in FOLDERS if (folder / name).is_file()), None)


def names_in(path):
    return {name for found in TEST_NAMES.findall(path.read_text(encoding="utf-8")) for name in found if name}


def has(path, name):
    """`name` ends with … where only the beginning is given."""
    names = names_in(path)
    return any(each.startswith(name[:-1]) for each in names) if name.endswith("…") else name in names


def fuzz_targets():
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((TESTS / "fuzz").glob("*.cpp")))
    return set(re.findall(r'Target\{"(\w+)"', text))


def missing_in(cell, default):
    """What a cell of the column `test` names and is not there. Names without a file are in the `default` one."""
    missing, path, targets = [], default, fuzz_targets()
    for word, name in re.findall(r"(\w*)\s*`([^`]+)`", re.sub(r"fuzz targets?(.*)", mark_targets, cell)):
        if word == "target":
            missing += [] if name in targets else [f"fuzz target {name}"]
        elif FILE.search(name):
            path = file_of(name)
            missing += [] if path else [name]
        elif path and not has(path, name):
            missing.append(f"{name} in {path.relative_to(ROOT)}")
    return missing


def mark_targets(match):
    return match[1].replace(" `", " target `")


class Security(unittest.TestCase):
    def test_every_test_it_names_exists(self):
        text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
        missing, default = [], None
        for line in text.splitlines():
            if line.startswith("#"):
                default = None
            files = [name for name in re.findall(r"`([^`]+)`", line) if FILE.search(name)]
            if not line.startswith("|") and files and not default:
                default = file_of(files[0])
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if line.startswith("|") and len(cells) == 3 and "`" in cells[2]:
                missing += missing_in(cells[2], default)
        self.assertEqual(missing, [])

    def test_the_number_of_fuzz_targets(self):
        text = (ROOT / "docs/security.md").read_text(encoding="utf-8")
        self.assertEqual(int(re.search(r"\| fuzz targets \| (\d+)", text)[1]), len(fuzz_targets()))

    def test_a_name_that_is_not_there_is_found(self):
        self.assertEqual(missing_in("`unit/names_test.cpp`, `no_such_name…`", None),
                         ["no_such_name… in tests/unit/names_test.cpp"])
        self.assertEqual(missing_in("`no_such_test.cpp`; fuzz targets `ugi`, `nonsense`", None),
                         ["no_such_test.cpp", "fuzz target nonsense"])


if __name__ == "__main__":
    unittest.main()
