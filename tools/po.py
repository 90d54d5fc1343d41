"""Reads and writes GNU gettext .po files: as much of the format as this project uses.

One entry per message, without contexts and plurals; each text is written on one line. `msgfmt -c` accepts the files,
and so do the editors of translators. See docs/adding-a-language.md.
"""

import dataclasses
import re

HOLE = re.compile(r"\{(\d*)\}")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"\s*$')
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


@dataclasses.dataclass
class Entry:
    """A message. The entry with an empty msgid is the header of the file."""
    msgid: str = ""
    msgstr: str = ""
    comments: list = dataclasses.field(default_factory=list)  # by translators, without "# "
    references: list = dataclasses.field(default_factory=list)  # source files
    flags: set = dataclasses.field(default_factory=set)
    line: int = 0


def parse(text):
    """The entries of a file, and what is wrong with its form as (line, what)."""
    entries, faults, entry, field = [], [], Entry(), None
    for number, line in enumerate(text.split("\n"), 1):
        if field == "msgstr" and not line.startswith('"'):
            entries.append(entry)
            entry, field = Entry(), None
        keyword, _, rest = line.partition(" ")
        if line.startswith("#~"):
            faults.append((number, "an obsolete entry: delete it"))
        elif keyword == "#:":
            entry.references += rest.split()
        elif keyword == "#,":
            entry.flags |= {flag.strip() for flag in rest.split(",")}
        elif line.startswith("#"):
            entry.comments.append(line[1:].removeprefix(" "))
        elif keyword in ("msgid", "msgstr") or line.startswith('"'):
            quoted = QUOTED.fullmatch(line if line.startswith('"') else rest)
            field = field if line.startswith('"') else keyword
            if not quoted or field is None:
                faults.append((number, 'a text stands in "quotes" after msgid or msgstr'))
                continue
            entry.line = entry.line or number
            value = re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), quoted[1])
            setattr(entry, field, getattr(entry, field) + value)
        elif line.strip():
            faults.append((number, f"{keyword} is not used in this project"))
    if entry.line:
        faults.append((entry.line, f'"{entry.msgid}" has no msgstr'))
    return entries, faults


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def lines(entry):
    """An entry as it is written, with an empty line before it."""
    yield ""
    yield from (f"# {comment}".rstrip() for comment in entry.comments)
    yield from (f"#: {reference}" for reference in entry.references)
    if entry.flags:
        yield "#, " + ", ".join(sorted(entry.flags))
    for field in ("msgid", "msgstr"):
        value = getattr(entry, field)
        rows = value.splitlines(keepends=True) if "\n" in value else [value]
        yield f"{field} " + ('""' if len(rows) > 1 else quote(rows[0]))
        if len(rows) > 1:
            yield from (quote(row) for row in rows)


def write(entries):
    return "\n".join(line for entry in entries for line in lines(entry)).removeprefix("\n") + "\n"


def holes(text):
    """The parts that the holes of a text mean, counted from 0 and sorted; None if a brace is no hole."""
    if set(HOLE.sub("", text)) & set("{}"):
        return None
    return sorted(int(number) if number else place for place, number in enumerate(HOLE.findall(text)))
