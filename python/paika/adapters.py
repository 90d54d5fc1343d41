"""The environments under the names of other libraries, each imported only when asked for.

    pettingzoo_env(spec)            an AECEnv of PettingZoo
    gymnasium_env(spec)             an Env of Gymnasium: the learner against a policy of yours
    gymnasium_vector_env(spec, n)   a VectorEnv of Gymnasium: n games of that kind, stepped together
    State(spec)                     the names of OpenSpiel's State, without OpenSpiel
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core
from .environments import BatchEnv, Env, _whole

# How often a game may end before the learner has acted, as 23 of the 30 first moves of Wildebeest do, until an error says so.
_MAX_BEGINNINGS = 200


def _never_acts() -> ValueError:
    return ValueError(f"a game ended {_MAX_BEGINNINGS} times in a row before the learner acted")


def _box_and_actions(spaces: Any, env: Env) -> tuple[Any, Any]:
    """The spaces of an environment, made by gymnasium.spaces."""
    shape = env._batch.observations.shape[1:]
    observation = spaces.Dict({
        "observation": spaces.Box(0, 1, shape=shape, dtype=np.uint8),
        "action_mask": spaces.Box(0, 1, shape=(env.num_actions,), dtype=np.int8)})
    return observation, spaces.Discrete(env.num_actions)


def _observed(env: Env, agent: str) -> dict[str, Any]:
    seen = env.observe(agent)
    seen["action_mask"] = seen["action_mask"].astype(np.int8)
    return seen


def pettingzoo_env(spec: str | _core.Game, **settings: Any) -> Any:
    """A PettingZoo AECEnv of the game. ImportError if PettingZoo is not installed."""
    from gymnasium import spaces
    from pettingzoo import AECEnv

    game = _core.game(spec)

    class PaikaAEC(AECEnv):
        metadata = {"name": f"paika_{game.spec}", "render_modes": ["ansi"], "is_parallelizable": False}
        render_mode = "ansi"

        def __init__(self):
            super().__init__()
            self._env = Env(game, **settings)
            self.possible_agents = list(Env.possible_agents)
            observation, action = _box_and_actions(spaces, self._env)
            self.observation_spaces = dict.fromkeys(self.possible_agents, observation)
            self.action_spaces = dict.fromkeys(self.possible_agents, action)

        def observation_space(self, agent):
            return self.observation_spaces[agent]

        def action_space(self, agent):
            return self.action_spaces[agent]

        def reset(self, seed=None, options=None):
            self._env.reset(seed)
            self.agents = list(self.possible_agents)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0)
            self._copy()

        def _copy(self):
            for name in ["rewards", "terminations", "truncations", "infos"]:
                setattr(self, name, dict(getattr(self._env, name)))
            self.agent_selection = self._env.agent_selection

        def observe(self, agent):
            return _observed(self._env, agent)

        def step(self, action):
            if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
                self._was_dead_step(action)
                return
            self._cumulative_rewards[self.agent_selection] = 0
            self._env.step(action)
            self._copy()
            self._accumulate_rewards()

        def render(self):
            return self._env.render()

    return PaikaAEC()


def gymnasium_env(spec: str | _core.Game, opponent: Callable[[Env], int] | None = None, player: int = 0,
                  **settings: Any) -> Any:
    """A Gymnasium Env: step() plays the learner's action and then the opponent's until the learner acts again.

    opponent(env) returns an action of a paika.Env; None plays at random. reset() goes on to the first game in which the
    learner acts; ValueError if there is none. ImportError if Gymnasium is not installed.
    """
    import gymnasium
    from gymnasium import spaces

    class PaikaEnv(gymnasium.Env):
        metadata = {"render_modes": ["ansi"]}
        render_mode = "ansi"

        def __init__(self):
            self._env = Env(spec, **settings)
            self._agent = Env.possible_agents[player]
            self._opponent = opponent or (lambda env: env.sample())
            self.observation_space, self.action_space = _box_and_actions(spaces, self._env)

        def _answer(self):
            while not self._env.is_over and self._env.agent_selection != self._agent:
                self._env.step(self._opponent(self._env))

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            for _ in range(_MAX_BEGINNINGS):
                self._env.reset(seed)
                self._answer()
                if not self._env.is_over:
                    return _observed(self._env, self._agent), {}
                seed = None  # the random numbers go on
            raise _never_acts()

        def step(self, action):
            self._env.step(action)
            self._answer()
            return (_observed(self._env, self._agent), self._env.rewards[self._agent],
                    self._env.terminations[self._agent], self._env.truncations[self._agent], {})

        def render(self):
            return self._env.render()

    return PaikaEnv()


class _Learners:
    """n games of a learner against an opponent, who answers until the learner acts again or the game is over."""

    def __init__(self, spec: str | _core.Game, n: int, opponent: Callable[[BatchEnv], Any], player: int,
                 **settings: Any) -> None:
        if player not in (0, 1):
            raise ValueError(f"player must be 0 or 1, not {player!r}")
        self.batch = BatchEnv(spec, n, autoreset=False, **settings)
        self._opponent = opponent
        self._player = player
        self._start = self.batch.game.start()

    @property
    def over(self) -> Any:
        return self.batch.terminated | self.batch.truncated

    def reset(self, seed: int | None) -> None:
        self.batch.reset(seed)
        self._answer()
        self.restart(np.flatnonzero(self.over))

    def restart(self, games: Any) -> None:
        """Begins some games anew until the learner acts in each of them, and has all others answered."""
        for _ in range(_MAX_BEGINNINGS):
            for game in games:
                self.batch.start_from(int(game), self._start)
            self._answer()
            games = games[self.over[games]]
            if games.size == 0:
                return
        raise _never_acts()

    def step(self, actions: Any) -> None:
        """The learner's actions, and the answers; games that are over begin anew instead."""
        ended = np.flatnonzero(self.over)
        self._play(np.flatnonzero(~self.over), _whole("actions", actions))
        self.restart(ended)

    def _answer(self) -> None:
        while (games := np.flatnonzero(~self.over & (self.batch.players != self._player))).size > 0:
            self._play(games, _whole("the opponent's actions", self._opponent(self.batch)))

    def _play(self, games: Any, actions: Any) -> None:
        if len(actions) != self.batch.num_envs:
            raise ValueError(f"there must be one action for each of the {self.batch.num_envs} games, not {len(actions)}")
        self.batch.branch(games, actions[games], games)

    def info(self, of: Any) -> dict[str, Any]:
        """What Gymnasium's vector environments call infos: an array, and which of its rows say something."""
        return {"action_mask": self.batch.masks.astype(np.int8), "_action_mask": of}

    def final(self, ended: Any) -> dict[str, Any]:
        """The last observations and infos of the games that have just ended."""
        observations = np.full(ended.size, None, dtype=object)
        for game in np.flatnonzero(ended):
            observations[game] = self.batch.observations[game].copy()
        return {"final_obs": observations, "_final_obs": ended, "final_info": self.info(ended), "_final_info": ended}


def gymnasium_vector_env(spec: str | _core.Game, n: int, opponent: Callable[[BatchEnv], Any] | None = None,
                         player: int = 0, autoreset_mode: Any = "NextStep", **settings: Any) -> Any:
    """A Gymnasium VectorEnv of n games: what gymnasium_env() is for one. infos["action_mask"] says what is allowed.

    opponent(batch) returns an action for each game of a paika.BatchEnv, of which those are played where the opponent acts;
    None plays at random. A game that ends before the learner acts begins anew at once; ValueError if that never ends.
    autoreset_mode is "NextStep" (a game that has ended begins anew in the next step, whose action for
    it is not looked at) or "SameStep" (at once; its last observation is in infos["final_obs"]), or one of
    gymnasium.vector.AutoresetMode. ImportError if Gymnasium 1.1 or newer is not installed.
    """
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    mode = AutoresetMode(autoreset_mode)
    if mode not in (AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP):
        raise ValueError(f"autoreset_mode must be NextStep or SameStep, not {mode.value}")
    games = _Learners(spec, n, opponent or BatchEnv.sample, player, **settings)
    batch = games.batch

    class PaikaVectorEnv(VectorEnv):
        metadata = {"render_modes": ["ansi"], "autoreset_mode": mode}
        render_mode = "ansi"
        num_envs = n

        def __init__(self):
            self.single_observation_space = spaces.Box(0, 1, shape=batch.observations.shape[1:], dtype=np.uint8)
            self.single_action_space = spaces.Discrete(batch.num_actions)
            self.observation_space = batch_space(self.single_observation_space, n)
            self.action_space = batch_space(self.single_action_space, n)

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            games.reset(seed)
            return batch.observations.copy(), games.info(np.ones(n, bool))

        def step(self, actions):
            games.step(actions)
            rewards = batch.rewards[:, player].astype(np.float64)
            terminated, truncated, ended = batch.terminated.copy(), batch.truncated.copy(), games.over
            final = {}
            if mode == AutoresetMode.SAME_STEP and ended.any():
                final = games.final(ended)
                games.restart(np.flatnonzero(ended))
            return batch.observations.copy(), rewards, terminated, truncated, {**games.info(np.ones(n, bool)), **final}

        def render(self):
            return tuple(str(batch.position(game)) for game in range(n))

    return PaikaVectorEnv()


class State:
    """A game under the names of OpenSpiel's State; OpenSpiel itself is not needed.

    >>> state = State("othello:6x6")
    >>> state.current_player(), len(state.legal_actions())
    (0, 4)
    >>> state.apply_action(state.legal_actions()[0])
    >>> state.is_terminal(), state.returns()
    (False, [0.0, 0.0])
    """

    TERMINAL = -4  # pyspiel.PlayerId.TERMINAL

    def __init__(self, spec: str | _core.Game, **settings: Any) -> None:
        self._spec = spec
        self._settings = settings
        self._env = Env(spec, **settings)
        self._history: list[int] = []

    def current_player(self) -> int:
        return self.TERMINAL if self.is_terminal() else Env.possible_agents.index(self._env.agent_selection)

    def legal_actions(self) -> list[int]:
        return [int(action) for action in np.flatnonzero(self._env.mask)]

    def legal_actions_mask(self) -> list[int]:
        return [int(allowed) for allowed in self._env.mask]

    def apply_action(self, action: int) -> None:
        self._env.step(action)
        self._history.append(int(action))

    def action_to_string(self, player: int, action: int) -> str:
        return " ".join(part for step in self._env._batch.steps(0, int(action)) for part in step if part) or "stop"

    def is_terminal(self) -> bool:
        return self._env.is_over

    def returns(self) -> list[float]:
        return [self._env.rewards[agent] for agent in Env.possible_agents]

    def history(self) -> list[int]:
        return list(self._history)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        seen: list[float] = self._env._batch.observations[0].astype(np.float32).ravel().tolist()
        return seen

    def num_distinct_actions(self) -> int:
        return self._env.num_actions

    def clone(self) -> State:
        copy = State(self._spec, **self._settings)
        for action in self._history:
            copy.apply_action(action)
        return copy

    def __str__(self) -> str:
        return self._env.render()
