"""Installs the C library into a folder as docs/c.md says, and builds the example against it, with pkg-config and with CMake.

usage: install_test.py CMAKE BUILD-FOLDER SOURCE-FOLDER
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, SOURCE = sys.argv[1:4]
EXAMPLE = f"{SOURCE}/examples/play.c"
INSTALL = re.compile(r"^cmake (--install) build/release (--component \w+)", re.MULTILINE)

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(other LANGUAGES C)
find_package(paika 0.1 REQUIRED)
add_executable(other play.c)
target_link_libraries(other PRIVATE paika::paika)
"""


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300, **options).stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        commands = INSTALL.findall(pathlib.Path(SOURCE, "docs/c.md").read_text())
        assert len(commands) == 2, commands
        for install, component in commands:
            run(CMAKE, install, BUILD, *component.split(), "--prefix", "prefix", cwd=cls.folder.name)
        [cls.library] = cls.prefix.rglob("libpaika.so.1")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def plays(self, program):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.library.parent)}
        self.assertIn("1. ", run(str(program), "othello:6x6", "nodes=50,hash=1", env=environment))

    def test_the_names_of_the_library(self):
        self.assertEqual((self.library.parent / "libpaika.so").readlink().name, "libpaika.so.1")

    @unittest.skipUnless(shutil.which("pkg-config"), "there is no pkg-config")
    def test_pkg_config(self):
        environment = {**os.environ, "PKG_CONFIG_PATH": str(self.library.parent / "pkgconfig")}
        flags = run("pkg-config", "--cflags", "--libs", "paika", env=environment).split()
        self.assertIn(f"-I{self.prefix}/include", flags)
        program = self.prefix / "play"
        run("cc", "-std=c99", EXAMPLE, *flags, "-o", str(program))
        self.plays(program)

    def test_cmake_package(self):
        source = self.prefix / "source"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(PROJECT)
        shutil.copy(EXAMPLE, source / "play.c")
        run(CMAKE, "-S", str(source), "-B", str(source / "build"), f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run(CMAKE, "--build", str(source / "build"))
        self.plays(source / "build/other")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
