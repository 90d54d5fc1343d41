#!/usr/bin/env python3
"""A first bot in Python: plays every game by asking the referee for the legal turns. docs/write-a-bot.md explains it."""

import random
import sys

SEED = 1  # the same seed, the same games; None: every game is another one
chance = random.Random(SEED)


def say(line):
    print(line, flush=True)  # without the flush the line would wait in a buffer, and the referee with it


def legal_turns():
    """Asks the referee; the answer is one line: response MOVE MOVE ..."""
    say("query moves")
    words = sys.stdin.readline().split()
    return [turn for turn in words[1:] if turn != "..."]  # very long lists end in ...


def choose(position, turns, limits):
    """Put your thinking here. position: the words after `position`; limits: the words after `go`."""
    return chance.choice(turns)


def main():
    position = "startpos"
    for line in sys.stdin:  # ends when the referee closes our input: then so do we
        command, _, words = line.strip().partition(" ")
        if command == "ugi":
            say("id name Starter in Python")
            say("ugiok")
        elif command == "isready":
            say("readyok")
        elif command == "setoption":  # setoption name Game value SPEC: which game it will be
            pass
        elif command == "position":  # the whole game so far: startpos moves MOVE MOVE ...
            position = words
        elif command == "go":
            say("bestmove " + choose(position, legal_turns(), words))
        elif command == "quit":
            break


if __name__ == "__main__":
    main()
