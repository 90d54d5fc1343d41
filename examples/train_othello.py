"""Learns Othello 6x6 by playing against itself, with numpy alone: an actor-critic of two layers on paika.BatchEnv.

usage: train_othello.py [--minutes M] [--games N] [--level L] [--out FILE] [--seed S]

Every round plays N games at once, a move of each at a time, and then moves the policy towards what won and the value
towards how the games ended. Boards are turned and mirrored at random, so that what is learned of one corner is known of
all. Now and then the greedy policy plays the engine at a level, as both colours, from openings of random moves; one line
of the learning curve is printed each time: minutes of CPU time, games, and the points won.
"""

import argparse
import time

import numpy as np

import paika

SPEC = "othello:6x6"
SIDE = 6
PASS = SIDE * SIDE


class Network:
    """Planes of a board to logits of all actions and the expected result for the side to move; trained by Adam."""

    def __init__(self, rng, hidden=256):
        sizes = [2 * PASS, hidden, hidden, PASS + 2]
        self.weights = []
        for inputs, outputs in zip(sizes, sizes[1:]):
            scale = np.sqrt(2 / inputs) * (0.1 if outputs == PASS + 2 else 1)
            self.weights += [(rng.standard_normal((inputs, outputs)) * scale).astype(np.float32),
                             np.zeros(outputs, np.float32)]
        self.first = [np.zeros_like(w) for w in self.weights]
        self.second = [np.zeros_like(w) for w in self.weights]
        self.updates = 0

    def forward(self, boards):
        """Logits, values, and what backward() needs."""
        w1, b1, w2, b2, w3, b3 = self.weights
        one = np.maximum(boards @ w1 + b1, 0)
        two = np.maximum(one @ w2 + b2, 0)
        out = two @ w3 + b3
        return out[:, :-1], np.tanh(out[:, -1]), (boards, one, two)

    def backward(self, kept, d_logits, d_values, rate):
        """One step down the gradient."""
        boards, one, two = kept
        d_out = np.concatenate([d_logits, d_values[:, None]], axis=1).astype(np.float32)
        d_two = (d_out @ self.weights[4].T) * (two > 0)
        d_one = (d_two @ self.weights[2].T) * (one > 0)
        gradients = [boards.T @ d_one, d_one.sum(0), one.T @ d_two, d_two.sum(0), two.T @ d_out, d_out.sum(0)]
        self.updates += 1
        for i, gradient in enumerate(gradients):
            self.first[i] += 0.1 * (gradient - self.first[i])
            self.second[i] += 0.001 * (gradient * gradient - self.second[i])
            mean = self.first[i] / (1 - 0.9**self.updates)
            square = self.second[i] / (1 - 0.999**self.updates)
            self.weights[i] -= rate * mean / (np.sqrt(square) + 1e-8)


def probabilities(logits, masks):
    logits = np.where(masks, logits, -1e9)
    logits = np.exp(logits - logits.max(axis=1, keepdims=True))
    return logits / logits.sum(axis=1, keepdims=True)


def symmetric(boards, masks, actions, rng):
    """Every board of the batch by one of the eight symmetries, the same for all, with its masks and actions."""
    grid = np.rot90(np.arange(PASS).reshape(SIDE, SIDE), rng.integers(4))
    order = (grid.T if rng.integers(2) else grid).ravel()
    back = np.append(np.argsort(order), PASS)
    full = np.append(order, PASS)
    turned = boards.reshape(-1, 2, PASS)[:, :, order].reshape(len(boards), -1)
    return turned, masks[:, full], back[actions]


def self_play(env, network, rng):
    """One game of every row: (boards, masks, actions, results for who acted)."""
    env.reset()
    boards, masks, actions, players, rows = [], [], [], [], []
    results = np.zeros((env.num_envs, 2), np.float32)
    alive = np.ones(env.num_envs, bool)
    while alive.any():
        here = np.flatnonzero(alive)
        seen = env.observations[here].reshape(len(here), -1).astype(np.float32)
        allowed = env.masks[here].copy()
        chances = probabilities(network.forward(seen)[0], allowed)
        chosen = (chances.cumsum(axis=1) > rng.random((len(here), 1))).argmax(axis=1)
        chosen = np.where(allowed[np.arange(len(here)), chosen], chosen, allowed.argmax(axis=1))
        boards.append(seen)
        masks.append(allowed)
        actions.append(chosen)
        players.append(env.players[here].copy())
        rows.append(here)
        every = np.zeros(env.num_envs, np.int64)
        every[here] = chosen
        _, rewards, terminated, _, _ = env.step(every)
        results[terminated] = rewards[terminated]
        alive &= ~terminated
    rows, players = np.concatenate(rows), np.concatenate(players)
    return np.concatenate(boards), np.concatenate(masks), np.concatenate(actions), results[rows, players]


def learn(network, batch, rng, rate, entropy=0.01, size=2048):
    """The policy gradient with the value as its baseline, over one round of games."""
    boards, masks, actions, results = batch
    for part in np.array_split(rng.permutation(len(boards)), max(1, len(boards) // size)):
        seen, allowed, chosen = symmetric(boards[part], masks[part], actions[part], rng)
        logits, values, kept = network.forward(seen)
        chances = probabilities(logits, allowed)
        advantage = results[part] - values
        d_logits = chances * advantage[:, None]
        d_logits[np.arange(len(part)), chosen] -= advantage
        logs = np.log(chances + 1e-9)
        d_logits += entropy * chances * (logs - (chances * logs).sum(axis=1, keepdims=True))
        d_values = 0.5 * (values - results[part]) * (1 - values**2)
        network.backward(kept, d_logits / len(part), d_values / len(part), rate)


def greedy_move(network, position):
    """The best move by what the value says of the positions after each: a look one move ahead."""
    moves = position.legal_moves()
    after = [position.play(move) for move in moves]
    boards, signs, known = [], [], []
    for next_position in after:
        mine, theirs = "XO" if next_position.to_move == 0 else "OX"
        cells = "".join(next_position.board)
        boards.append([cell == mine for cell in cells] + [cell == theirs for cell in cells])
        signs.append(1 if next_position.to_move == position.to_move else -1)
        outcome = next_position.outcome
        known.append(None if not outcome else 0 if outcome.winner is None else
                     1 if outcome.winner == position.to_move else -1)
    values = network.forward(np.array(boards, np.float32))[1] * signs
    values = [value if end is None else 2 * end for value, end in zip(values, known)]
    return moves[int(np.argmax(values))]


def against_engine(network, level, pairs, seed):
    """The part of the points won against a level of the engine: each opening is played as both colours."""
    rng = np.random.default_rng(seed)
    points = 0.0
    for number in range(pairs):
        opening = paika.game(SPEC).start()
        for _ in range(4):
            opening = opening.play(str(rng.choice(opening.legal_moves())))
        for colour in (0, 1):
            engine = paika.Engine(SPEC, level=level, seed=seed + number, hash=1)
            position = opening
            while not position.is_over:
                if position.to_move == colour:
                    position = position.play(greedy_move(network, position))
                else:
                    position = position.play(engine.best(position, nodes=20000).move)
            winner = position.outcome.winner
            points += 0.5 if winner is None else float(winner == colour)
    return points / (2 * pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10, help="CPU time of training (default: 10)")
    parser.add_argument("--games", type=int, default=512, help="games at once (default: 512)")
    parser.add_argument("--level", type=int, default=3, help="the engine's level to be measured against (default: 3)")
    parser.add_argument("--pairs", type=int, default=25, help="openings of a measurement (default: 25)")
    parser.add_argument("--every", type=float, default=1, help="minutes between measurements (default: 1)")
    parser.add_argument("--out", help="a file for the weights (.npz)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    rng = np.random.default_rng(options.seed)
    network = Network(rng)
    env = paika.BatchEnv(SPEC, options.games, autoreset=False, seed=options.seed)
    print("minutes  games    points against level", options.level, flush=True)
    played, spent, measured = 0, 0.0, 0.0
    while True:
        begun = time.process_time()
        learn(network, self_play(env, network, rng), rng, rate=1e-3 if spent < options.minutes / 2 else 3e-4)
        played += options.games
        spent += (time.process_time() - begun) / 60
        last = spent >= options.minutes
        if last or spent - measured >= options.every:
            measured = spent
            print(f"{spent:7.1f} {played:7} {against_engine(network, options.level, options.pairs, 100):8.2f}", flush=True)
        if last:
            break
    if options.out:
        np.savez(options.out, *network.weights)


if __name__ == "__main__":
    main()
