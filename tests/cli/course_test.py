"""The course (docs/course) end to end: a solution in two languages gets full points, the starters get few.

usage: course_test.py PAIKA-PROGRAM
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PAIKA = ""
ROOT = pathlib.Path(__file__).resolve().parents[2]
COURSE = ROOT / "docs" / "course"
SOLUTIONS = ROOT / "tests" / "course"
PARTS = {1: "successors", 2: "search", 3: "bot", 4: "solve"}


def check(assignment, command, seed=1, folder=None):
    done = subprocess.run([sys.executable, str(COURSE / "check.py"), str(assignment), "--program", command, "--size", "small",
                           "--paika", PAIKA, "--seed", str(seed)], capture_output=True, text=True, timeout=300, check=False,
                          cwd=folder)
    found = re.search(r"(?m)^points: ([0-9.]+) of ([0-9.]+)$", done.stdout)
    assert found, done.stdout + done.stderr
    return done, float(found.group(1)), float(found.group(2))


class Course(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        os.chmod(cls.folder.name, 0o755)

    def compiled(self, source):
        compiler = shutil.which("g++")
        if compiler is None:
            self.skipTest("NOT TESTED: there is no g++")
        program = os.path.join(self.folder.name, source.stem)
        subprocess.run([compiler, "-std=c++20", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, str(source)], check=True)
        return program

    def solved(self, command, assignments):
        for assignment in assignments:
            with self.subTest(assignment):
                done, points, possible = check(assignment, f"{command} {PARTS[assignment]}", assignment, self.folder.name)
                if assignment == 3:  # games have chance in them; the bot must be sound, and beat who moves at random
                    self.assertNotRegex(done.stdout, r"failures \{")
                    self.assertGreaterEqual(points, 10, done.stdout)
                else:
                    self.assertEqual((points, done.returncode), (possible, 0), done.stdout)

    def test_a_solution_in_python(self):
        shutil.copy(SOLUTIONS / "solution.py", self.folder.name)  # bots see nothing of the repository
        os.chmod(os.path.join(self.folder.name, "solution.py"), 0o644)
        self.solved("python3 solution.py", (1, 2, 4))

    def test_a_solution_in_cpp(self):
        self.compiled(SOLUTIONS / "solution.cpp")
        self.solved("./solution", (1, 2, 3, 4))

    def test_starters_run_and_are_not_solutions(self):
        for assignment in (1, 2, 4):
            part = PARTS[assignment]
            commands = [f"{sys.executable} {COURSE}/starter/python/{part}.py"]
            if assignment == 1:
                commands.append(self.compiled(COURSE / "starter" / "cpp" / f"{part}.cpp"))
            for command in commands:
                with self.subTest(command):
                    done, points, possible = check(assignment, command)
                    self.assertEqual(done.returncode, 1)
                    self.assertLess(points, possible / 1.5, done.stdout)
                    self.assertNotIn("Traceback", done.stdout + done.stderr)

    def test_the_seed_decides(self):
        def positions(seed):
            command = f"{sys.executable} {COURSE}/starter/python/search.py"
            return re.findall(r"(?m)^depth \d: (\S+)", check(2, command, seed)[0].stdout)
        self.assertEqual(positions(5), positions(5))
        self.assertNotEqual(positions(5), positions(6))

    def test_every_starter_compiles(self):
        for source in sorted((COURSE / "starter" / "cpp").glob("*.cpp")):
            self.compiled(source)


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
