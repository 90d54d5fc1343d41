#!/usr/bin/python3
"""Checks the text of every file that is or could be committed.

Refuses: paths and host names of one machine, notes to do something later, trailing blanks, a last line
without an end, and source files too long to be one idea.
Usage: tools/check_text.py [ROOT]. Prints one line a fault as FILE:LINE: what; exit status 1 if any.
"""

import pathlib
import re
import subprocess
import sys

LONGEST_SOURCE = 600
SOURCES = (".c", ".cpp", ".h", ".hpp", ".cu", ".cuh", ".py", ".sh", ".js", ".mjs", ".ts", ".svelte")

# Written so that no pattern matches its own line.
PATTERNS = [
    (re.compile(r"(?<![\w.~])/(?:work|home|root)/|/tmp/(?:bash_job)s"), "a path of one machine"),
    (re.compile(r"\bregistry\.(?:[\w-]+\.)+(?:com|org|net|io|dev|internal|local|example)\b|\bdeb\.(?:debian)\.org\b"
                r"|\b(?:artifactory|nexus|verdaccio)\.[\w-]+\.\w"), "the host name of a package registry"),
    (re.compile(r"\b(?:TO[D]O|FIX[M]E)\b|\bXX[X]:|(?://|/\*|#)\s*XX[X]\b"), "a note to do something later"),
]

# Test inputs and golden outputs: blanks and missing line ends may be the point of them.
RAW_FOLDERS = ("tests/data/", "tests/fuzz/seeds/")


def files(root):
    """The tracked files and those that git add would take, relative to root, without deleted ones."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             check=True, capture_output=True).stdout
    names = sorted({name.decode() for name in listing.split(b"\0") if name})
    return [name for name in names if (root / name).is_file() and not (root / name).is_symlink()]


def line_faults(line, is_raw):
    for pattern, what in PATTERNS:
        match = pattern.search(line)
        if match:
            yield f"{what}: {match.group(0)}"
    if not is_raw and line != line.rstrip(" \t\r"):
        yield "blanks at the end of the line"


def file_faults(name, data):
    """Faults of the file NAME with the bytes DATA; a file with a zero byte is no text and has none."""
    if b"\0" in data:
        return
    is_raw = name.startswith(RAW_FOLDERS)
    lines = data.decode("utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines, 1):
        for fault in line_faults(line, is_raw):
            yield f"{name}:{number}: {fault}"
    if not is_raw and data and not data.endswith(b"\n"):
        yield f"{name}:{len(lines)}: the last line has no end"
    if not is_raw and data.endswith(b"\n\n"):
        yield f"{name}:{len(lines) - 1}: empty lines at the end"
    if not is_raw and name.endswith(SOURCES) and len(lines) - 1 > LONGEST_SOURCE:
        yield f"{name}:{LONGEST_SOURCE}: {len(lines) - 1} lines; split it, {LONGEST_SOURCE} are the most"


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    found = [fault for name in files(root) for fault in file_faults(name, (root / name).read_bytes())]
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
