#!/usr/bin/env python3
"""Learns the pattern weights of Black & White from the samples of selfplay.

    train.py --layout layout.json --out othello.weights SAMPLES...
    train.py --layout layout.json --check [--weights some.weights SAMPLES...]

Each phase of the game is a least-squares problem of its own: find weights, one for each state of each
pattern, whose sums come nearest to the scores, with a penalty on large weights (ridge). It is solved
by conjugate gradients in double precision, on a GPU if there is one. One game in 64 is held out;
the weights kept are those with the least error on these.

--check needs no torch: it compares the states of the patterns with those that C++ worked out, and, given
weights and samples, prints the errors by phase, which must equal those of `selfplay --measure`.
"""
import argparse
import array
import json
import math
import struct
import sys
import time

FIRST_LINE = "paika othello pattern weights 1"
SAMPLE_BYTES = 24
HELD_OUT = 64  # one game in so many
PAWNS = 4      # which of the counts is the number of pawns


# ---- Layout and files, in plain Python ----

class Layout:
    """What selfplay --layout wrote: the places of the patterns and the numbers of their weights."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.phase_of = data["phase_of"]
        self.phases = data["phases"]
        self.counts = data["counts"]
        self.count_values = data["count_values"]
        self.checks = data["checks"]
        self.patterns = data["patterns"]
        self.places = []  # (squares by digit, weight numbers by state, first weight)
        first = 0
        for pattern in self.patterns:
            for squares in pattern["places"]:
                self.places.append((squares, pattern["numbers"], first))
            first += max(pattern["numbers"]) + 1
        self.first_count = first
        self.length = first + self.counts * self.count_values

    def states(self, own, opponent):
        """The state of every place on a board, as C++ numbers them."""
        found = []
        for squares, _, _ in self.places:
            digits = [((own >> s) & 1) + 2 * ((opponent >> s) & 1) for s in squares]
            found.append(sum(digit * 3 ** i for i, digit in enumerate(digits)))
        return found

    def weights_of(self, own, opponent, counts):
        """The indices of all weights that a position sums up."""
        found = [first + numbers[state]
                 for (_, numbers, first), state in zip(self.places, self.states(own, opponent))]
        return found + [self.first_count + i * self.count_values + c for i, c in enumerate(counts)]


def packed(numbers):
    """16-bit numbers, low byte first; a zero is followed by how many more zeros come."""
    words = array.array("H")
    i = 0
    while i < len(numbers):
        words.append(numbers[i] & 0xffff)
        i += 1
        if numbers[i - 1] == 0:
            more = 0
            while i < len(numbers) and numbers[i] == 0 and more < 0xffff:
                more += 1
                i += 1
            words.append(more)
    if sys.byteorder == "big":
        words.byteswap()
    return words.tobytes()


def unpacked(data):
    words = array.array("H", data)
    if sys.byteorder == "big":
        words.byteswap()
    numbers = []
    i = 0
    while i < len(words):
        if words[i] == 0:
            numbers.extend([0] * (1 + words[i + 1]))
            i += 2
        else:
            numbers.append(words[i] - 0x10000 if words[i] >= 0x8000 else words[i])
            i += 1
    return numbers


def read_weights(path, layout):
    """The weights of all phases, in hundredths of a disc."""
    with open(path, "rb") as file:
        text = file.read()
    mark = b"\ndata\n"
    numbers = unpacked(text[text.index(mark) + len(mark):])
    if len(numbers) != layout.phases * layout.length:
        sys.exit(f"{path}: {len(numbers)} weights, {layout.phases * layout.length} are needed")
    return [numbers[i * layout.length:(i + 1) * layout.length] for i in range(layout.phases)]


def write_weights(path, weights, notes):
    """`weights`: a list of whole numbers a phase; `notes`: lines that say where they come from."""
    numbers = [number for phase in weights for number in phase]
    with open(path, "wb") as file:
        file.write("\n".join([FIRST_LINE, *notes, "data", ""]).encode())
        file.write(packed(numbers))


# ---- The check without torch ----

def check(layout, weights_path, sample_paths):
    for case in layout.checks:
        if layout.states(int(case["own"], 16), int(case["opponent"], 16)) != case["states"]:
            sys.exit(f"states differ from those of C++ for {case}")
    some = [0, 0, 0, 5, -7, 0, 32767, -32767, 0] + [0] * 70000 + [1]
    if unpacked(packed(some)) != some:
        sys.exit("packing and unpacking differ")
    print(f"{len(layout.checks)} boards agree; {layout.length} weights a phase, {len(layout.places)} places")
    if not weights_path:
        return
    weights = read_weights(weights_path, layout)
    squares = [0.0] * layout.phases
    counts = [0] * layout.phases
    for path in sample_paths:
        with open(path, "rb") as file:
            data = file.read()
        for own, opponent, *values, score, _ in struct.iter_unpack("<QQ5BbH", data):
            phase = layout.phase_of[values[PAWNS]]
            error = sum(weights[phase][i] for i in layout.weights_of(own, opponent, values)) / 100 - score
            squares[phase] += error * error
            counts[phase] += 1
    for phase in range(layout.phases):
        rmse = math.sqrt(squares[phase] / counts[phase]) if counts[phase] else 0.0
        print(f"phase {phase:2} samples {counts[phase]:9} rmse {rmse:.3f}")


# ---- Training ----

class Problem:
    """The least-squares problem of one phase: indices of weights, scores and worth of its samples."""

    def __init__(self, torch, indices, scores, worth, length):
        self.torch = torch
        self.indices = indices      # [samples, places]
        self.scores = scores
        self.worth = worth
        self.length = length
        # Sums over the samples of each weight: the indices in order, and where each weight's part ends.
        ordered, order = torch.sort(indices.reshape(-1))
        self.rows = torch.div(order, indices.shape[1], rounding_mode="floor")
        every = torch.arange(length + 1, device=indices.device)
        self.bounds = torch.searchsorted(ordered, every)
        self.seen = self.spread(worth)

    def sums(self, weights):
        """For each sample the sum of its weights."""
        return weights[self.indices].sum(1)

    def spread(self, values):
        """For each weight the sum of the values of the samples that use it."""
        torch = self.torch
        running = torch.cat([values.new_zeros(1), values[self.rows].cumsum(0)])
        parts = running[self.bounds]
        return parts[1:] - parts[:-1]

    def solve(self, start, ridge, steps, watch):
        """Conjugate gradients from `start`; watch(weights) is asked now and then, and says when to stop."""
        diagonal = self.seen + ridge
        weights = start.clone()
        residual = self.spread(self.worth * (self.scores - self.sums(weights))) - ridge * weights
        scaled = residual / diagonal
        direction = scaled.clone()
        product = residual.dot(scaled)
        for step in range(1, steps + 1):
            turned = self.spread(self.worth * self.sums(direction)) + ridge * direction
            length = product / direction.dot(turned)
            weights += length * direction
            residual -= length * turned
            scaled = residual / diagonal
            following = residual.dot(scaled)
            direction = scaled + (following / product) * direction
            product = following
            if (step % 10 == 0 or step == steps) and watch(weights):
                break


class Trainer:
    def __init__(self, layout, arguments):
        import torch
        self.torch = torch
        self.layout = layout
        self.arguments = arguments
        self.device = torch.device("cuda" if torch.cuda.is_available() and not arguments.cpu else "cpu")
        torch.manual_seed(arguments.seed)
        blocks = []
        for path in arguments.samples:
            with open(path, "rb") as file:
                blocks.append(torch.frombuffer(bytearray(file.read()), dtype=torch.uint8).reshape(-1, SAMPLE_BYTES))
        data = torch.cat(blocks)
        self.own = data[:, 0:8].contiguous().view(torch.int64).reshape(-1)
        self.opponent = data[:, 8:16].contiguous().view(torch.int64).reshape(-1)
        self.counts = data[:, 16:21].contiguous()
        self.scores = data[:, 21].contiguous().view(torch.int8)
        games = data[:, 22].to(torch.int32) + 256 * data[:, 23].to(torch.int32)
        self.held_out = games % HELD_OUT == 0
        self.tables = [torch.tensor(numbers, dtype=torch.int64, device=self.device) + first
                       for _, numbers, first in layout.places]
        print(f"{len(data)} samples on {self.device}, {int(self.held_out.sum())} of them held out", flush=True)

    def indices(self, chosen):
        """The indices of the weights of the chosen samples: [samples, places]."""
        torch = self.torch
        own = self.own[chosen].to(self.device)
        opponent = self.opponent[chosen].to(self.device)
        columns = []
        digits = [((own >> s) & 1) + 2 * ((opponent >> s) & 1) for s in range(64)]
        for (squares, _, _), table in zip(self.layout.places, self.tables):
            state = torch.zeros_like(own)
            for i, square in enumerate(squares):
                state += digits[square] * 3 ** i
            columns.append(table[state])
        counts = self.counts[chosen].to(self.device).to(torch.int64)
        for i in range(self.layout.counts):
            columns.append(self.layout.first_count + i * self.layout.count_values + counts[:, i])
        return torch.stack(columns, 1)

    def select(self, phase):
        """Which samples teach this phase, how much each counts, and which are held out to judge it."""
        torch = self.torch
        pawns = self.counts[:, PAWNS].to(torch.int64)
        phase_of = torch.tensor(self.layout.phase_of)
        members = [n for n in range(4, 64) if self.layout.phase_of[n] == phase]
        inside = phase_of[pawns] == phase
        near = (pawns >= members[0] - self.arguments.overlap) & (pawns <= members[-1] + self.arguments.overlap)
        taught = torch.nonzero(near & ~self.held_out).reshape(-1)
        if len(taught) > self.arguments.most:
            taught = taught[torch.randperm(len(taught))[:self.arguments.most]]
        worth = torch.where(inside[taught], 1.0, self.arguments.overlap_worth).to(torch.float64)
        return taught, worth, torch.nonzero(inside & self.held_out).reshape(-1)

    def train(self, phase, end):
        """The best weights of one phase, in discs, and their error on the held-out games. Stops at `end`."""
        torch = self.torch
        taught, worth, judged = self.select(phase)
        zero = torch.zeros(self.layout.length, dtype=torch.float64, device=self.device)
        if len(taught) == 0 or len(judged) == 0:
            return zero, 0.0, 0.0, 0.0, len(taught)
        scores = self.scores[taught].to(self.device).to(torch.float64)
        problem = Problem(torch, self.indices(taught), scores, worth.to(self.device), self.layout.length)
        judged_indices = self.indices(judged)
        judged_scores = self.scores[judged].to(self.device).to(torch.float64)

        def error(weights):
            return float((weights[judged_indices].sum(1) - judged_scores).square().mean().sqrt())

        best = {"error": float("inf"), "weights": zero, "ridge": 0.0}
        for ridge in self.arguments.ridge:
            if time.time() > end and best["ridge"]:
                break
            last = {"error": float("inf")}

            def watch(weights):
                now = error(weights)
                if now < best["error"]:
                    best.update(error=now, weights=weights.clone(), ridge=ridge)
                done = now > last["error"] - 1e-4 or time.time() > end
                last["error"] = now
                return done

            problem.solve(zero, ridge, self.arguments.steps, watch)
        return best["weights"], best["error"], error(zero), best["ridge"], len(taught)


def train(layout, arguments):
    end = time.time() + arguments.seconds if arguments.seconds else float("inf")
    trainer = Trainer(layout, arguments)
    weights = []
    notes = list(arguments.note)
    notes.append(f"trained on {len(trainer.own)} samples, ridge {arguments.ridge}, at most {arguments.steps} steps, "
                 f"seed {arguments.seed}")
    for phase in range(layout.phases):
        start = time.time()
        share = (end - start) / (layout.phases - phase)
        found, error, spread, ridge, count = trainer.train(phase, start + share)
        weights.append((found * 100).round().clamp(-32767, 32767).to(trainer.torch.int64).tolist())
        used = sum(1 for number in weights[-1] if number != 0)
        line = f"phase {phase:2} samples {count:9} weights {used:6} held-out rmse {error:.3f} of {spread:.3f}"
        notes.append(line)
        print(f"{line} ridge {ridge:g} seconds {time.time() - start:.1f}", flush=True)
    write_weights(arguments.out, weights, notes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", nargs="*", help="files that selfplay wrote")
    parser.add_argument("--layout", required=True, help="what selfplay --layout wrote")
    parser.add_argument("--out", help="the weights file to write")
    parser.add_argument("--note", action="append", default=[], help="a line of provenance for the weights file")
    parser.add_argument("--ridge", type=float, nargs="+", default=[30.0], help="penalties to try; the best is kept")
    parser.add_argument("--steps", type=int, default=200, help="of conjugate gradients, at most")
    parser.add_argument("--seconds", type=float, default=0, help="time for everything, about; 0: no limit")
    parser.add_argument("--most", type=int, default=8_000_000, help="samples a phase, at most")
    parser.add_argument("--overlap", type=int, default=2, help="pawns by which a phase learns from its neighbours")
    parser.add_argument("--overlap-worth", type=float, default=0.5, help="how much such samples count")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="do not use a GPU")
    parser.add_argument("--check", action="store_true", help="compare with C++ and end; needs no torch")
    parser.add_argument("--weights", help="with --check: weights to measure on the samples")
    arguments = parser.parse_args()
    layout = Layout(arguments.layout)
    if arguments.check:
        check(layout, arguments.weights, arguments.samples)
    elif not arguments.samples or not arguments.out:
        parser.error("training needs samples and --out")
    else:
        train(layout, arguments)


if __name__ == "__main__":
    main()
