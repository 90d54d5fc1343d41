"""204 games by four workers, two of which are killed again and again: the results of an undisturbed run.

usage: workers_slow_test.py PAIKA-PROGRAM
"""

import os
import random
import sys
import time
import unittest

import tournament_test
from postgresql import Cluster, needs_postgresql
from tournament_test import games_of

KILLS = 20
LEGS = 34  # of six pairs of players


class ManyWorkers(tournament_test.Workers):
    """On a file that the workers of this machine share; and once more what other tests of workers show."""

    def test_workers_are_killed_and_the_results_are_the_same(self):
        self.write_plan(nodes=4000, more=f"legs = {LEGS}")
        self.run_plan("--results", "whole.results")
        chance = random.Random(24)
        steady = [self.worker("--threads", "1") for _ in range(2)]
        victims = [self.worker("--threads", "1") for _ in range(2)]
        director = self.director()
        kills = 0
        while kills < KILLS and director.poll() is None:
            time.sleep(chance.uniform(0.05, 0.5))
            victim = chance.randrange(2)
            victims[victim].kill()
            victims[victim] = self.worker("--threads", "1")
            kills += 1
        _, err = director.communicate(timeout=900)
        self.assertEqual(director.returncode, 0, err)
        self.assertEqual(kills, KILLS, "the tournament was over before all kills")
        whole = games_of(self.folder / "whole.results")
        self.assertEqual(games_of(self.results), whole)
        self.assertEqual(len(whole), 6 * LEGS)
        self.assertTrue(all(worker.poll() is None for worker in steady))
        print(f"{len(whole)} games, {kills} kills: the same results", file=sys.stderr)


@needs_postgresql
class ManyWorkersOnPostgresql(ManyWorkers):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.close)
        cls.database = cls.cluster.new_database()


if __name__ == "__main__":
    tournament_test.PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
