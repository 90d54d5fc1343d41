"""Assignment 1: prints every position that can follow the one on standard input."""

import sys


def successors(squares, side):
    """Put your work here: the positions after each move, as pairs of squares and side to move."""
    return []


def main():
    squares, side = sys.stdin.readline().split()
    for after, next_side in successors(squares, side):
        print(after, next_side)


if __name__ == "__main__":
    main()
