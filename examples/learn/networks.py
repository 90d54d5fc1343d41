"""Two networks that say of a board how good each action looks and who will win: one for numpy alone, one for PyTorch.

    evaluate(boards)                  (logits of the actions, values from -1 to 1) for the player to act
    learn(boards, policies, values)   one step towards these; the losses of both
    weights(), load(weights)          everything that was learned, as arrays by name
"""

import numpy as np


def tuples(side):
    """The groups of squares that TupleNetwork looks at: lines in all directions, and the corners."""
    grid = np.arange(side * side).reshape(side, side)
    lines = [*grid, *grid.T]
    for board in (grid, grid[:, ::-1]):
        lines += [board.diagonal(offset) for offset in range(3 - side, side - 2)]
    for board in (grid, grid[::-1], grid[:, ::-1], grid[::-1, ::-1]):
        lines += [board[:3, :3].ravel(), board[:2, :4].ravel(), board[:4, :2].ravel()]
    return lines


class TupleNetwork:
    """What was learned of every pattern on every group of squares, added up: fast without a fast matrix product.

    A pattern is a number in base 3; it selects a row of one table with a column per action and one for the value. Only
    the rows that occur in a batch are changed by it, by Adam.
    """

    name = "tuples"

    def __init__(self, side, actions, rate=0.02):
        self.rate = rate
        groups = tuples(side)
        self.digits = np.zeros((side * side, len(groups)), np.float32)
        for number, group in enumerate(groups):
            self.digits[group, number] = 3.0 ** np.arange(len(group))
        sizes = [3 ** len(group) for group in groups]
        self.offsets = np.cumsum([0, *sizes[:-1]])
        self.table = np.zeros((sum(sizes), actions + 1), np.float32)
        self.first = np.zeros_like(self.table)
        self.second = np.zeros_like(self.table)

    def rows(self, boards):
        cells = boards[:, 0].reshape(len(boards), -1) + 2.0 * boards[:, 1].reshape(len(boards), -1)
        return (cells.astype(np.float32) @ self.digits).astype(np.int64) + self.offsets

    def output(self, rows):
        out = self.table[rows[:, 0]]
        for column in rows.T[1:]:
            out += self.table[column]
        return out[:, :-1], np.tanh(out[:, -1])

    def evaluate(self, boards):
        return self.output(self.rows(boards))

    def learn(self, boards, policies, values):
        rows = self.rows(boards)
        logits, found = self.output(rows)
        logs = logits - logits.max(axis=1, keepdims=True)
        logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
        errors = np.empty((len(boards), logits.shape[1] + 1), np.float32)
        errors[:, :-1] = np.exp(logs) - policies
        errors[:, -1] = (found - values) * (1 - found**2)
        self.adapt(rows, errors)
        return float(-(policies * logs).sum(axis=1).mean()), float(((found - values) ** 2).mean())

    def adapt(self, rows, errors):
        """Adds up the errors of each row of the table that occurs, and takes one step of Adam there."""
        order = rows.ravel().argsort(kind="stable")
        sorted_rows = rows.ravel()[order]
        starts = np.flatnonzero(np.diff(sorted_rows, prepend=-1))
        gradients = np.add.reduceat(errors[order // rows.shape[1]], starts, axis=0)
        changed = sorted_rows[starts]
        first = 0.9 * self.first[changed] + 0.1 * gradients
        second = 0.99 * self.second[changed] + 0.01 * gradients * gradients
        self.first[changed], self.second[changed] = first, second
        self.table[changed] -= self.rate * first / (np.sqrt(second) + 0.1)

    def weights(self):
        return {"table": self.table, "first": self.first, "second": self.second}

    def load(self, weights):
        self.table, self.first, self.second = (weights[name].copy() for name in ("table", "first", "second"))


def conv_network(side, actions, device, channels=64, blocks=4, rate=1e-3):
    """A residual convolutional network, in PyTorch. ImportError if there is none."""
    import torch
    from torch import nn
    from torch.nn import functional

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.one = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
            self.two = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
            self.norm_one, self.norm_two = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)

        def forward(self, x):
            inner = self.norm_two(self.two(functional.relu(self.norm_one(self.one(x)))))
            return functional.relu(x + inner)

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv2d(3, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels),
                                      nn.ReLU(), *[Block() for _ in range(blocks)])
            self.policy = nn.Sequential(nn.Conv2d(channels, 8, 1), nn.ReLU(), nn.Flatten(),
                                        nn.Linear(8 * side * side, actions))
            self.value = nn.Sequential(nn.Conv2d(channels, 4, 1), nn.ReLU(), nn.Flatten(),
                                       nn.Linear(4 * side * side, 64), nn.ReLU(), nn.Linear(64, 1), nn.Tanh())

        def forward(self, boards):
            edge = torch.ones_like(boards[:, :1])  # shows a convolution where the board ends
            body = self.body(torch.cat([boards, edge], dim=1))
            return self.policy(body), self.value(body)[:, 0]

    class ConvNetwork:
        """The network, its optimiser and its device behind numpy arrays."""

        name = f"convolutions on {device}"

        def __init__(self):
            self.net = Net().to(device)
            self.optimiser = torch.optim.AdamW(self.net.parameters(), lr=rate, weight_decay=1e-4)

        def tensor(self, array):
            return torch.from_numpy(np.ascontiguousarray(array)).to(device).float()

        def evaluate(self, boards):
            self.net.eval()
            with torch.no_grad():
                logits, values = self.net(self.tensor(boards))
            return logits.cpu().numpy(), values.cpu().numpy()

        def learn(self, boards, policies, values):
            self.net.train()
            logits, found = self.net(self.tensor(boards))
            policy_loss = -(self.tensor(policies) * functional.log_softmax(logits, dim=1)).sum(dim=1).mean()
            value_loss = functional.mse_loss(found, self.tensor(values))
            self.optimiser.zero_grad()
            (policy_loss + value_loss).backward()
            self.optimiser.step()
            return policy_loss.item(), value_loss.item()

        def weights(self):
            return {name: value.cpu().numpy() for name, value in self.net.state_dict().items()}

        def load(self, weights):
            self.net.load_state_dict({name: torch.as_tensor(weights[name]) for name in self.net.state_dict()})

    return ConvNetwork()


def make_network(kind, side, actions, device=None):
    """"tuples", "conv", or "auto": convolutions if PyTorch is there, on its GPU if it has one."""
    if kind == "tuples":
        return TupleNetwork(side, actions)
    try:
        import torch
    except ImportError:
        if kind == "conv":
            raise SystemExit("train_othello.py: PyTorch is not installed; --network tuples needs numpy alone") from None
        return TupleNetwork(side, actions)
    return conv_network(side, actions, device or ("cuda" if torch.cuda.is_available() else "cpu"))
