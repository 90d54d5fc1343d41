"""Three nodes under games without end while their leader is killed every 20 seconds, and PostgreSQL with it twice.

The figures go to standard error. PAIKA_NODE_GAMES (100) games at once are played for PAIKA_NODE_MINUTES (1).
usage: nodes_slow_test.py PAIKA-PROGRAM
"""

import os
import resource
import sys
import time
import unittest

import nodes_test
from room_client import percentile
from server_swarm import Swarm

INTERVAL = 20  # seconds between two kills
TAKEOVER = 5.0  # seconds in which another node must lead


class Kills(nodes_test.Nodes):
    def test_many_games(self):
        games = int(os.environ.get("PAIKA_NODE_GAMES", "100"))
        minutes = float(os.environ.get("PAIKA_NODE_MINUTES", "1"))
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        group = self.group(3, "--max-per-address", "20000")
        swarm = Swarm(group, games, seed=9, think=max(1.0, games / 100))
        self.addCleanup(swarm.close)
        figures = []
        kills = max(3, int(minutes * 60 / INTERVAL))
        for i in range(kills):
            swarm.run(INTERVAL)
            group.database = self.cluster if i in (kills // 3, 2 * kills // 3) else None
            began = time.monotonic()
            figures.append(swarm.kill_and_compare())
            print(f"kill {i + 1}: {group.takeovers[-1]:.2f} s without a leader, "
                  f"compared after {time.monotonic() - began:.1f} s, {figures[-1]}", file=sys.stderr, flush=True)
        swarm.run(1)
        swarm.check_finished()
        self.check_epochs(kills)
        alone = [seconds for i, seconds in enumerate(group.takeovers) if i not in (kills // 3, 2 * kills // 3)]
        print(f"{games} games on 3 nodes, {kills} kills -9, 2 of them of PostgreSQL too: {swarm.turns} moves, "
              f"{len(swarm.finished)} games finished; {sum(f['unanswered'] for f in figures)} moves without an answer, "
              f"{sum(f['applied'] for f in figures)} of them kept; clocks wrong by at most "
              f"{max(f['clock_error_ms'] for f in figures):.0f} ms; without a leader {percentile(alone, 50):.2f} s, at most "
              f"{max(alone):.2f} s", file=sys.stderr, flush=True)
        self.assertLess(max(alone), TAKEOVER)
        self.assertLess(max(f["clock_error_ms"] for f in figures), nodes_test.MAX_CLOCK_ERROR_MS)


if __name__ == "__main__":
    nodes_test.PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
