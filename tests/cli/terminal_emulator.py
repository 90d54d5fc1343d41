"""A terminal in memory: what a person would see of the bytes a program writes, for tests of full-screen programs.

It knows what ncurses writes for TERM=xterm-256color and fails on anything else, so that nothing is missed.
"""

import re
import unicodedata

SEQUENCE = re.compile(r"\x1b(?:\][^\x07\x1b]*\x07|\[([?>=<]?)([0-9;]*)([@-~])|([()])(.)|([78=>McDEHNOZ]))")
# Ctrl-C throws away what was written and not yet read, also the rest of a sequence; the next one begins anew.
BROKEN = re.compile(r"\x1b(?:\[[?>=<]?[0-9;]*)?(?=\x1b)")


class Terminal:
    def __init__(self, columns, lines):
        self.pending = ""
        self.on_other_screen = False
        self.mouse = False
        self.cursor_shown = True
        self.colours_used = False
        self.resize(columns, lines)

    def resize(self, columns, lines):
        self.columns, self.lines = columns, lines
        self.cells = [[" "] * columns for _ in range(lines)]
        self.x = self.y = 0
        self.top, self.bottom = 0, lines - 1
        self.last = " "
        # Ctrl-C and Ctrl-Z make the system throw away output in the middle of a sequence: what is left
        # of it means nothing, and a real terminal passes over it.
        self.strict = True

    def text(self):
        """The screen as lines without blanks at their ends."""
        return "\n".join("".join(row).rstrip() for row in self.cells).rstrip("\n") + "\n"

    def feed(self, text):
        text = self.pending + text
        self.pending = ""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = SEQUENCE.match(text, at)
                broken = BROKEN.match(text, at)
                if broken:
                    at = broken.end()
                    continue
                if not found:
                    if len(text) - at < 32:
                        self.pending = text[at:]
                        return
                    if self.strict:
                        raise ValueError(f"unknown sequence {text[at:at + 20]!r}")
                    at += 1
                    continue
                self.obey(found)
                at = found.end()
            else:
                self.write(text[at])
                at += 1

    def write(self, character):
        if character == "\r":
            self.x = 0
        elif character == "\n":
            self.line_feed()
        elif character == "\b":
            self.x = max(self.x - 1, 0)
        elif character == "\t":
            self.x = min((self.x // 8 + 1) * 8, self.columns - 1)
        elif character >= " ":
            width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if self.x + width > self.columns:
                self.x = 0
                self.line_feed()
            self.cells[self.y][self.x:self.x + width] = [character] + [""] * (width - 1)
            self.x += width
            self.last = character

    def line_feed(self):
        if self.y == self.bottom:
            self.scroll_up(1)
        else:
            self.y = min(self.y + 1, self.lines - 1)

    def scroll_up(self, count):
        for _ in range(count):
            del self.cells[self.top]
            self.cells.insert(self.bottom, [" "] * self.columns)

    def scroll_down(self, count):
        for _ in range(count):
            del self.cells[self.bottom]
            self.cells.insert(self.top, [" "] * self.columns)

    def obey(self, found):
        private, numbers, final, _, _, single = found.groups()
        if single == "M":  # reverse line feed
            if self.y == self.top:
                self.scroll_down(1)
            else:
                self.y -= 1
        if final is None:
            return
        values = [int(n) if n else 0 for n in numbers.split(";")]
        if private:
            self.set_mode(values, final)
        else:
            self.control(final, values)

    def set_mode(self, values, final):
        on = final == "h"
        for value in values:
            if value == 1049:
                self.on_other_screen = on
                self.resize(self.columns, self.lines)
            elif value in (1000, 1002, 1006):
                self.mouse = on
            elif value == 25:
                self.cursor_shown = on

    def control(self, final, values):
        count = max(values[0], 1)
        row = self.cells[self.y]
        if final in "Hf":
            self.y = min(count, self.lines) - 1
            self.x = min(max(values[1] if len(values) > 1 else 1, 1), self.columns) - 1
        elif final == "G":
            self.x = min(count, self.columns) - 1
        elif final == "d":
            self.y = min(count, self.lines) - 1
        elif final == "A":
            self.y = max(self.y - count, 0)
        elif final == "B":
            self.y = min(self.y + count, self.lines - 1)
        elif final == "C":
            self.x = min(self.x + count, self.columns - 1)
        elif final == "D":
            self.x = max(self.x - count, 0)
        elif final == "X":
            for x in range(self.x, min(self.x + count, self.columns)):
                row[x] = " "
        elif final == "@":
            row[self.x:self.x] = [" "] * count
            del row[self.columns:]
        elif final == "P":
            del row[self.x:self.x + count]
            row.extend([" "] * (self.columns - len(row)))
        elif final == "b":
            for _ in range(count):
                self.write(self.last)
        elif final == "K":
            self.erase_line(values[0])
        elif final == "J":
            self.erase_screen(values[0])
        elif final == "r":
            self.top = count - 1
            self.bottom = (values[1] if len(values) > 1 and values[1] else self.lines) - 1
            self.x = self.y = 0
        elif final in "LM":
            self.shift_lines(final, count)
        elif final == "S":
            self.scroll_up(count)
        elif final == "T":
            self.scroll_down(count)
        elif final == "I":
            self.x = min((self.x // 8 + count) * 8, self.columns - 1)
        elif final == "Z":
            self.x = max(((self.x + 7) // 8 - count) * 8, 0)
        elif final == "m":
            if any(30 <= v <= 38 or 40 <= v <= 48 or 90 <= v <= 107 for v in values):
                self.colours_used = True
        elif final not in "lht" and self.strict:
            raise ValueError(f"unknown control {final!r} {values}")

    def shift_lines(self, final, count):
        kept, self.top = self.top, self.y
        (self.scroll_down if final == "L" else self.scroll_up)(count)
        self.top = kept

    def erase_line(self, what):
        begin, end = [(self.x, self.columns), (0, self.x + 1), (0, self.columns)][what]
        for x in range(begin, min(end, self.columns)):
            self.cells[self.y][x] = " "

    def erase_screen(self, what):
        self.erase_line(what)
        rows = {0: range(self.y + 1, self.lines), 1: range(0, self.y), 2: range(self.lines)}[what]
        for y in rows:
            self.cells[y] = [" "] * self.columns
