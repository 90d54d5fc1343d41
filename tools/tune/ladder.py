#!/usr/bin/python3
"""Finds the temperatures of a game's levels by `paika match`, so that each level beats the one below by about as much.

    tools/tune/ladder.py SPEC --first TEMPERATURE [--start LEVEL] [--games N] [--goal PER-CENT]

How deep a level looks and at how many moves is given by SKELETON; its temperature is bisected until it scores about
the goal against the level below, which has been found before it. The first level's is given: it should lose to
bots/greedy. Prints the plans as the source writes them (LevelPlans).
"""

import argparse
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAIKA = os.environ.get("PAIKA", ROOT / "build/release/bin/paika")
# Depth, positions and moves that are looked at closely, of levels 1 to 9.
SKELETON = [(1, 3000, 500), (1, 3000, 500), (1, 3000, 500), (2, 6000, 500), (2, 6000, 500), (3, 10_000, 30),
            (4, 15_000, 12), (5, 25_000, 8), (6, 40_000, 5)]
COLDEST, HOTTEST = 0.02, 40.0


def plan(level, temperature):
    depth, positions, moves = SKELETON[level - 1]
    return f"engine:plan={depth}/{positions}/{moves}/{temperature:.3g}"


def score(args, a, b, seed):
    """The points of A in per cent."""
    command = [PAIKA, "match", args.spec, a + ",seed=1", b + ",seed=2", "--each", f"nodes={args.nodes},hash=4",
               "--games", str(args.games), "--max-moves", "200", "--seed", str(seed), "--concurrency", "1", "--json"]
    report = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return 100 * (report["a"]["wins"] + report["draws"] / 2) / report["games"]


def find(args, level, below):
    """The temperature with which the level scores the goal, and the score."""
    cold, hot = COLDEST, HOTTEST
    temperature, best = below * args.factor, None
    for attempt in range(args.attempts):
        points = score(args, plan(level, temperature), plan(level - 1, below), seed=100 * level + attempt)
        print(f"  level {level}: temperature {temperature:.3g} scores {points:.0f} %", flush=True)
        if best is None or abs(points - args.goal) < abs(best[1] - args.goal):
            best = (temperature, points)
        if abs(points - args.goal) <= args.close:
            break
        if points < args.goal:
            hot = temperature
        else:
            cold = temperature
        # At first in steps, then between what was too cold and too hot.
        if cold == COLDEST:
            temperature = max(temperature / 2.5, COLDEST)
        elif hot == HOTTEST:
            temperature = min(temperature * 2.5, HOTTEST)
        else:
            temperature = (cold * hot) ** 0.5
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("spec")
    parser.add_argument("--first", type=float, required=True, help="temperature of the first level, in pieces")
    parser.add_argument("--start", type=int, default=2, help="begin with this level; --first is that of the one below")
    parser.add_argument("--end", type=int, default=9, help="end with this level")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--goal", type=float, default=72)
    parser.add_argument("--close", type=float, default=6, help="how far from the goal is near enough, in per cent")
    parser.add_argument("--attempts", type=int, default=6)
    parser.add_argument("--factor", type=float, default=0.6, help="of the temperature below, tried first")
    parser.add_argument("--nodes", type=int, default=200_000)
    args = parser.parse_args()
    below = args.first
    for level in range(args.start, args.end + 1):
        below, points = find(args, level, below)
        depth, positions, moves = SKELETON[level - 1]
        print(f"level {level}: {{{depth}, {positions}, {moves}, {below:.3g}}}, scores {points:.0f} %", flush=True)


if __name__ == "__main__":
    main()
