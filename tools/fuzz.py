#!/usr/bin/python3
"""Runs targets of the fuzz program under libFuzzer and prints a table: inputs, coverage, findings.

    tools/fuzz.py PROGRAM FOLDER SECONDS [--jobs N] [TARGET …]

Each target, all of them if none is named, runs for SECONDS, N at a time. Inputs start from the target's own seeds
(tests/fuzz); what libFuzzer finds interesting stays in FOLDER/corpus/TARGET for the next time, an input that breaks a
target in FOLDER/found, what libFuzzer says in FOLDER/log. The table is written to FOLDER/summary.md as targets finish.
Exit status: 0 if nothing was found, 1 if something was, 2 if something is missing.
"""

import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys
import threading

HEAD = "| target | seconds | inputs | features covered | findings |\n| --- | ---: | ---: | ---: | ---: |\n"


@dataclasses.dataclass
class Run:
    """What one target did."""
    target: str
    seconds: int
    inputs: int
    features: int
    findings: int

    def row(self):
        return f"| {self.target} | {self.seconds} | {self.inputs:,} | {self.features:,} | {self.findings} |\n"


def last_number(pattern, text):
    found = re.findall(pattern, text)
    return int(found[-1]) if found else 0


def read_run(target, said, status):
    """The figures in what libFuzzer says; a status other than 0 is a finding."""
    return Run(target, last_number(r"Done \d+ runs in (\d+) second", said),
               max(last_number(r"Done (\d+) runs", said), last_number(r"(?m)^#(\d+)\s", said)),
               last_number(r" ft: (\d+)", said), int(status != 0))


def fuzz(program, folder, seconds, target):
    for part in (f"corpus/{target}", "found", "log"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    corpus = folder / "corpus" / target
    environment = {**os.environ, "PAIKA_FUZZ_TARGET": target, "PAIKA_FUZZ_CORPUS": str(corpus)}
    log = folder / "log" / target
    with log.open("wb") as said:
        done = subprocess.run([program, f"-max_total_time={seconds}", "-timeout=25", "-rss_limit_mb=2048",
                               f"-artifact_prefix={folder}/found/{target}-", str(corpus)],
                              env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False)
    return read_run(target, log.read_text(errors="replace"), done.returncode)


def targets_of(program):
    environment = {name: value for name, value in os.environ.items() if name != "PAIKA_FUZZ_TARGET"}
    return subprocess.run([program], env=environment, check=True, capture_output=True, text=True).stdout.split()


def campaign(given):
    """Runs the targets; the finished runs."""
    runs, lock = [], threading.Lock()
    summary = given.folder / "summary.md"

    def one(target):
        run = fuzz(given.program, given.folder, given.seconds, target)
        with lock:
            runs.append(run)
            summary.write_text(HEAD + "".join(each.row() for each in sorted(runs, key=lambda each: each.target)))
        print(f"{len(runs)}/{len(given.targets)} {run.target}: {run.inputs} inputs, {run.features} features, "
              f"{run.findings} findings", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        list(pool.map(one, given.targets))
    print(summary.read_text(), end="")
    return runs


def main():
    parser = argparse.ArgumentParser(prog="paika fuzz", description=__doc__.split("\n", 1)[0])
    parser.add_argument("program", type=lambda text: os.path.abspath(text))
    parser.add_argument("folder", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("seconds", type=int, metavar="SECONDS")
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="how many targets at a time")
    given = parser.parse_args()
    if given.seconds < 1 or given.jobs < 1:
        parser.error("SECONDS and N are at least 1")
    known = targets_of(given.program)
    for target in given.targets:
        if target not in known:
            parser.error(f"there is no target {target!r}; use {', '.join(known)}")
    given.targets = given.targets or known
    given.folder.mkdir(parents=True, exist_ok=True)
    failed = [run.target for run in campaign(given) if run.findings]
    if failed:
        print(f"failed: {' '.join(failed)}; the inputs are in {given.folder}/found", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
