#!/usr/bin/env python3
"""Learns the weights of Black & White's patterns from samples that selfplay wrote.

    train.py --layout layout.json --out othello.weights SAMPLES...

A weight is a function of the number of pawns on the board: given at knots, linear between them. All knots are
found at once by least squares, with a penalty on large weights (--ridge) and one on differences between
neighbouring knots (--smooth), by conjugate gradients; with CuPy on a GPU if there is one, else with NumPy. One game
in 64 is held out; the errors on these are printed beside those of the evaluation that the games were played with.

--check compares the numbering of the patterns with that of C++ and the coding of weights files with its reverse.
"""
import argparse
import json
import math
import random
import sys
import time

import numpy

import weights_file

try:
    import cupy
    cupy.zeros(1)
    GPU = True
except Exception:  # no CuPy, or no GPU: NumPy does the same, slowly
    GPU = False

HELD_OUT = 64  # one game in so many
SEARCHED, PLAYED, EXACT = range(3)  # kinds of samples


class Layout:
    """What layout --size N wrote: the places of the patterns and how their states share weights."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.size = data["size"]
        self.knots = data["knots"]
        self.knot_step = data["knot_step"]
        self.phase_step = data["phase_step"]
        self.count_values = data["count_values"]
        self.counts = data["counts"]
        self.checks = data["checks"]
        self.patterns = data["patterns"]
        self.numbers = [self.weight_numbers(p) for p in self.patterns]
        self.lengths = [int(n.max()) + 1 for n in self.numbers]
        self.length = sum(self.lengths) + self.counts * self.count_values

    @staticmethod
    def weight_numbers(pattern):
        """For every state the number of its weight: images under a symmetry share one."""
        digits = len(pattern["places"][0])
        states = numpy.arange(3 ** digits)
        least = states.copy()
        for symmetry in pattern["symmetries"]:
            image = numpy.zeros_like(states)
            for digit, to in enumerate(symmetry):
                image += states // 3 ** digit % 3 * 3 ** to
            numpy.minimum(least, image, out=least)
        return numpy.unique(least, return_inverse=True)[1].reshape(-1).astype(numpy.int32)

    def sample_type(self):
        words = (self.size * self.size + 63) // 64
        return numpy.dtype([("own", "<u8", (words,)), ("opponent", "<u8", (words,)), ("placings", "u1", (2,)),
                            ("score", "i1"), ("kind", "u1"), ("searched", "<i2"), ("evaluated", "<i2"),
                            ("game", "<u2")])

    def phase_place(self, pawns):
        """Between which knots a number of pawns lies: the lower one, and how near the upper one is."""
        place = (self.phase_step * ((pawns - 4) // self.phase_step) + (self.phase_step - 1) / 2) / self.knot_step
        knot = min(int(place), self.knots - 2)
        return knot, place - knot


def check(layout):
    for case in layout.checks:
        found = []
        for pattern, numbers in zip(layout.patterns, layout.numbers):
            for squares in pattern["places"]:
                state = sum(3 ** i * "-XO".index(case["board"][s]) for i, s in enumerate(squares))
                found.append(int(numbers[state]))
        if found != case["numbers"]:
            sys.exit(f"weights differ from those of C++ for {case}")
    chance = random.Random(1)
    some = [[chance.choice([0, 0, 0, 1, -2, 30, -400, 2500]) for _ in range(2000)] for _ in range(4)]
    if weights_file.decoded(weights_file.coded(some), 4, 2000) != some:
        sys.exit("coding and decoding differ")
    print(f"{len(layout.checks)} boards agree; {layout.knots} knots of {layout.length} weights")


class Samples:
    """The samples as arrays: which weights each of them adds up, and what it is worth."""

    def __init__(self, layout, paths, arguments):
        self.xp = xp = cupy if GPU and not arguments.cpu else numpy
        data = numpy.concatenate([self.read(layout, path) for path in paths])
        if arguments.most and len(data) > arguments.most:
            data = data[:arguments.most]
        self.count = len(data)
        self.held_out = xp.asarray(data["game"] % HELD_OUT == 0)
        self.kind = xp.asarray(data["kind"])
        self.evaluated = xp.asarray(data["evaluated"].astype(numpy.float32) / 100)
        score = xp.asarray(data["score"].astype(numpy.float32))
        searched = xp.asarray(data["searched"].astype(numpy.float32) / 100)
        mix = arguments.mix
        self.score = score
        self.label = xp.where(self.kind == EXACT, score,
                              xp.where(self.kind == PLAYED, mix * score + (1 - mix) * searched, searched))
        beside = (self.kind == SEARCHED).astype(xp.float32)
        self.worth = (1 - beside * (1 - arguments.searched_worth)) * (1 - self.held_out.astype(xp.float32))
        if arguments.held_out:
            data[data["game"] % HELD_OUT == 0].tofile(arguments.held_out)
        self.find_weights(layout, data)

    @staticmethod
    def read(layout, path):
        """A file may end in the middle of a sample if its writing was cut short."""
        kind = layout.sample_type()
        with open(path, "rb") as file:
            text = file.read()
        return numpy.frombuffer(text[:len(text) // kind.itemsize * kind.itemsize], dtype=kind)

    def find_weights(self, layout, data):
        """For each pattern the numbers of the weights in its places, in the lower knot: [places, samples]."""
        xp = self.xp
        one = numpy.uint64(1)
        words = {(side, word): xp.asarray(numpy.ascontiguousarray(data[side][:, word]))
                 for side in ("own", "opponent") for word in range(data["own"].shape[1])}
        cells = []
        self.pawns = xp.zeros(self.count, dtype=xp.uint8)
        for square in range(layout.size * layout.size):
            word, bit = divmod(square, 64)
            own = ((words["own", word] >> numpy.uint64(bit)) & one).astype(xp.uint8)
            opponent = ((words["opponent", word] >> numpy.uint64(bit)) & one).astype(xp.uint8)
            cells.append(own + opponent + opponent)
            self.pawns += own + opponent
        places = [layout.phase_place(n) if n >= 4 else (0, 0.0) for n in range(layout.size ** 2 + 1)]
        knot = xp.asarray(numpy.array([k for k, _ in places], dtype=numpy.int32))[self.pawns]
        self.upper = xp.asarray(numpy.array([f for _, f in places], dtype=numpy.float32))[self.pawns]
        self.blocks = []
        for pattern, numbers, length in zip(layout.patterns, layout.numbers, layout.lengths):
            table = xp.asarray(numbers)
            rows = xp.empty((len(pattern["places"]), self.count), dtype=xp.int32)
            for row, squares in zip(rows, pattern["places"]):
                state = xp.zeros(self.count, dtype=xp.int32)
                for i, square in enumerate(squares):
                    state += cells[square].astype(xp.int32) * 3 ** i
                row[:] = table[state] + knot * length
            self.blocks.append((rows, length))
        placings = [xp.asarray(numpy.ascontiguousarray(data["placings"][:, i])) for i in range(2)]
        for count in [*placings, self.pawns]:
            values = xp.minimum(count.astype(xp.int32), layout.count_values - 1)
            self.blocks.append(((values + knot * layout.count_values)[None], layout.count_values))


class Problem:
    """Least squares over all knots and patterns. Weights are a list of arrays, one for each block: [knots * length]."""

    def __init__(self, samples, knots):
        self.samples = samples
        self.knots = knots
        self.xp = samples.xp
        self.seen = self.spread(samples.worth, squared=True)

    def zero(self):
        return [self.xp.zeros(self.knots * length, dtype=self.xp.float64) for _, length in self.samples.blocks]

    def sums(self, weights):
        """For each sample the sum of its weights."""
        xp, s = self.xp, self.samples
        low = xp.zeros(s.count, dtype=xp.float64)
        high = xp.zeros(s.count, dtype=xp.float64)
        for (rows, length), block in zip(s.blocks, weights):
            for row in rows:
                low += block[row]
                high += block[row + length]
        return low * (1 - s.upper) + high * s.upper

    def spread(self, values, squared=False):
        """For each weight the sum of the values of the samples that use it, by how much they do."""
        xp, s = self.xp, self.samples
        low = (values * ((1 - s.upper) ** 2 if squared else 1 - s.upper)).astype(xp.float64)
        high = (values * (s.upper ** 2 if squared else s.upper)).astype(xp.float64)
        found = []
        for rows, length in s.blocks:
            block = xp.zeros(self.knots * length, dtype=xp.float64)
            for row in rows:
                block += xp.bincount(row, weights=low, minlength=len(block))
                block[length:] += xp.bincount(row, weights=high, minlength=len(block))[:-length]
            found.append(block)
        return found

    def penalty(self, weights, ridge, smooth):
        """The gradient of the penalties."""
        found = []
        for (_, length), block in zip(self.samples.blocks, weights):
            by_knot = block.reshape(self.knots, length)
            part = ridge * by_knot
            step = smooth * (by_knot[1:] - by_knot[:-1])
            part[1:] += step
            part[:-1] -= step
            found.append(part.reshape(-1))
        return found

    def solve(self, weights, ridge, smooth, steps, watch):
        """Conjugate gradients from `weights`; watch(step, weights) says now and then when to stop."""
        s = self.samples
        diagonal = [seen + ridge + 2 * smooth for seen in self.seen]
        inner = lambda a, b: float(sum((x * y).sum() for x, y in zip(a, b)))
        weights = [w.copy() for w in weights]
        pull = self.spread(s.worth * (s.label - self.sums(weights)))
        residual = [p - q for p, q in zip(pull, self.penalty(weights, ridge, smooth))]
        scaled = [r / d for r, d in zip(residual, diagonal)]
        direction = [x.copy() for x in scaled]
        product = inner(residual, scaled)
        for step in range(1, steps + 1):
            turned = self.spread(s.worth * self.sums(direction))
            turned = [t + q for t, q in zip(turned, self.penalty(direction, ridge, smooth))]
            length = product / inner(direction, turned)
            for w, d in zip(weights, direction):
                w += length * d
            for r, t in zip(residual, turned):
                r -= length * t
            scaled = [r / d for r, d in zip(residual, diagonal)]
            following = inner(residual, scaled)
            direction = [x + following / product * d for x, d in zip(scaled, direction)]
            product = following
            if watch(step, weights):
                break
        return weights


def rmse(xp, errors, chosen):
    n = int(chosen.sum())
    return (math.sqrt(float((errors[chosen] ** 2).mean())) if n else 0.0), n


def report(samples, sums, layout):
    """Lines with the errors on held-out games by phase, ours beside those of the evaluation played with."""
    xp = samples.xp
    lines = []
    width = 2 * layout.knot_step
    for first in range(4, layout.size ** 2, width):
        inside = samples.held_out & (samples.pawns >= first) & (samples.pawns < first + width)
        new, n = rmse(xp, sums - samples.label, inside)
        old, _ = rmse(xp, samples.evaluated - samples.label, inside)
        games = inside & (samples.kind != SEARCHED)
        new_score, _ = rmse(xp, sums - samples.score, games)
        old_score, _ = rmse(xp, samples.evaluated - samples.score, games)
        lines.append(f"pawns {first:3}-{first + width - 1:3} samples {n:7} held-out rmse {new:.3f} before {old:.3f}, "
                     f"of scores {new_score:.3f} before {old_score:.3f}")
    return lines


def quantised(layout, weights, step):
    """Whole numbers of `step` hundredths, a list for each knot."""
    knots = []
    for knot in range(layout.knots):
        values = []
        for block in weights:
            block = numpy.asarray(block.get() if hasattr(block, "get") else block).reshape(layout.knots, -1)[knot]
            values.append(numpy.rint(block * 100 / step).clip(-2000, 2000).astype(numpy.int64))
        knots.append(numpy.concatenate(values).tolist())
    return knots


def train(layout, arguments):
    started = time.time()
    samples = Samples(layout, arguments.samples, arguments)
    xp = samples.xp
    held_out = int(samples.held_out.sum())
    print(f"{samples.count} samples, {held_out} of them held out, {'GPU' if xp is not numpy else 'CPU'}, "
          f"{time.time() - started:.0f} s", flush=True)
    problem = Problem(samples, layout.knots)
    best = (float("inf"),)
    weights = problem.zero()
    for choice in arguments.penalty.split(","):
        ridge, smooth = (float(part) for part in choice.split(":"))
        last = [float("inf")]

        def watch(step, now):
            late = arguments.seconds and time.time() - started > arguments.seconds
            if step % 10 and step != arguments.steps and not late:
                return False
            error, _ = rmse(xp, problem.sums(now) - samples.label, samples.held_out)
            print(f"ridge {ridge:g} smooth {smooth:g} step {step} held-out rmse {error:.4f} "
                  f"{time.time() - started:.0f} s", flush=True)
            done = error > last[0] - arguments.tolerance or late
            last[0] = error
            return done

        weights = problem.solve(weights, ridge, smooth, arguments.steps, watch)
        if last[0] < best[0]:
            best = (last[0], ridge, smooth, weights)
        if arguments.seconds and time.time() - started > arguments.seconds:
            break
    _, ridge, smooth, weights = best
    lines = report(samples, problem.sums(weights), layout)
    print("\n".join(lines))
    notes = [*arguments.note, f"trained on {samples.count} samples, ridge {ridge:g}, smooth {smooth:g}, mix "
             f"{arguments.mix:g}, searched worth {arguments.searched_worth:g}, at most {arguments.steps} steps", *lines]
    if arguments.raw:
        numpy.savez_compressed(arguments.raw, *[numpy.asarray(w.get() if hasattr(w, "get") else w, dtype=numpy.float16)
                                                for w in weights])
    weights_file.write_weights(arguments.out, layout.size, arguments.step, quantised(layout, weights, arguments.step),
                               notes)
    print(f"{arguments.out} written, {time.time() - started:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("samples", nargs="*", help="files that selfplay wrote")
    parser.add_argument("--layout", required=True, help="what the program layout wrote")
    parser.add_argument("--out", help="the weights file to write")
    parser.add_argument("--held-out", help="write the held-out samples to this file")
    parser.add_argument("--raw", help="write the weights before rounding to this file, too")
    parser.add_argument("--note", action="append", default=[], help="a line of provenance for the weights file")
    parser.add_argument("--penalty", default="10:10", metavar="RIDGE:SMOOTH,…",
                        help="penalties to try; the best are kept")
    parser.add_argument("--mix", type=float, default=0.5, help="how much the score of a game counts beside the search")
    parser.add_argument("--searched-worth", type=float, default=0.5, help="how much positions beside a game count")
    parser.add_argument("--steps", type=int, default=150, help="of conjugate gradients, at most")
    parser.add_argument("--tolerance", type=float, default=1e-3, help="an improvement in ten steps that is worth going on")
    parser.add_argument("--step", type=int, default=8, help="weights are rounded to multiples of so many hundredths")
    parser.add_argument("--seconds", type=float, default=0, help="time for the fit, about; 0: no limit")
    parser.add_argument("--most", type=int, default=0, help="samples, at most; 0: all")
    parser.add_argument("--cpu", action="store_true", help="do not use a GPU")
    parser.add_argument("--check", action="store_true", help="compare with C++ and end")
    arguments = parser.parse_args()
    layout = Layout(arguments.layout)
    if arguments.check:
        check(layout)
    elif not arguments.samples or not arguments.out:
        parser.error("training needs samples and --out")
    else:
        train(layout, arguments)


if __name__ == "__main__":
    main()
