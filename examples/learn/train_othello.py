"""Learns Othello 6x6 from nothing by playing against itself, as AlphaZero does; with numpy alone, or with PyTorch.

usage: train_othello.py [--minutes M] [--out FOLDER] [--network auto|tuples|conv] [--device cpu|cuda] ...

Every round plays games at once, each move chosen by a tree search that the network guides (tree_search.py), and then
moves the network (networks.py) towards what the searches found and how the games ended. Now and then the network plays a
few levels of the engine from random openings, each as both colours. Every measurement adds a line to FOLDER/curve.csv, draws
FOLDER/curve.svg and writes FOLDER/network.npz, from which --resume goes on.
"""

import argparse
import csv
import pathlib
import time

import numpy as np

import paika
from curve import draw_curve
from networks import make_network
from tree_search import TreeSearch

SPEC = "othello:6x6"
SIDE = 6
ACTIONS = SIDE * SIDE + 1
COLUMNS = ["minutes", "cpu_minutes", "games", "positions", "policy_loss", "value_loss"]  # and the points of each level
COUNTS = ["games", "positions"]


def symmetric(boards, policies, rng):
    """All boards by one of the eight symmetries, with their policies."""
    grid = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    grid = np.rot90(grid if rng.integers(2) else grid.T, rng.integers(4))
    order = grid.ravel()
    turned = boards.reshape(len(boards), 2, -1)[:, :, order].reshape(boards.shape)
    return turned, policies[:, np.append(order, SIDE * SIDE)]


def self_play(search, trees, rng, exact_after=14):
    """One game in every tree: (boards, policies, values), one of each for every position that was searched.

    Games begin with up to six random moves. Then moves are drawn by how often the search visited them, and after so many
    moves the most visited is played. A value is the mean of how the game ended and what the search thought.
    """
    env = search.env
    env.reset(int(rng.integers(2**32)))
    random_moves = rng.integers(0, 7, trees)
    boards, policies, values, players, owners = [], [], [], [], []
    results = np.zeros(trees, np.float32)
    alive = np.arange(trees)
    for number in range(10 * SIDE * SIDE):
        roots = search.roots[alive]
        actions = env.sample()[roots]
        thinking = np.flatnonzero(random_moves[alive] <= number)
        if len(thinking) > 0:
            visits, found = search.search(alive[thinking], rng)
            shares = visits / visits.sum(axis=1, keepdims=True)
            boards.append(env.observations[roots[thinking]])
            policies.append(shares)
            values.append(found)
            players.append(env.players[roots[thinking]])
            owners.append(alive[thinking])
            drawn = (shares.cumsum(axis=1) > rng.random((len(thinking), 1)) * 0.999999).argmax(axis=1)
            actions[thinking] = drawn if number < exact_after else visits.argmax(axis=1)
        search.play(alive, actions)
        over = search.over(alive)
        results[alive[over]] = env.rewards[roots[over], 0]
        alive = alive[~over]
        if len(alive) == 0:
            break
    outcomes = results[np.concatenate(owners)] * (1 - 2.0 * np.concatenate(players))
    return np.concatenate(boards), np.concatenate(policies), (np.concatenate(values) + outcomes) / 2


def learn(network, rounds, rng, steps, size):
    """Steps of random positions of the last rounds, each turned; the mean losses of policy and value."""
    boards, policies, values = (np.concatenate(part) for part in zip(*rounds))
    losses = []
    for _ in range(steps):
        chosen = rng.integers(len(boards), size=size)
        turned, wanted = symmetric(boards[chosen], policies[chosen], rng)
        losses.append(network.learn(turned, wanted.astype(np.float32), values[chosen].astype(np.float32)))
    return np.mean(losses, axis=0)


def random_opening(rng, moves=4):
    position = paika.game(SPEC).start()
    for _ in range(moves):
        position = position.play(str(rng.choice(position.legal_moves())))
    return position


def against_engine(network, level, pairs, simulations, seed):
    """The part of the points won against a level of the engine: each random opening is played as both colours."""
    rng = np.random.default_rng(seed)
    search = TreeSearch(SPEC, network, 2 * pairs, simulations)
    env = search.env
    for number in range(pairs):
        opening = random_opening(rng)
        for tree in (2 * number, 2 * number + 1):
            env.start_from(int(search.roots[tree]), opening)
    engines = [paika.Engine(SPEC, level=level, seed=seed + tree, hash=1) for tree in range(2 * pairs)]
    colours = np.arange(2 * pairs) % 2  # the network's
    alive = np.arange(2 * pairs)
    points = 0.0
    while len(alive) > 0:
        ours = env.players[search.roots[alive]] == colours[alive]
        actions = np.zeros(len(alive), np.int64)
        if ours.any():
            actions[ours] = search.search(alive[ours])[0].argmax(axis=1)
        for index in np.flatnonzero(~ours):
            root = int(search.roots[alive[index]])
            actions[index] = env.encode(root, engines[alive[index]].best(env.position(root), nodes=100000).move)[0]
        search.play(alive, actions)
        over = search.over(alive)
        points += ((env.rewards[search.roots[alive[over]], colours[alive[over]]] + 1) / 2).sum()
        alive = alive[~over]
    return points / (2 * pairs)


class Journal:
    """The folder with the learning curve and the network; with resume it goes on where an earlier one ended."""

    def __init__(self, folder, network, levels, cpu, resume):
        self.folder, self.network, self.cpu = pathlib.Path(folder), network, cpu
        self.points = {f"level_{level}": f"level {level}" for level in levels}
        self.folder.mkdir(parents=True, exist_ok=True)
        self.lines = []
        if resume:
            with np.load(self.folder / "network.npz") as weights:
                network.load(weights)
            with open(self.folder / "curve.csv", encoding="utf-8", newline="") as file:
                self.lines = [{name: (int if name in COUNTS else float)(value or 0) for name, value in line.items()}
                              for line in csv.DictReader(file)]
        self.past = self.lines[-1] if self.lines else dict.fromkeys(COLUMNS, 0)

    def add(self, line):
        self.lines.append(line)
        with open(self.folder / "curve.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, [*COLUMNS, *self.points], extrasaction="ignore")
            writer.writeheader()
            writer.writerows({name: f"{value:.4g}" if isinstance(value, float) else value for name, value in one.items()}
                             for one in self.lines)
        title = f"Othello 6x6, {self.network.name}: points against the engine"
        (self.folder / "curve.svg").write_text(draw_curve(title, self.lines, self.points, self.cpu), encoding="utf-8")
        np.savez(self.folder / "network.npz", **self.network.weights())
        print(f"{line['minutes']:8.1f} {line['cpu_minutes']:8.1f} {line['games']:8.0f} {line['policy_loss']:8.3f} "
              f"{line['value_loss']:8.3f} " + " ".join(f"{100 * line[name]:7.1f} %" for name in self.points), flush=True)


def train(options):
    rng = np.random.default_rng(options.seed)
    network = make_network(options.network, SIDE, ACTIONS, options.device)
    journal = Journal(options.out, network, options.levels, options.cpu, options.resume)
    past = journal.past
    search = TreeSearch(SPEC, network, options.games, options.simulations)
    print(f"network: {network.name}\n minutes      CPU    games   policy    value " +
          " ".join(f"{text:>9}" for text in journal.points.values()), flush=True)
    rounds, games, positions, measured, losses = [], 0, 0, 0.0, (0.0, 0.0)
    wall, cpu, apart = time.perf_counter(), time.process_time(), [0.0, 0.0]
    while True:
        spent = (time.perf_counter() - wall - apart[0]) / 60
        spent_cpu = (time.process_time() - cpu - apart[1]) / 60
        clock = spent_cpu if options.cpu else spent
        last = games == options.rounds * options.games if options.rounds else clock >= options.minutes
        if last or clock >= measured:
            measured = clock + options.every
            begun = time.perf_counter(), time.process_time()
            line = dict(zip(COLUMNS, (past["minutes"] + spent, past["cpu_minutes"] + spent_cpu, past["games"] + games,
                                      past["positions"] + positions, float(losses[0]), float(losses[1]))))
            for level, name in zip(options.levels, journal.points):
                line[name] = float(against_engine(network, level, options.pairs, options.play_simulations, 1000))
            journal.add(line)
            apart[0] += time.perf_counter() - begun[0]
            apart[1] += time.process_time() - begun[1]
        if last:
            return
        rounds.append(self_play(search, options.games, rng))
        rounds = rounds[-options.window:]
        games += options.games
        positions += len(rounds[-1][0])
        steps = max(1, options.passes * len(rounds[-1][0]) // options.batch)
        losses = learn(network, rounds, rng, steps, options.batch)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--minutes", type=float, default=10, help="how long to train, measurements not counted (default: %(default)s)")
    add("--rounds", type=int, default=0, help="train so many rounds instead, which the seed determines")
    add("--cpu", action="store_true", help="count minutes of CPU time, for a machine that does other work too")
    add("--every", type=float, default=1, help="minutes between measurements (default: %(default)s)")
    add("--out", default="othello-6x6", help="the folder for curve.csv, curve.svg, network.npz (default: %(default)s)")
    add("--resume", action="store_true", help="go on from that folder")
    add("--network", choices=["auto", "tuples", "conv"], default="auto", help="auto: conv if PyTorch is there")
    add("--device", help="of PyTorch: cpu, cuda (default: cuda if there is one)")
    add("--games", type=int, default=256, help="games of a round, played at once (default: %(default)s)")
    add("--simulations", type=int, default=32, help="of a move in self-play (default: %(default)s)")
    add("--window", type=int, default=12, help="rounds that are learned from (default: %(default)s)")
    add("--passes", type=int, default=6, help="how often a position is learned from (default: %(default)s)")
    add("--batch", type=int, default=1024, help="positions of a step of learning (default: %(default)s)")
    add("--levels", type=int, nargs="+", default=[3], help="of the engine, to be measured against (default: 3)")
    add("--pairs", type=int, default=50, help="openings of a measurement, two games each (default: %(default)s)")
    add("--play-simulations", type=int, default=64, help="of a move in a measurement (default: %(default)s)")
    add("--seed", type=int, default=1)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
