#!/usr/bin/env python3
"""A greedy bot: of all moves it plays one that leaves it the most material, and looks no further.

It plays every game. For what a move does it asks `paika engine` (the program is the first argument, or PAIKA, or
./paika), so it is a yardstick rather than a starter: the engine's first level should lose to it.
"""

import os
import random
import subprocess
import sys

SEED = 1  # the same seed, the same choices among equal moves
MAX_MOVES = 300  # of positions with more, so many are looked at
# What the pieces of Wildebeest are worth, about: pawns, officers, and the king that must not be lost.
WILDEBEEST = {"p": 1, "j": 2, "b": 2, "n": 3, "g": 3, "z": 3, "o": 2, "c": 3, "s": 8, "r": 5, "x": 5, "k": 1000}
chance = random.Random(SEED)


class Rules:
    """What positions follow from a position, as the engine's program says."""

    def __init__(self, program):
        self.program = subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, line):
        self.program.stdin.write(line + "\n")

    def ask(self, query):
        self.tell(query)
        self.program.stdin.flush()
        return self.program.stdout.readline().partition(" ")[2].strip()


def material(position):
    """The pieces of the player who moves first, less the other's; of a position's text, whatever the game."""
    if position.startswith("("):  # Abalone: (b bbbb- b---w …)
        board = position[2:]
        return board.count("b") - board.count("w")
    words = position.split()
    if len(words) == 2:  # Othello: the squares in a row, and who is to move
        return words[0].count("X") - words[0].count("O")
    if words[0] in ("W", "B"):  # Wildebeest: White is upper case
        worth = [(1 if letter.isupper() else -1) * WILDEBEEST.get(letter.lower(), 3)
                 for letter in words[1] if letter.isalpha()]
        return sum(worth)
    return words[0].count("w") - words[0].count("b")  # Fanorona: White moves first


def choose(rules, position, moves):
    """One of the moves with the most material after them."""
    rules.tell("position " + position)
    sign = 1 if rules.ask("query p1turn") == "true" else -1
    joined = position if " moves " in position else position + " moves"
    best, found = None, []
    for move in chance.sample(moves, min(len(moves), MAX_MOVES)):
        rules.tell(f"position {joined} {move}")
        gain = sign * material(rules.ask("query position"))
        result = rules.ask("query result")
        if result in ("p1win", "p2win"):
            gain = 10_000 if (result == "p1win") == (sign > 0) else -10_000
        if best is None or gain > best:
            best, found = gain, []
        if gain == best:
            found.append(move)
    return chance.choice(found)


def say(line):
    print(line, flush=True)


def legal_moves():
    say("query moves")
    return [move for move in sys.stdin.readline().split()[1:] if move != "..."]


def main():
    rules = Rules(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PAIKA", "./paika"))
    position = "startpos"
    for line in sys.stdin:
        command, _, words = line.strip().partition(" ")
        if command == "ugi":
            say("id name Greedy")
            say("ugiok")
        elif command == "isready":
            say("readyok")
        elif command == "setoption":
            rules.tell(line.strip())
        elif command == "position":
            position = words
        elif command == "go":
            say("bestmove " + choose(rules, position, legal_moves()))
        elif command == "quit":
            break


if __name__ == "__main__":
    main()
