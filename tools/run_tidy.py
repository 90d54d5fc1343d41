#!/usr/bin/python3
"""Runs clang's warnings and clang-tidy over the sources of a build folder; exit status 1 if any has findings.

clang-tidy takes seconds a file, so a file that passed is not looked at again until something changes:
the key is a hash of the preprocessed text (with comments, because of NOLINT), the compiler's command,
.clang-tidy and clang-tidy's version; a file of that name in BUILD/tidy means "passed".
If parts of paths are given, only sources with one of them in their path are looked at. With --quick only what was
changed last, by the history of the repository, is looked at: a changed source itself, a changed header through the
smallest source that includes it. WARNED sources are read by the compiler, the first TIDIED of these by clang-tidy too,
however much has changed, so that the check always takes about as long. If the environment's PAIKA_CHECK_SINCE names a
commit (a branch, a tag, the start of what was pushed), all that changed since then is read and tidied. The static analyzer,
which takes three quarters of the time, reads what ships (src) and only without --quick. A header
that no source includes is a finding. Nothing is built, and sources that the build generates are passed over, except
groups (PAIKA_UNITY): a group is looked at as a whole, which reads each header once per group instead of once per source.
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
ANALYZED = f"{ROOT}/src/"
WITHOUT_ANALYZER = ("--checks=-clang-analyzer-*",)
OF_GROUPS = ("--checks=-bugprone-suspicious-include",)
# The analyzer looks into the sources that a source includes only if its name says so, as in WebKit's builds.
GROUP_NAME = "UnifiedSource"
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


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
        command, folder = [TIDY, "--quiet", *tidy, "-p", str(build / "tidy"), entry["file"]], ROOT
    done = subprocess.run(command, cwd=folder, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode == 0:
        passed.touch()
        return ""
    return (done.stdout or done.stderr).decode(errors="replace")


class Includes:
    """Which headers of the project a file includes, directly or through others. Read from the text: conditions around
    an include are not evaluated, which at worst names a header too many."""

    def __init__(self, root):
        self._root = pathlib.Path(root)
        self._direct, self._all = {}, {}

    def direct(self, file):
        if file not in self._direct:
            text = pathlib.Path(file).read_text(encoding="utf-8", errors="replace")
            folders = (pathlib.Path(file).parent, self._root / "src", self._root)
            paths = ([folder / name for folder in folders] for name in INCLUDE.findall(text))
            self._direct[file] = [os.path.normpath(path) for path in
                                  (next(filter(pathlib.Path.is_file, choice), None) for choice in paths) if path]
        return self._direct[file]

    def all(self, file):
        if file not in self._all:
            found, open_files = set(), [file]
            while open_files:
                new = [header for header in self.direct(open_files.pop()) if header not in found]
                found.update(new)
                open_files += new
            self._all[file] = found
        return self._all[file]


def lines_of(command, root):
    """The lines that a command of git prints; None if it fails, as without a history."""
    done = subprocess.run(command, cwd=root, check=False, capture_output=True, text=True)
    return done.stdout.splitlines() if done.returncode == 0 else None


def changed_last(root):
    """The C++ files of the project, those changed last first; and how many of them, from the first on, must not be passed
    over. None without a history."""
    status = lines_of(["git", "status", "--porcelain", "--no-renames", "-uall"], root)
    log = ["git", "log", "--name-only", "--format="]
    history = lines_of(log, root)
    if status is None or history is None:
        return None
    since = os.environ.get("PAIKA_CHECK_SINCE")
    latest = lines_of([*log, f"{since}..HEAD"], root) if since else []
    if latest is None:
        sys.exit(f"PAIKA_CHECK_SINCE: {since} is no commit of this repository")

    def files(names):
        paths = (os.path.join(root, name) for name in dict.fromkeys(names) if name.endswith((".cpp", ".hpp")))
        return [path for path in paths if os.path.isfile(path)]

    uncommitted = [line[3:] for line in status]
    return files(uncommitted + history), len(files(uncommitted + latest)) if since else 0


def sources_for(changed, sources, includes):
    """The sources through which the changed files are seen, in their order; and the changed headers that none includes."""
    chosen, covered, orphans = {}, set(), []
    for file in changed:
        if file in sources:
            best = file
        elif file in covered or not file.endswith(".hpp"):
            continue
        else:
            best = min((source for source in sources if file in includes.all(source)),
                       key=lambda source: (len(includes.all(source)), source), default=None)
        if best is None:
            orphans.append(file)
        elif best not in chosen:
            chosen[best] = True
            covered |= includes.all(best)
    return list(chosen), orphans


def quick_choice(everything, chosen, parts, root):
    """The entries that the quick check looks at, the sources among them that are tidied, and its findings by itself. A
    header that no chosen source includes is seen through any other, as through a test."""
    found = changed_last(root)
    if found is None:
        return chosen, set(chosen), []

    def asked_for(files):
        return [file for file in files if not parts or any(part in file for part in parts)]

    changed, latest = asked_for(found[0]), asked_for(found[0][:found[1]])
    includes = Includes(root)
    recent, orphans = sources_for(changed, chosen, includes)
    must = len(sources_for(latest, chosen, includes)[0])
    others, orphans = sources_for(orphans, everything, includes)
    # Another build than this one may compile the source that includes it, as that of the engine for browsers does.
    _, orphans = sources_for(orphans, [file for file in changed if file.endswith(".cpp")], includes)
    recent, must, chosen = others + recent, len(others) + must, everything
    findings = [f"{os.path.relpath(header, root)}: no source includes this header" for header in orphans]
    return {file: chosen[file] for file in recent[:max(WARNED, must)]}, set(recent[:max(TIDIED, must)]), findings


def options_for(file, quick):
    """clang-tidy's options for a source."""
    analyzed = not quick and (file.startswith(ANALYZED) or f"/{GROUP_NAME}-src-" in file)
    return (*(() if analyzed else WITHOUT_ANALYZER), *(OF_GROUPS if GROUP_NAME in file else ()))


def grouped(build, entry):
    """The entry of a group with a copy of its source, named so that the analyzer looks into the group; None for any
    other source that the build generates."""
    file = pathlib.Path(entry["file"])
    if file.parent.name != "Unity":
        return None
    folder, *_, target = file.relative_to(build).parent.parent.parts  # src/CMakeFiles/TARGET.dir
    copy = build / "tidy" / "-".join((GROUP_NAME, folder, target.removesuffix(".dir"), f"{file.stem}.cpp"))
    copy.write_bytes(file.read_bytes())
    return entry | {"file": str(copy), "command": entry["command"].replace(entry["file"], str(copy))}


def read_entries(build):
    """What the build compiles, each source once, by its file; clang-tidy is given them in BUILD/tidy."""
    (build / "tidy").mkdir(exist_ok=True)
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    generated = [entry for entry in entries if build in pathlib.Path(entry["file"]).parents]
    entries = [entry for entry in entries if entry not in generated]
    entries += filter(None, (grouped(build, entry) for entry in generated))
    (build / "tidy/compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    return {entry["file"]: entry for entry in entries}


def main(arguments):
    quick = arguments[:1] == ["--quick"]
    if quick:
        arguments = arguments[1:]
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    build, parts = pathlib.Path(arguments[0]).resolve(), arguments[1:]
    everything = read_entries(build)
    chosen = {file: entry for file, entry in everything.items() if not parts or any(part in file for part in parts)}
    tidied, orphans = set(chosen), []
    if quick:
        chosen, tidied, orphans = quick_choice(everything, chosen, parts, str(ROOT))
    common = (ROOT / ".clang-tidy").read_bytes() + output_of([TIDY, "--version"], ROOT)
    findings, seen = len(orphans), set()
    for orphan in orphans:
        print(orphan)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def look_at(entry):
            file = entry["file"]
            return look(build, entry, common, options_for(file, quick) if file in tidied else None)

        for text in pool.map(look_at, chosen.values()):
            findings += bool(text)
            for finding in re.split(r"^(?=/\S+:\d+:\d+: (?:error|warning): )", text, flags=re.MULTILINE):
                if finding.strip() and finding not in seen:  # many sources share the finding in one header
                    print(finding.removeprefix(f"{ROOT}/").rstrip(), flush=True)
                seen.add(finding)
    print(f"clang: {len(chosen)} sources, {len(tidied)} of them tidied, {findings} with findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
