"""The environments under the names of other libraries, each imported only when asked for.

    pettingzoo_env(spec)   an AECEnv of PettingZoo
    gymnasium_env(spec)    an Env of Gymnasium: the learner against a policy of yours
    State(spec)            the names of OpenSpiel's State, without OpenSpiel
"""

import numpy as np

from .environments import Env


def _box_and_actions(spaces, env):
    """The spaces of an environment, made by gymnasium.spaces."""
    shape = env._batch.observations.shape[1:]
    observation = spaces.Dict({
        "observation": spaces.Box(0, 1, shape=shape, dtype=np.uint8),
        "action_mask": spaces.Box(0, 1, shape=(env.num_actions,), dtype=np.int8)})
    return observation, spaces.Discrete(env.num_actions)


def _observed(env, agent):
    seen = env.observe(agent)
    seen["action_mask"] = seen["action_mask"].astype(np.int8)
    return seen


def pettingzoo_env(spec, **settings):
    """A PettingZoo AECEnv of the game. ImportError if PettingZoo is not installed."""
    from gymnasium import spaces
    from pettingzoo import AECEnv

    class PaikaAEC(AECEnv):
        metadata = {"name": f"paika_{spec}", "render_modes": ["ansi"], "is_parallelizable": False}
        render_mode = "ansi"

        def __init__(self):
            super().__init__()
            self._env = Env(spec, **settings)
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


def gymnasium_env(spec, opponent=None, player=0, **settings):
    """A Gymnasium Env: step() plays the learner's action and then the opponent's until the learner acts again.

    opponent(env) returns an action of a paika.Env; None plays at random. ImportError if Gymnasium is not installed.
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
            self._env.reset(seed)
            self._answer()
            return _observed(self._env, self._agent), {}

        def step(self, action):
            self._env.step(action)
            self._answer()
            return (_observed(self._env, self._agent), self._env.rewards[self._agent],
                    self._env.terminations[self._agent], self._env.truncations[self._agent], {})

        def render(self):
            return self._env.render()

    return PaikaEnv()


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

    def __init__(self, spec, **settings):
        self._spec = spec
        self._settings = settings
        self._env = Env(spec, **settings)
        self._history = []

    def current_player(self):
        return self.TERMINAL if self.is_terminal() else Env.possible_agents.index(self._env.agent_selection)

    def legal_actions(self):
        return [int(action) for action in np.flatnonzero(self._env.mask)]

    def legal_actions_mask(self):
        return [int(allowed) for allowed in self._env.mask]

    def apply_action(self, action):
        self._env.step(action)
        self._history.append(int(action))

    def action_to_string(self, player, action):
        return " ".join(part for step in self._env._batch.steps(0, int(action)) for part in step if part) or "stop"

    def is_terminal(self):
        return self._env.is_over

    def returns(self):
        return [self._env.rewards[agent] for agent in Env.possible_agents]

    def history(self):
        return list(self._history)

    def observation_tensor(self, player=None):
        return self._env._batch.observations[0].astype(np.float32).ravel().tolist()

    def num_distinct_actions(self):
        return self._env.num_actions

    def clone(self):
        copy = State(self._spec, **self._settings)
        for action in self._history:
            copy.apply_action(action)
        return copy

    def __str__(self):
        return self._env.render()
