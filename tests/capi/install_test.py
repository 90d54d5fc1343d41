"""Installs the components lib and dev into a folder and builds the example against them, with pkg-config and with CMake.

usage: install_test.py CMAKE BUILD-FOLDER EXAMPLE
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, BUILD, EXAMPLE = sys.argv[1:4]

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
        for component in ["lib", "dev"]:
            run(CMAKE, "--install", BUILD, "--prefix", str(cls.prefix), "--component", component)
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
