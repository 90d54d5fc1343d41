#!/usr/bin/python3
"""Measures what the parts of the search are worth and how far the levels lie apart, by `paika match`.

    tools/tune/measure.py features SPEC [--feature NAME …] [--nodes N] [--games N]
    tools/tune/measure.py levels SPEC [--games N]

`features` plays the engine against itself with one part switched off, by SPRT(0, 20) at 5 % each way;
`levels` plays each level against the next and adds up the differences, with level 1 as 0. Both print a
table for docs/strategy, and the command that was run. Games run one a processor. Both measure by
nodes and not by time, so that the tables do not depend on what else the machine does; full strength gets a million.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

from ladder import LEVELS

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAIKA = ROOT / "build/release/bin/paika"
FEATURES = ["table", "quiescence", "reductions", "tuned", "ordering", "aspiration", "null_move", "futility", "probcut", "endings"]


def match(spec, a, b, options):
    """The report of one match as a dictionary."""
    command = [PAIKA, "match", spec, a, b, "--concurrency", str(os.cpu_count()), "--json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def elo_text(report):
    """Elo with its interval; nothing is known of a bound beyond which every game was won."""
    elo, low, high = (report[name] for name in ("elo", "elo_low", "elo_high"))
    if elo is None:
        return "beyond measure"
    shown = ["no bound" if bound is None else f"{bound:+.0f}" for bound in (low, high)]
    return f"{elo:+.0f} ({shown[0]} to {shown[1]})"


def features(args):
    options = ["--games", str(args.games), "--max-moves", "200", "--sprt", "0,20", "--seed", "1"]
    print(f"`tools/tune/measure.py features {args.spec} --nodes {args.nodes} --games {args.games}`\n")
    print("| switched off | games | won, drawn, lost with it | Elo of having it (95 %) | SPRT(0, 20) |")
    print("| --- | --- | --- | --- | --- |")
    for name in args.feature or FEATURES:
        base = f"engine:nodes={args.nodes},hash=16"
        report = match(args.spec, base, f"{base},{name}=off", options)
        sprt = report["sprt"]
        wdl = f"{report['a']['wins']}, {report['draws']}, {report['b']['wins']}"
        print(f"| `{name}` | {report['games']} | {wdl} | {elo_text(report)} | "
              f"LLR {sprt['llr']:+.2f}: {sprt['state']} |", flush=True)


def levels(args):
    options = ["--games", str(args.games), "--max-moves", "200", "--seed", "1"]
    print(f"`tools/tune/measure.py levels {args.spec} --games {args.games}`\n")
    print("| level | against the one below: won, drawn, lost | Elo over it (95 %) | Elo over level 1 |")
    print("| --- | --- | --- | --- |\n| 1 |  |  | 0 |", flush=True)
    total = 0.0
    for level in range(2, LEVELS + 1):
        limit = ",nodes=1000000,hash=16"
        report = match(args.spec, f"engine:level={level},seed=1{limit}", f"engine:level={level - 1},seed=2{limit}", options)
        total += report["elo"] or 0.0
        wdl = f"{report['a']['wins']}, {report['draws']}, {report['b']['wins']}"
        print(f"| {level} | {wdl} | {elo_text(report)} | {total:+.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["features", "levels"])
    parser.add_argument("spec")
    parser.add_argument("--feature", action="append", choices=FEATURES)
    parser.add_argument("--nodes", type=int, default=5000, help="positions a turn (features)")
    parser.add_argument("--games", type=int, default=400)
    args = parser.parse_args()
    if not PAIKA.exists():
        sys.exit("measure.py: there is no release build; run ./paika setup")
    (features if args.what == "features" else levels)(args)


if __name__ == "__main__":
    main()
