#!/usr/bin/python3
"""Runs the commands that the documents print and compares what they say with what happens; follows their links.

In README.md and docs/**/*.md, each ```console block is a piece of a session:

    $ ./paika perft othello 3        a command, run by bash in a copy of the repository's files
    1 4                              the expected output (stdout and stderr together) up to the next $
    ...                              matches any number of lines
    $ ./paika moves chess # exit 2   expects this exit status instead of 0
    $ printf 'one\\n' \\             a command goes on after a backslash

A command without expected output is only held to its status. ./paika and ./a3 are the real ones, with
the program already built; the other files are copies, so commands may write. One copy serves all the
commands of a document, in order. Other kinds of blocks (```sh) are not run: use them for setup and the like.

Relative links and pictures, [text](path#part), must lead to a file or folder of the repository, and #part
to a heading of it. Links to other places are not followed.

Usage: tools/check_docs.py [--seconds N] [DOCUMENT…]. Exit status 1 if anything differs, 2 if nothing could be run.
"""

import argparse
import dataclasses
import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^( *)(`{3,})\s*(\S*)")
LINK = re.compile(r"\]\(\s*<?([^)\s>]*)")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
HEADING = re.compile(r"^#+\s+(.*?)\s*$")
EXIT = re.compile(r"#\s*exit (\d+)\s*$")
LAUNCHERS = ["paika", "a3"]


@dataclasses.dataclass
class Command:
    """One command of a document, with what it must print (None: anything) and its exit status."""

    line: int
    text: str
    expected: list | None
    status: int


def parts(text):
    """The lines outside of blocks as ("", [(line number, line)]), and each block as (kind, its numbered lines)."""
    fence, indent, kind, block = None, 0, "", []
    for number, line in enumerate(text.splitlines(), 1):
        match = FENCE.match(line)
        if fence is None:
            if match:
                indent, fence, kind, block = len(match[1]), match[2], match[3] or "text", []
            else:
                yield "", [(number, line)]
        elif match and match[2].startswith(fence) and not match[3]:
            yield kind, block
            fence = None
        else:
            block.append((number, line[indent:] if not line[:indent].strip() else line))
    if fence is not None:
        yield kind, block


def console_blocks(text):
    """The ```console blocks as lists of (line number, line without the fence's indentation)."""
    return [block for kind, block in parts(text) if kind == "console" and block]


def plain_lines(text):
    """The lines outside of blocks, numbered, without `code`."""
    return [(number, CODE.sub("", line)) for kind, lines in parts(text) if not kind for number, line in lines]


def anchors(text):
    """The parts that can be linked to: headings in lower case, with - for blanks and without other signs."""
    lines = [line for kind, block in parts(text) if not kind for _, line in block]
    headings = [match[1].lower() for line in lines if (match := HEADING.match(line))]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


def link_faults(root, path, text):
    """What is wrong with the links of the document at path."""
    for number, line in plain_lines(text):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, part = target.partition("#")
            goal = (path.parent / name).resolve() if name else path
            where = f"{path.relative_to(root).as_posix()}:{number}: {target}"
            if not goal.is_relative_to(root) or not goal.exists():
                yield f"{where}: there is no such file"
            elif part and goal.suffix == ".md" and part not in anchors(goal.read_text(encoding="utf-8")):
                yield f"{where}: there is no such heading"


def commands(text):
    """The commands of a document, in order."""
    for block in console_blocks(text):
        lines = iter(block)
        current = None
        for number, line in lines:
            if not line.startswith("$ "):
                if current is None:
                    raise ValueError(f"line {number}: output before the first command ($ …) of the block")
                current.expected = (current.expected or []) + [line]
                continue
            if current:
                yield current
            words = line[2:]
            while words.endswith("\\"):
                words += "\n" + next(lines, (0, ""))[1]
            status = EXIT.search(words)
            current = Command(number, words, None, int(status[1]) if status else 0)
        if current:
            yield current


def matches(expected, actual):
    """Whether the lines are the expected ones, where an expected line ... stands for any lines."""
    # reachable: how many actual lines the expected ones so far can account for.
    reachable = {0}
    for line in expected:
        if line == "...":
            reachable = set(range(min(reachable, default=len(actual) + 1), len(actual) + 1))
        else:
            reachable = {at + 1 for at in reachable if at < len(actual) and actual[at] == line}
    return len(actual) in reachable


def without_blank_end(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def make_copy(root, folder):
    """Copies the repository's files to folder, with the launchers as links to the real ones."""
    listing = subprocess.run(["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                             check=True, capture_output=True).stdout
    for name in {name.decode() for name in listing.split(b"\0") if name}:
        source, target = root / name, folder / name
        if not source.is_file():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if name in LAUNCHERS:
            target.symlink_to(source)
        else:
            shutil.copy(source, target)


def run(command, folder, seconds):
    """Runs one command; returns a description of what is wrong, or None."""
    environment = dict(os.environ, LC_ALL="C.UTF-8", TERM="dumb", COLUMNS="80", XDG_STATE_HOME=str(folder))
    try:
        done = subprocess.run(["bash", "-c", command.text], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return f"  still running after {seconds} s"
    actual = without_blank_end(done.stdout.decode("utf-8", errors="replace").splitlines())
    if done.returncode != command.status:
        said = "\n".join("  | " + line for line in actual[-20:])
        return f"  exit status {done.returncode}, expected {command.status}; it said:\n{said}"
    if command.expected is not None:
        expected = without_blank_end(command.expected)
        if not matches(expected, actual):
            diff = difflib.unified_diff(expected, actual, "in the document", "in fact", lineterm="")
            return "\n".join("  " + line for line in diff)
    return None


def check_document(root, path, seconds):
    """Follows a document's links and runs its commands; returns how many ran and the list of faults."""
    name = path.relative_to(root).as_posix()
    text = path.read_text(encoding="utf-8")
    faults = list(link_faults(root, path, text))
    try:
        found = list(commands(text))
    except ValueError as error:
        return 0, faults + [f"{name}: {error}"]
    if not found:
        return 0, faults
    with tempfile.TemporaryDirectory(prefix="paika-docs-") as folder:
        make_copy(root, pathlib.Path(folder))
        for command in found:
            fault = run(command, folder, seconds)
            if fault:
                faults.append(f"{name}:{command.line}: $ {command.text}\n{fault}")
    return len(found), faults


def main(arguments):
    parser = argparse.ArgumentParser(description="Run the commands that the documents print.")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="the repository (default: this one)")
    parser.add_argument("--seconds", type=float, default=60, help="the most one command may take")
    parser.add_argument("document", nargs="*", type=pathlib.Path, help="default: README.md and docs/**/*.md")
    options = parser.parse_args(arguments)
    root = options.root.resolve()
    if not (root / "build/release/bin/paika").exists():
        print("check_docs: the program is not built; ./paika setup builds it", file=sys.stderr)
        return 2
    # A build by hand leaves the launcher's stamp old: let it notice now, not in the middle of a document.
    subprocess.run([root / "paika", "--version"], capture_output=True, check=False)
    documents = [path.resolve() for path in options.document]
    if not documents:
        documents = [path for path in [root / "README.md", *sorted((root / "docs").rglob("*.md"))] if path.exists()]
    count, faults = 0, []
    for path in documents:
        ran, found = check_document(root, path, options.seconds)
        count += ran
        faults += found
    for fault in faults:
        print(fault)
    print(f"{count} commands in {len(documents)} documents, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
