"""A terminal in memory: what a person would see of the bytes a program writes, for tests of full-screen programs.

It is pyte's with what that lacks of TERM=xterm-256color, and fails on anything else, so that nothing is missed.
"""

import re

import pyte

# Ctrl-C and Ctrl-Z make the system throw away what was written and not yet read, also the rest of a sequence; the next
# one begins anew. A real terminal passes over such a piece, pyte would show it.
BROKEN = re.compile(r"\x1b(?:\[[?>=<]?[0-9;]*)?(?=\x1b)")
UNFINISHED = re.compile(r"\x1b(?:\[[?>=<]?[0-9;]*|\][^\x07\x1b]*|[()])?\Z")
OTHER_SCREEN = 1049
MOUSE = {1000, 1002, 1006}


class Stream(pyte.Stream):
    escape = {**pyte.Stream.escape, "=": "ignore", ">": "ignore"}
    csi = {**pyte.Stream.csi, "b": "repeat", "S": "scroll_up", "T": "scroll_down", "Z": "tab_back", "t": "ignore"}


class Terminal(pyte.Screen):
    def __init__(self, columns, lines):
        self.on_other_screen = False
        self.mouse = False
        self.colours_used = False
        self.strict = True  # not after Ctrl-C or Ctrl-Z
        self.last = " "
        self.pending = ""
        super().__init__(columns, lines)
        self.stream = Stream(self)

    def change_size(self, columns, lines):
        self.resize(lines, columns)
        self.reset()
        self.strict = True

    @property
    def cursor_shown(self):
        return not self.cursor.hidden

    def row(self, y):
        """The cells of a line; the right half of a wide character is empty."""
        return [self.buffer[y][x].data for x in range(self.columns)]

    def text(self):
        """The screen as lines without blanks at their ends."""
        return "\n".join(line.rstrip() for line in self.display).rstrip("\n") + "\n"

    def feed(self, text):
        text = self.pending + text
        self.pending = "".join(UNFINISHED.findall(text))
        self.stream.feed(BROKEN.sub("", text[:len(text) - len(self.pending)]))

    # ---- What the stream calls ----

    def set_mode(self, *modes, **kwargs):
        super().set_mode(*modes, **kwargs)
        self.note_modes(modes, True)

    def reset_mode(self, *modes, **kwargs):
        super().reset_mode(*modes, **kwargs)
        self.note_modes(modes, False)

    def note_modes(self, modes, on):
        if OTHER_SCREEN in modes:
            self.on_other_screen = on
            self.reset()
        if MOUSE.intersection(modes):
            self.mouse = on

    def select_graphic_rendition(self, *attrs):
        super().select_graphic_rendition(*attrs)
        if any(30 <= a <= 38 or 40 <= a <= 48 or 90 <= a <= 107 for a in attrs):
            self.colours_used = True

    def draw(self, data):
        super().draw(data)
        self.last = data[-1]

    def repeat(self, count=1):
        self.draw(self.last * max(count, 1))

    def scroll_up(self, count=1):
        self.shift_all(self.delete_lines, count)

    def scroll_down(self, count=1):
        self.shift_all(self.insert_lines, count)

    def shift_all(self, shift, count):
        x, y = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        shift(max(count, 1))
        self.cursor.x, self.cursor.y = x, y

    def tab_back(self, count=1):
        self.cursor.x = max(((self.cursor.x + 7) // 8 - max(count, 1)) * 8, 0)

    def ignore(self, *_, **__):
        pass

    def debug(self, *args, **kwargs):
        if self.strict:
            raise ValueError(f"unknown sequence with {args} {kwargs}")
