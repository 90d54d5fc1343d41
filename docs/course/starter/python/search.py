"""Assignment 2: for each line with a position and a depth, prints its value and a best move."""

import sys


def best(squares, side, depth):
    """Put your work here: the value for the side to move, `depth` moves ahead, and a move ("pass" if it must)."""
    return 0, "pass"


def main():
    for line in sys.stdin:
        squares, side, depth = line.split()
        value, move = best(squares, side, int(depth))
        print(value, move, flush=True)


if __name__ == "__main__":
    main()
