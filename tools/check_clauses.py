#!/usr/bin/python3
"""Checks that every clause a game cites is a clause of its rules.

Refusals, effects and endings cite docs/rules/GAME.md by number. A citation is a string in src/games/GAME
that is a number ("2.4", or "2" for a whole section), the words "rules 2.4" in a string, or the name of a
test in tests/games/GAME (clause_2_4_…). A clause begins a line as **2.4, a section as ## 2. A translation
(docs/rules/LANG/GAME.md) has the same sections and clauses in the same order, and the same blocks of code.
Usage: tools/check_clauses.py [ROOT]. Prints one line a fault as FILE:LINE: what; exit status 1 if any.
"""

import pathlib
import re
import sys

CLAUSE = re.compile(r"^(?:\*\*(\d+\.\d+)\b|## (\d+)\b)", re.MULTILINE)
FENCE = re.compile(r"^```", re.MULTILINE)
CITED_IN_SOURCE = re.compile(r'"(\d{1,2}(?:\.\d+)?)"|"[^"]*\brules (\d+\.\d+)[^"]*"')
CITED_IN_TEST = re.compile(r"\bclauses?_(\d+)(?:_(\d+))?(?![0-9x])")


def citations(root, game):
    """The citations of a game as (file, line number, clause)."""
    for folder, pattern in [("src/games", CITED_IN_SOURCE), ("tests/games", CITED_IN_TEST)]:
        for path in sorted((root / folder / game).glob("*.[ch]pp")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for match in pattern.finditer(line):
                    found = [group for group in match.groups() if group]
                    yield path.relative_to(root).as_posix(), number, ".".join(found)


def numbers(text):
    """The numbers of sections and clauses in the order of a document."""
    return [found for match in CLAUSE.findall(text) for found in match if found]


def translation_faults(root):
    for path in sorted((root / "docs/rules").glob("*/*.md")):
        name = path.relative_to(root).as_posix()
        original = root / "docs/rules" / path.name
        if not original.is_file():
            yield f"{name}: there is no docs/rules/{path.name} that it could translate"
            continue
        text, translated = original.read_text(encoding="utf-8"), path.read_text(encoding="utf-8")
        own, wanted = numbers(translated), numbers(text)
        if own != wanted:
            at = next((i for i, pair in enumerate(zip(own, wanted)) if pair[0] != pair[1]), min(len(own), len(wanted)))
            found = own[at] if at < len(own) else "the end"
            yield f"{name}: {found} stands where docs/rules/{path.name} has {(wanted + ['the end'])[at]}"
        if len(FENCE.findall(translated)) != len(FENCE.findall(text)):
            yield f"{name}: it has other blocks of code than docs/rules/{path.name}"


def faults(root):
    yield from translation_faults(root)
    for folder in sorted((root / "src/games").iterdir()):
        game = folder.name
        rules = root / f"docs/rules/{game}.md"
        if not rules.is_file():
            yield f"src/games/{game}: there is no docs/rules/{game}.md"
            continue
        clauses = {found for match in CLAUSE.findall(rules.read_text(encoding="utf-8")) for found in match if found}
        cited = list(citations(root, game))
        if not any(name.startswith("src/") for name, _, _ in cited):
            yield f"src/games/{game}: it cites no clause at all"
        for name, number, clause in cited:
            if clause not in clauses:
                yield f"{name}:{number}: docs/rules/{game}.md has no clause {clause}"


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    found = list(faults(root))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
