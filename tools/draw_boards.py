#!/usr/bin/python3
"""Draws the picture of the README: one position of each game, from what `paika show --json` says.

usage: draw_boards.py PAIKA-PROGRAM > docs/pictures/games.svg
"""

import json
import subprocess
import sys

CELL = 30
WOOD, LINE, DARK, LIGHT = "#e8cfa4", "#8a6a3c", "#2b2b2b", "#fbf7ef"
def show(paika, spec, turns):
    """The grid of the position after `turns`, rows from the top."""
    words = [paika, "show", spec, "--json"]
    for turn in turns:
        words += ["--play", turn]
    return json.loads(subprocess.run(words, capture_output=True, check=True, text=True).stdout)["grid"]


def centre(col, row):
    return CELL * col + CELL / 2, CELL * row + CELL / 2


def disc(col, row, glyph):
    if glyph not in "bXwO":
        return ""
    x, y = centre(col, row)
    fill = DARK if glyph in "bX" else LIGHT
    return f'<circle cx="{x}" cy="{y}" r="{CELL * 0.38:.1f}" fill="{fill}" stroke="{DARK}"/>'


def lines_of_fanorona(cols, rows):
    """1.3: every point is joined along rows and columns, strong ones also diagonally."""
    parts = []
    strong = (cols // 2 + rows // 2) % 2
    for row in range(rows):
        for col in range(cols):
            ways = [(1, 0), (0, 1)] + ([(1, 1), (-1, 1)] if (col + row) % 2 == strong else [])
            for dc, dr in ways:
                if 0 <= col + dc < cols and row + dr < rows:
                    (x1, y1), (x2, y2) = centre(col, row), centre(col + dc, row + dr)
                    parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{LINE}"/>')
    return parts


def squares(cols, rows):
    return [f'<rect x="{CELL * c}" y="{CELL * r}" width="{CELL}" height="{CELL}" fill="none" stroke="{LINE}"/>'
            for r in range(rows) for c in range(cols)]


def letter(col, row, glyph):
    if glyph == ".":
        return ""
    x, y = centre(col, row)
    white = glyph.isupper()
    if glyph in "*#":
        return f'<text x="{x}" y="{y + 6}" fill="{LINE}">{glyph}</text>'
    return (f'<circle cx="{x}" cy="{y}" r="{CELL * 0.42:.1f}" fill="{LIGHT if white else DARK}" stroke="{DARK}"/>'
            f'<text x="{x}" y="{y + 6}" fill="{DARK if white else LIGHT}">{glyph.upper()}</text>')


# Title, spec, moves, what draws the board and what a square with a character of the grid.
POSITIONS = [
    ("Fanorona", "fanorona:9x5", ["d3e3A"], lines_of_fanorona, disc),
    ("Abalone", "abalone:5x5", ["a1b2", "e5d4", "c1c2"], squares, disc),
    ("Black &amp; White", "othello:8x8", ["e6", "f4", "e3", "d6"], squares, disc),
    ("Two-player Wildebeest", "wildebeest", ["b0c2", "b10c8"], squares, letter),
]


def board(grid, draw_lines, draw_piece):
    cols, rows = len(grid[0]), len(grid)
    parts = [f'<rect width="{CELL * cols}" height="{CELL * rows}" rx="4" fill="{WOOD}"/>']
    parts += draw_lines(cols, rows)
    parts += [draw_piece(col, row, glyph) for row, line in enumerate(grid) for col, glyph in enumerate(line)]
    return "\n".join(filter(None, parts))


def main():
    x, high, parts = 10, 0, []
    for title, spec, turns, draw_lines, draw_piece in POSITIONS:
        grid = show(sys.argv[1], spec, turns)
        parts.append(f'<g transform="translate({x}, 40)">\n{board(grid, draw_lines, draw_piece)}\n'
                     f'<text x="{CELL * len(grid[0]) / 2}" y="-12" class="title">{title}</text>\n</g>')
        x += CELL * len(grid[0]) + 20
        high = max(high, CELL * len(grid))
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {x - 10} {high + 50}" role="img" '
          'aria-label="The four games">\n<style>text { font: bold 17px sans-serif; text-anchor: middle } '
          '.title { fill: #7a7a7a }</style>\n' + "\n".join(parts) + "\n</svg>")


if __name__ == "__main__":
    main()
