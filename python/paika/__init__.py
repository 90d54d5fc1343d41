"""Fanorona, Abalone, Othello and Wildebeest: rules, engine, perfect play, and environments for learning.

>>> import paika
>>> position = paika.game("othello:6x6").start()
>>> position.legal_moves()
['c2', 'b3', 'e4', 'd5']
>>> position.play("c2").player
'White'

Positions are values: play() returns a new one. docs/python.md is the manual.
"""

from ._core import (Effect, Game, IllegalMove, Line, Outcome, Position, Record, SearchInfo, SearchResult, Table, Value,
                    __version__, game, games, parse_records, perft)
from .engine import Engine
from .environments import BatchEnv, Env

__all__ = ["BatchEnv", "Effect", "Engine", "Env", "Game", "IllegalMove", "Line", "Outcome", "Position", "Record",
           "SearchInfo", "SearchResult", "Table", "Value", "__version__", "game", "games", "parse_records", "perft"]
