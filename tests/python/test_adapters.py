"""The adapters for PettingZoo and Gymnasium, which Debian does not have: with the libraries where they are installed, else
with stand-ins that do what the adapters and their users ask of them."""

import enum
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
        self.shape = ()

    def contains(self, number):
        return 0 <= number < self.n


class Dict:
    def __init__(self, spaces):
        self.spaces = spaces

    def contains(self, things):
        return set(things) == set(self.spaces) and all(space.contains(things[name]) for name, space in self.spaces.items())


class MultiDiscrete:
    def __init__(self, nvec):
        self.nvec = np.asarray(nvec)
        self.shape = self.nvec.shape

    def contains(self, numbers):
        return numbers.shape == self.shape and ((0 <= numbers) & (numbers < self.nvec)).all()


class GymnasiumEnv:
    def reset(self, *, seed=None, options=None):
        self.seeded = seed


class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"
    SAME_STEP = "SameStep"
    DISABLED = "Disabled"


def batch_space(space, n):
    if isinstance(space, Discrete):
        return MultiDiscrete([space.n] * n)
    return Box(space.low, space.high, (n, *space.shape), space.dtype)


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
    utils = stand_in("gymnasium.vector.utils", batch_space=batch_space)
    vector = stand_in("gymnasium.vector", VectorEnv=GymnasiumEnv, AutoresetMode=AutoresetMode, utils=utils)
    stand_in("gymnasium", Env=GymnasiumEnv, spaces=spaces, vector=vector)
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

    def test_it_is_named_by_its_spec(self):
        for spec in ["othello:6x6", paika.game("othello:6x6")]:
            self.assertEqual(adapters.pettingzoo_env(spec).metadata["name"], "paika_othello:6x6")

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

    def test_games_that_end_before_the_learner_acts_begin_anew(self):
        env = adapters.gymnasium_env("wildebeest", player=1)  # 23 of the 30 first moves end it
        for seed in range(20):
            first = env.reset(seed=seed)[0]
            self.assertTrue(first["action_mask"].any())
            self.assertEqual(env.reset(seed=seed)[0]["observation"].tolist(), first["observation"].tolist())
        with self.assertRaisesRegex(ValueError, "before the learner acted"):
            adapters.gymnasium_env("othello", player=1, max_moves=1).reset()


class Vector(unittest.TestCase):
    """gymnasium_vector_env under the conventions of Gymnasium's vector environments."""

    GAMES = 6

    def setUp(self):
        self.rng = np.random.default_rng(5)

    def actions(self, masks):
        """An allowed action for each game, and -1 where there is none: that action must not be looked at."""
        return np.array([self.rng.choice(np.flatnonzero(mask)) if mask.any() else -1 for mask in masks])

    def check(self, env, observations, infos):
        self.assertTrue(env.observation_space.contains(observations))
        self.assertEqual(infos["action_mask"].shape, (self.GAMES, env.single_action_space.n))
        self.assertEqual((infos["action_mask"].dtype, infos["_action_mask"].tolist()), (np.int8, [True] * self.GAMES))

    def steps(self, env, count):
        """What each step returned, after the masks that its actions were chosen by."""
        observations, infos = env.reset(seed=1)
        self.check(env, observations, infos)
        for _ in range(count):
            masks = infos["action_mask"]
            stepped = env.step(self.actions(masks))
            observations, rewards, terminated, truncated, infos = stepped
            self.check(env, observations, infos)
            self.assertEqual([array.dtype for array in stepped[1:4]], [np.float64, bool, bool])
            self.assertTrue((rewards[~terminated] == 0).all())
            yield masks, stepped

    def test_the_spaces_are_those_of_one_game_and_of_all(self):
        env = adapters.gymnasium_vector_env("othello:6x6", self.GAMES)
        self.assertEqual((env.num_envs, env.single_observation_space.shape, env.observation_space.shape),
                         (self.GAMES, (2, 6, 6), (self.GAMES, 2, 6, 6)))
        self.assertEqual((env.single_action_space.n, env.action_space.shape), (37, (self.GAMES,)))
        observations, infos = env.reset()
        self.assertTrue(env.action_space.contains(self.actions(infos["action_mask"])))
        env.step(self.actions(infos["action_mask"]))
        self.assertEqual(observations.sum(), 4 * self.GAMES)  # a copy, which the step did not change
        self.assertEqual([board.count("X") > 0 for board in env.render()], [True] * self.GAMES)

    def test_next_step_begins_anew_one_step_later(self):
        for spec, settings in [("othello:6x6", {}), ("fanorona:3x3", {"player": 1}), ("abalone:5x5", {"max_moves": 9})]:
            env = adapters.gymnasium_vector_env(spec, self.GAMES, **settings)
            self.assertIs(env.metadata["autoreset_mode"], sys.modules["gymnasium.vector"].AutoresetMode.NEXT_STEP)
            before, games = np.zeros(self.GAMES, bool), 0
            for masks, (_, rewards, terminated, truncated, infos) in self.steps(env, 60):
                self.assertTrue((masks.any(axis=1) == ~before).all())
                self.assertFalse((terminated | truncated)[before].any())
                self.assertFalse(rewards[before].any())
                self.assertNotIn("final_obs", infos)
                before = terminated | truncated
                games += before.sum()
            self.assertGreater(games, self.GAMES)

    def test_same_step_keeps_the_last_observation(self):
        env = adapters.gymnasium_vector_env("othello:6x6", self.GAMES, autoreset_mode="SameStep")
        start = env.reset(seed=1)[0][0].tolist()
        rewarded = set()
        for masks, (observations, rewards, terminated, truncated, infos) in self.steps(env, 60):
            self.assertTrue(masks.any(axis=1).all() and infos["action_mask"].any(axis=1).all())
            ended = terminated | truncated
            self.assertEqual("final_obs" in infos, ended.any())
            if ended.any():
                self.assertEqual(infos["_final_obs"].tolist(), ended.tolist())
                self.assertEqual(infos["_final_info"].tolist(), ended.tolist())
                self.assertFalse(infos["final_info"]["action_mask"][ended].any())
            for game in np.flatnonzero(ended):
                first, second = infos["final_obs"][game].sum(axis=(1, 2))
                rewarded.add((rewards[game], abs(int(first) - int(second)) > 0))
                self.assertTrue(env.single_observation_space.contains(infos["final_obs"][game]))
                self.assertEqual(observations[game].tolist(), start)
        self.assertLessEqual({(1.0, True), (-1.0, True)}, rewarded)
        self.assertLessEqual(rewarded, {(1.0, True), (-1.0, True), (0.0, False)})

    def test_rewards_are_the_learners(self):
        for player in (0, 1):
            batches = []
            env = adapters.gymnasium_vector_env(
                "othello:6x6", self.GAMES, lambda batch: batches.append(batch) or batch.sample(), player=player)
            won = set()
            for _, (_, rewards, terminated, _, _) in self.steps(env, 40):
                for game in np.flatnonzero(terminated):
                    winner = batches[0].position(int(game)).outcome.winner
                    self.assertEqual(rewards[game], 0 if winner is None else 1 if winner == player else -1)
                    won.add(winner)
            self.assertLessEqual({0, 1}, won)

    def test_games_that_end_before_the_learner_acts_begin_anew(self):
        for mode in ("NextStep", "SameStep"):
            env = adapters.gymnasium_vector_env("wildebeest", self.GAMES, player=1, autoreset_mode=mode)
            ended, games = np.zeros(self.GAMES, bool), 0
            for masks, (_, _, terminated, _, _) in self.steps(env, 100):
                self.assertTrue((masks.any(axis=1) == ~ended).all())
                if mode == "NextStep":
                    self.assertFalse(terminated[ended].any())
                    ended = terminated
                games += terminated.sum()
            self.assertGreater(games, 0)
        with self.assertRaisesRegex(ValueError, "before the learner acted"):
            adapters.gymnasium_vector_env("othello", 2, player=1, max_moves=1).reset()

    def test_only_the_opponent_acts_for_the_opponent(self):
        asked = []

        def opponent(batch):
            asked.append(batch.players.copy())
            return [int(np.flatnonzero(mask)[0]) if mask.any() else -1 for mask in batch.masks]

        env = adapters.gymnasium_vector_env("fanorona:5x5", self.GAMES, opponent, player=1)
        played = list(self.steps(env, 20))
        self.assertGreaterEqual(len(asked), len(played))
        self.assertTrue(all((players == 0).any() for players in asked))

    def test_what_cannot_be(self):
        env = adapters.gymnasium_vector_env("othello:6x6", 2)
        _, infos = env.reset()
        good = self.actions(infos["action_mask"])
        for actions, text in [([0, good[1]], "action 0 is not allowed in game 0"), (good[:1], "each of the 2 games, not 1")]:
            with self.assertRaisesRegex(ValueError, text):
                env.step(actions)
        env.step(good)
        for settings, text in [({"player": 2}, "player must be 0 or 1, not 2"), ({"autoreset_mode": "Disabled"}, "NextStep or"),
                               ({"autoreset_mode": "never"}, "never")]:
            with self.assertRaisesRegex(ValueError, text):
                adapters.gymnasium_vector_env(paika.game("othello:6x6"), 2, **settings)


if __name__ == "__main__":
    unittest.main()
