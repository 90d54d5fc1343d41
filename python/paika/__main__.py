"""python -m paika: the games at a glance, a position, its moves, the engine's choice.

    python -m paika                         the games
    python -m paika SPEC [MOVE ...]         the position after the moves, and the legal moves
    python -m paika SPEC [MOVE ...] --best  the engine's choice there
"""

from __future__ import annotations

import argparse
import sys

import paika


def _print_games() -> None:
    for name in paika.games():
        game = paika.game(name)
        print(f"{game.spec:16} {game.title}")


def _print_position(position: paika.Position, best: bool, time: str) -> None:
    print(position, end="")
    if position.is_over:
        print(position.outcome.text)
        return
    print(f"{position.player} to move: {' '.join(position.legal_moves(200))}")
    if best:
        found = paika.Engine(position.game).best(position, time=time)
        print(f"best: {found.move} ({found.score_text}, depth {found.depth})")


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status: 0, or 2 for bad input."""
    parser = argparse.ArgumentParser(prog="python -m paika", description=__doc__.splitlines()[0],
                                     epilog="Without arguments it lists the games.")
    parser.add_argument("spec", nargs="?", help="a game, such as othello or fanorona:5x5")
    parser.add_argument("moves", nargs="*", metavar="MOVE", help="moves to play from the start")
    parser.add_argument("--best", action="store_true", help="search for the best move")
    parser.add_argument("--time", default="1s", help="how long to search, such as 500ms (default: 1s)")
    parser.add_argument("--version", action="version", version=f"paika {paika.__version__}")
    options = parser.parse_args(arguments)
    try:
        if options.spec is None:
            _print_games()
            return 0
        position = paika.game(options.spec).start()
        for move in options.moves:
            position = position.play(move)
        _print_position(position, options.best, options.time)
    except ValueError as error:
        print(f"paika: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
