"""The wheel, built by pip without network from the folder PAIKA_BUILD, installed into a clean virtual environment.

It needs no library of the system's but those of C and C++. Building it a second time gives the same bytes.
"""

import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

USE = """
import paika, pathlib, sys
assert sys.prefix in paika.__file__, paika.__file__
assert (pathlib.Path(paika.__file__).parent / "py.typed").exists()
assert paika.perft("fanorona:9x5,sacrifice=off", 5) == 431852
assert paika.BatchEnv("othello", 4).masks.sum() == 16
folder, loaded = pathlib.Path(paika.__file__).parent, pathlib.Path("/proc/self/maps").read_text()
assert all(f"{folder}/{library}" in loaded for library in ["libfmt.so", "libzstd.so"]), loaded
assert len(list(folder.parent.glob("paika-*.dist-info/licenses/*"))) == 3
"""


def run(*command, **options):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=600, env=environment, **options)


@unittest.skipUnless(importlib.util.find_spec("pip") and importlib.util.find_spec("venv"), "there is no pip or venv")
class Wheel(unittest.TestCase):
    def test_it_is_built_and_installed_without_network(self):
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for number in ["one", "two"]:
                target = pathlib.Path(folder) / number
                run(sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-cache-dir", "--quiet",
                    "--wheel-dir", str(target), str(ROOT))
                names.append(next(target.iterdir()))
            self.assertEqual(names[0].read_bytes(), names[1].read_bytes())
            venv = pathlib.Path(folder) / "venv"  # numpy is the system's: nothing is downloaded
            run(sys.executable, "-m", "venv", "--system-site-packages", str(venv))
            run(str(venv / "bin/pip"), "install", "--no-index", "--quiet", str(names[0]))  # finds that numpy is there
            run(str(venv / "bin/python"), "-c", USE, cwd=folder)

    def test_the_source_archive_does_not_depend_on_dates_and_permissions(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "source"  # what the backend reads of the source
            for name in ["CMakeLists.txt", "pyproject.toml", "docs/python.md", "python/backend/paika_build.py"]:
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, source / name)
            run("git", "init", "--quiet", cwd=source)
            run("git", "add", ".", cwd=source)
            archives = []
            for number in ["one", "two"]:
                target = pathlib.Path(folder) / number
                target.mkdir()
                code = "import sys, paika_build; paika_build.build_sdist(sys.argv[1])"
                run(sys.executable, "-B", "-c", code, str(target), cwd=source / "python/backend")
                archives.append(next(target.iterdir()).read_bytes())
                os.utime(source / "CMakeLists.txt", (0, 0))
                (source / "CMakeLists.txt").chmod(0o600)
            self.assertEqual(*archives)


if __name__ == "__main__":
    unittest.main()
