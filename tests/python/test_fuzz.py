"""Random calls with random arguments: a Python exception or an answer, never a crash.

PAIKA_FUZZ_CALLS says how many (default 5,000); PAIKA_FUZZ_SEED repeats a run.
"""

import os
import random
import re
import unittest

import numpy as np

import paika

CALLS = int(os.environ.get("PAIKA_FUZZ_CALLS", "5000"))
SEED = int(os.environ.get("PAIKA_FUZZ_SEED", "1"))

SPECS = ["fanorona:3x3", "fanorona:5x5", "abalone", "othello:6x6", "othello", "wildebeest"]
EXPECTED = (ValueError, TypeError, IndexError, FileNotFoundError, OverflowError, RuntimeError, AttributeError, KeyError,
            MemoryError)


class Fuzzer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.kept = [paika.game(spec).start() for spec in SPECS]
        self.kept += [paika.BatchEnv(spec, 3, threads=2, max_moves=30) for spec in SPECS]
        self.kept += [paika.Env("fanorona:3x3"), paika.Engine("othello:6x6", hash=1), paika.game("othello")]
        self.words = SPECS + ["d3", "c2c3A", "a1", "pass", "", "x" * 3000, "\0", "é", "\udcff", "depth=1", "level=3", "wood",
                              "fanorona:99x99", "othello:6x6,limit=1", "from", "to", "player_0", "paika-record 1\n"]

    def argument(self, depth=0):
        kind = self.random.randrange(14 if depth < 2 else 9)
        if kind == 0:
            return self.random.choice([0, 1, -1, 2, 7, 36, 2**31, -2**63, 2**64, 10**30])
        if kind == 1:
            return self.random.choice([None, True, False, 0.5, float("nan"), float("inf"), b"bytes", object()])
        if kind in (2, 3):
            return self.random.choice(self.words)
        if kind in (4, 5, 6):
            return self.random.choice(self.kept)
        if kind == 7:
            positions = [thing for thing in self.kept if isinstance(thing, paika.Position)]
            legal = self.random.choice(positions).legal_moves(30)
            return self.random.choice(legal or ["d3"])
        if kind == 8:
            numbers = np.array([self.random.randrange(-2, 40) for _ in range(self.random.randrange(5))], dtype=np.int64)
            return numbers.astype(self.random.choice([np.int64, np.int8, np.float32, np.uint64, bool]))
        if kind == 9:
            return {"a": self.argument(depth + 1)}
        return [self.argument(depth + 1) for _ in range(self.random.randrange(4))]

    def call(self):
        target = self.random.choice(self.kept + [paika])
        if target is paika:
            names = ["game", "games", "parse_records", "perft", "Table", "Env", "BatchEnv", "Engine"]
        else:
            names = [name for name in dir(target) if not name.startswith("__") or name in ("__eq__", "__hash__", "__str__")]
        name = self.random.choice(names)
        count = self.random.choice([0, 1, 1, 1, 2, 2, 3])
        arguments = [self.argument() for _ in range(count)]
        keywords = {}
        if name in ("best", "_best"):
            arguments, keywords = arguments[:1], {"nodes": 50} if name == "best" else {}
        if name == "perft":  # not deep
            given = [self.random.choice([self.argument(), *SPECS])] if target is paika else []
            arguments = given + [self.random.choice([-1, 0, 1, 2, None, "2"]), self.random.choice([1, 1, 2, 0, -1, 257, None])]
        if name == "BatchEnv":
            arguments = [arguments[0] if arguments else "othello", self.random.choice([0, 1, 5, -3, None])]
        if name == "Engine":
            keywords = {"hash": self.random.choice([1, 0, -1, "x"])}
        if name in ("Engine", "Table"):  # their constructors take games, or what is none
            arguments = [self.random.choice([self.argument(), None, "othello", paika.game("abalone")])] + arguments[1:]
        self.given = name, len(arguments)
        member = getattr(target, name)
        result = member(*arguments, **keywords) if callable(member) else member
        if isinstance(result, (paika.Position, paika.Game, paika.BatchEnv)) and len(self.kept) < 60:
            self.kept.append(result)


def may_say_incompatible(message, given):
    """The extension's own message is for a wrong number of arguments, and for functions that only the package calls."""
    name, count = given
    if name.startswith("_"):
        return True
    wanted = re.match(r"(\w+)\(\): incompatible [^(]*1\. (?:paika\.\w+)?\((.*)\)", message)
    if wanted is None or wanted[1] not in (name, "__init__"):
        return False
    parameters = [parameter for parameter in wanted[2].split(", ") if parameter and not parameter.startswith("self: ")]
    return not sum(" = " not in parameter for parameter in parameters) <= count <= len(parameters)


class Fuzz(unittest.TestCase):
    def test_random_calls(self):
        fuzzer = Fuzzer(SEED)
        errors = 0
        for number in range(CALLS):
            state = fuzzer.random.getstate()
            try:
                fuzzer.call()
            except EXPECTED as error:
                errors += 1
                message = str(error)
                for words in ["internal error", "Unable to cast", "#define", "incompatible"]:
                    if words != "incompatible" or not may_say_incompatible(message, fuzzer.given):
                        self.assertNotIn(words, message, f"call {number} of seed {SEED}: {fuzzer.given}, {state[1][:2]}")
        self.assertLess(errors, CALLS)  # some calls are good ones


if __name__ == "__main__":
    unittest.main()
