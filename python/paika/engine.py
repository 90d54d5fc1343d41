"""The computer player."""

from __future__ import annotations

import os
from typing import Callable

from . import _core


def _setting(value: object) -> str:
    """A value as the engine's settings write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _time(value: float | str) -> str:
    """A length of time as the engine reads it; numbers are seconds."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{round(value * 1000)}ms"
    return str(value)


class Engine(_core._Engine):
    """A computer player for one game. It keeps its hash table from one search to the next.

    Keywords are the engine's settings: level (1 to 14), threads, hash (megabytes), multipv, seed, and the switches of
    its parts (docs/protocol.md). An engine serves one thread at a time; searching releases the interpreter's lock.

    >>> engine = Engine("othello:6x6", hash=1)
    >>> engine.best(engine.game.start(), depth=4).move in engine.game.start().legal_moves()
    True
    """

    def __init__(self, game: str | _core.Game, *, tables: str | os.PathLike[str] | None = None, **settings: object) -> None:
        text = ",".join(f"{key}={_setting(value)}" for key, value in settings.items())
        super().__init__(game, text, tables)
        self._settings = "".join(f", {key}={value!r}" for key, value in settings.items())

    def __repr__(self) -> str:
        return f"paika.Engine({self.game.spec!r}{self._settings})"

    def best(self, position: _core.Position, *, time: float | str | None = None, depth: int | None = None,
             nodes: int | None = None, clock: float | str | None = None,
             on_progress: Callable[[_core.SearchInfo], object] | None = None) -> _core.SearchResult:
        """The best move that a search finds within its limits; 100 ms if there are none.

        time is in seconds, or a text such as "250ms"; clock is what is left for the whole game, "60s+1s". on_progress
        is called with a SearchInfo whenever a depth was completed; if it returns something true, the search stops.
        """
        limits = []
        if time is not None:
            limits.append(f"time={_time(time)}")
        if clock is not None:
            limits.append(f"clock={_time(clock)}")
        if depth is not None:
            limits.append(f"depth={depth}")
        if nodes is not None:
            limits.append(f"nodes={nodes}")
        if on_progress is not None and not callable(on_progress):
            raise TypeError("on_progress must be a function")
        return self._best(position, ",".join(limits), on_progress)
