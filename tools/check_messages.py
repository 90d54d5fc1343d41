#!/usr/bin/python3
"""Checks that the translations in po/ have exactly the phrases of the source.

Why: a phrase that no file has is said in English in the middle of another language, and nobody notices.
Collects the literals of every phrase("…") and translatable("…") in src, and of t('…'), msg('…') and phrase('…')
in web/src. po/paika.pot and each po/LANGUAGE.po must have all of them once and nothing else, each translation with the
same holes, none of them fuzzy; msgfmt -c must accept the files, where it is installed. See docs/adding-a-language.md.
Usage: tools/check_messages.py [ROOT]. Prints one line per fault as FILE:LINE: what; exit status 1 if there is any.
"""

import pathlib
import re
import shutil
import subprocess
import sys

import po

SOURCE_SUFFIXES = {".hpp", ".cpp"}
DEFINITIONS = "src/base/phrase.hpp"  # where the two functions are made; its calls have no literals
CALL = re.compile(r"(?<![\w.])(?<!->)(?:phrase|translatable)\s*(?:<\d+>\s*)?\(\s*")
# What may not be looked into for calls: comments, and literals, which may hold a // or a call themselves.
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|(?<!\w)'(?:[^'\\\n]|\\.)+'""", re.DOTALL)
STRING = re.compile(r'\s*"((?:[^"\\\n]|\\.)*)"')
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPED = {'"': '"', "\\": "\\", "'": "'"}
WEB_SUFFIXES = {".ts", ".svelte"}
# In the page other arguments than literals are allowed: texts that the server has sent.
WEB_CALL = re.compile(r"""(?<![\w.$])(?:t|msg|phrase)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")""")


def without_comments(text):
    """The text with comments blanked out, every other character in its place."""
    def kept(match):
        token = match.group(0)
        return token if not token.startswith("/") else re.sub(r"[^\n]", " ", token)
    return TOKEN.sub(kept, text)


def literal_spans(text):
    """Where string and character literals stand, so that nothing inside them is taken for a call."""
    return [match.span() for match in TOKEN.finditer(text)]


def joined_literal(text, start):
    """The value of the adjacent string literals at START, or None if there is none; a fault as ValueError."""
    value = None
    while match := STRING.match(text, start):
        for escape in ESCAPE.finditer(match.group(1)):
            if escape.group(1) not in ESCAPED:
                raise ValueError(f"the escape \\{escape.group(1)} in a phrase: a phrase is one line of plain text")
        value = (value or "") + ESCAPE.sub(lambda escape: ESCAPED[escape.group(1)], match.group(1))
        start = match.end()
    return value


def source_faults(value):
    """What is wrong with a phrase of the source."""
    if value is None:
        yield "a phrase must have its literal right in the call, so that it can be collected"
        return
    if value != value.strip() or not value:
        yield "a phrase neither begins nor ends with a blank, and is not empty"


def collect(root):
    """The phrases of the source as {pattern: ["FILE:LINE" of each use]}, and the faults found on the way."""
    patterns = {}
    faults = []
    for path in sorted((root / "src").rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix not in SOURCE_SUFFIXES or not path.is_file() or name == DEFINITIONS:
            continue
        text = without_comments(path.read_text(encoding="utf-8"))
        spans = literal_spans(text)
        for call in CALL.finditer(text):
            if any(begin < call.start() < end for begin, end in spans):
                continue
            place = f"{name}:{text.count(chr(10), 0, call.start()) + 1}"
            try:
                value = joined_literal(text, call.end())
                found = list(source_faults(value))
            except ValueError as error:
                found = [str(error)]
            faults += [f"{place}: {fault}" for fault in found]
            if not found:
                patterns.setdefault(value, []).append(place)
    faults += collect_web(root, patterns)
    return patterns, faults


def collect_web(root, patterns):
    """Adds the texts of the page to the patterns; returns the faults found on the way."""
    faults = []
    for path in sorted((root / "web/src").rglob("*")):
        if path.suffix not in WEB_SUFFIXES or not path.is_file():
            continue
        name = path.relative_to(root).as_posix()
        text = path.read_text(encoding="utf-8")
        for call in WEB_CALL.finditer(text):
            value = ESCAPE.sub(r"\1", call.group(1) if call.group(1) is not None else call.group(2))
            if not value or value == "{}":
                continue  # nothing to translate
            place = f"{name}:{text.count(chr(10), 0, call.start()) + 1}"
            faults += [f"{place}: {fault}" for fault in source_faults(value)]
            patterns.setdefault(value, []).append(place)
    return faults


def entry_fault(entry, patterns, seen, is_template):
    """What is wrong with an entry, or None."""
    if entry.msgid not in patterns:
        return f"\"{entry.msgid}\" is in no phrase of the source: it is dead, or was worded anew"
    if entry.msgid in seen:
        return f"\"{entry.msgid}\" is there twice"
    if is_template:
        return None
    if "fuzzy" in entry.flags:
        return f"\"{entry.msgid}\" is fuzzy: look at its translation, then delete the flag"
    if not entry.msgstr:
        return f"\"{entry.msgid}\" is not translated yet ({patterns[entry.msgid][0]})"
    if po.holes(entry.msgstr) != po.holes(entry.msgid):
        return f"\"{entry.msgid}\" has {len(po.holes(entry.msgid))} holes, and its translation must fill each of them once"
    return None


def file_faults(path, name, patterns):
    if not path.is_file():
        yield f"{name}:1: missing; tools/update_po.py writes it"
        return
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        yield f"{name}:1: not UTF-8: {error}"
        return
    entries, found = po.parse(text)
    if not entries or entries[0].msgid:
        found.append((1, "a .po file begins with its header, the entry of the empty msgid"))
    seen = set()
    for entry in entries:
        fault = entry_fault(entry, patterns, seen, path.suffix == ".pot") if entry.msgid else None
        seen.add(entry.msgid)
        if fault:
            found.append((entry.line, fault))
    last = text.count("\n") + 1
    found += [(last, f"\"{pattern}\" of {places[0]} is missing; tools/update_po.py adds it")
              for pattern, places in patterns.items() if pattern not in seen]
    yield from (f"{name}:{line}: {what}" for line, what in sorted(found))
    yield from msgfmt_faults(path)


def msgfmt_faults(path):
    """What gettext itself says about a file; nothing where it is not installed."""
    if shutil.which("msgfmt"):
        checked = subprocess.run(["msgfmt", "--check", "--output-file=/dev/null", path.name], cwd=path.parent,
                                 capture_output=True, text=True)
        if checked.returncode:
            yield from checked.stderr.strip().split("\n")


def files(root):
    """The template and the translations."""
    return [root / "po/paika.pot", *sorted((root / "po").glob("*.po"))]


def faults(root):
    """All faults of the tree at root."""
    patterns, found = collect(root)
    yield from found
    for path in files(root):
        yield from file_faults(path, path.relative_to(root).as_posix(), patterns)


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    found = list(faults(root))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
