#!/usr/bin/python3
"""Brings po/paika.pot and every po/LANGUAGE.po up to date with the source.

New phrases are added with an empty translation, dead ones are deleted, translations and translators' comments are kept.
Entries are sorted by the file that uses them first. A new language is an empty file po/LANGUAGE.po.
Usage: tools/update_po.py [ROOT]. See docs/adding-a-language.md.
"""

import pathlib
import sys

import check_messages
import po

HEADER = """Project-Id-Version: paika
PO-Revision-Date: 2026-11-17 00:00+0000
Last-Translator: the authors of Paika
Language-Team: none
Language: {}
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit
"""


def template(patterns):
    """The entries of the source, without translations."""
    for pattern, places in patterns.items():
        files = dict.fromkeys(place.rsplit(":", 1)[0] for place in places)
        yield po.Entry(pattern, references=list(files), flags={"python-brace-format"} if po.holes(pattern) else set())


def updated(text, patterns, language):
    """The text of a .po file with exactly the phrases of the source."""
    old = {entry.msgid: entry for entry in po.parse(text)[0]}
    entries = [old.get("", po.Entry(msgstr=HEADER.format(language)))]
    for entry in template(patterns):
        if known := old.get(entry.msgid):
            entry.msgstr = known.msgstr
            entry.comments = known.comments
            entry.flags |= known.flags & {"fuzzy"}
        entries.append(entry)
    return po.write(entries)


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parent.parent
    patterns, faults = check_messages.collect(root)
    for fault in faults:
        print(fault)
    for path in check_messages.files(root):
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        path.write_text(updated(text, patterns, "" if path.suffix == ".pot" else path.stem), encoding="utf-8")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
