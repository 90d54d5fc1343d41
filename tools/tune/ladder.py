#!/usr/bin/python3
"""Finds the plans of a game's levels by matches, so that each level scores 60 to 80 % against the one below.

    tools/tune/ladder.py SPEC --first TEMPERATURE [--results FILE] [--minutes M] [--cores N] [--games N]
    tools/tune/ladder.py SPEC --plans "PLAN PLAN …" [--results FILE] [--minutes M] [--cores N] [--games N]

A plan is a depth, a number of positions, a number of moves to choose among, and a temperature. The candidates are a
grid of plans from the first level, which is given because it has to lose to bots/greedy, to full strength. Their
ratings are estimated from the games played so far, the ladder of plans with the most even steps is picked, and
the step that has the fewest games is played next; what the games show may change the ladder. It ends when every step
of the ladder has its games. Results are appended to a file, so a run can be interrupted and continued elsewhere.
With --plans the ladder below full strength is given, as `engine:plan=` takes it, and only measured.

Prints the plans as the source writes them (LevelPlans), and the score of each against the one below.
"""

import argparse
import concurrent.futures
import itertools
import json
import math
import os
import pathlib
import subprocess
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAIKA = os.environ.get("PAIKA", ROOT / "build/release/bin/paika")
LEVELS = 14  # full_level of src/rules/search_traits.hpp
# Depth, positions and moves that are compared: with a temperature, and (the last ones) playing what looks best.
FAMILIES = [(1, 3000, 500), (2, 6000, 500), (3, 10_000, 30), (4, 15_000, 12), (5, 25_000, 8), (6, 40_000, 6),
            (8, 60_000, 4)]
PLAIN = [2000, 5000, 12_000, 30_000, 70_000, 150_000]
GOAL, LOW, HIGH = 0.70, 0.62, 0.78  # points of a level against the one below; steps outside are avoided
BATCH = 10  # games of one match


def elo(share):
    share = min(max(share, 0.0005), 0.9995)
    return 400 * math.log10(share / (1 - share))


def expected(difference):
    return 1 / (1 + 10 ** (-difference / 400))


class Plan:
    """A candidate for a level. `place` is where a guess would put it, in Elo; only differences matter."""

    def __init__(self, depth, positions, moves, temperature, place):
        self.depth, self.positions, self.moves, self.temperature = depth, positions, moves, temperature
        self.place = self.rating = place

    @property
    def text(self):
        return f"{self.depth}/{self.positions}/{self.moves}/{self.temperature:g}"

    def player(self, seed):
        plan = "" if self.positions == 0 else f"plan={self.text},"
        return f"engine:{plan}seed={seed}"

    def source(self):
        return f"{{{self.depth}, {self.positions}, {self.moves}, {self.temperature:g}}}"

    def below(self, other):
        """Whether the other may stand above it: it looks no less deep, and at the same depth it errs less."""
        mine, its = (self.depth, self.positions), (other.depth, other.positions)
        return mine < its or (mine == its and self.temperature > other.temperature)


def temperatures(hottest, coldest, ratio):
    t = hottest
    while t > coldest:
        yield float(f"{t:.2g}")
        t /= ratio


def candidates(args):
    """The grid, each family from hot to cold, and full strength last."""
    grid = []
    for number, family in enumerate(FAMILIES):
        hottest = args.first if number == 0 else args.hottest / 1.3 ** number
        row = []
        for t in temperatures(hottest, args.coldest, args.ratio):
            row.append(Plan(*family, t, 90 * number - 300 * math.log2(t / args.hottest) / 2))
        grid.append(row)
    plain = [Plan(40, positions, 1, 0, 150 * i + grid[-1][-1].place) for i, positions in enumerate(PLAIN)]
    grid.append(plain + [Plan(0, 0, 1, 0, plain[-1].place + 150)])
    return grid


def given(text):
    """The ladder of the plans that --plans names and full strength."""
    plans = []
    for one in text.split():
        try:
            depth, positions, moves, temperature = one.split("/")
            plans.append(Plan(int(depth), int(positions), int(moves), float(temperature), 100 * len(plans)))
        except ValueError:
            raise argparse.ArgumentTypeError(f"{one!r} is not DEPTH/POSITIONS/MOVES/TEMPERATURE") from None
    if len(plans) != LEVELS - 1:
        raise argparse.ArgumentTypeError(f"there must be {LEVELS - 1} plans, from the first level up, not {len(plans)}")
    return [*plans, Plan(0, 0, 1, 0, 100 * len(plans))]


class Results:
    """What was played, also by earlier runs: for two plans the games and the points of the first."""

    def __init__(self, path, spec):
        self.path, self.spec, self.lock, self.pairs = path, spec, threading.Lock(), {}
        if path and path.exists():
            for line in path.read_text().splitlines():
                row = json.loads(line)
                if row["spec"] == spec:
                    self.count(row)

    def count(self, row):
        games = self.pairs.setdefault((row["a"], row["b"]), [0, 0, 0])
        for i, key in enumerate(("wins", "draws", "losses")):
            games[i] += row[key]

    def add(self, row):
        with self.lock:
            self.count(row)
            if self.path:
                with self.path.open("a") as out:
                    out.write(json.dumps(row) + "\n")

    def of(self, above, below):
        """Wins, draws and losses of the one above."""
        return self.pairs.get((above.text, below.text), (0, 0, 0))

    def points(self, above, below):
        wins, draws, losses = self.of(above, below)
        return wins + draws / 2, wins + draws + losses


def play(args, results, above, below, seed):
    command = [PAIKA, "match", args.spec, above.player(1), below.player(2), "--each", f"nodes={args.nodes},hash=4",
               "--games", str(BATCH), "--max-moves", str(args.max_moves), "--seed", str(seed), "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    wins, draws = report["a"]["wins"], report["draws"]
    results.add({"spec": args.spec, "a": above.text, "b": below.text, "wins": wins, "draws": draws,
                 "losses": report["games"] - wins - draws, "seed": seed})


def rate(grid, results):
    """Ratings that explain the results, where neighbours in the grid are near their usual distance."""
    plans = {plan.text: plan for row in grid for plan in row}
    springs = []
    for row in grid:
        springs += [(a, b, 130.0) for a, b in zip(row, row[1:])]
    for row, deeper in zip(grid, grid[1:]):
        for a in row:
            b = min(deeper, key=lambda plan: abs(plan.temperature - a.temperature))
            springs.append((a, b, 200.0))
    games = [(plans[a], plans[b], w + d / 2, w + d + l) for (a, b), (w, d, l) in results.pairs.items()
             if a in plans and b in plans]
    touching = {plan.text: ([], []) for plan in plans.values()}
    for a, b, points, n in games:
        touching[a.text][0].append((b, points, n))
        touching[b.text][0].append((a, n - points, n))
    for a, b, width in springs:
        touching[a.text][1].append((b, a.place - b.place, width))
        touching[b.text][1].append((a, b.place - a.place, width))
    scale = math.log(10) / 400
    for _ in range(60):
        for plan in plans.values():
            slope = curve = 0.0
            for other, points, n in touching[plan.text][0]:
                share = expected(plan.rating - other.rating)
                slope += scale * (points - n * share)
                curve += scale * scale * n * max(share * (1 - share), 0.02)
            for other, distance, width in touching[plan.text][1]:
                slope -= (plan.rating - other.rating - distance) / width ** 2
                curve += 1 / width ** 2
            if curve > 0:
                plan.rating += max(-80.0, min(80.0, slope / curve))


def share_of(results, above, below):
    """The points that the one above is expected to score: its games, and its rating as if it were some more."""
    points, games = results.points(above, below)
    weight = 15
    return (points + weight * expected(above.rating - below.rating)) / (games + weight)


def step_cost(results, above, below):
    """How far a step is from what is wanted; one that was played much is better known.

    The step to full strength, which has no limit and so no fixed place, may be larger where the others would be else.
    """
    share = share_of(results, above, below)
    uneven = ((elo(share) - elo(GOAL)) / 60) ** 2
    unknown = 1 / (1 + results.points(above, below)[1] / 20)
    if above.positions == 0 and share > GOAL:
        return 0.4 * uneven + unknown
    outside = max(0.0, LOW - share, share - HIGH)
    return uneven + (outside * 30) ** 2 + unknown


def ladder_of(grid, results):
    """The plans from the first to full strength whose steps are the most even."""
    rate(grid, results)
    first, full = grid[0][0], grid[-1][-1]
    plans = [plan for row in grid for plan in row if plan not in (first, full)]
    ways = [{first: (0.0, None)}]  # by level: the plans it can be, each with the cost so far and the plan below
    for _ in range(LEVELS - 2):
        reached = {}
        for to in plans:
            best = min(((sum_below + step_cost(results, to, at), at) for at, (sum_below, _) in ways[-1].items()
                        if at.below(to) and 0 < to.rating - at.rating < 600),
                       default=None, key=lambda item: item[0])
            if best:
                reached[to] = best
        ways.append(reached)
    last = min(ways[-1], key=lambda at: ways[-1][at][0] + step_cost(results, full, at))
    ladder = [full, last]
    for way in reversed(ways[1:]):
        ladder.append(way[ladder[-1]][1])
    return ladder[::-1]


def show(ladder, results):
    for number, plan in enumerate(ladder, 1):
        line = f"level {number}: {plan.source()}"
        if number > 1:
            wins, draws, losses = results.of(plan, ladder[number - 2])
            games = wins + draws + losses
            if games:
                line += f"  {games} games: {wins}, {draws}, {losses} = {100 * (wins + draws / 2) / games:.0f} %"
            line += f"  (expected {100 * share_of(results, plan, ladder[number - 2]):.0f} %)"
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spec")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--first", type=float, help="temperature of the first level, in pieces")
    which.add_argument("--plans", type=given,
                       help="the plans below full strength, which are only measured, separated by blanks")
    parser.add_argument("--hottest", type=float, help="of the deeper plans; default: that of the first level")
    parser.add_argument("--coldest", type=float, default=0.05)
    parser.add_argument("--ratio", type=float, default=1.35, help="between neighbouring temperatures")
    parser.add_argument("--results", type=pathlib.Path, help="a file that the results are appended to")
    parser.add_argument("--minutes", type=float, default=1e9, help="no match begins after so long")
    parser.add_argument("--cores", type=int, default=1, help="matches at the same time")
    parser.add_argument("--games", type=int, default=100, help="of each step")
    parser.add_argument("--max-moves", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=400_000, help="positions per move of full strength")
    args = parser.parse_args()
    args.hottest = args.hottest or args.first
    grid = [args.plans] if args.plans else candidates(args)
    results = Results(args.results, args.spec)

    def best_ladder():
        if not args.plans:
            return ladder_of(grid, results)
        rate(grid, results)
        return grid[0]

    pending, seeds = {}, itertools.count(int(time.time()) % 1_000_000)
    end = time.time() + 60 * args.minutes
    shown = time.time()
    with concurrent.futures.ThreadPoolExecutor(args.cores) as pool:
        while time.time() < end:
            for done in [future for future in pending if future.done()]:
                del pending[done]
                done.result()
            ladder = best_ladder()
            if time.time() > shown + 30:
                show(ladder, results)
                print("", flush=True)
                shown = time.time()
            steps = list(zip(ladder[1:], ladder))
            load = {step: results.points(*step)[1] + BATCH * list(pending.values()).count(step) for step in steps}
            step = min(steps, key=lambda s: load[s])
            if load[step] >= args.games:
                if not pending:
                    break
            elif len(pending) < args.cores:
                pending[pool.submit(play, args, results, *step, next(seeds))] = step
                continue
            concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED)
    show(best_ladder(), results)


if __name__ == "__main__":
    main()
