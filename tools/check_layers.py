#!/usr/bin/python3
"""Checks that every #include and every CMake link points down the list of layers.

Why: the layers are what keeps a game free of search, input and JSON; a compiler accepts any include.
Usage: tools/check_layers.py [ROOT]. Prints one line a fault as FILE:LINE: what, why; exit status 1 if any.
"""

import pathlib
import re
import sys

LAYERS = ["base", "board", "rules", "games", "search", "solve", "engine", "instances", "play", "study", "capi", "sandbox", "protocols", "grading", "database", "tournament", "server", "apps"]

# Layers that work for every game and therefore may name none, although games lie below them. Programs choose their
# games when they are linked.
GAME_BLIND = {"search", "solve", "engine", "play", "study", "capi", "sandbox", "protocols", "grading", "database", "tournament", "server"}

# The lowest layers compute and do nothing else: no input or output, no threads, no JSON.
PURE_LAYERS = {"base", "board", "rules", "games"}
IMPURE_HEADER = re.compile(
    r"iostream|istream|ostream|fstream|cstdio|stdio\.h|filesystem|print|syncstream|unistd\.h"
    r"|thread|mutex|shared_mutex|condition_variable|future|stop_token|semaphore|barrier|latch"
    r"|nlohmann/.*"
)
IMPURE_ALLOWED = {
    ("src/base/check.cpp", "cstdio"),  # a failed check says so before it ends the program
    ("src/base/descriptor.cpp", "unistd.h"),  # closes what layers that do input and output have opened
}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SOURCE_FOLDERS = ["src", "tests", "bench"]
SOURCE_SUFFIXES = {".hpp", ".cpp", ".h", ".inc"}


def layer_of(path):
    """The layer and, for a game, its name, of a path relative to src; (None, None) if it has none."""
    parts = path.split("/")
    if len(parts) < 2 or parts[0] not in LAYERS:
        return None, None
    if parts[0] == "games":
        return ("games", parts[1]) if len(parts) > 2 else (None, None)
    if parts[0] == "instances" and len(parts) > 2:
        return "instances", parts[1]
    return parts[0], None


def src_fault(source, target):
    """Why the file src/SOURCE may not include src/TARGET, or None if it may."""
    from_layer, from_game = layer_of(source)
    to_layer, to_game = layer_of(target)
    if to_layer is None:
        return f"src/{target} is in no layer; the layers are {' < '.join(LAYERS)}"
    if LAYERS.index(to_layer) > LAYERS.index(from_layer):
        return f"{from_layer} lies below {to_layer} and must not include it"
    if from_layer == to_layer == "games" and from_game != to_game:
        return f"the game {from_game} must not include the game {to_game}; share through rules or below"
    if from_layer == "instances" and from_game and to_game and from_game != to_game:
        return f"the module of {from_game} must not include what is {to_game}'s"
    if from_layer in GAME_BLIND and to_layer in ("games", "instances"):
        return f"{from_layer} works for every game and must not include one; src/instances brings them together"
    return None


def quoted_fault(root, source, name):
    """Why the file SOURCE (relative to root) may not #include "NAME", or None if it may."""
    in_src = (root / "src" / name).is_file()
    if not source.startswith("src/") and (root / source).parent.joinpath(name).is_file():
        name = pathlib.PurePosixPath(source).parent.joinpath(name).as_posix()  # a test's helper beside it
    in_root = (root / name).is_file()
    if not in_src and not in_root:
        return "no such file; includes are written from src, and in tests also from the root or the file's own folder"
    if source.startswith("src/"):
        if not in_src:
            return "src must not include anything outside src"
        return src_fault(source.removeprefix("src/"), name)
    if source.startswith("tests/reference/") and not name.startswith("tests/reference/"):
        return "the reference implementations must stay independent: they include only tests/reference"
    return None


def system_fault(source, name):
    """Why the file SOURCE may not #include <NAME>, or None if it may."""
    layer, _ = layer_of(source.removeprefix("src/")) if source.startswith("src/") else (None, None)
    if layer in PURE_LAYERS and IMPURE_HEADER.fullmatch(name) and (source, name) not in IMPURE_ALLOWED:
        return f"{layer} has no input, output, threads or JSON"
    return None


def file_faults(root, source):
    if source.startswith("src/") and layer_of(source.removeprefix("src/"))[0] is None:
        yield f"{source}:1: in no layer; the layers are {' < '.join(LAYERS)}, and a game has its own folder"
        return
    text = (root / source).read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quoted, system = match.groups()
        # JSON in quotes is JSON all the same.
        fault = system_fault(source, quoted or system)
        if not fault and quoted:
            fault = quoted_fault(root, source, quoted)
        if fault:
            yield f"{source}:{number}: includes {quoted or system}: {fault}"


def link_faults(root):
    """Faults in the paika_layer(NAME FOLDER DEPS…) calls of src/CMakeLists.txt."""
    listing = root / "src/CMakeLists.txt"
    if not listing.is_file():
        return
    text = re.sub(r"#[^\n]*", "", listing.read_text(encoding="utf-8"))
    calls = [call.split() for call in re.findall(r"paika_layer\(([^)]*)\)", text)]
    games = sorted(path.name for path in (root / "src/games").glob("*") if path.is_dir())
    folders = {}
    for name, folder, *_ in calls:
        for game in games if "${game}" in name else [""]:
            folders[name.replace("${game}", game)] = folder.replace("${game}", game)
    for name, folder, *links in calls:
        game = games[0] if games else ""
        source = folder.replace("${game}", game) + "/"
        for link in links:
            target = folders.get(link.replace("${game}", game))
            if target is None:
                if link.startswith("paika_"):
                    yield f"src/CMakeLists.txt:1: {name} links {link}, which no paika_layer makes"
                continue
            fault = src_fault(source, target + "/")
            if fault:
                yield f"src/CMakeLists.txt:1: {name} links {link}: {fault}"


def faults(root):
    """All faults of the tree at root, in the order of its files."""
    for folder in SOURCE_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCE_SUFFIXES and path.is_file():
                yield from file_faults(root, path.relative_to(root).as_posix())
    yield from link_faults(root)


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    found = list(faults(root))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
