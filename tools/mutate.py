#!/usr/bin/python3
"""Measures how strong the tests are: plants faults in src, one at a time, and looks whether a test notices.

    tools/mutate.py N [--seed S] [--in PATH …] [--tests REGEX]

Draws N faults (tools/mutations.py) by chance from all of src or from PATH; the same seed gives the same faults for the
same sources. Each is planted in a copy of the tree (build/mutate/tree); then the tests whose programs are made from the
changed file are built and run, the smallest programs first, until one fails or takes too long: the fault is caught. A
fault that does not compile is replaced by another one. A fault that changes nothing anybody can see is listed with a
reason in tools/mutate_equivalent.txt and replaced too.

Programs with faults in them may do anything, so everything runs in a sandbox (bubblewrap) that can write to the copy
and to nothing else, has no network and sees no other process.

Results go to build/mutate/results.jsonl, one line per fault; a run that was interrupted goes on from there. Exit
status: 0 if at least 90 % were caught, 1 if not, 2 if something is missing.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import mutations

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = ROOT / "build/mutate"
TREE = WORK / "tree"
BUILD = "build/mutate"  # inside the copy
RESULTS = WORK / "results.jsonl"
EQUIVALENT = ROOT / "tools/mutate_equivalent.txt"

# Where a fault would hurt most, and how much sooner it is planted there.
WEIGHTS = [
    (r"^src/(rules|games)/", 4), (r"^src/server/(store|rooms)/", 6), (r"^src/sandbox/", 6),
    (r"^src/play/(clock|live_game|referee|match)", 8), (r"^src/(base|board|play|solve|server|protocols)/", 2),
]
# Without tests of their own here: other builds (MPI, WebAssembly) and what only takes a time.
LEFT_OUT = re.compile(r"^src/apps/(mpi|wasm)/|^src/instances/")
# Tests of texts and scripts, which no fault in a program can change.
NOT_OURS = {"tools", "layers", "texts", "messages", "clauses", "docs"}
ENOUGH = 0.9
COMPILE_LIMIT = 1800  # seconds
FIRST_LIMIT = 600


class Missing(Exception):
    """What cannot be done without."""


def weight_of(path):
    return next((weight for pattern, weight in WEIGHTS if re.search(pattern, path)), 1)


def sources(only):
    """The sources faults are planted in, as they are now."""
    texts = {}
    for path in sorted((ROOT / "src").rglob("*.[ch]pp")):
        name = path.relative_to(ROOT).as_posix()
        if LEFT_OUT.search(name) or not any(name == part or name.startswith(part.rstrip("/") + "/") for part in only):
            continue
        texts[name] = path.read_text()
    return texts


def equivalents(text):
    """The hashes of faults that change nothing, with the reasons."""
    known = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.partition(" ")
            known[name] = reason.strip()
    return known


def copy_tree():
    """Brings the copy up to date; files that are the same keep their dates, so that nothing is built twice."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-coz", "--exclude-standard"], check=True,
                            capture_output=True, text=True).stdout.split("\0")
    wanted = {name for name in listed if name and (ROOT / name).is_file()}
    TREE.mkdir(parents=True, exist_ok=True)
    for path in [path for path in TREE.rglob("*") if path.is_file() or path.is_symlink()]:
        name = path.relative_to(TREE).as_posix()
        if name not in wanted and not name.startswith("build/"):
            path.unlink()
    for name in wanted:
        source, target = ROOT / name, TREE / name
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


class Sandbox:
    """Runs commands with the copy in the place of the tree, so that paths and cached objects are those of the tree."""

    def __init__(self):
        if not shutil.which("bwrap"):
            raise Missing("bubblewrap is not installed: programs with faults in them are run in its sandbox alone")
        cache = subprocess.run(["ccache", "--get-config", "cache_dir"], capture_output=True, text=True, check=False)
        self.words = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
                      "--bind", str(TREE), str(ROOT)]
        if cache.returncode == 0:
            os.makedirs(cache.stdout.strip(), exist_ok=True)
            self.words += ["--bind", cache.stdout.strip(), cache.stdout.strip()]
        if os.getuid() == 0:
            self.words += ["--cap-add", "ALL"]
        self.words += ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent", "--new-session",
                       "--chdir", str(ROOT)]
        self.environment = {**os.environ, "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1"}

    def run(self, words, limit):
        """The exit status, or None if it took too long, and what was said."""
        with subprocess.Popen([*self.words, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, env=self.environment) as process:
            try:
                said, _ = process.communicate(timeout=limit)
                return process.returncode, said
            except subprocess.TimeoutExpired:
                process.kill()  # and with process 1 of its own all the others end
                said, _ = process.communicate()
                return None, said

    def must(self, words, limit=COMPILE_LIMIT):
        status, said = self.run(words, limit)
        if status != 0:
            raise Missing(f"failed: {' '.join(words)}\n{said[-3000:]}")
        return said


def read_tests(text, build):
    """The tests of a CTestTestfile.cmake: for each its programs, relative to the build folder, and its labels."""
    tests = {}
    for name, words in re.findall(r"^add_test\(\[=\[(.*?)\]=\] (.*)\)$", text, re.MULTILINE):
        words = re.findall(r'"((?:[^"\\]|\\.)*)"', words)
        tests[name] = ([os.path.relpath(word, build) for word in words if word.startswith(f"{build}/")], [])
    for name, labels in re.findall(r'^set_tests_properties\(\[=\[(.*?)\]=\] .*?LABELS "(.*?)"', text, re.MULTILINE):
        tests[name][1].extend(labels.split(";"))
    return tests


class Tests:
    """Which tests there are, what they are made from, and how long they take without a fault."""

    def __init__(self, sandbox, wanted):
        self.sandbox = sandbox
        self.baseline = {}  # name of a test: seconds, or None if it fails without a fault
        self.tests = {}
        for name, (programs, labels) in read_tests((TREE / BUILD / "tests/CTestTestfile.cmake").read_text(),
                                                   f"{ROOT / BUILD}").items():
            if programs and name not in NOT_OURS and "slow" not in labels and re.search(wanted, name):
                self.tests[name] = (programs, "cpp" not in labels)
        if not self.tests:
            raise Missing(f"there is no test with a name like {wanted}")

    def learn(self):
        """Reads from ninja what every program is made from; all must have been built once."""
        self.objects_of = {}
        current = None
        for line in self.sandbox.must(["ninja", "-C", BUILD, "-t", "deps"]).splitlines():
            if line and not line.startswith(" "):
                current = line.split(":")[0]
            elif line.strip():
                name = os.path.relpath(os.path.join(ROOT / BUILD, line.strip()), ROOT)
                self.objects_of.setdefault(name, set()).add(current)
        self.inputs_of = {}
        for programs, _ in self.tests.values():
            for program in programs:
                if program not in self.inputs_of:
                    said = self.sandbox.must(["ninja", "-C", BUILD, "-t", "inputs", program])
                    self.inputs_of[program] = set(said.split())

    def touched_by(self, path):
        """The tests whose programs are made from the file: C++ before scripts, small programs before large ones."""
        objects = self.objects_of.get(path, set())
        touched = []
        for name, (programs, is_script) in self.tests.items():
            if any(objects & self.inputs_of[program] for program in programs):
                touched.append((is_script, sum(len(self.inputs_of[program]) for program in programs), name))
        return [name for _, _, name in sorted(touched)]

    def build(self, name):
        return self.sandbox.run(["ninja", "-C", BUILD, *self.tests[name][0]], COMPILE_LIMIT)

    def run(self, name, limit):
        words = ["ctest", "--test-dir", BUILD, "-R", f"^{re.escape(name)}$", "--output-on-failure"]
        started = time.monotonic()
        status, said = self.sandbox.run(words, limit)
        return status, said, time.monotonic() - started


class Campaign:
    """Plants faults, one after the other."""

    def __init__(self, tests):
        self.tests = tests

    def limit(self, name, path, text):
        """How long a test may take; nothing if it fails without a fault too. The first time it is run to see."""
        if name not in self.tests.baseline:
            mutant = (TREE / path).read_text()
            (TREE / path).write_text(text)
            self.tests.build(name)
            status, _, seconds = self.tests.run(name, FIRST_LIMIT)
            self.tests.baseline[name] = seconds if status == 0 else None
            if status != 0:
                say(f"{name} fails without a fault, and is left out")
            (TREE / path).write_text(mutant)
            self.tests.build(name)
        seconds = self.tests.baseline[name]
        return None if seconds is None else 30 + 8 * seconds

    def try_fault(self, path, text, fault):
        """What becomes of a fault: ("caught", by whom), ("survived", the tests), ("invalid", "")."""
        target = TREE / path
        run = []
        try:
            target.write_text(mutations.planted(text, fault))
            for name in self.tests.touched_by(path):
                status, _ = self.tests.build(name)
                if status != 0:
                    return "invalid", ""
                limit = self.limit(name, path, text)
                if limit is None:
                    continue
                status, _, _ = self.tests.run(name, limit)
                run.append(name)
                if status != 0:
                    return "caught", name + (" (time-out)" if status is None else "")
            return ("survived", ", ".join(run)) if run else ("invalid", "no test is made from it")
        finally:
            target.write_text(text)


def say(text):
    print(text, file=sys.stderr, flush=True)


def recorded(seed_of_run):
    """Results that an earlier run of the same seed left, by hash."""
    known = {}
    if RESULTS.exists():
        for line in RESULTS.read_text().splitlines():
            result = json.loads(line)
            if result["run"] == seed_of_run:
                known[result["hash"]] = result
    return known


def report(results):
    survivors = [result for result in results if result["status"] == "survived"]
    caught = len(results) - len(survivors)
    for result in survivors:
        print(f"survived [{result['hash']}] {result['kind']}, {result['hunk']}  tests: {result['by']}\n")
    share = caught / len(results) if results else 1
    print(f"caught {caught} of {len(results)} faults ({100 * share:.0f} %)")
    return 0 if share >= ENOUGH else 1


def plant(arguments):
    texts = sources(arguments.paths)
    if not texts:
        raise Missing(f"there is no source in {', '.join(arguments.paths)}")
    copy_tree()
    sandbox = Sandbox()
    say("building without faults…")
    arch = os.environ.get("PAIKA_ARCH", "")
    sandbox.must(["cmake", "--preset", "release", "-B", BUILD, "-DPAIKA_UNITY=tests", "-DPAIKA_BENCH=OFF",
                  "-DPAIKA_TUNE=OFF", f"-DPAIKA_ARCH={arch}"])
    tests = Tests(sandbox, arguments.tests)
    sandbox.must(["ninja", "-C", BUILD, *sorted({p for programs, _ in tests.tests.values() for p in programs})],
                 limit=None)
    tests.learn()
    campaign = Campaign(tests)
    same = equivalents(EQUIVALENT.read_text() if EQUIVALENT.exists() else "")
    run = f"{arguments.seed} {' '.join(sorted(arguments.paths))} {arguments.tests}"
    known = recorded(run)
    results = []
    for path, fault in mutations.Chooser(texts, weight_of, random.Random(arguments.seed)):
        if len(results) == arguments.number:
            break
        name = mutations.content_hash(path, texts[path], fault)
        if name in same:
            say(f"left out, as it changes nothing: {name} {same[name]}")
            continue
        result = known.get(name)
        if result is None:
            started = time.monotonic()
            status, by = campaign.try_fault(path, texts[path], fault)
            result = {"run": run, "hash": name, "status": status, "by": by, "kind": fault.kind,
                      "seconds": round(time.monotonic() - started, 1),
                      "hunk": mutations.hunk(path, texts[path], fault)}
            with RESULTS.open("a") as file:
                file.write(json.dumps(result) + "\n")
        if result["status"] != "invalid":
            results.append(result)
        say(f"{len(results)}/{arguments.number} {result['status']} {result['kind']} "
            f"{result['hunk'].splitlines()[0]} {result['by']} ({result['seconds']} s)")
    return report(results)


def main():
    parser = argparse.ArgumentParser(prog="paika mutate", description="Plants faults and counts those a test notices.")
    parser.add_argument("number", type=int, metavar="N", help="how many faults")
    parser.add_argument("--seed", type=int, default=1, help="which faults: the same seed, the same faults (1)")
    parser.add_argument("--in", dest="paths", nargs="+", default=["src"], metavar="PATH",
                        help="folders or files of src (all of it)")
    parser.add_argument("--tests", default="", metavar="REGEX",
                        help="only the tests with such names: quicker, as the others are not even built (all)")
    arguments = parser.parse_args()
    if arguments.number < 1:
        parser.error("N is at least 1")
    try:
        return plant(arguments)
    except Missing as missing:
        say(f"paika mutate: {missing}")
        return 2


if __name__ == "__main__":
    sys.exit(main())
