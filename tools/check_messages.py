#!/usr/bin/python3
"""Checks that every message file has exactly the phrases of the source, in the form that the program reads.

Why: a phrase that no file has is said in English in the middle of another language, and nobody notices.
Collects the literals of every phrase("…") and translatable("…") in src, and of t('…'), msg('…') and phrase('…')
in web/src; each file of data/messages must have all of them once, with as many holes, and nothing else. See docs/adding-a-language.md.
Usage: tools/check_messages.py [--add] [ROOT]. Prints one line a fault as FILE:LINE: what; exit status 1 if any.
With --add the phrases that a file lacks are first written at its end, with "= ?" to be filled in.
"""

import dataclasses
import pathlib
import re
import sys

SOURCE_SUFFIXES = {".hpp", ".cpp"}
LANGUAGES = "src/base/catalogue.cpp"  # lists the languages that the programs know
DEFINITIONS = "src/base/phrase.hpp"  # where the two functions are made; its calls have no literals
CALL = re.compile(r"(?<![\w.])(?<!->)(?:phrase|translatable)\s*(?:<\d+>\s*)?\(\s*")
# What may not be looked into for calls: comments, and literals, which may hold a // or a call themselves.
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|(?<!\w)'(?:[^'\\\n]|\\.)+'""", re.DOTALL)
STRING = re.compile(r'\s*"((?:[^"\\\n]|\\.)*)"')
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPED = {'"': '"', "\\": "\\", "'": "'"}
HOLE = re.compile(r"\{([1-9]?)\}")
UNFINISHED = "?"
WEB_SUFFIXES = {".ts", ".svelte"}
# In the page other arguments than literals are allowed: texts that the server has sent.
WEB_CALL = re.compile(r"""(?<![\w.$])(?:t|msg|phrase)\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)")""")


@dataclasses.dataclass
class Entry:
    """A pair of lines of a message file."""
    english: str
    translation: str
    line: int


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
    """What a message file could not hold about a phrase."""
    if value is None:
        yield "a phrase must have its literal right in the call, so that it can be collected"
        return
    if value != value.strip() or not value:
        yield "a phrase neither begins nor ends with a blank, and is not empty"
    if value.startswith(("#", "=")):
        yield "a phrase must not begin with # or =, which mean something in message files"


def collect(root):
    """The phrases of the source as {pattern: "FILE:LINE" of its first use}, and the faults found on the way."""
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
                patterns.setdefault(value, place)
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
            patterns.setdefault(value, place)
    return faults


def read_entries(text):
    """The entries of a message file, and its faults of form as (line, what)."""
    entries = []
    faults = []
    english = None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith("= "):
            if english:
                faults.append((english.line, f"\"{english.english}\" has no translation: a line that begins with \"= \""))
            english = Entry(line.strip(), "", number)
        elif english is None:
            faults.append((number, "a translation without its English line above it"))
        else:
            entries.append(Entry(english.english, line[2:].strip(), english.line))
            english = None
    if english:
        faults.append((english.line, f"\"{english.english}\" has no translation: a line that begins with \"= \""))
    return entries, faults


def holes(pattern):
    """The parts that the holes of a pattern mean, counted from 1; None if a brace is no hole."""
    if set(HOLE.sub("", pattern)) & set("{}"):
        return None
    return sorted(int(number) if number else place for place, number in enumerate(HOLE.findall(pattern), 1))


def entry_fault(entry, patterns, seen):
    """What is wrong with an entry, or None."""
    if entry.english not in patterns:
        return f"\"{entry.english}\" is in no phrase of the source: it is dead, or was worded anew"
    if entry.english in seen:
        return f"\"{entry.english}\" is translated twice"
    if entry.translation in ("", UNFINISHED):
        return f"\"{entry.english}\" is not translated yet ({patterns[entry.english]})"
    wanted = holes(entry.english)
    if holes(entry.translation) != wanted:
        return f"\"{entry.english}\" has {len(wanted)} holes, and its translation must fill each of them once"
    return None


def file_faults(name, text, patterns):
    entries, form_faults = read_entries(text)
    found = list(form_faults)
    seen = set()
    for entry in entries:
        fault = entry_fault(entry, patterns, seen)
        seen.add(entry.english)
        if fault:
            found.append((entry.line, fault))
    last = text.count("\n") + 1
    for pattern, place in patterns.items():
        if pattern not in seen:
            found.append((last, f"\"{pattern}\" of {place} is missing"))
    for line, what in sorted(found):
        yield f"{name}:{line}: {what}"


def message_files(root):
    return sorted((root / "data/messages").glob("*.messages"))


def is_known(root, language):
    source = root / LANGUAGES
    return not source.is_file() or f'"{language}"' in source.read_text(encoding="utf-8")


def faults(root):
    """All faults of the tree at root."""
    patterns, found = collect(root)
    yield from found
    for path in message_files(root):
        name = path.relative_to(root).as_posix()
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            yield f"{name}:1: not UTF-8: {error}"
            continue
        if not is_known(root, path.stem):
            yield f"{name}:1: languages() in {LANGUAGES} does not list \"{path.stem}\", so nobody can choose it"
        yield from file_faults(name, text, patterns)


def add_missing(root):
    """Writes the phrases that a file lacks at its end, by the files they come from, to be translated."""
    patterns, _ = collect(root)
    for path in message_files(root):
        text = path.read_text(encoding="utf-8")
        present = {entry.english for entry in read_entries(text)[0]}
        source = None
        for pattern, place in patterns.items():
            if pattern in present:
                continue
            if place.rsplit(":", 1)[0] != source:
                source = place.rsplit(":", 1)[0]
                text += f"\n# ---- {source}\n"
            text += f"\n{pattern}\n= {UNFINISHED}\n"
        path.write_text(text, encoding="utf-8")


def main(arguments):
    adding = "--add" in arguments
    places = [argument for argument in arguments if argument != "--add"]
    root = pathlib.Path(places[0]) if places else pathlib.Path(__file__).resolve().parent.parent
    if adding:
        add_missing(root)
    found = list(faults(root))
    for fault in found:
        print(fault)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
