#!/usr/bin/python3
"""Runs clang's warnings and clang-tidy over the sources of a build folder; exit status 1 if any has findings.

clang-tidy takes seconds a file, so a file that passed is not looked at again until something changes:
the key is a hash of the preprocessed text (with comments, because of NOLINT), the compiler's command,
.clang-tidy and clang-tidy's version; a file of that name in BUILD/tidy means "passed".
If parts of paths are given, only sources with one of them in their path are looked at. With --quick only the
sources that were changed last, by the history of the repository, are looked at: WARNED of them by the compiler,
TIDIED of these by clang-tidy too, without the static analyzer, which takes three quarters of the time.
Nothing is built: sources that the build generates must be there.
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
TIDIED = 40
WARNED = 100


def output_of(command, folder):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout


def changed_command(entry, removed, added):
    """The compiler's command for a source without its output, with one word exchanged."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    words[output:output + 2] = []
    words[words.index(removed)] = added
    return words


def key_of(entry, common):
    """The hash that decides whether a source must be looked at again."""
    text = output_of([*changed_command(entry, "-c", "-E"), "-C"], entry["directory"])
    return hashlib.sha256(common + entry["command"].encode() + text).hexdigest()


def look(build, entry, common, tidy):
    """The findings in one source as text; empty if there are none. `tidy`: clang-tidy's options, or None."""
    try:
        passed = build / "tidy" / key_of(entry, common + repr(tidy).encode())
    except subprocess.CalledProcessError as error:
        return error.stderr.decode(errors="replace")
    if passed.exists():
        return ""
    if tidy is None:
        command, folder = changed_command(entry, "-c", "-fsyntax-only"), entry["directory"]
    else:
        command, folder = [TIDY, "--quiet", *tidy, "-p", str(build), entry["file"]], ROOT
    done = subprocess.run(command, cwd=folder, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 0:
        passed.touch()
        return ""
    return (done.stdout or done.stderr).decode(errors="replace")


def changed_last(files):
    """The files, those changed last first: not committed yet, or in the latest commits."""
    names = []
    for command in (["git", "status", "--porcelain", "--no-renames"], ["git", "log", "--name-only", "--format="]):
        done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            return list(files)  # no history: as they come
        names += [line[3:] if command[1] == "status" else line for line in done.stdout.splitlines()]
    return list(dict.fromkeys(str(ROOT / name) for name in names if str(ROOT / name) in files))


def main(arguments):
    options, quick = [], arguments[:1] == ["--quick"]
    if quick:
        options, arguments = ["--checks=-clang-analyzer-*"], arguments[1:]
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    build, parts = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    # A source that belongs to several targets is looked at once.
    chosen = {entry["file"]: entry for entry in entries if not parts or any(part in entry["file"] for part in parts)}
    tidied = set(chosen)
    if quick:
        recent = changed_last(chosen)
        chosen = {file: chosen[file] for file in recent[:WARNED]}
        tidied = set(recent[:TIDIED])
    common = (ROOT / ".clang-tidy").read_bytes() + output_of([TIDY, "--version"], ROOT)
    (build / "tidy").mkdir(exist_ok=True)
    findings, seen = 0, set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for text in pool.map(lambda entry: look(build, entry, common, options if entry["file"] in tidied else None),
                             chosen.values()):
            findings += bool(text)
            for finding in re.split(r"^(?=/\S+:\d+:\d+: (?:error|warning): )", text, flags=re.MULTILINE):
                if finding.strip() and finding not in seen:  # many sources share the finding in one header
                    print(finding.removeprefix(f"{ROOT}/").rstrip(), flush=True)
                seen.add(finding)
    print(f"clang: {len(chosen)} sources, {len(tidied)} of them tidied, {findings} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
