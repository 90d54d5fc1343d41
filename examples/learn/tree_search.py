"""Monte Carlo tree search guided by a network, as in AlphaZero, for many games at once.

All positions are games of one paika.BatchEnv: tree t has its root in game t * (simulations + 1) and its other nodes behind
it. A simulation is the same for all trees at the same time: descend to a new node, evaluate the new nodes of all trees in
one batch, and add the values on the way back. Nothing here knows the rules of a game.
"""

import numpy as np

import paika

EXPLORATION = 1.5  # c of the PUCT formula
NOISE = 0.25  # the part of noise in the root's priors when exploring
CONCENTRATION = 0.6  # of the Dirichlet distribution that the noise is from


def probabilities(logits, masks):
    """The softmax over the allowed actions, none of which gets nothing."""
    logits = np.where(masks, logits, -1e9)
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances = np.where(masks, np.maximum(chances, 1e-6), 0)
    return (chances / chances.sum(axis=1, keepdims=True)).astype(np.float32)


class TreeSearch:
    """`trees` games of a spec, each searched with so many simulations a move."""

    def __init__(self, spec, network, trees, simulations):
        self.network = network
        self.simulations = simulations
        self.env = paika.BatchEnv(spec, trees * (simulations + 1), autoreset=False)
        self.roots = np.arange(trees) * (simulations + 1)

    def play(self, trees, actions):
        """Does an action in each of these trees' games."""
        self.env.branch(self.roots[trees], actions, self.roots[trees])

    def over(self, trees):
        return ~self.env.masks[self.roots[trees]].any(axis=1)

    def search(self, trees, rng=None):
        """(visits of every action, the root's value for the player to act) in these trees, whose games are not over.

        With rng there is noise in the priors of the roots, so that self-play tries what the network does not expect.
        """
        nodes = _Nodes(self, trees)
        nodes.evaluate(np.arange(len(trees)), 0)
        if rng is not None:
            allowed = nodes.priors[:, 0] > 0
            noise = rng.gamma(CONCENTRATION, size=allowed.shape) * allowed + 1e-9 * allowed
            noise /= noise.sum(axis=1, keepdims=True)
            nodes.priors[:, 0] = (1 - NOISE) * nodes.priors[:, 0] + NOISE * noise
        for number in range(1, self.simulations + 1):
            nodes.simulate(number)
        visits = nodes.visits[:, 0]
        return visits, nodes.signs[:, 0] * nodes.totals[:, 0].sum(axis=1) / visits.sum(axis=1)


class _Nodes:
    """The trees of one search. Values and totals are those of the first player; a sign turns them for who acts."""

    def __init__(self, search, trees):
        self.env, self.network = search.env, search.network
        self.games = search.roots[trees]
        shape = (len(trees), search.simulations + 1)
        actions = self.env.num_actions
        self.priors = np.zeros((*shape, actions), np.float32)
        self.visits = np.zeros((*shape, actions), np.float32)
        self.totals = np.zeros((*shape, actions), np.float32)
        self.children = np.full((*shape, actions), -1, np.int32)
        self.values = np.zeros(shape, np.float32)
        self.signs = np.ones(shape, np.float32)
        self.ended = np.zeros(shape, bool)

    def evaluate(self, trees, number):
        """Fills node `number` of these trees: by the rules if its game is over, else by the network."""
        games = self.games[trees] + number
        self.signs[trees, number] = 1 - 2.0 * self.env.players[games]
        ended = self.env.terminated[games] if number else np.zeros(len(games), bool)
        self.ended[trees, number] = ended
        self.values[trees, number] = self.env.rewards[games, 0]
        trees, games = trees[~ended], games[~ended]
        if len(trees) > 0:
            logits, values = self.network.evaluate(self.env.observations[games])
            self.priors[trees, number] = probabilities(logits, self.env.masks[games])
            self.values[trees, number] = values * self.signs[trees, number]

    def choose(self, trees, at):
        """The most promising action of a node of each tree: its value so far, and more where the prior is not used up."""
        visits, priors = self.visits[trees, at], self.priors[trees, at]
        own = self.signs[trees, at][:, None]
        means = np.where(visits > 0, self.totals[trees, at] / np.maximum(visits, 1), self.values[trees, at][:, None])
        bonus = EXPLORATION * priors * np.sqrt(visits.sum(axis=1, keepdims=True) + 1) / (1 + visits)
        return np.where(priors > 0, own * means + bonus, -np.inf).argmax(axis=1)

    def simulate(self, number):
        """One more descent in every tree; a node that it adds is node `number`."""
        leaves = np.zeros(len(self.games), np.int64)
        path, new = [], []
        active = np.arange(len(self.games))
        while len(active) > 0:
            at = leaves[active]
            actions = self.choose(active, at)
            path.append((active, at, actions))
            following = self.children[active, at, actions]
            fresh = following < 0
            new.append((active[fresh], at[fresh], actions[fresh]))
            leaves[active] = np.where(fresh, number, following)
            active = active[~fresh & ~self.ended[active, leaves[active]]]
        trees, parents, actions = (np.concatenate(part) for part in zip(*new))
        if len(trees) > 0:
            self.children[trees, parents, actions] = number
            self.env.branch(self.games[trees] + parents, actions, self.games[trees] + number)
            self.evaluate(trees, number)
        values = self.values[np.arange(len(self.games)), leaves]
        for trees, at, actions in path:
            self.visits[trees, at, actions] += 1
            self.totals[trees, at, actions] += values[trees]
