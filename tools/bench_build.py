#!/usr/bin/python3
"""Measures what a newcomer waits for: building everything in a scratch clone, without a compiler cache.

Why: the figures of docs/performance.md must come from one command, on a machine where nothing is built yet.
Usage: tools/bench_build.py [--keep] [ROW …], rows by the names that are printed; all without any. Each row takes the rows
that it needs first. Only what is committed is measured. Prints a table in Markdown; the clone is removed afterwards, unless --keep.
CPU is user and system time of all processes of a step; packages must be installed, and npm may use its own cache.
"""

import argparse
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def cpu():
    """CPU seconds of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Clone:
    """The scratch clone, and what its steps have cost: (CPU, wall) seconds by name."""

    def __init__(self, folder):
        self.folder = folder
        self.cost = {}
        self.environment = {**os.environ, "CCACHE_DISABLE": "1"}
        self.environment.pop("PAIKA_WEB", None)

    def measured(self, name, step):
        """Runs a step once and notes its cost."""
        if name in self.cost:
            return
        print(f"measuring: {name}", file=sys.stderr, flush=True)
        cpu_before, wall_before = cpu(), time.monotonic()
        wall = step() or time.monotonic()
        self.cost[name] = (cpu() - cpu_before, wall - wall_before)

    def paika(self, *words, **more):
        subprocess.run([self.folder / "paika", *words], cwd=self.folder, env={**self.environment, **more},
                       stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True)

    def program(self):
        self.measured("program", lambda: self.paika("--version"))

    def page(self):
        self.measured("page", lambda: self.paika("web", PAIKA_WITHOUT_WASM="1"))

    def tests_and_benches(self):
        self.program()
        self.measured("tests and benches", lambda: self.paika("setup"))

    def browser_engine(self):
        self.page()
        self.measured("browser engine", lambda: self.paika("web"))

    def test(self):
        """./paika test in a fresh clone: what it builds was measured before, so the sum is the whole."""
        self.tests_and_benches()
        self.measured("running the tests", lambda: self.paika("test"))
        steps = ["program", "tests and benches", "running the tests"]
        self.cost["./paika test"] = tuple(sum(self.cost[step][i] for step in steps) for i in range(2))

    def address(self):
        """From the start to the address, nothing being there; the engine for browsers comes later and is not counted."""
        for name in ["build", "web/dist", "web/node_modules"]:
            shutil.rmtree(self.folder / name, ignore_errors=True)
        self.measured("./paika until its address", self.serve)

    def serve(self):
        """Returns when the address was printed; what was started has ended then."""
        words = ["serve", "--listen", "127.0.0.1:0", "--db", self.folder / "games.db"]
        with subprocess.Popen([self.folder / "paika", *words], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as server:
            line = server.stdout.readline()
            printed = time.monotonic()
            server.send_signal(signal.SIGINT)
        if "http://" not in line:
            sys.exit("bench: the server printed no address")
        return printed


ROWS = {
    "program": Clone.program,
    "page": Clone.page,
    "tests": Clone.tests_and_benches,
    "test": Clone.test,
    "engine": Clone.browser_engine,
    "address": Clone.address,  # the last: it begins by removing what the others have built
}


def table(cost):
    lines = ["| step | CPU | wall |", "| --- | ---: | ---: |"]
    lines += [f"| {name} | {used:.0f} s | {wall:.0f} s |" for name, (used, wall) in cost.items()]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="./paika bench build", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--keep", action="store_true", help="leave the clone, and say where it is")
    parser.add_argument("rows", metavar="ROW", nargs="*", help=f"what to measure: {', '.join(ROWS)}; all without any")
    given = parser.parse_args()
    for row in given.rows:
        if row not in ROWS:
            parser.error(f"there is no row {row!r}; use {', '.join(ROWS)}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="paika-bench-"))
    try:
        subprocess.run(["git", "clone", "--quiet", ROOT, folder / "paika"], check=True)
        clone = Clone(folder / "paika")
        for row, measure in ROWS.items():
            if row in given.rows or not given.rows:
                measure(clone)
        print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end\n\n{table(clone.cost)}")
    except subprocess.CalledProcessError as fault:
        sys.exit(f"bench: {fault}")
    finally:
        if given.keep:
            print(f"kept: {folder}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    main()
