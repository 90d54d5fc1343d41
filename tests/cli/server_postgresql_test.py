"""`paika serve` on PostgreSQL: restarts and crashes of the server as on SQLite, crashes of PostgreSQL, and moving between.

usage: server_postgresql_test.py PAIKA-PROGRAM
"""

import json
import os
import subprocess
import sys
import time
import unittest

import server_process_test
from postgresql import Cluster, needs_postgresql
from room_client import Player, Rules, events_of
from server_client import PATIENCE, Http, Server
from server_swarm import Swarm

PAIKA = ""


@needs_postgresql
class OnPostgresql(server_process_test.Restarts):
    """What holds on SQLite holds here."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.close)
        Server.databases = cls.cluster.new_database

    @classmethod
    def tearDownClass(cls):
        Server.databases = None

    def paika(self, *args, status=0, server=None):
        done = subprocess.run([PAIKA, *args], capture_output=True, text=True, timeout=PATIENCE, check=False,
                              env=server.environment() if server else None)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_postgresql_is_killed_while_games_go_on(self):
        """Nothing that was accepted is lost, and the server goes on by itself."""
        server = Server(PAIKA, "--rate-factor", "1000", log_level="info")
        self.addCleanup(server.close)
        one, two = Player(server), Player(server)
        self.addCleanup(one.close)
        self.addCleanup(two.close)
        room = one.open_room("othello:6x6", side="first", clock_ms=600_000)
        self.assertEqual(two.command(room, "join").status, 200)
        rules = Rules(PAIKA)
        self.addCleanup(rules.close)
        players = [one, two]
        played = 0
        for _ in range(2):
            played += self.play(players, room, rules, 3, played)
            before = events_of(server, room)
            self.cluster.kill()
            turn = rules.turns("othello:6x6", before[-1]["position"])[0]
            refused = players[played % 2].command(room, "play", move=turn, id="lost")
            self.assertGreaterEqual(refused.status, 500, refused)
            self.wait_for_health(server, 503)
            self.cluster.start()
            self.wait_for_health(server, 200)
            self.assertEqual(events_of(server, room)[: len(before)], before)
        self.play(players, room, rules, 2, played)
        moves = [event["move"] for event in events_of(server, room) if event["event"] == "move"]
        self.assertEqual(moves, list(range(1, len(moves) + 1)))

    def wait_for_health(self, server, status):
        """What /healthz says may be a second old."""
        deadline = time.monotonic() + 10
        while Http(server).get("/healthz").status != status:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def play(self, players, room, rules, count, played):
        for i in range(played, played + count):
            turn = rules.turns("othello:6x6", players[0].snapshot(room)["position"])[0]
            self.assertEqual(players[i % 2].command(room, "play", move=turn, id=f"m{i}").status, 200)
        return count

    def test_one_server_a_database(self):
        server = Server(PAIKA)
        self.addCleanup(server.close)
        done = self.paika("serve", "--listen", "127.0.0.1:0", "--db", server.where, status=2)
        self.assertIn("is in use by another server", done.stderr)
        self.assertIn("is in use by another server", self.paika("admin", "copy", server.where, "/dev/null/x", status=2).stderr)

    def serve_with_standby(self, more=""):
        """A primary, its standby, and a server whose URL names both."""
        first = Cluster()
        self.addCleanup(first.close)
        second = Cluster(copy_of=first)
        self.addCleanup(second.close)
        url = first.new_database().replace(f"host={first.folder}", f"host={first.folder},{second.folder}") + more
        Server.databases = lambda: url
        try:
            server = Server(PAIKA, "--rate-factor", "1000")
        finally:
            Server.databases = self.cluster.new_database
        self.addCleanup(server.close)
        return first, second, server

    def lose_a_move(self, second, server):
        """One that is acknowledged, but that the standby does not get. Returns the room as the standby has it, and how
        to make the move again."""
        one, two = Player(server), Player(server)
        self.addCleanup(one.close)
        self.addCleanup(two.close)
        room = one.open_room("othello:6x6", side="first", clock_ms=600_000)
        self.assertEqual(two.command(room, "join").status, 200)
        self.wait_for_sql(second, f"SELECT count(*) >= 2 FROM t1.events WHERE room = '{room}'", "t")
        second.sql("ALTER SYSTEM SET primary_conninfo = ''")
        second.sql("SELECT pg_reload_conf()")
        self.wait_for_sql(second, "SELECT count(*) FROM pg_stat_wal_receiver", "0")
        known = events_of(server, room)
        rules = Rules(PAIKA)
        self.addCleanup(rules.close)
        turn = rules.turns("othello:6x6", one.snapshot(room)["position"])[0]
        self.assertEqual(one.command(room, "play", move=turn, id="lost").status, 200)
        return room, known, lambda: one.command(room, "play", move=turn, id="again")

    def check_failover(self, server, room, known, again):
        self.assertEqual(server.wait(), 2)
        self.assertIn("failed over", server.log())
        server.restart()
        self.assertEqual(events_of(server, room), known)
        self.assertEqual(again().status, 200)

    def test_a_standby_that_lacks_what_was_committed(self):
        """It is promoted, and knows no other owner; but what the server has in memory is ahead of it."""
        first, second, server = self.serve_with_standby("&target_session_attrs=read-write")
        lost = self.lose_a_move(second, server)
        first.kill()
        second.promote()
        self.check_failover(server, *lost)

    def test_a_standby_that_is_reached_before_it_is_promoted(self):
        """Its lock can be had then, but not its timeline: that session must not be used after the promotion."""
        first, second, server = self.serve_with_standby()
        room, known, again = self.lose_a_move(second, server)
        first.kill()
        for _ in range(3):
            self.assertGreaterEqual(Http(server).post("/api/guests").status, 500)
        second.promote()
        self.check_failover(server, room, known, again)

    def wait_for_sql(self, cluster, question, answer):
        deadline = time.monotonic() + PATIENCE
        while cluster.sql(question) != answer:
            self.assertLess(time.monotonic(), deadline, question)
            time.sleep(0.05)

    def test_operators(self):
        server = Server(PAIKA)
        self.addCleanup(server.close)
        Player(server).close()
        told = json.loads(self.paika("admin", "--db", server.where, "--json", "statistics", server=server).stdout)
        self.assertEqual(told["people"]["guests"], 1)
        self.assertIn("server", told, "the server itself has answered")
        server.stop()
        told = json.loads(self.paika("admin", "--db", server.where, "--json", "statistics", server=server).stdout)
        self.assertNotIn("server", told)
        self.assertIn("pg_dump", self.paika("backup", server.where, str(server.folder / "copy.db"), status=2).stderr)
        self.assertIn("pg_restore", self.paika("restore", str(server.log_path), server.where, status=2).stderr)

    def test_a_store_moves_from_sqlite_to_postgresql_and_back(self):
        Server.databases = None
        server = Server(PAIKA, "--rate-factor", "1000", log_level="info")
        Server.databases = self.cluster.new_database
        self.addCleanup(server.close)
        swarm = Swarm(server, 5, seed=3)
        self.addCleanup(swarm.close)
        swarm.run(1)
        server.where = str(server.folder / server.where)
        for target in (self.cluster.new_database(), str(server.folder / "back.db")):
            def move(target=target):
                told = self.paika("admin", "copy", server.where, target).stdout
                self.assertIn("Everything is the same in both.", told)
                server.where = target

            swarm.kill_and_compare(move)
            swarm.run(0.5)
        swarm.check_finished()


if __name__ == "__main__":
    PAIKA = server_process_test.PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
