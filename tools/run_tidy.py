#!/usr/bin/python3
"""Runs clang-tidy over the sources of a build folder, one a processor; exit status 1 if any has findings.

clang-tidy takes seconds a file, so a file that passed is not looked at again until something changes:
the key is a hash of the preprocessed text (with comments, because of NOLINT), the compiler's command,
.clang-tidy and clang-tidy's version; a file of that name in BUILD/tidy means "passed".
With --quick the static analyzer, which takes three quarters of the time, is left out.
Usage: tools/run_tidy.py [--quick] BUILD [PART-OF-A-PATH…]
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = "clang-tidy-19"


def output_of(command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def key_of(entry, common):
    """The hash that decides whether a source must be looked at again."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    words[output:output + 2] = []
    words[words.index("-c")] = "-E"
    text = output_of([*words, "-C"], entry["directory"])
    return hashlib.sha256(common + entry["command"].encode() + text).hexdigest()


def tidy(build, entry, common, options):
    """The findings in one source as text; empty if there are none."""
    try:
        passed = build / "tidy" / key_of(entry, common)
    except subprocess.CalledProcessError as error:
        return error.stderr.decode(errors="replace")
    if passed.exists():
        return ""
    done = subprocess.run([TIDY, "--quiet", *options, "-p", str(build), entry["file"]], cwd=ROOT, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 0:
        passed.touch()
        return ""
    return (done.stdout or done.stderr).decode(errors="replace")


def main(arguments):
    options = []
    if arguments[:1] == ["--quick"]:
        options, arguments = ["--checks=-clang-analyzer-*"], arguments[1:]
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    build, parts = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    # A source that belongs to several targets is looked at once.
    chosen = {entry["file"]: entry for entry in entries if not parts or any(part in entry["file"] for part in parts)}
    common = (ROOT / ".clang-tidy").read_bytes() + output_of([TIDY, "--version"], ROOT) + "".join(options).encode()
    (build / "tidy").mkdir(exist_ok=True)
    findings, seen = 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(lambda entry: tidy(build, entry, common, options), chosen.values()):
            findings += bool(text)
            for finding in re.split(r"^(?=/\S+:\d+:\d+: (?:error|warning): )", text, flags=re.MULTILINE):
                if finding.strip() and finding not in seen:  # many sources share the finding in one header
                    print(finding.removeprefix(f"{ROOT}/").rstrip(), flush=True)
                seen.add(finding)
    print(f"clang-tidy: {len(chosen)} sources, {findings} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
