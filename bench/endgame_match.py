"""What tables of endgames are worth to the engine: a match of the engine with them against the same engine without,
from positions of a few stones more than the tables have.

usage: python3 bench/endgame_match.py PAIKA TABLES STONES [--spec SPEC] [--games N] [--more N] [--seed N]
                                      [--jobs N] [--sprt ELO0,ELO1] [--settings SETTINGS]
PAIKA is the program, TABLES the folder with the table of positions with at most STONES stones. Prints the match's
report. Then every move that the engine with tables made from a position that they hold is looked up: one that gives
away a win or a draw is printed, and the exit status is 1.
"""

import argparse
import concurrent.futures
import pathlib
import random
import re
import subprocess
import sys
import tempfile


def starts(columns, rows, stones, count, seed):
    """Positions by chance in which both sides have as many stones, or nearly."""
    chance = random.Random(seed)
    found = []
    while len(found) < count:
        points = ["."] * (columns * rows)
        for number, point in enumerate(chance.sample(range(len(points)), stones)):
            points[point] = "wb"[number % 2]
        lines = ("".join(points[row * columns : (row + 1) * columns]) for row in range(rows))
        found.append("/".join(lines) + " w 0")
    return found


def stones_in(position):
    return sum(letter in "wbWBx" for letter in position.split()[0])


class Checker:
    def __init__(self, program, spec, tables, stones):
        self.program, self.spec, self.tables, self.stones = program, spec, tables, stones

    def moves(self, position, values):
        """{move: (position after it, value or None)}"""
        command = [self.program, "moves", self.spec, "--position", position]
        if values:
            command += ["--values", "--tables", self.tables]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        rows = (line.split("\t") for line in done.stdout.splitlines())
        return {row[0]: (row[1], row[2].split()[0] if len(row) > 2 else None) for row in rows}

    def check(self, record):
        """The moves of a game that were looked up, and descriptions of those that gave something away."""
        words = dict(line.split(" ", 1) for line in record.splitlines() if " " in line and not line.startswith("move "))
        position = words["start"]
        with_tables = ["endings=off" not in words[side] for side in ("first", "second")]
        looked_up, wrong = 0, []
        for number, move in enumerate(re.findall(r"^move (\S+)", record, re.MULTILINE)):
            held = stones_in(position) <= self.stones and with_tables[number % 2]
            moves = self.moves(position, held)
            after, value = moves[move]
            if held and value is not None:
                looked_up += 1
                best = max((other for _, other in moves.values()), key=("loss", "draw", "win").index)
                if value != best:
                    wrong.append(f"{position}: {move} is a {value} where there is a {best}")
            position = after
        return looked_up, wrong


def read(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("tables")
    parser.add_argument("stones", type=int)
    parser.add_argument("--spec", default="fanorona:9x5,classic")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--more", type=int, default=2, help="stones more than in the table at the start")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sprt")
    parser.add_argument("--settings", default="nodes=20000,hash=16")
    return parser.parse_args(arguments)


def main(arguments):
    asked = read(arguments)
    columns, rows = map(int, re.search(r"(\d+)x(\d+)", asked.spec).groups())
    with tempfile.TemporaryDirectory() as folder:
        openings, games = pathlib.Path(folder, "openings"), pathlib.Path(folder, "games")
        count = (asked.games + 1) // 2
        openings.write_text("\n".join(starts(columns, rows, asked.stones + asked.more, count, asked.seed)) + "\n")
        command = [asked.program, "match", asked.spec, "engine", "engine:endings=off", "--tables", asked.tables]
        command += ["--each", asked.settings, "--games", str(asked.games), "--openings", str(openings)]
        command += ["--concurrency", str(asked.jobs), "--record", str(games)]
        subprocess.run(command + (["--sprt", asked.sprt] if asked.sprt else []), check=True)
        records = [record for record in games.read_text().split("paika-record 1\n") if record.strip()]
    checker = Checker(asked.program, asked.spec, asked.tables, asked.stones)
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        checked = list(pool.map(checker.check, records))
    wrong = [text for _, texts in checked for text in texts]
    print("\n".join(wrong + [f"{sum(n for n, _ in checked)} moves looked up, {len(wrong)} gave something away"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
