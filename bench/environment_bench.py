"""How many steps per second the environments of the Python package make, with masks, observations and random actions.

usage: PYTHONPATH=build/release/python python3 bench/environment_bench.py [SECONDS] [SPEC …]
Prints steps per second of wall time and of CPU time: on a machine that does other work too, only the second is telling.
"""

import sys
import time

import paika

SPECS = ["othello", "fanorona:9x5", "abalone", "wildebeest"]
# How many are played at once, where that is not MANY.
GAMES = {"wildebeest": 1024}
MANY = 4096


def measure(spec, seconds):
    games = GAMES.get(spec.split(":")[0], MANY)
    env = paika.BatchEnv(spec, games, threads=2, max_moves=1000)
    for _ in range(20):
        env.step(env.sample())
    steps = 0
    cpu, wall = time.process_time(), time.perf_counter()
    while time.perf_counter() - wall < seconds:
        env.step(env.sample())
        steps += games
    return steps / (time.perf_counter() - wall), steps / (time.process_time() - cpu)


def main(arguments):
    seconds = float(arguments[0]) if arguments else 3.0
    print("spec             steps/s   steps per CPU second")
    for spec in arguments[1:] or SPECS:
        wall, cpu = measure(spec, seconds)
        print(f"{spec:14} {wall:9,.0f} {cpu:9,.0f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
