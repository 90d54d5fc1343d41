"""Environments against the rules: masks are the legal moves, step by step, and arrays are what they promise.

PAIKA_ENV_GAMES says how many random games of the four standard games are compared (default 3), and a tenth of that of
other sizes and options, but at least 2.
"""

import gc
import os
import random
import threading
import unittest
import weakref

import numpy as np

import paika
from paika.adapters import State

GAMES = int(os.environ.get("PAIKA_ENV_GAMES", "3"))
STANDARD = ["fanorona:9x5", "abalone", "othello", "wildebeest"]
OTHERS = ["fanorona:5x5,sacrifice=off,limit=0", "fanorona:3x3", "fanorona:13x13", "abalone:5x5,freeze", "abalone:8x8",
          "othello:6x6", "othello:12x12"]
SPECS = STANDARD + OTHERS
MOST_MOVES = 1000  # few random games are longer
MOST_SURVIVED = 200  # of games whose players avoid the end
MOST_LISTED = 2000


class Masks(unittest.TestCase):
    def compare(self, env):
        """The mask of the present state with the legal moves that begin as the present move does."""
        position = env.position
        begun = env._batch.begun(0)
        allowed = np.flatnonzero(env.mask).tolist()
        offered = [tuple(env._batch.steps(0, action)) for action in allowed]
        self.assertEqual(len(set(offered)), len(offered))  # no two actions mean the same
        legal = position.legal_steps(MOST_LISTED + 1)
        if len(legal) > MOST_LISTED:  # a part of them: what they begin with is allowed, and all that is allowed is legal
            self.assertLessEqual(self.next_actions(legal, begun), set(offered))
            for steps in offered:
                following, complete = position.next_steps(begun + list(steps))
                self.assertTrue(following or complete)
        else:
            self.assertEqual(self.next_actions(legal, begun), set(offered))

    @staticmethod
    def next_actions(legal, begun):
        """What may come next, by the legal moves: an action ends with a capture, or with its move."""
        found = set()
        for steps in legal:
            if steps[:len(begun)] == begun:
                rest = steps[len(begun):]
                kinds = [kind for kind, _ in rest]
                ends = [kinds.index(kind) + 1 for kind in ("approach", "withdraw") if kind in kinds]
                found.add(tuple(rest[:min(ends, default=len(rest))]))
        return found

    @staticmethod
    def ends_the_game(env, action):
        steps = env._batch.begun(0) + env._batch.steps(0, action)
        following, complete = env.position.next_steps(steps)
        return complete and not following and env.position.play(steps).is_over

    def choose(self, env, rng, survive):
        """A random action; with `survive` one that does not end the game, if a few attempts find one."""
        allowed = np.flatnonzero(env.mask).tolist()
        action = rng.choice(allowed)
        for _ in range(10 if survive else 0):
            if not self.ends_the_game(env, action):
                break
            action = rng.choice(allowed)
        return action

    def play(self, spec, seed):
        """A random game. Most of Wildebeest's end with the first move, so that in every other game the players survive."""
        survive = seed % 2 == 1
        most = MOST_SURVIVED if survive else MOST_MOVES
        env = paika.Env(spec, seed=seed, max_moves=most)
        env.reset(seed=seed)
        rng = random.Random(seed)
        while not env.is_over:
            self.compare(env)
            self.assertEqual(env.agent_selection, f"player_{env.position.to_move}")
            env.step(self.choose(env, rng, survive))
        self.assertFalse(env.mask.any())
        outcome = env.position.outcome
        self.assertEqual(env._batch.position(0), env.position)
        if env.terminations["player_0"]:
            self.assertEqual(env._batch.outcome(0), (outcome.verdict, outcome.reason))
            wanted = {None: [0, 0], 0: [1, -1], 1: [-1, 1]}[outcome.winner]
            self.assertEqual([env.rewards["player_0"], env.rewards["player_1"]], wanted)
        else:
            self.assertFalse(outcome.over)
            self.assertEqual(len(env.position.moves), most)

    def test_masks_are_the_legal_moves(self):
        for spec in SPECS:
            with self.subTest(spec):
                for seed in range(GAMES if spec in STANDARD else max(2, GAMES // 10)):
                    self.play(spec, seed)

    def test_a_move_is_one_list_of_actions(self):
        for spec in SPECS:
            env = paika.Env(spec)
            while len(env.position.moves) < 4 and not env.is_over:
                env.step(env.sample())
            if env.is_over:
                env.reset()
            middle = env.position
            lists = set()
            for move in middle.legal_moves(60):
                env.reset(position=middle)
                actions = env.encode(move)
                lists.add(tuple(actions))
                for action in actions:
                    env.step(action)
                self.assertEqual(env.position.moves[-1], move)
            self.assertEqual(len(lists), min(60, middle.count_moves(60)))


class Batches(unittest.TestCase):
    def test_arrays_are_views(self):
        env = paika.BatchEnv("othello:6x6", 8)
        observations, masks = env.reset()
        before = observations.copy()
        stepped = env.step(env.sample())
        self.assertIs(stepped[0], observations)
        self.assertIs(stepped[4], masks)
        self.assertFalse((before == observations).all())
        self.assertFalse(masks.flags.writeable or masks.flags.owndata)
        with self.assertRaises(ValueError):
            masks[0, 0] = True

    def test_they_are_the_same_objects_for_ever(self):
        env = paika.BatchEnv("othello:6x6", 2)
        self.assertIs(env.masks, env.masks)
        self.assertIs(env.reset()[1], env.masks)

    def test_an_environment_goes_when_nobody_uses_it(self):
        env = paika.BatchEnv("othello:6x6", 4)
        env.step(env.sample())
        gone = weakref.ref(env)
        del env
        gc.collect()
        self.assertIsNone(gone())

    def test_arrays_outlive_the_environment(self):
        masks = paika.BatchEnv("othello:6x6", 4).masks
        self.assertEqual(masks.sum(), 16)

    def arrays(self, env, game):
        return [array[game].tolist() for array in (env.observations, env.masks, env.rewards, env.terminated,
                                                   env.truncated, env.players, env.moves)]

    def test_a_branch_is_what_a_step_makes(self):
        """Every state of some random games, reached by steps in one environment and by branches in another."""
        for spec in SPECS:
            with self.subTest(spec):
                stepped = paika.BatchEnv(spec, 1, seed=7, max_moves=60, autoreset=False)
                branched = paika.BatchEnv(spec, 40, max_moves=60, threads=2, autoreset=False)
                at = 0
                for number in range(150):
                    if stepped.terminated[0] or stepped.truncated[0]:
                        break
                    action = int(stepped.sample()[0])
                    target = (at + 1 + number % 30) % 40 if number % 5 else at
                    before = self.arrays(branched, at)
                    stepped.step([action])
                    branched.branch([at], [action], [target])
                    self.assertEqual(self.arrays(stepped, 0), self.arrays(branched, target))
                    self.assertEqual(stepped.begun(0), branched.begun(target))
                    if target != at:
                        self.assertEqual(self.arrays(branched, at), before)
                    at = target

    def test_one_game_can_branch_into_many(self):
        env = paika.BatchEnv("othello:6x6", 9, threads=2, autoreset=False)
        actions = np.flatnonzero(env.masks[0])
        env.branch([0] * 4, actions, [5, 6, 7, 8])
        self.assertEqual(env.moves.tolist(), [0] * 5 + [1] * 4)
        self.assertEqual(len({env.position(game).key for game in (5, 6, 7, 8)}), 4)
        env.branch([], [], [])

    def test_branches_that_make_no_sense_change_nothing(self):
        env = paika.BatchEnv("othello:6x6", 4, autoreset=False)
        good = int(np.flatnonzero(env.masks[0])[0])
        for branch, text in [(([0], [good], [4]), "there is no game 4: they are 0 to 3"),
                             (([-1], [good], [1]), "there is no game -1"),
                             (([0, 1], [good, good], [2, 2]), "game 2 is a target twice"),
                             (([0, 1], [good, good], [1, 2]), "game 1 is a source and the target of another"),
                             (([0], [0], [1]), "action 0 is not allowed in game 0"),
                             (([0], [good, good], [1]), "there are 1, 2 and 1")]:
            with self.assertRaisesRegex(ValueError, text):
                env.branch(*branch)
            self.assertEqual(env.moves.tolist(), [0] * 4)
        with self.assertRaisesRegex(TypeError, "targets are whole numbers, not float64"):
            env.branch([0], [good], [1.0])
        with self.assertRaisesRegex(TypeError, "one row of numbers of type int64"):
            env._step(np.zeros(4, np.int32))
        with self.assertRaisesRegex(TypeError, "one row of numbers of type int64"):
            env._step(np.zeros(8, np.int64)[::2])
        with self.assertRaisesRegex(TypeError, "an array that can be written to"):
            env._sample(bytes(32))

    def test_threads_and_games_do_not_change_what_happens(self):
        for spec in ["othello:6x6", "fanorona:5x5", "abalone", "wildebeest"]:
            one = paika.BatchEnv(spec, 300, threads=1, seed=3, max_moves=60)
            many = paika.BatchEnv(spec, 300, threads=4, seed=3, max_moves=60)
            for _ in range(90):
                actions = one.sample()
                np.testing.assert_array_equal(actions, many.sample())
                for a, b in zip(one.step(actions), many.step(actions)):
                    np.testing.assert_array_equal(a, b)
                np.testing.assert_array_equal(one.players, many.players)

    def test_a_batch_is_so_many_single_games(self):
        batch = paika.BatchEnv("fanorona:5x5", 3, autoreset=False, max_moves=40)
        single = [paika.Env("fanorona:5x5", max_moves=40) for _ in range(3)]
        for _ in range(200):
            actions = batch.sample()
            observations, rewards, terminated, truncated, masks = batch.step(actions)
            for i, env in enumerate(single):
                if actions[i] >= 0:
                    env.step(actions[i])
                    self.assertEqual(bool(terminated[i] or truncated[i]), env.is_over)
                np.testing.assert_array_equal(masks[i], env.mask)
                np.testing.assert_array_equal(observations[i], env._batch.observations[0])
            if all(env.is_over for env in single):
                break
        self.assertTrue(all(env.is_over for env in single))
        self.assertEqual(list(batch.sample()), [-1, -1, -1])

    def test_autoreset_begins_anew_in_the_same_step(self):
        env = paika.BatchEnv("othello:6x6", 16)
        start = env.observations[0].copy()
        ended = 0
        for _ in range(120):
            _, rewards, terminated, _, masks = env.step(env.sample())
            self.assertTrue((np.abs(rewards).sum(axis=1)[~terminated] == 0).all())
            for i in np.flatnonzero(terminated):
                ended += 1
                self.assertEqual(rewards[i].sum(), 0)
                np.testing.assert_array_equal(env.observations[i], start)
                self.assertEqual((masks[i].sum(), env.moves[i]), (4, 0))
        self.assertGreater(ended, 16)

    def test_observations_are_the_board(self):
        env = paika.BatchEnv("othello", 4)
        for _ in range(10):
            env.step(env.sample())
        for i in range(4):
            position = env.position(i)
            own, other = "XO" if position.to_move == 0 else "OX"
            for letter, plane in [(own, 0), (other, 1)]:
                wanted = [[cell == letter for cell in row] for row in position.board]
                if position.board[0][0] in "XO-.":  # the letters of texts
                    self.assertEqual(env.observations[i, plane].astype(bool).sum(), np.sum(wanted))
                    np.testing.assert_array_equal(env.observations[i, plane].astype(bool), wanted)

    def test_wrong_actions_change_nothing(self):
        env = paika.BatchEnv("othello:6x6", 3)
        before = env.observations.copy()
        good = env.sample()
        for bad in [-1, 37, 0, 10**12, -2**63]:
            actions = good.copy()
            actions[2] = bad
            with self.assertRaisesRegex(ValueError, "game 2"):
                env.step(actions)
        with self.assertRaisesRegex(ValueError, "3 games"):
            env.step(good[:2])
        with self.assertRaisesRegex(TypeError, "whole numbers"):
            env.step([0.5, 1, 2])
        np.testing.assert_array_equal(before, env.observations)
        for call in [lambda: paika.BatchEnv("othello", 0), lambda: paika.BatchEnv("othello", 1, threads=0),
                     lambda: paika.BatchEnv("othello", 1, max_moves=-1), lambda: paika.BatchEnv("chess", 1)]:
            with self.assertRaises(ValueError):
                call()
        with self.assertRaises(IndexError):
            env.position(3)

    def test_two_threads_at_once_are_refused_or_take_turns(self):
        env = paika.BatchEnv("othello", 512, threads=2)
        refused = []

        def work():
            for _ in range(100):
                try:
                    env.reset()
                except RuntimeError as error:
                    refused.append(str(error))

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue(all("another thread" in message for message in refused))
        self.assertEqual(env.masks.sum(), 4 * 512)

    def test_seeds_decide_and_random_numbers_go_on(self):
        def games(env, count, **seed):
            played = []
            for number in range(count):
                if number or seed:
                    env.reset(**(seed if number == 0 else {}))
                moves = []
                for _ in range(6):
                    moves.append(env.sample())
                    env.step(moves[-1])
                played.append(tuple(moves))
            return played

        first = games(paika.Env("othello", seed=5), 4)
        self.assertEqual(len(set(first)), 4)  # no game is the one before
        self.assertEqual(games(paika.Env("othello", seed=5), 4), first)
        self.assertNotEqual(games(paika.Env("othello", seed=6), 4), first)
        again = games(paika.Env("othello"), 3, seed=7)
        self.assertEqual(games(paika.Env("othello", seed=1), 3, seed=7), again)
        self.assertEqual(len(set(again)), 3)

    def test_numbers_of_the_wrong_kind_are_named(self):
        env = paika.BatchEnv("othello:6x6", 2)
        for call, text in [(lambda: paika.BatchEnv("othello", 2.5), "n must be a whole number, not 2.5"),
                           (lambda: paika.BatchEnv("othello", threads="2"), "threads must be a whole number, not '2'"),
                           (lambda: env.reset(seed=0.5), "seed must be a whole number, not 0.5")]:
            with self.assertRaisesRegex(TypeError, text):
                call()
        for call, text in [(lambda: paika.BatchEnv("othello", seed=-1), "seed must be from 0"),
                           (lambda: env.reset(2**64), "seed must be from 0"),
                           (lambda: paika.BatchEnv("othello", 10**30), "n must be from 1 to 1000000, not 10{30}"),
                           (lambda: paika.BatchEnv("othello", threads=2**40), "threads must be from 1 to 256, not 1099511627776"),
                           (lambda: paika.BatchEnv("othello", max_moves=-1), "max_moves must be from 0 to"),
                           (lambda: env.steps(0, 37), "action must be from 0 to 36, not 37")]:
            with self.assertRaisesRegex(ValueError, text):
                call()
        with self.assertRaisesRegex(IndexError, "there is no game 10{20}: they are 0 to 1"):
            env.position(10**20)
        with self.assertRaisesRegex(TypeError, "the position must be a paika.Position"):
            env.start_from(0, "start")

    def test_games_can_begin_anywhere(self):
        env = paika.BatchEnv("othello", 2)
        position = paika.game("othello").start().play("d3").play("c3")
        env.start_from(1, position)
        self.assertEqual(env.position(1), position)
        self.assertEqual(env.masks[1].sum(), position.count_moves())
        with self.assertRaisesRegex(ValueError, "abalone"):
            env.start_from(0, paika.game("abalone").start())


class Names(unittest.TestCase):
    def test_pettingzoo_names(self):
        env = paika.Env("othello:6x6")
        rewards = {"player_0": 0.0, "player_1": 0.0}
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            self.assertFalse(env.observe(next(a for a in env.agents if a != env.agent_selection))["action_mask"].any())
            env.step(int(np.flatnonzero(observation["action_mask"])[-1]))
            for agent in env.agents:
                rewards[agent] += env.rewards[agent]
        self.assertEqual(sum(rewards.values()), 0)
        with self.assertRaisesRegex(ValueError, "over"):
            env.step(0)
        with self.assertRaisesRegex(ValueError, "player_0"):
            env.observe("somebody")

    def test_open_spiel_names(self):
        state = State("fanorona:3x3")
        while not state.is_terminal():
            copy = state.clone()
            self.assertEqual(copy.legal_actions(), state.legal_actions())
            self.assertEqual(sum(state.legal_actions_mask()), len(state.legal_actions()))
            self.assertTrue(state.action_to_string(0, state.legal_actions()[0]))
            state.apply_action(state.legal_actions()[0])
        self.assertEqual(state.current_player(), State.TERMINAL)
        self.assertEqual(sum(state.returns()), 0)


if __name__ == "__main__":
    unittest.main()
