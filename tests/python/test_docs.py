"""Runs the examples of docs/python.md and of the package's own documentation, and compares the stubs with the package."""

import ast
import csv
import doctest
import pathlib
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

import numpy as np

import paika
import paika.adapters
import paika.engine
import paika.environments

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Examples(unittest.TestCase):
    def test_the_manual(self):
        failed, tried = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False, optionflags=FLAGS)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 20)

    def test_the_package(self):
        tried = 0
        for module in [paika, paika.adapters, paika.engine, paika.environments]:
            result = doctest.testmod(module, optionflags=FLAGS)
            self.assertEqual(result.failed, 0)
            tried += result.attempted
        self.assertGreater(tried, 10)


class Training(unittest.TestCase):
    def test_the_example_learns_and_measures(self):
        """It runs to its end in its smallest form, goes on from there, and leaves what it promises."""
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, str(ROOT / "examples/learn/train_othello.py"), "--out", folder, "--network", "tuples",
                       "--rounds", "1", "--every", "0", "--games", "8", "--simulations", "4", "--pairs", "1", "--levels", "1", "2",
                       "--play-simulations", "4", "--batch", "64"]
            for resume in ([], ["--resume"]):
                result = subprocess.run(command + resume, capture_output=True, text=True, timeout=300, check=False)
                self.assertEqual(result.returncode, 0, result.stderr)
            with open(pathlib.Path(folder) / "curve.csv", encoding="utf-8", newline="") as file:
                lines = list(csv.DictReader(file))
            self.assertEqual([line["games"] for line in lines], ["0", "8", "8", "16"])
            self.assertTrue(all(0 <= float(line[name]) <= 1 for line in lines for name in ("level_1", "level_2")))
            self.assertEqual(ElementTree.parse(pathlib.Path(folder) / "curve.svg").getroot().tag[-3:], "svg")
            with np.load(pathlib.Path(folder) / "network.npz") as arrays:
                self.assertGreater(np.abs(arrays["table"]).max(), 0)
                self.assertTrue(all(np.isfinite(arrays[name]).all() for name in arrays.files))


class Stubs(unittest.TestCase):
    def test_they_name_what_the_extension_has(self):
        tree = ast.parse((ROOT / "python/paika/_core.pyi").read_text())
        core = sys.modules["paika._core"]
        stubbed = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        public = {name for name in vars(core) if not name.startswith("__")}
        self.assertEqual(set(stubbed), public)
        for name, node in stubbed.items():
            if not isinstance(node, ast.ClassDef) or name == "IllegalMove":
                continue
            members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            have = {member for member in vars(getattr(core, name)) if not member.startswith("__")}
            self.assertEqual({member for member in members if not member.startswith("__")}, have, name)

    def test_everything_public_is_documented(self):
        for name in paika.__all__:
            if name != "__version__":
                self.assertTrue(getattr(paika, name).__doc__, name)


if __name__ == "__main__":
    unittest.main()
