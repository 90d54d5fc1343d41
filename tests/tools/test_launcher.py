#!/usr/bin/python3
"""Runs ./paika and ./a3 in a small stand-in project, in a folder whose name has blanks.

The launchers, tools/launcher.sh and the presets are the real ones; the program is a few lines, so that
building it takes no time. What is promised in the launchers' own comments is tested here.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

CMAKE = """\
cmake_minimum_required(VERSION 3.25)
project(stand_in LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
file(GLOB sources CONFIGURE_DEPENDS src/*.cpp)
add_executable(paika ${sources})
add_executable(a3 src/main.cpp)
add_executable(not_wanted broken.cpp)
"""

MAIN = """\
#include <iostream>
#include <string>
int main(int argc, char** argv) {
  std::cout << "v1";
  for (int i = 1; i < argc; ++i) std::cout << " [" << argv[i] << "]";
  std::string line;
  while (std::getline(std::cin, line)) std::cout << " <" << line << ">";
  std::cout << "\\n";
  return argc > 1 && std::string(argv[1]) == "fail" ? 7 : 0;
}
"""


def missing_tools():
    return [tool for tool in ["cmake", "ninja", "g++", "flock"] if not shutil.which(tool)]


@unittest.skipIf(missing_tools(), "no tools to build with")
class Launcher(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="paika launcher ")
        self.addCleanup(holder.cleanup)
        self.elsewhere = pathlib.Path(holder.name).resolve() / "else where"
        self.elsewhere.mkdir()
        self.root = self.elsewhere.parent / "check out"
        (self.root / "src").mkdir(parents=True)
        (self.root / "tools").mkdir()
        for name in ["paika", "a3", "CMakePresets.json", "tools/launcher.sh", "tools/sanitize.sh"]:
            shutil.copy(ROOT / name, self.root / name)
        (self.root / "CMakeLists.txt").write_text(CMAKE)
        (self.root / "src/main.cpp").write_text(MAIN)
        (self.root / "broken.cpp").write_text("this is no program\n")

    def start(self, *arguments, program="paika", **options):
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.PIPE, "text": True,
                    "cwd": self.elsewhere, "env": {**os.environ, "PAIKA_ARCH": ""}}
        return subprocess.Popen([self.root / program, *arguments], **(settings | options))

    def launch(self, *arguments, text="", **options):
        process = self.start(*arguments, **options)
        stdout, stderr = process.communicate(text)
        return process.returncode, stdout, stderr

    def edit(self, name, old, new):
        path = self.root / name
        path.write_text(path.read_text().replace(old, new))

    def test_builds_once_and_hands_over(self):
        status, stdout, stderr = self.launch("a b", "", "*", text="one\ntwo\n")
        self.assertEqual((status, stdout), (0, "v1 [a b] [] [*] <one> <two>\n"), stderr)
        self.assertIn("building", stderr)
        started = time.monotonic()
        self.assertEqual(self.launch("fail"), (7, "v1 [fail]\n", ""))
        self.assertLess(time.monotonic() - started, 1)
        self.assertEqual(self.launch("x", program="a3", text="board\n"), (0, "v1 [x] <board>\n", ""))

    def test_works_through_a_symlink(self):
        link = self.elsewhere / "play it"
        link.symlink_to("../check out/paika")
        run = subprocess.run([link, "x"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual((run.returncode, run.stdout), (0, "v1 [x]\n"), run.stderr)

    def test_a_change_is_built_and_a_mistake_is_shown(self):
        self.launch()
        self.edit("src/main.cpp", "v1", "v2")
        self.assertEqual(self.launch()[1], "v2\n")
        self.edit("src/main.cpp", "int main", "mistake main")
        status, stdout, stderr = self.launch()
        self.assertEqual((status, stdout), (3, ""))
        self.assertIn("main.cpp:3", stderr)
        self.assertEqual(self.launch()[0], 3, "a failed build must not count as current")
        self.edit("src/main.cpp", "mistake main", "int main")
        self.assertEqual(self.launch()[1], "v2\n")

    def test_added_and_removed_files_are_noticed(self):
        self.launch()
        (self.root / "src/more.cpp").write_text("mistake\n")
        self.assertEqual(self.launch()[0], 3)
        (self.root / "src/more.cpp").unlink()
        self.assertEqual(self.launch()[1], "v1\n")

    def test_two_starts_at_once(self):
        both = [self.start(str(number)) for number in range(2)]
        results = [process.communicate() for process in both]
        self.assertEqual([process.returncode for process in both], [0, 0], results)
        self.assertEqual([stdout for stdout, _ in results], ["v1 [0]\n", "v1 [1]\n"])
        self.assertEqual(sum("building" in stderr for _, stderr in results), 1, results)

    def test_a_moved_checkout_is_built_anew(self):
        self.launch()
        old = self.root
        self.root = old.parent / "new place"
        old.rename(self.root)
        status, stdout, stderr = self.launch()
        self.assertEqual((status, stdout), (0, "v1\n"), stderr)
        self.assertIn("building", stderr)

    def test_another_processor_is_built_for(self):
        self.launch()
        cache = self.root / "build/release/CMakeCache.txt"
        environment = {**os.environ, "PAIKA_ARCH": "x86-64"}
        self.assertIn("building", self.launch(env=environment)[2])
        self.assertIn("PAIKA_ARCH:STRING=x86-64", cache.read_text().splitlines())
        self.assertEqual(self.launch(env=environment)[2], "")

    def test_old_processors_get_plain_code(self):
        modern = "flags : fpu avx2 bmi1 bmi2 fma f16c movbe abm sse\n"
        old = [modern.replace("avx2 ", ""), modern.replace("bmi2 ", ""), ""]
        for cpuinfo, arch in [(modern, ""), *((text, "x86-64") for text in old)]:
            (self.elsewhere / "cpuinfo").write_text(cpuinfo)
            script = f'root="{self.root}"; uname() {{ echo x86_64; }}; . "$root/tools/launcher.sh"; cpu_arch cpuinfo'
            run = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, cwd=self.elsewhere,
                                 env={**os.environ, "PAIKA_ARCH": ""}, check=False)
            self.assertEqual(run.stdout.strip(), arch, run.stderr)

    def test_bad_words_for_a_task_are_refused(self):
        status, stdout, stderr = self.launch("sanitize", "msan")
        self.assertEqual((status, stdout), (2, ""))
        self.assertIn("use asan, tsan or all", stderr)


class Packages(unittest.TestCase):
    """Installs nothing: apt-get, dpkg-query, id and sudo are stand-ins."""

    def need(self, installed, user="0", sudo=False):
        """need_packages for a group of two, with these packages installed; returns status, stderr, apt calls."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tools").mkdir()
            shutil.copy(ROOT / "tools/launcher.sh", root / "tools")
            (root / "tools/packages.txt").write_text(
                "[other]\nthird 1.0 # no\n[build] # words\n"
                "g++ 4:12.2 # compiler\nlibone-dev 1.5  # why\n[check]\nlast 3 # no\n")
            stand_ins = {
                "dpkg-query": f"printf '{installed}'",
                "apt-get": f'echo "$@" "$DEBIAN_FRONTEND" >>"{folder}/calls"',
                "id": f"echo {user}",
            }
            if sudo:
                stand_ins["sudo"] = f'echo sudo >>"{folder}/calls"; "$@"'
            (root / "bin").mkdir()
            for name, body in stand_ins.items():
                (root / "bin" / name).write_text(f"#!/bin/sh\n{body}\n")
                (root / "bin" / name).chmod(0o755)
            for name in ["sh", "sed", "cut", "awk", "env"]:
                (root / "bin" / name).symlink_to(shutil.which(name))
            script = 'root=$PWD; . "$root/tools/launcher.sh"; need_packages build'
            run = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, cwd=folder,
                                 env={"PATH": str(root / "bin")}, check=False)
            calls = (root / "calls").read_text().splitlines() if (root / "calls").exists() else []
            self.assertEqual(run.stdout, "")
            return run.returncode, run.stderr, calls

    BOTH = "g++ installed 4:12.2.0-3\\nlibone-dev installed 1.5.1-1\\n"
    ONE = "g++ installed 4:12.2.0-3\\nlibone-dev not-installed \\n"

    def test_nothing_missing_calls_nothing(self):
        self.assertEqual(self.need(self.BOTH), (0, "", []))

    def test_another_version_is_only_noted(self):
        status, stderr, calls = self.need(self.BOTH.replace("1.5.1", "2.0"))
        self.assertEqual((status, calls), (0, []))
        self.assertIn("libone-dev 2.0-1 is installed; 1.5 is what we tried", stderr)

    def test_installs_what_is_missing_with_its_version(self):
        status, stderr, calls = self.need(self.ONE)
        self.assertEqual(status, 0, stderr)
        self.assertIn("libone-dev=1.5*", stderr)
        self.assertEqual(calls, [
            "-o DPkg::Lock::Timeout=600 update noninteractive",
            "-o DPkg::Lock::Timeout=600 install -y --no-install-recommends libone-dev=1.5* noninteractive"])

    def test_uses_sudo_when_not_root(self):
        status, _, calls = self.need("", user="1000", sudo=True)
        self.assertEqual((status, calls[0]), (0, "sudo"))
        self.assertIn("g++=4:12.2* libone-dev=1.5*", calls[2])

    def test_without_root_and_sudo_it_says_what_to_install(self):
        status, stderr, calls = self.need(self.ONE, user="1000")
        self.assertEqual((status, calls), (2, []))
        self.assertIn("root or sudo: libone-dev=1.5*", stderr)


if __name__ == "__main__":
    unittest.main()
