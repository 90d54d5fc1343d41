#!/usr/bin/python3
"""Measures how strong the tests are: plants faults in src and looks whether a test notices.

    tools/mutate.py N [--seed S] [--in PATH …] [--tests REGEX] [--jobs J]

Draws N faults (tools/mutations.py) by chance from all of src or from PATH; the same seed gives the same faults for the
same sources. Nothing in the tree is changed: the file with a fault is a copy in a folder of its own, from which the
objects that are made from it (tools/mutant.py) and then the tests that link them are made, the smallest programs first,
and run until one fails twice or takes too long: the fault is caught. So J faults are tried at a time, and each costs a
compiler, a linker and a test. A fault that does not compile, or from which the compiler makes the same code, is replaced
by another one. A fault that changes nothing anybody can see is listed with a reason in tools/mutate_equivalent.txt and replaced too.

Programs with faults in them may do anything, so they run in a sandbox (bubblewrap) that can write to the fault's folder
and to nothing else, has no network but its own and sees no other process. --no-sandbox is for machines that are thrown away.

Results go to build/mutate/results.jsonl, one line per fault; a run that was interrupted goes on from there. Exit
status: 0 if at least 90 % were caught, 1 if not, 2 if something is missing.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import threading
import time

import mutant
import mutations

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/release"
WORK = ROOT / "build/mutate"
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
FIRST_LIMIT = 600  # seconds


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


class Sandbox:
    """Runs commands that may write to one folder, and to /tmp and the test's home, which end with them."""

    def __init__(self, confined):
        if confined and not shutil.which("bwrap"):
            raise Missing("bubblewrap is not installed: programs with faults in them are run in its sandbox alone")
        self.confined = confined

    def words(self, folder):
        if not self.confined:
            return []
        as_root = ["--cap-add", "ALL"] if os.getuid() == 0 else []
        return ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--tmpfs",
                str(BUILD / "user"), "--bind", str(folder), str(folder), *as_root, "--unshare-pid", "--unshare-net",
                "--unshare-ipc", "--die-with-parent", "--new-session"]

    def run(self, words, folder, environment, limit):
        """The exit status, or None if it took too long."""
        with open(folder / "said", "wb") as said, subprocess.Popen(
                [*self.words(folder), *words], stdout=said, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=BUILD,
                env={**os.environ, **environment}, start_new_session=not self.confined) as process:
            try:
                return process.wait(limit)
            except subprocess.TimeoutExpired:
                if self.confined:
                    process.kill()  # and with process 1 of its own all the others end
                else:
                    os.killpg(process.pid, 9)
                return None


class Test:
    """A test of ctest: its command, what it must find in its environment, and the programs it runs."""

    def __init__(self, entry):
        properties = {each["name"]: each["value"] for each in entry.get("properties", [])}
        self.name, self.command = entry["name"], entry.get("command", [])
        self.labels = properties.get("LABELS", [])
        self.environment = dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", []))
        self.programs = [os.path.relpath(word, BUILD) for word in self.command if word.startswith(f"{BUILD}/")]
        self.is_script = "cpp" not in self.labels
        self.lock, self.baseline = threading.Lock(), None

    def words(self, place):
        """The command with programs of a mutant; `place` says where one of them is."""
        return [place(os.path.relpath(word, BUILD)) if word.startswith(f"{BUILD}/") else word for word in self.command]


def read_tests(text, wanted):
    """The tests that a fault in a program can change, out of what `ctest --show-only=json-v1` says."""
    tests = [Test(entry) for entry in json.loads(text)["tests"]]
    return [test for test in tests if test.programs and test.name not in NOT_OURS and "slow" not in test.labels
            and re.search(wanted, test.name)]


class Campaign:
    """Tries faults, several at a time."""

    def __init__(self, tests, build, sandbox):
        self.tests, self.build, self.sandbox = tests, build, sandbox

    def touched_by(self, objects):
        """The tests whose programs are made from one of the objects: C++ before scripts, small programs before large."""
        touched = []
        for test in self.tests:
            parts = [self.build.parts_of(program) for program in test.programs]
            if any(objects & part for part in parts):
                touched.append((test.is_script, sum(map(len, parts)), test.name, test))
        return [test for *_, test in sorted(touched, key=lambda each: each[:3])]

    def run(self, test, place, folder, limit):
        environment = {**test.environment, "PAIKA_CONFINE": place("bin/paika")}
        return self.sandbox.run(test.words(place), folder, environment, limit)

    def limit(self, test, folder):
        """How long a test may take; None if it fails without a fault too. The first time it is run to see."""
        with test.lock:
            if test.baseline is None:
                started = time.monotonic()
                status = self.run(test, lambda program: str(BUILD / program), folder, FIRST_LIMIT)
                test.baseline = time.monotonic() - started if status == 0 else -1
                if status != 0:
                    say(f"{test.name} fails without a fault, and is left out")
        return None if test.baseline < 0 else 30 + 8 * test.baseline

    def try_fault(self, path, text, folder):
        """What becomes of a fault: ("caught", by whom), ("survived", the tests), ("invalid", "")."""
        made = mutant.Mutant(self.build, path, text, folder)
        run = []
        for test in self.touched_by(made.objects):
            limit = self.limit(test, folder)
            if limit is None:
                continue
            try:
                programs = [*test.programs, *(["bin/paika"] if self.build.confines(test.programs) else [])]
                if not any([made.link(program) for program in programs]):
                    continue
            except mutant.DoesNotCompile:
                return "invalid", "it does not compile"
            run.append(test.name)
            status = self.run(test, made.place, folder, limit)
            if status is None:
                return "caught", f"{test.name} (time-out)"
            # Twice, as on a busy machine a test may fail by chance.
            if status != 0 and self.run(test, made.place, folder, limit) != 0:
                return "caught", test.name
        return ("survived", ", ".join(run)) if run else ("invalid", "it changes no code of a test")


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


class Draws:
    """Faults in the order in which they are drawn, each tried once; those that count become results."""

    def __init__(self, texts, arguments, campaign):
        self.texts, self.campaign = texts, campaign
        self.chooser = iter(mutations.Chooser(texts, weight_of, random.Random(arguments.seed)))
        self.run = f"{arguments.seed} {' '.join(sorted(arguments.paths))} {arguments.tests}"
        self.known = recorded(self.run)
        self.same = equivalents(EQUIVALENT.read_text() if EQUIVALENT.exists() else "")
        self.lock = threading.Lock()

    def next(self, count):
        """The next `count` faults that are worth a try."""
        drawn = []
        for path, fault in self.chooser:
            name = mutations.content_hash(path, self.texts[path], fault)
            if name in self.same:
                say(f"left out, as it changes nothing: {name} {self.same[name]}")
                continue
            drawn.append((path, fault, name))
            if len(drawn) == count:
                break
        return drawn

    def result_of(self, drawn):
        path, fault, name = drawn
        if name in self.known:
            return self.known[name]
        folder = WORK / name
        folder.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        try:
            status, by = self.campaign.try_fault(path, mutations.planted(self.texts[path], fault), folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        result = {"run": self.run, "hash": name, "status": status, "by": by, "kind": fault.kind,
                  "seconds": round(time.monotonic() - started, 1), "hunk": mutations.hunk(path, self.texts[path], fault)}
        with self.lock, RESULTS.open("a") as file:
            file.write(json.dumps(result) + "\n")
        say(f"{result['status']} {result['kind']} {result['hunk'].splitlines()[0]} {result['by']} ({result['seconds']} s)")
        return result


def build_programs(tests_wanted):
    """Makes the release build of what the tests need current; the tests."""
    def must(*words):
        done = subprocess.run(words, cwd=ROOT, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise Missing(f"failed: {' '.join(map(str, words))}\n{(done.stdout + done.stderr)[-3000:]}")
        return done.stdout

    tests = read_tests(must("ctest", "--test-dir", BUILD, "--show-only=json-v1"), tests_wanted)
    if not tests:
        raise Missing(f"there is no test with a name like {tests_wanted}")
    must("ninja", "-C", BUILD, "bin/paika", *sorted({program for test in tests for program in test.programs}))
    (BUILD / "user").mkdir(exist_ok=True)
    WORK.mkdir(exist_ok=True)
    return tests


def plant(arguments):
    texts = sources(arguments.paths)
    if not texts:
        raise Missing(f"there is no source in {', '.join(arguments.paths)}")
    sandbox = Sandbox(not arguments.no_sandbox)
    say("building without faults…")
    tests = build_programs(arguments.tests)
    draws = Draws(texts, arguments, Campaign(tests, mutant.Build(ROOT, BUILD), sandbox))
    results = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        while len(results) < arguments.number and (drawn := draws.next(arguments.number - len(results))):
            results += [result for result in pool.map(draws.result_of, drawn) if result["status"] != "invalid"]
    return report(results)


def main():
    parser = argparse.ArgumentParser(prog="paika mutate", description="Plants faults and counts those a test notices.")
    parser.add_argument("number", type=int, metavar="N", help="how many faults")
    parser.add_argument("--seed", type=int, default=1, help="which faults: the same seed, the same faults (1)")
    parser.add_argument("--in", dest="paths", nargs="+", default=["src"], metavar="PATH",
                        help="folders or files of src (all of it)")
    parser.add_argument("--tests", default="", metavar="REGEX",
                        help="only the tests with such names: quicker, as the others are not even built (all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="J", help="how many at a time (one per core)")
    parser.add_argument("--no-sandbox", action="store_true", help="run faulty programs as they are")
    arguments = parser.parse_args()
    if arguments.number < 1 or arguments.jobs < 1:
        parser.error("N and J are at least 1")
    try:
        return plant(arguments)
    except Missing as missing:
        say(f"paika mutate: {missing}")
        return 2


if __name__ == "__main__":
    sys.exit(main())
