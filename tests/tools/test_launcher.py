#!/usr/bin/python3
"""Runs ./paika and ./a3 in a small stand-in project, in a folder whose name has blanks.

The launchers, tools/launcher.sh and the presets are the real ones; the program is a few lines, so that
building it takes no time. What is promised in the launchers' own comments is tested here.
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
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


class Stage(unittest.TestCase):
    """A small checkout to start things in."""

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
        self.bin = self.elsewhere.parent / "stand ins"
        self.bin.mkdir()
        self.calls = self.elsewhere.parent / "calls"
        self.calls.touch()
        (self.root / "CMakeLists.txt").write_text(CMAKE)
        (self.root / "src/main.cpp").write_text(MAIN)
        (self.root / "broken.cpp").write_text("this is no program\n")

    def start(self, *arguments, program="paika", **options):
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.PIPE, "text": True,
                    "cwd": self.elsewhere, "env": self.environment()}
        # A suite that was started in the background ignores Ctrl-C, and what it starts would inherit that.
        settings["preexec_fn"] = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        process = subprocess.Popen([self.root / program, *arguments], **(settings | options))
        timer = threading.Timer(300, process.kill)  # a fault may fail a test, but not hold up all the others
        timer.start()
        self.addCleanup(timer.cancel)
        return process

    def environment(self, **more):
        return {**os.environ, "PAIKA_ARCH": "", "PATH": f"{self.bin}:{os.environ['PATH']}", **more}

    def stand_in(self, name, body):
        """A program of that name comes first in the path; each call is noted."""
        path = self.bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>"{self.calls}"\n{body}\n')
        path.chmod(0o755)

    def watch_builds(self):
        """The tools for building are noted, and do what they always do."""
        for tool in ["cmake", "ninja"]:
            self.stand_in(tool, f'exec {shutil.which(tool)} "$@"')

    def calls_since(self):
        """What was called since the last time, by name."""
        calls = [line.split(" ")[0] for line in self.calls.read_text().splitlines()]
        self.calls.write_text("")
        return calls

    def launch(self, *arguments, text="", **options):
        process = self.start(*arguments, **options)
        stdout, stderr = process.communicate(text)
        return process.returncode, stdout, stderr

    def edit(self, name, old, new):
        path = self.root / name
        path.write_text(path.read_text().replace(old, new))


@unittest.skipIf(missing_tools(), "no tools to build with")
class Launcher(Stage):
    def test_builds_once_and_hands_over(self):
        status, stdout, stderr = self.launch("a b", "", "*", text="one\ntwo\n")
        self.assertEqual((status, stdout), (0, "v1 [a b] [] [*] <one> <two>\n"), stderr)
        self.assertIn("building", stderr)
        self.watch_builds()
        self.assertEqual(self.launch("fail"), (7, "v1 [fail]\n", ""))
        self.assertEqual(self.launch("x", program="a3", text="board\n"), (0, "v1 [x] <board>\n", ""))
        self.assertEqual(self.calls_since(), [], "a start with nothing to build asks no tool")
        (self.root / "src/main.cpp").touch()
        self.launch("x")
        self.assertIn("ninja", self.calls_since(), "the stand-ins would have been seen")

    def test_works_through_a_symlink(self):
        link = self.elsewhere / "play it"
        link.symlink_to("../check out/paika")
        run = subprocess.run([link, "x"], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        self.assertEqual((run.returncode, run.stdout), (0, "v1 [x]\n"), run.stderr)

    def test_a_change_is_built_and_a_mistake_is_shown(self):
        self.launch("x")
        self.edit("src/main.cpp", "v1", "v2")
        self.assertEqual(self.launch("x")[1], "v2 [x]\n")
        self.edit("src/main.cpp", "int main", "mistake main")
        status, stdout, stderr = self.launch("x")
        self.assertEqual((status, stdout), (3, ""))
        self.assertIn("main.cpp:3", stderr)
        self.assertEqual(self.launch("x")[0], 3, "a failed build must not count as current")
        self.edit("src/main.cpp", "mistake main", "int main")
        self.assertEqual(self.launch("x")[1], "v2 [x]\n")

    def test_added_and_removed_files_are_noticed(self):
        self.launch("x")
        (self.root / "src/more.cpp").write_text("mistake\n")
        self.assertEqual(self.launch("x")[0], 3)
        (self.root / "src/more.cpp").unlink()
        self.assertEqual(self.launch("x")[1], "v1 [x]\n")

    def test_two_starts_at_once(self):
        both = [self.start(str(number)) for number in range(2)]
        results = [process.communicate() for process in both]
        self.assertEqual([process.returncode for process in both], [0, 0], results)
        self.assertEqual([stdout for stdout, _ in results], ["v1 [0]\n", "v1 [1]\n"])
        self.assertEqual(sum("building" in stderr for _, stderr in results), 1, results)

    def test_a_moved_checkout_is_built_anew(self):
        self.launch("x")
        old = self.root
        self.root = old.parent / "new place"
        old.rename(self.root)
        status, stdout, stderr = self.launch("x")
        self.assertEqual((status, stdout), (0, "v1 [x]\n"), stderr)
        self.assertIn("building", stderr)

    def test_another_processor_is_built_for(self):
        self.launch("x")
        cache = self.root / "build/release/CMakeCache.txt"
        environment = {**os.environ, "PAIKA_ARCH": "x86-64"}
        self.assertIn("building", self.launch("x", env=environment)[2])
        self.assertIn("PAIKA_ARCH:STRING=x86-64", cache.read_text().splitlines())
        self.assertEqual(self.launch("x", env=environment)[2], "")

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
        self.assertIn("use asan, tsan, all or quick", stderr)


SERVER = """\
#!/bin/sh
echo "web ${PAIKA_WEB-none}"
read -r line # until its input ends, it serves
exit 0
"""

# Programs that need no compiler.
COPIES = """\
cmake_minimum_required(VERSION 3.25)
project(stand_in LANGUAGES NONE)
foreach(name paika a3)
  set(file ${CMAKE_BINARY_DIR}/bin/${name})
  add_custom_command(OUTPUT ${file} COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_SOURCE_DIR}/src/server.sh ${file}
    DEPENDS src/server.sh)
  add_custom_target(${name} DEPENDS ${file})
endforeach()
"""

# What npm does here: `ci` and `run build`, as long as the test wants, with what a build leaves.
NPM = """\
case $1 in
  ci) mkdir -p node_modules ;;
  run) rm -rf dist; mkdir dist; echo page >dist/index.html ;;
esac
"""


@unittest.skipIf(missing_tools(), "no tools to build with")
class Serving(Stage):
    """./paika alone: the program and the page at once, then the server, then the engine for browsers."""

    def setUp(self):
        super().setUp()
        # What runs beside a server ends soon after it, but not at once.
        self.addCleanup(self.wait_for, "all has ended", lambda: subprocess.run(
            ["pgrep", "-f", str(self.root)], stdout=subprocess.DEVNULL, check=False).returncode != 0)
        for name in ["serve", "web", "web_build", "wasm_build"]:
            shutil.copy(ROOT / f"tools/{name}.sh", self.root / "tools")
        (self.root / "src/server.sh").write_text(SERVER)
        (self.root / "src/server.sh").chmod(0o755)
        (self.root / "CMakeLists.txt").write_text(COPIES)
        (self.root / "web/src").mkdir(parents=True)
        (self.root / "web/tools").mkdir()
        (self.root / "web/package-lock.json").write_text("{}")
        (self.root / "tools/packages.txt").write_text("[build]\n[web]\n[wasm]\n[browser]\n")
        (self.root / "src/apps/wasm").mkdir(parents=True)
        self.stand_in("dpkg-query", "exit 0")
        self.stand_in("node", "exit 0")
        self.stand_in("npm", NPM)
        self.stand_in("renice", "exit 0")  # on a busy machine the least priority is none
        self.stand_in("ionice", "exit 0")
        self.set_engine("echo module >engine.wasm")

    def set_engine(self, body):
        """What building the engine does; it is told apart from the program by its folder."""
        real = {tool: shutil.which(tool) for tool in ["cmake", "ninja"]}
        for tool, instead in [("cmake", "exit 0"), ("ninja", f'cd "$2" || exit 1\n{body}')]:
            self.stand_in(tool, f'case "$*" in *build/wasm*) ;; *) exec {real[tool]} "$@" ;; esac\n{instead}')

    def serve(self, *arguments, **options):
        """A started server, its address printed; what it says on stderr is in a file."""
        self.said = self.elsewhere / "said"
        with open(self.said, "w", encoding="utf-8") as said:
            server = self.start(*arguments, stderr=said, **options)
        self.addCleanup(server.communicate)
        return server, server.stdout.readline()

    def wait_for(self, what, holds):
        """Until something holds that another process brings about; two minutes are a failure on any machine."""
        for _ in range(1200):
            if holds():
                return
            time.sleep(0.1)
        self.fail(f"this did not come true: {what}")

    def dist(self, name):
        return self.root / "web/dist" / name

    def test_the_server_starts_before_the_engine_is_built(self):
        self.set_engine(f'while [ ! -f "{self.elsewhere}/go" ]; do sleep 0.1; done; echo module >engine.wasm')
        server, line = self.serve()
        self.assertEqual(line, f"web {self.root}/web/dist\n")
        self.assertIn("offline play is not ready yet", self.said.read_text())
        self.assertFalse(self.dist("engine.wasm").exists())
        (self.elsewhere / "go").touch()
        self.wait_for("the engine is placed", self.dist("engine.wasm").exists)
        self.wait_for("it is said", lambda: "offline play is ready" in self.said.read_text())
        self.assertEqual(self.dist("engine.wasm").read_text(), "module\n")
        server.communicate()
        self.assertEqual(server.returncode, 0)

    def test_a_second_start_builds_nothing(self):
        self.serve()[0].communicate()
        self.serve()
        self.wait_for("the engine is placed", self.dist("engine.wasm").exists)
        self.wait_for("it is said", lambda: "offline play is ready" in self.said.read_text())
        self.calls_since()
        _, line = self.serve()
        self.assertEqual(line, f"web {self.root}/web/dist\n")
        self.assertEqual((self.calls_since(), self.said.read_text()), ([], ""))

    def test_only_serving_waits_for_the_page(self):
        for words in [["--help"], ["games"], ["serve", "--help"], ["serve", "--web", "elsewhere"]]:
            self.assertEqual(self.launch(*words)[1], "web none\n", words)
        self.assertNotIn("npm", self.calls_since())
        self.assertFalse((self.root / "build/wasm").exists())

    def test_the_page_is_built_beside_the_program(self):
        # Each waits for the other to have begun: one after the other would never end.
        self.stand_in("npm", f'touch "{self.elsewhere}/page"\n'
                             f'while [ ! -f "{self.elsewhere}/program" ]; do sleep 0.1; done\n{NPM}')
        self.edit("CMakeLists.txt", "project(", f'execute_process(COMMAND sh -c "touch \'{self.elsewhere}/program\'; '
                  f'while [ ! -f \'{self.elsewhere}/page\' ]; do sleep 0.1; done")\nproject(')
        self.assertEqual(self.serve()[1], f"web {self.root}/web/dist\n")

    def test_without_a_page_there_is_still_a_server(self):
        self.stand_in("npm", "echo no network >&2; exit 1")
        self.assertEqual(self.serve()[1], "web none\n")
        self.assertIn("no network", self.said.read_text())
        self.assertIn("a plain one", self.said.read_text())
        self.dist("").mkdir()
        self.dist("index.html").write_text("of yesterday")
        self.assertEqual(self.serve()[1], f"web {self.root}/web/dist\n")

    def test_what_was_interrupted_is_done_again(self):
        self.stand_in("npm", f'{NPM}\nexit 1')  # it leaves folders as a whole run would
        self.serve()
        self.stand_in("npm", NPM)
        self.calls_since()
        self.serve()
        self.assertEqual(self.calls_since().count("npm"), 2, "npm ci and the build")
        self.calls_since()
        self.serve()
        self.assertNotIn("npm", self.calls_since())

    def test_the_engine_is_not_built_twice_at_once(self):
        self.launch("--help")
        self.set_engine(f'echo begin >>"{self.elsewhere}/builds"\n'
                        f'while [ ! -f "{self.elsewhere}/go" ]; do sleep 0.1; done; echo module >engine.wasm')
        first, _ = self.serve()
        builds = self.elsewhere / "builds"
        self.wait_for("the first build has begun", builds.exists)
        self.serve()
        (self.elsewhere / "go").touch()
        self.wait_for("the second server says it", lambda: "offline play is ready" in self.said.read_text())
        self.assertEqual(builds.read_text(), "begin\n")
        first.communicate()

    def test_the_build_of_the_engine_ends_with_the_server_and_is_taken_up(self):
        self.set_engine(f'echo $$ >"{self.elsewhere}/builder"; while :; do sleep 0.1; done')
        server, _ = self.serve()
        builder = self.elsewhere / "builder"
        self.wait_for("the build has begun", lambda: builder.exists() and builder.read_text().strip())
        number = int(builder.read_text())
        calls = self.calls.read_text()
        self.assertLess(calls.index(f"renice -n 19 -p {os.getpgid(number)}\n"), calls.index(f"ninja -C {self.root}/build/wasm"), calls)
        children = subprocess.run(["ps", "--ppid", str(server.pid), "-o", "pid="], capture_output=True, text=True, check=False)
        self.assertEqual(children.stdout, "", "the server has no child that it would have to bury")
        server.kill()
        server.wait()
        self.wait_for("the build has ended", lambda: not pathlib.Path(f"/proc/{number}").exists())
        self.assertFalse(self.dist("engine.wasm").exists())
        self.set_engine("echo module >engine.wasm")
        self.serve()
        self.wait_for("the engine is placed", self.dist("engine.wasm").exists)

    def test_a_build_that_breaks_off_with_the_server_is_no_failure(self):
        self.set_engine(f'while [ ! -f "{self.elsewhere}/gone" ]; do sleep 0.1; done; touch "{self.elsewhere}/end"; exit 1')
        server, _ = self.serve()
        self.wait_for("the build has begun", lambda: f"ninja -C {self.root}/build/wasm" in self.calls.read_text())
        server.kill()
        server.wait()
        (self.elsewhere / "gone").touch()
        self.wait_for("the build has ended", (self.elsewhere / "end").exists)
        time.sleep(0.5)
        self.assertNotIn("could not be built", self.said.read_text())

    def test_a_broken_engine_is_said_once(self):
        self.set_engine("echo the mistake; exit 1")
        server, _ = self.serve()
        self.wait_for("it is said", lambda: "could not be built" in self.said.read_text())
        server.communicate()
        lines = [line for line in self.said.read_text().splitlines() if "browsers" in line]
        self.assertEqual(len(lines), 2, lines)  # that it is begun, and that it failed
        self.assertIn("the mistake", (self.root / "build/wasm/launcher.log").read_text())
        self.assertNotIn("the mistake", self.said.read_text())
        self.assertEqual(self.launch("web")[0], 3)

    def test_a_page_without_the_engine_is_whole(self):
        without = self.environment(PAIKA_WITHOUT_WASM="1")
        self.assertEqual(self.launch("web", env=without)[0], 0)
        self.assertFalse((self.root / "build/wasm").exists())
        self.calls_since()
        self.assertEqual(self.launch("web")[0], 0)
        self.assertNotIn("npm", self.calls_since(), "the page is not built again for the engine")
        self.assertEqual(self.dist("engine.wasm").read_text(), "module\n")
        (self.root / "web/src/new.ts").touch()
        self.assertEqual(self.launch("web", env=without)[0], 0)
        self.assertEqual(self.dist("engine.wasm").read_text(), "module\n", "a new page takes the engine that is there")
        (self.root / "src/changed.hpp").touch()
        (self.root / "web/src/newer.ts").touch()
        self.assertEqual(self.launch("web", env=without)[0], 0)
        self.assertFalse(self.dist("engine.wasm").exists(), "but not one that is older than its sources")

    def test_ctrl_c_ends_both_builds(self):
        self.stand_in("npm", f'echo $$ >"{self.elsewhere}/npm"; while :; do sleep 0.1; done')
        number = self.elsewhere / "npm"
        process = self.start(start_new_session=True)
        self.wait_for("npm has begun", lambda: number.exists() and number.read_text().strip())
        os.killpg(process.pid, signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        npm = pathlib.Path(f"/proc/{int(number.read_text())}")
        self.wait_for("npm has ended", lambda: not npm.exists())


class Inputs(unittest.TestCase):
    """What makes the launcher look again is what the build reads."""

    def test_all_that_is_built_in_is_watched(self):
        script = f'root="{ROOT}"; . "$root/tools/launcher.sh"; echo $program_inputs'
        watched = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, check=True).stdout.split()
        cmake = "".join(path.read_text() for path in sorted((ROOT / "cmake").glob("*.cmake")))
        read = re.findall(r"\$\{top\}/([\w./-]+)", cmake)
        self.assertIn("docs/rules/", read)
        for path in read:
            self.assertTrue(any(f"{path}/".startswith(f"{folder}/") for folder in watched), f"{path} is not watched")

    def test_all_that_the_page_is_made_from_is_watched(self):
        script = f'root="{ROOT}"; . "$root/tools/launcher.sh"; . "$root/tools/web_build.sh"; echo $page_inputs'
        watched = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, check=True).stdout.split()
        kept = subprocess.run(["git", "-C", ROOT, "ls-files", "web"], capture_output=True, text=True, check=True)
        there = {line.split("/")[1] for line in kept.stdout.splitlines()}
        others = {"e2e", "native", "packages", "tests", "biome.json", ".gitignore"}
        sources = [ROOT / "web/vite.config.ts", *sorted((ROOT / "web/src").rglob("*.ts"))]
        data = set(re.findall(r"\.\./(data/\w+)", "".join(path.read_text(encoding="utf-8") for path in sources)))
        self.assertIn("data/lessons", data)
        self.assertEqual(set(watched), there - others | {f"../{folder}" for folder in data})


class Configuring(unittest.TestCase):
    """cmake is a stand-in that notes its calls."""

    def test_once_and_again_after_packages_were_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            shutil.copy(ROOT / "tools/launcher.sh", root)
            preset = root / "build/release"
            preset.mkdir(parents=True)
            cmake = root / "cmake"
            cmake.write_text(f"""#!/bin/sh
echo called >>"{folder}/calls"
echo "CMAKE_HOME_DIRECTORY:INTERNAL={folder}\nPAIKA_ARCH:STRING=x" >"{preset}/CMakeCache.txt"
[ -f "{preset}/build.ninja" ] || : >"{preset}/build.ninja"  # what has not changed is not written again
""")
            cmake.chmod(0o755)

            def calls():
                subprocess.run(["sh", "-euc", f'root={folder}; . "$root/launcher.sh"; configure release x'], check=True,
                               env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
                return len((root / "calls").read_text().splitlines())

            self.assertEqual(calls(), 1)
            self.assertEqual(calls(), 1)
            later = time.time() + 1
            (root / "build/.installed").touch()
            os.utime(root / "build/.installed", (later, later))
            self.assertEqual(calls(), 2)
            (root / "build/.installed").touch()
            os.utime(root / "build/.installed", (later - 60, later - 60))
            self.assertEqual(calls(), 2)


class Packages(unittest.TestCase):
    """Installs nothing: apt-get, dpkg-query, id and sudo are stand-ins."""

    def need(self, installed, user="0", sudo=False):
        """need_packages for a group of two, with these packages installed; returns status, stderr, apt calls."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tools").mkdir()
            shutil.copy(ROOT / "tools/launcher.sh", root / "tools")
            (root / "tools/packages.txt").write_text(
                "[other]\nthird 1.0 # no\nlibone-dev 1.5 # not this\n[build] # words\n"
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
            for name in ["sh", "sed", "cut", "awk", "env", "mkdir"]:
                (root / "bin" / name).symlink_to(shutil.which(name))
            script = 'root=$PWD; . "$root/tools/launcher.sh"; need_packages build'
            run = subprocess.run(["sh", "-euc", script], capture_output=True, text=True, cwd=folder,
                                 env={"PATH": str(root / "bin")}, check=False)
            calls = (root / "calls").read_text().splitlines() if (root / "calls").exists() else []
            self.assertEqual(run.stdout, "")
            # cmake has to look again for what is there now.
            self.assertEqual((root / "build/.installed").exists(), calls != [])
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
        self.assertIn("libone-dev=1.5* (why)\n", stderr)
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

    def test_only_what_runs_tests_needs_their_packages(self):
        with_tests = {path.stem for path in (ROOT / "tools").glob("*.sh") if "need_packages test" in path.read_text()}
        self.assertEqual(with_tests, {"setup", "test", "slow", "sanitize", "coverage", "mutate", "web"})


if __name__ == "__main__":
    unittest.main()
