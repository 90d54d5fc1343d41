"""Memory stays what it is over very many steps: PAIKA_MEMORY_STEPS (default 10^8) of Othello, a tenth of the others."""

import os
import resource
import unittest

import paika

STEPS = int(os.environ.get("PAIKA_MEMORY_STEPS", str(10**8)))


def resident_kib():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


class Memory(unittest.TestCase):
    def test_it_does_not_grow(self):
        for spec, steps in [("othello", STEPS), ("fanorona:9x5", STEPS // 10), ("abalone", STEPS // 10),
                            ("wildebeest", STEPS // 100)]:
            env = paika.BatchEnv(spec, 1024, threads=2, max_moves=500)
            for _ in range(1000):  # until every list has been as long as it gets
                env.step(env.sample())
            before = resident_kib()
            for _ in range(steps // 1024):
                env.step(env.sample())
            self.assertLess(resident_kib() - before, 20_000, spec)


if __name__ == "__main__":
    unittest.main()
