#!/usr/bin/env python3
"""Tests of the course's assignments (docs/course): for students with any seed, for the teacher with a secret one.

usage: check.py ASSIGNMENT --program COMMAND [--seed N] [--size SMALL|FULL] [--paika PROGRAM]

It prints one line per test and the points. The same seed gives the same tests. Exit status: 0 full points, 1 not.
"""

import argparse
import json
import random
import subprocess
import sys
import time

FULL = {"boards": 40, "positions": 12, "endings": 6, "games": 10, "clock": "10s+0.1s", "solve": ((6, 6), (8, 6), (10, 4))}
SMALL = {"boards": 8, "positions": 3, "endings": 1, "games": 2, "clock": "2s+0.05s", "solve": ((5, 2), (7, 1))}


class Paika:
    """The referee: rules by its engine protocol, exact values by its solver."""

    def __init__(self, program):
        self.program = program
        self.engine = None

    def run(self, *args):
        return subprocess.run([self.program, *args], capture_output=True, text=True, check=False)

    def ask(self, query):
        self.engine.stdin.write(query + "\n")
        self.engine.stdin.flush()
        return self.engine.stdout.readline().partition(" ")[2].strip()

    def game(self, spec):
        self.close()
        self.engine = subprocess.Popen([self.program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.engine.stdin.write(f"setoption name Game value {spec}\n")

    def close(self):
        if self.engine:
            self.engine.stdin.close()
            self.engine.wait()
            self.engine = None

    def moves(self, position):
        self.engine.stdin.write(f"position fen {position}\n")
        return self.ask("query moves").split()

    def after(self, position, move):
        self.engine.stdin.write(f"position fen {position} moves {move}\n")
        return self.ask("query position")

    def exact(self, spec, position):
        """The value of each move with perfect play: by how many pawns the side to move wins."""
        told = json.loads(self.run("moves", spec, "--position", position, "--values", "--json").stdout)
        sign = {"win": 1, "draw": 0, "loss": -1}
        return {move["move"]: sign[move["value"]] * move.get("discs", 0) for move in told["moves"]}


def lead(position):
    """The pawns of the side to move less the other's."""
    cells, side = position.split()
    return cells.count(side) - cells.count("O" if side == "X" else "X")


class Program:
    """The student's program, which answers a line with a line."""

    def __init__(self, command):
        self.command = command

    def answer(self, line, seconds):
        start = time.monotonic()
        try:
            done = subprocess.run(self.command, shell=True, input=line + "\n", capture_output=True, text=True,
                                  timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return None, f"no answer within {seconds} s"
        words = done.stdout.split()
        if len(words) < 2:
            return None, f"it printed {done.stdout[:60]!r} instead of a value and a move (status {done.returncode})"
        return (words[0], words[1]), f"{time.monotonic() - start:.1f} s"


class Marks:
    def __init__(self):
        self.reached = 0.0
        self.possible = 0.0

    def add(self, title, points, share, remark=""):
        self.possible += points
        self.reached += points * share
        print(f"{title}: {points * share:.1f} of {points}{' (' + remark + ')' if remark else ''}", flush=True)


def empties(position):
    return position.count("-")


def walk(paika, chance, wanted):
    """A position of a game by chance for which `wanted` holds, where the side to move can place a pawn."""
    while True:
        paika.engine.stdin.write("position startpos\n")
        position = paika.ask("query position")
        while empties(position) > 0:
            moves = paika.moves(position)
            if not moves:
                break
            if wanted(position) and moves != ["pass"]:
                return position
            position = paika.after(position, chance.choice(moves))


def minimax(paika, position, depth):
    """The plain definition of the value: discs of the side to move less the other's, `depth` moves ahead."""
    moves = paika.moves(position) if depth > 0 else []
    if not moves:
        return lead(position)
    return max(-minimax(paika, paika.after(position, move), depth - 1) for move in moves)


def best_moves(paika, position, depth):
    values = {move: -minimax(paika, paika.after(position, move), depth - 1) for move in paika.moves(position)}
    top = max(values.values())
    return top, {move for move, value in values.items() if value == top}


def assignment_1(paika, program, args, size, marks):
    done = paika.run("grade", "othello", "--program", args.program, "--protocol", "stdout", "--random",
                     str(size["boards"]), "--seed", str(args.seed), "--json")
    if done.returncode == 2:
        sys.exit(done.stderr)
    told = json.loads(done.stdout)
    for rule in told["rules"]:
        marks.add(f"{rule['clause']} {rule['rule']}", 4, rule["right"] / rule["cases"], f"{rule['right']} of {rule['cases']}")
    totals = told["totals"]
    marks.add("whole boards", 4, totals["right"] / totals["boards"], f"{totals['right']} of {totals['boards']}")


def judged(answer, remark, value, moves):
    """Half for the value, half for the move."""
    if answer is None:
        return 0, remark
    right_value = answer[0] == str(value)
    right_move = answer[1] in moves
    wrong = [f"value {answer[0]}, not {value}"] * (not right_value) + [f"move {answer[1]} is not the best"] * (not right_move)
    return (right_value + right_move) / 2, "; ".join(wrong) or remark


def assignment_2(paika, program, args, size, marks):
    chance = random.Random(args.seed)
    paika.game("othello")
    for number in range(size["positions"]):
        depth = 1 + number % 3
        position = walk(paika, chance, lambda p: empties(p) <= chance.randrange(20, 56))
        value, moves = best_moves(paika, position, depth)
        share, remark = judged(*program.answer(f"{position} {depth}", 10), value, moves)
        marks.add(f"depth {depth}: {position}", 1, share, remark)
    endings(paika, program, args, marks, chance, ((8, size["endings"]),), "search to the end", True)


def endings(paika, program, args, marks, chance, plan, title, with_depth):
    paika.game("othello:6x6")
    for count, positions in plan:
        for _ in range(positions):
            position = walk(paika, chance, lambda p, count=count: empties(p) == count)
            values = paika.exact("othello:6x6", position)
            value = max(values.values())
            moves = {move for move in values if values[move] == value}
            line = f"{position} {2 * count + 2}" if with_depth else position
            share, remark = judged(*program.answer(line, 30), value, moves)
            marks.add(f"{title}, {count} empty: {position}", 1 if count < 10 else 2, share, remark)


def assignment_3(paika, program, args, size, marks):
    checked = paika.run("bot", "check", args.program, "--game", "othello:6x6")
    marks.add("paika bot check", 5, 1 if checked.returncode == 0 else 0)
    if checked.returncode != 0:
        print(checked.stdout[-2000:])
        return
    for opponent, points in (("engine:plan=1/2000/500/1000,hash=1", 5), ("engine:level=1,hash=1", 5),
                             ("engine:level=3,hash=1", 5)):
        done = paika.run("match", "othello:6x6", f"bot:{args.program}", opponent, "--each", f"clock={size['clock']}",
                         "--games", str(size["games"]), "--seed", str(args.seed), "--json")
        if done.returncode != 0:
            sys.exit(done.stderr)
        told = json.loads(done.stdout)
        lost = {how: count for how, count in told["a"]["failures"].items() if count}
        marks.add(f"against {opponent}", points, min(1, told["score"] / 0.75),
                  f"{100 * told['score']:.0f} %, failures {lost or 'none'}")


def assignment_4(paika, program, args, size, marks):
    endings(paika, program, args, marks, random.Random(args.seed), size["solve"], "perfect play", False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("assignment", type=int, choices=(1, 2, 3, 4))
    parser.add_argument("--program", required=True, help="the program, as a command for the shell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", choices=("small", "full"), default="full")
    parser.add_argument("--paika", default="./paika")
    args = parser.parse_args()
    paika, marks = Paika(args.paika), Marks()
    work = {1: assignment_1, 2: assignment_2, 3: assignment_3, 4: assignment_4}[args.assignment]
    work(paika, Program(args.program), args, SMALL if args.size == "small" else FULL, marks)
    paika.close()
    print(f"points: {marks.reached:.1f} of {marks.possible:g}")
    return 0 if marks.reached == marks.possible else 1


if __name__ == "__main__":
    sys.exit(main())
