"""The computer player."""

from . import _core


def _setting(value):
    """A value as the engine's settings write it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _time(value):
    """A length of time as the engine reads it; numbers are seconds."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{round(value * 1000)}ms"
    return str(value)


class Engine(_core._Engine):
    """A computer player for one game. It keeps its hash table from one search to the next.

    Keywords are the engine's settings: level (1 to 10), threads, hash (megabytes), multipv, seed, and the switches of
    its parts (docs/protocol.md). An engine serves one thread at a time; searching releases the interpreter's lock.

    >>> engine = Engine("othello:6x6", hash=1)
    >>> engine.best(engine.game.start(), depth=4).move in engine.game.start().legal_moves()
    True
    """

    def __init__(self, game, *, tables=None, **settings):
        if isinstance(game, str):
            game = _core.game(game)
        text = ",".join(f"{key}={_setting(value)}" for key, value in settings.items())
        super().__init__(game, text, "" if tables is None else str(tables))

    def best(self, position, *, time=None, depth=None, nodes=None, clock=None, on_progress=None):
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
