"""Environments for programs that learn: BatchEnv for many games at once, Env for one.

Actions and observations are listed game by game in docs/python.md.
"""

from __future__ import annotations

import operator
import os
import random
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core

if TYPE_CHECKING:  # numpy 1.20 has no NDArray
    import numpy.typing as npt

    Whole = npt.NDArray[np.int64]
    # observations, rewards, terminated, truncated, masks
    Stepped = tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_],
                    npt.NDArray[np.bool_]]


def _whole(name: str, numbers: npt.ArrayLike) -> Whole:
    """Numbers as the engine reads them: whole, of 64 bits, one after the other."""
    numbers = np.asarray(numbers)
    if numbers.dtype.kind not in "iu" and numbers.size > 0:
        raise TypeError(f"{name} are whole numbers, not {numbers.dtype}")
    return np.ascontiguousarray(numbers.ravel(), np.int64)


def _number(name: str, value: Any) -> int:
    """A whole number; TypeError with its name if it is none."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None


def _seed(value: Any) -> int:
    """A seed of 64 bits."""
    number = _number("seed", value)
    if 0 <= number < 2**64:
        return number
    raise ValueError(f"seed must be from 0 to 2**64 - 1, not {number}")


class BatchEnv(_core._BatchEnv):
    """n games of one spec, stepped together on threads.

    The arrays are views of the engine's memory with one row per game: they are the same objects for the life of the
    environment and show each step without copying.

        observations  (n, planes, rows, cols) uint8, as the player to act sees it
        masks         (n, actions) bool, the actions that are allowed
        rewards       (n, 2) float32, what the last step brought the first and the second player: 1, -1 or 0
        terminated    (n,) bool, the last step ended the game by its rules
        truncated     (n,) bool, the last step was the max_moves-th move
        players       (n,) uint8, who acts next: 0 or 1
        moves         (n,) int32, moves played so far

    With autoreset a game that ends begins anew in the same step: rewards, terminated and truncated are those of the
    step, everything else is of the new game. Without it, the actions of ended games are ignored until reset().

    >>> env = BatchEnv("othello:6x6", 3)
    >>> env.observations.shape, env.masks.shape
    ((3, 2, 6, 6), (3, 37))
    >>> observations, rewards, terminated, truncated, masks = env.step(env.sample())
    >>> int(env.moves.sum())
    3
    """

    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.bool_]
    rewards: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    players: npt.NDArray[np.uint8]
    moves: npt.NDArray[np.int32]
    num_envs: int
    num_actions: int

    def __init__(self, spec: str | _core.Game, n: int = 1, *, threads: int | None = None, seed: int = 0,
                 max_moves: int = 0, autoreset: bool = True) -> None:
        n, seed = _number("n", n), _seed(seed)
        if threads is None:
            threads = max(1, min(os.cpu_count() or 1, n // 256))
        super().__init__(spec, n, threads, seed, max_moves, bool(autoreset))
        self._seeds = random.Random(seed)
        (self.observations, self.masks, self.rewards, self.terminated, self.truncated, self.players,
         self.moves) = map(np.asarray, self._views())
        self.num_envs = n
        self.num_actions = self.masks.shape[1]
        self._arrays = (self.observations, self.rewards, self.terminated, self.truncated, self.masks)

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
        """Begins all games anew; returns observations and masks. Without a seed the random numbers of sample() go on."""
        if seed is None:
            self._reset(self._seeds.getrandbits(64))
        else:
            self._reset(_seed(seed))
            self._seeds = random.Random(seed)
        return self._arrays[0], self._arrays[4]

    def step(self, actions: npt.ArrayLike) -> Stepped:
        """One action for each game; returns (observations, rewards, terminated, truncated, masks).

        ValueError names the first action that is not allowed; then nothing has changed.
        """
        self._step(_whole("actions", actions))
        return self._arrays

    def branch(self, sources: npt.ArrayLike, actions: npt.ArrayLike, targets: npt.ArrayLike) -> Stepped:
        """Game targets[i] becomes what game sources[i] is after actions[i]; all other games stay as they are.

        A tree search keeps the positions of its nodes so, one in each game of an environment without autoreset; returns
        what step() returns. The targets are different games, none of them the source of another. ValueError names what is
        wrong; then nothing has changed.

        >>> env = BatchEnv("othello:6x6", 3, autoreset=False)
        >>> actions = np.flatnonzero(env.masks[0])[:2]
        >>> _ = env.branch([0, 0], actions, [1, 2])
        >>> env.moves.tolist()
        [0, 1, 1]
        """
        self._branch(_whole("sources", sources), _whole("actions", actions), _whole("targets", targets))
        return self._arrays

    def sample(self) -> Whole:
        """An allowed action for every game, each as likely; -1 for games that ended."""
        actions = np.empty(self.num_envs, np.int64)
        self._sample(actions)
        return actions

    def __repr__(self) -> str:
        return f"paika.BatchEnv({self.game.spec!r}, {self.num_envs})"


class Env:
    """One game, with the names of PettingZoo's AEC environments; adapters.py makes real ones.

    >>> env = Env("othello:6x6")
    >>> env.agent_selection
    'player_0'
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> env.step(int(np.flatnonzero(observation["action_mask"])[0]))
    >>> env.agent_selection
    'player_1'
    """

    possible_agents = ("player_0", "player_1")

    game: _core.Game
    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    def __init__(self, spec: str | _core.Game, *, max_moves: int = 0, seed: int = 0) -> None:
        self._batch = BatchEnv(spec, 1, threads=1, seed=seed, max_moves=max_moves, autoreset=False)
        self.game = self._batch.game
        self._begin(None)

    def reset(self, seed: int | None = None, position: _core.Position | None = None) -> None:
        """Begins anew, at a position if one is given; the seed is that of sample(), which goes on without one."""
        self._batch.reset(seed)
        self._begin(position)

    def _begin(self, position: _core.Position | None) -> None:
        self._position = self.game.start() if position is None else position
        if position is not None:
            self._batch.start_from(0, position)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.possible_agents, 0.0)
        self._update()

    def _update(self) -> None:
        batch = self._batch
        for index, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(batch.rewards[0, index])
        self.terminations = dict.fromkeys(self.possible_agents, bool(batch.terminated[0]))
        self.truncations = dict.fromkeys(self.possible_agents, bool(batch.truncated[0]))
        self.infos = {agent: {} for agent in self.possible_agents}
        self.agent_selection = self.possible_agents[batch.players[0]]

    @property
    def is_over(self) -> bool:
        return bool(self._batch.terminated[0] or self._batch.truncated[0])

    @property
    def position(self) -> _core.Position:
        """The position where the present move began, with the moves that led to it."""
        return self._position

    @property
    def mask(self) -> npt.NDArray[np.bool_]:
        """The allowed actions as an array of bool."""
        mask: npt.NDArray[np.bool_] = self._batch.masks[0].copy()
        return mask

    @property
    def num_actions(self) -> int:
        return self._batch.num_actions

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """What an agent sees: planes, and the actions that are allowed (none unless it acts next)."""
        if not isinstance(agent, str) or agent not in self.possible_agents:
            raise ValueError(f"there is no agent {agent!r}; they are player_0 and player_1")
        mask = self.mask
        if agent != self.agent_selection:
            mask[:] = False
        return {"observation": self._batch.observations[0].copy(), "action_mask": mask}

    def last(self) -> tuple[dict[str, npt.NDArray[Any]], float, bool, bool, dict[str, Any]]:
        """(observation, reward, terminated, truncated, info) of the agent that acts next."""
        agent = self.agent_selection
        return (self.observe(agent), self.rewards[agent], self.terminations[agent], self.truncations[agent],
                self.infos[agent])

    def step(self, action: int) -> None:
        """Does one action of the agent that acts next. ValueError if it is not allowed, or the game is over."""
        if self.is_over:
            raise ValueError("the game is over: call reset()")
        steps = self._batch.begun(0) + self._batch.steps(0, int(action))
        played = self._batch.moves[0]
        self._batch.step([int(action)])
        if self._batch.moves[0] != played:
            self._position = self._position.play(steps)
        self._update()

    def sample(self) -> int:
        """An allowed action, each as likely."""
        return int(self._batch.sample()[0])

    def encode(self, move: _core.Move) -> list[int]:
        """The actions that make a legal move of position."""
        return self._batch.encode(0, move)

    def render(self) -> str:
        """The board as text."""
        return str(self._position)

    def __repr__(self) -> str:
        return f"paika.Env({self.game.spec!r})"
