#!/usr/bin/python3
"""Solves the boards of a list, verifies their tables and writes docs/solved.md with what was found.

Each board is solved and verified by the program itself; what is measured is added to docs/solved.json as soon as
it is known, so the work can be interrupted and gone on with: boards that are there are not solved again unless they
are named. A portrait board (3x7) is answered by the table of the landscape one (7x3). The table in docs/solved.md and the
picture docs/pictures/distances.svg are made from that file.

A result has a checksum of each tier's values (`paika table info --checksums`), by which solving on another machine, or on
a GPU, can be compared with it. --checksums measures nothing again: it solves the boards that are named anew, or with --gpu
all of them on a GPU, and compares; otherwise it takes the tables that are there, and adds checksums where none are known.

Usage: tools/solve_all.py [--tables FOLDER] [--memory SIZE] [--threads N] [--write-only] [SPEC…]
       tools/solve_all.py --checksums [--gpu] [--tables FOLDER] [--memory SIZE] [--threads N] [SPEC…]
Without SPEC: all boards of the list below. Exit status 1 if a board failed, or has other checksums than before.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "solved.json"
PAGE = ROOT / "docs" / "solved.md"
PICTURE = ROOT / "docs" / "pictures" / "distances.svg"
PROGRAM = ROOT / "build" / "release" / "bin" / "paika"

# Games solved for their endings only, so that their own start has no value: an ending that has one (King and Rook against
# King), and what the page says instead.
ENDINGS = {
    "wildebeest": ("W ....K....../.........../.........../.*.......*./.........../.....#...../.........../.*.......*./"
                   "....R....../.........../....k...... 0 60000 0", "endings of 2 and 3 pieces"),
}

ABALONE_VARIANTS = ["", ",misere", ",freeze", ",misere,freeze", ",freeze=initiator", ",must"]


def boards():
    """The specs of the list, small ones first."""
    for captures in (1, 2, 3):
        for variant in ABALONE_VARIANTS:
            yield f"abalone:3x3,captures={captures}{variant}"
    for captures in (1, 2, 3, 4, 5):
        for variant in ABALONE_VARIANTS if captures <= 2 else ["", ",misere"]:
            yield f"abalone:4x4,captures={captures}{variant}"
    for size in ("3x4", "4x3", "3x5", "5x3", "3x6", "6x3"):
        for captures in (1, 2):
            yield f"abalone:{size},captures={captures}"
    sizes = ["1x1", "3x1", "1x3", "5x1", "1x5", "7x1", "1x7", "9x1", "1x9", "11x1", "1x11", "13x1", "1x13",
             "3x3", "5x3", "3x5"]
    for size in sizes:
        yield f"fanorona:{size},sacrifice=off,limit=0"
        yield f"fanorona:{size},limit=0"
    yield "wildebeest"
    yield "wildebeest:pads=cycle"
    for size in ("4x5", "5x4"):
        for captures in (1, 2):
            yield f"abalone:{size},captures={captures}"
    yield "fanorona:7x3,sacrifice=off,limit=0"
    yield "fanorona:3x7,sacrifice=off,limit=0"


def measured(command):
    """Runs a command; its output, the seconds it took and the most memory it held, in bytes."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit status {process.returncode}")
    return out, time.monotonic() - begin, usage.ru_maxrss * 1024


def length(value):
    """Moves until the end; None for a draw."""
    return value.get("win_in", value.get("loss_in"))


def endings_of(spec):
    """Of the spec's game in ENDINGS; None if it is solved from its start."""
    return ENDINGS.get(spec.split(":")[0])


def solve_table(spec, args, tables):
    """The answer of the program, which made the table unless it was there; seconds and bytes of memory."""
    endings = endings_of(spec)
    command = [PROGRAM, "solve", spec, "--tables", str(tables), "--threads", str(args.threads), "--memory", args.memory,
               "--no-count", "--json", *(["--gpu"] if args.gpu else []), *(["--position", endings[0]] if endings else [])]
    out, seconds, memory = measured(command)
    return json.loads(out), seconds, memory


def checksums(table):
    """Of each tier of a table, by its name."""
    listed = json.loads(measured([PROGRAM, "table", "info", table, "--checksums", "--json"])[0])
    return {tier["tier"]: tier["checksum"] for tier in listed["tiers"]}


def compare(spec, found, results):
    """An error if the result that is there has other checksums."""
    known = results.get(spec, {}).get("checksums", found)
    differing = [tier for tier in {**known, **found} if known.get(tier) != found.get(tier)]
    if differing:
        raise RuntimeError(f"other checksums than before, of tiers {', '.join(differing)}")


def with_checksums(spec, args, results):
    """The result that is there and the checksums; an error if it has others."""
    if spec not in results:
        raise RuntimeError(f"no such result in {RESULTS.name}; solve it without --checksums first")
    os.makedirs(args.tables, exist_ok=True)
    # Elsewhere, so that a board to compare is solved: its table, if there is one, may be what was measured.
    with tempfile.TemporaryDirectory(dir=args.tables) as folder:
        anew = args.specs or args.gpu
        found = checksums(solve_table(spec, args, folder if anew else args.tables)[0]["table"])
    compare(spec, found, results)
    return {**results[spec], "checksums": found}


def solve(spec, args, results):
    """What is known of a board after solving and verifying it; less if its table is that of the landscape board."""
    common = ["--threads", str(args.threads), "--memory", args.memory]
    answer, seconds, memory = solve_table(spec, args, args.tables)
    info = json.loads(measured([PROGRAM, "table", "info", answer["table"], "--json"])[0])
    label = info["table"].split(" ")[0]
    if label != answer["spec"] and label in (r["spec"] for r in results.values()):
        return {"spec": answer["spec"], "value": answer["value"], "turns": length(answer), "table": label}
    checked, verify_seconds, _ = measured([PROGRAM, "table", "verify", answer["table"], *common])
    if "follow from their moves" not in checked:
        raise RuntimeError(checked)
    found = checksums(answer["table"])
    compare(spec, found, results)
    tiers = info["tiers"]
    return {"spec": answer["spec"], "value": answer["value"], "turns": length(answer),
            "positions": info["positions"], "wins": sum(t["wins"] for t in tiers),
            "losses": sum(t["losses"] for t in tiers), "draws": sum(t["draws"] for t in tiers),
            "longest": max(max(t["longest_win"], t["longest_loss"]) for t in tiers),
            "bytes": pathlib.Path(answer["table"]).stat().st_size, "seconds": round(seconds, 2),
            "memory": memory, "verify_seconds": round(verify_seconds, 2), "threads": args.threads,
            "checksums": found}


def load():
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def row(result):
    value = {"win": "first player wins", "loss": "second player wins", "draw": "draw"}[result["value"]]
    if endings := endings_of(result["spec"]):
        value = endings[1]
    elif result["turns"] is not None:
        value += f" in {result['turns']}"
    if "table" in result:
        return f"| `{result['spec']}` | as `{result['table']}` | {value} | | | | | | | | |"
    size = result["bytes"] / 1e6
    return (f"| `{result['spec']}` | {result['positions']:,} | {value} | {result['wins']:,} | {result['losses']:,} | "
            f"{result['draws']:,} | {result['longest']} | {result['seconds']:.1f} s | {result['memory'] / 1e6:,.0f} MB | "
            f"{size:,.1f} MB | {result['verify_seconds']:.1f} s |")


def write(results):
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    begin, end = "<!-- made by tools/solve_all.py: begin -->\n", "<!-- end -->\n"
    lines = ["| board | positions | value | won | lost | drawn | longest | time | memory | table | verified in |",
             "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"]
    lines += [row(r) for r in results.values()]
    table = begin + "\n".join(lines) + "\n" + end
    if begin in text:
        text = text[:text.index(begin)] + table + text[text.index(end) + len(end):]
    else:
        text += "\n" + table
    PAGE.write_text(text, encoding="utf-8")


def draw(tables):
    """A picture of how many positions end after how many turns, for the default Abalone and small Fanorona."""
    shown = [("abalone-4x4.table", "Abalone 4x4, c = 2"),
             ("fanorona-5x3-sacrifice-off-limit-0.table", "Fanorona 5x3, classic"),
             ("fanorona-5x3-limit-0.table", "Fanorona 5x3 with sacrifice")]
    parts, top = [], 20
    for name, title in shown:
        path = pathlib.Path(tables) / name
        if not path.exists():
            return
        values = json.loads(measured([PROGRAM, "table", "info", str(path), "--distances", "--json"])[0])["values"]
        parts.append(chart(title, values, top))
        top += 220
    PICTURE.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{top}" viewBox="0 0 760 {top}" '
                       'font-family="sans-serif" font-size="12">\n<rect width="100%" height="100%" fill="#fff"/>\n'
                       + "\n".join(parts) + "\n</svg>\n", encoding="utf-8")


def chart(title, values, top):
    by_turns = {}
    for item in values:
        if item["value"] != "draw":
            by_turns.setdefault(length(item), {"win": 0, "loss": 0})[item["value"]] = item["positions"]
    draws = sum(item["positions"] for item in values if item["value"] == "draw")
    most = max(sum(v.values()) for v in by_turns.values())
    longest = max(by_turns)
    width = min(24.0, 690 / (longest + 1))
    out = [f'<text x="30" y="{top + 12}" font-size="13">{title}: turns to the end, '
           f'blue won and orange lost for the side to move; {draws:,} drawn</text>']
    base = top + 180
    for turns in range(longest + 1):
        y = base
        for kind, colour in (("win", "#0072b2"), ("loss", "#e69f00")):
            height = 140 * by_turns.get(turns, {}).get(kind, 0) / most
            y -= height
            out.append(f'<rect x="{40 + turns * width:.1f}" y="{y:.1f}" width="{max(1, width - 1):.1f}" '
                       f'height="{height:.1f}" fill="{colour}"/>')
        if turns % 5 == 0:
            out.append(f'<text x="{40 + turns * width:.1f}" y="{base + 14}">{turns}</text>')
    out.append(f'<line x1="38" y1="{base}" x2="740" y2="{base}" stroke="#444"/>')
    return "\n".join(out)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", default=str(ROOT / "build" / "tables"))
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--checksums", action="store_true")
    parser.add_argument("--write-only", action="store_true")
    parser.add_argument("specs", nargs="*")
    args = parser.parse_args(arguments)
    if args.gpu and not args.checksums:
        parser.error("the results are those of a processor; --gpu goes with --checksums, which compares")
    results, failed = load(), 0
    todo = args.specs or [spec for spec in boards() if (spec in results) == args.checksums]
    work = with_checksums if args.checksums else solve
    for spec in [] if args.write_only else todo:
        try:
            results[spec] = work(spec, args, results)
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            print(f"{spec}: {error}", file=sys.stderr)
            failed = 1
            continue
        print(row(results[spec]), flush=True)
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    write(results)
    draw(args.tables)
    return failed


if __name__ == "__main__":
    sys.exit(main())
