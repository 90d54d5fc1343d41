"""The adapters for PettingZoo and Gymnasium, which Debian does not have: with the libraries where they are installed, else
with stand-ins that do what the adapters and their users ask of them."""

import importlib.util
import sys
import types
import unittest

import numpy as np

import paika
from paika import adapters


class Box:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape, self.dtype = low, high, shape, np.dtype(dtype)

    def contains(self, array):
        return array.shape == self.shape and array.dtype == self.dtype and ((self.low <= array) & (array <= self.high)).all()


class Discrete:
    def __init__(self, n):
        self.n = n

    def contains(self, number):
        return 0 <= number < self.n


class Dict:
    def __init__(self, spaces):
        self.spaces = spaces

    def contains(self, things):
        return set(things) == set(self.spaces) and all(space.contains(things[name]) for name, space in self.spaces.items())


class GymnasiumEnv:
    def reset(self, *, seed=None, options=None):
        self.seeded = seed


class AECEnv:
    """The parts of pettingzoo.AECEnv that an environment leaves to it, after its documentation."""

    def last(self):
        agent = self.agent_selection
        return (self.observe(agent), self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent],
                self.infos[agent])

    def agent_iter(self):
        while self.agents:
            yield self.agent_selection

    def _accumulate_rewards(self):
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _was_dead_step(self, action):
        if action is not None:
            raise ValueError("when an agent is dead, the only valid action is None")
        agent = self.agent_selection
        for kept in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del kept[agent]
        self.agents.remove(agent)
        if self.agents:
            self.agent_selection = self.agents[0]


def stand_in(name, **members):
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module
    return module


if importlib.util.find_spec("gymnasium") is None:
    spaces = stand_in("gymnasium.spaces", Box=Box, Discrete=Discrete, Dict=Dict)
    stand_in("gymnasium", Env=GymnasiumEnv, spaces=spaces)
if importlib.util.find_spec("pettingzoo") is None:
    stand_in("pettingzoo", AECEnv=AECEnv)


class PettingZoo(unittest.TestCase):
    def test_games_to_their_end(self):
        for spec, settings in [("othello:6x6", {}), ("fanorona:3x3", {}), ("abalone:5x5", {"max_moves": 12}),
                               ("wildebeest", {"max_moves": 6})]:
            with self.subTest(spec):
                env = adapters.pettingzoo_env(spec, **settings)
                env.reset(seed=3)
                rng = np.random.default_rng(1)
                total = dict.fromkeys(env.possible_agents, 0.0)
                for agent in env.agent_iter():
                    observation, reward, terminated, truncated, _ = env.last()
                    total[agent] += reward
                    self.assertTrue(env.observation_space(agent).contains(observation))
                    action = None
                    if not (terminated or truncated):
                        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
                        self.assertTrue(env.action_space(agent).contains(action))
                    env.step(action)
                outcome = env._env.position.outcome
                self.assertTrue(outcome.over or settings)
                wanted = {None: (0, 0), 0: (1, -1), 1: (-1, 1)}[outcome.winner]
                self.assertEqual((total["player_0"], total["player_1"]), wanted)

    def test_it_begins_anew(self):
        env = adapters.pettingzoo_env("othello:6x6")
        env.reset()
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        self.assertEqual(env.agent_selection, "player_1")
        self.assertIn("X", env.render())
        env.reset(seed=1)
        self.assertEqual((env.agent_selection, env.agents), ("player_0", ["player_0", "player_1"]))

    def test_only_who_acts_has_actions(self):
        env = adapters.pettingzoo_env("othello:6x6")
        env.reset()
        self.assertEqual(env.observe("player_0")["action_mask"].sum(), 4)
        self.assertEqual(env.observe("player_1")["action_mask"].sum(), 0)


class Gymnasium(unittest.TestCase):
    def play(self, env, seed):
        observation, info = env.reset(seed=seed)
        self.assertEqual(info, {})
        rng = np.random.default_rng(seed)
        while True:
            self.assertTrue(env.observation_space.contains(observation))
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
            observation, reward, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                return reward

    def test_games_against_chance(self):
        for player in (0, 1):
            env = adapters.gymnasium_env("othello:6x6", player=player)
            for seed in range(5):
                reward = self.play(env, seed)
                winner = env._env.position.outcome.winner
                self.assertEqual(reward, 0 if winner is None else 1 if winner == player else -1)

    def test_an_opponent_of_ones_own(self):
        engine = paika.Engine("othello:6x6", hash=1)
        asked = []

        def opponent(env):
            asked.append(env.agent_selection)
            return env.encode(engine.best(env.position, nodes=200).move)[0]

        self.play(adapters.gymnasium_env("othello:6x6", opponent, player=1), 1)
        self.assertEqual(set(asked), {"player_0"})

    def test_an_action_that_is_not_allowed(self):
        env = adapters.gymnasium_env("othello:6x6")
        env.reset()
        with self.assertRaisesRegex(ValueError, "action 0 is not allowed"):
            env.step(0)


if __name__ == "__main__":
    unittest.main()
