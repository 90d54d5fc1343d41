"""Several servers on one PostgreSQL: any of them takes clients, one leads, and another one does when it is gone.

usage: nodes_test.py PAIKA-PROGRAM
"""

import concurrent.futures
import itertools
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from node_group import Line, Node, NodeGroup, moment
from postgresql import Cluster, needs_postgresql
from room_client import Player, RoomSocket, Rules, events_of
from server_client import PATIENCE, Gone, Http, Server, raw
from server_swarm import Swarm

PAIKA = ""
OPTIONS = ("--rate-factor", "1000")
MAX_CLOCK_ERROR_MS = 50


@needs_postgresql
class Nodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.close)

    def setUp(self):
        self.url = self.cluster.new_database()
        self.schema = f"t{self.cluster.schemas}"

    def group(self, count, *options, log_level="info"):
        group = NodeGroup(PAIKA, self.url, count, *OPTIONS, *options, log_level=log_level)
        self.addCleanup(group.close)
        return group

    def swarm(self, group, games, seed):
        swarm = Swarm(group, games, seed=seed)
        self.addCleanup(swarm.close)
        return swarm

    def serve(self, *args):
        """The last line of a server that must not start."""
        done = subprocess.run([PAIKA, "serve", "--listen", "127.0.0.1:0", *args], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr.strip().splitlines()[-1]

    def begin_game(self, group):
        """A game on a group; the returned function plays its next move."""
        players = Player(group), Player(group)
        for player in players:
            self.addCleanup(player.close)
        room = players[0].open_room("othello:6x6", side="first", clock_ms=600_000)
        self.assertEqual(players[1].command(room, "join").status, 200)
        rules = Rules(PAIKA)
        self.addCleanup(rules.close)

        def play(numbers=itertools.count()):
            i = next(numbers)
            turn = rules.turns("othello:6x6", players[0].snapshot(room)["position"])[0]
            self.assertEqual(players[i % 2].command(room, "play", move=turn, id=f"m{i}").status, 200)

        return play

    def check_epochs(self, minimum):
        """In no room has an owner written after a later one, and there were so many."""
        back, epochs = self.cluster.sql(
            f"SELECT count(*) FILTER (WHERE epoch < before), count(DISTINCT epoch) FROM (SELECT epoch, lag(epoch) OVER"
            f" (PARTITION BY room ORDER BY number) AS before FROM {self.schema}.events) AS e").split("|")
        self.assertEqual(int(back), 0)
        self.assertGreaterEqual(int(epochs), minimum)


class Serving(Nodes):
    def test_any_node_takes_any_client(self):
        group = self.group(3)
        self.assertEqual(sum(node.leads for node in group.nodes), 1)
        one, two, looker = (Player(node) for node in group.nodes)
        for player in (one, two, looker):
            self.addCleanup(player.close)
        room = one.open_room("othello:6x6", side="first", clock_ms=600_000)
        self.assertEqual(two.command(room, "join").status, 200)
        sockets = [RoomSocket(node) for node in group.nodes]
        for sock in sockets:
            self.addCleanup(sock.sock.close)
            sock.watch(room, 0)
        rules = Rules(PAIKA)
        self.addCleanup(rules.close)
        for i in range(6):
            turn = rules.turns("othello:6x6", looker.snapshot(room)["position"])[0]
            self.assertEqual((one, two)[i % 2].command(room, "play", move=turn, id=f"m{i}").status, 200)
        told = [events_of(node, room) for node in group.nodes]
        self.assertEqual(len([event for event in told[0] if event["event"] == "move"]), 6)
        self.assertEqual(told[0], told[1])
        self.assertEqual(told[0], told[2])
        for sock in sockets:
            while sock.last[room] < told[0][-1]["number"]:
                sock.take(sock.receive())
        self.assertEqual(sum(node.metric("passages") > 0 for node in group.nodes), 2)

    def test_the_leader_knows_who_is_there(self):
        """The address of a client comes along: who is banned is banned everywhere."""
        group = self.group(2)
        follower = next(node for node in group.nodes if not node.leads)
        self.assertEqual(Http(follower, source="127.0.0.9").get("/api/games").status, 200)
        subprocess.run([PAIKA, "admin", "--db", self.url, "ban", "127.0.0.9"], check=True, capture_output=True,
                       env=group.leader.environment())
        self.assertEqual(Http(follower, source="127.0.0.9").get("/api/games").status, 403)
        self.assertEqual(Http(follower, source="127.0.0.8").get("/api/games").status, 200)

    def test_passages_are_logged_by_both_nodes(self):
        group = self.group(2, log_level="debug")
        leader, follower = sorted(group.nodes, key=lambda node: not node.leads)
        Http(follower, source="127.0.0.9").get("/api/games")
        begun = follower.wait_for("passage", of={"client": "127.0.0.9"})
        self.assertEqual(leader.wait_for("passage_taken", of={"passage": begun["passage"]})["client"], "127.0.0.9")
        self.assertGreater(follower.wait_for("passage_over", of={"passage": begun["passage"]})["bytes"], 0)

    def test_large_answers_and_bodies_go_through_whole(self):
        web = pathlib.Path(tempfile.mkdtemp(prefix="paika-web-"))
        self.addCleanup(shutil.rmtree, web)
        (web / "index.html").write_text("<!doctype html>", encoding="utf-8")
        (web / "large.js").write_bytes(os.urandom(3_000_000))
        group = self.group(2, "--web", str(web))
        follower = next(node for node in group.nodes if not node.leads)
        self.assertEqual(Http(follower).get("/large.js").body, (web / "large.js").read_bytes())
        answer = Http(follower).post("/api/guests", {"name": "x" * 300_000})
        self.assertEqual(answer.status, 413)

    def test_what_the_node_port_says(self):
        group = self.group(2)
        leader, follower = sorted(group.nodes, key=lambda node: not node.leads)
        self.assertEqual(Http(leader.node_port).get("/healthz").body, b"leads\n")
        self.assertEqual(Http(follower.node_port).get("/healthz").body, b"follows\n")
        self.assertEqual(Http(leader.node_port).get("/api/rooms").status, 404)
        before = follower.metric("passages_total")
        Http(follower).get("/healthz")
        self.assertEqual(follower.metric("passages_total"), before + 1)
        self.assertGreater(follower.metric("passed_bytes_total"), 0)

    def test_too_many_clients(self):
        group = self.group(2, "--max-connections", "20")
        follower = next(node for node in group.nodes if not node.leads)
        silent = [socket.create_connection(follower.address, timeout=PATIENCE) for _ in range(60)]
        try:
            deadline = time.monotonic() + PATIENCE
            while follower.metric("turned_away_total") < 40:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
            self.assertIn(b"503 Service Unavailable", silent[-1].recv(1000))
            self.assertLess(len(os.listdir(f"/proc/{follower.process.pid}/fd")), 100)
        finally:
            for one in silent:
                one.close()
        while follower.metric("passages") > 0:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        self.assertEqual(Http(follower).get("/api/games").status, 200)

    def test_nobody_gets_in_by_the_node_port(self):
        group = self.group(2)
        request = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        for node in group.nodes:
            for head in (b"PAIKA1 wrong 10.0.0.1\n".ljust(128), b"PAIKA1  10.0.0.1\n".ljust(128), b"\0" * 128,
                         b"PAIKA1 ".ljust(128, b"x"), b"POST /healthz HTTP/1.1\r\nHost: x\r\n\r\n".ljust(128)):
                self.assertIsNone(raw(node.node_port, head + request), head)
            with socket.create_connection(node.node_port.address, timeout=PATIENCE) as slow:
                slow.sendall(b"PAIKA1")
                self.assertEqual(slow.recv(100), b"")
            self.assertEqual(Http(node).get("/healthz").status, 200)


    def test_many_passages_begin_at_once(self):
        node = self.group(1).leader
        begun = [socket.create_connection(node.node_port.address, timeout=PATIENCE) for _ in range(300)]
        try:
            self.assertEqual(Http(node.node_port).get("/healthz").body, b"leads\n")
            self.assertEqual(node.metric("refused_heads_total"), 0)
        finally:
            for one in begun:
                one.close()


class Replacing(Nodes):
    def end_leaders(self, how, count, games):
        """Leaders end in this way while games go on, and everything is compared each time. Returns figures."""
        group = self.group(3)
        group.how = how
        swarm = self.swarm(group, games, seed=5)
        figures = []
        for _ in range(count):
            swarm.run(0.5)
            figures.append(swarm.kill_and_compare())
        swarm.run(0.5)
        swarm.check_finished()
        self.check_epochs(count)
        return figures

    def test_leaders_are_killed(self):
        figures = self.end_leaders("kill", 4, games=8)
        self.assertLess(max(figure["clock_error_ms"] for figure in figures), MAX_CLOCK_ERROR_MS)

    def test_a_rolling_restart(self):
        self.end_leaders("stop", 3, games=6)

    def test_a_leader_that_hangs_is_deposed(self):
        self.end_leaders("pause", 2, games=4)

    def test_a_leader_that_has_lost_the_database(self):
        line = Line(self.cluster)
        self.addCleanup(line.close)
        cut_off = Node(PAIKA, line.url(self.url), *OPTIONS)
        self.addCleanup(cut_off.close)
        cut_off.wait_for("leads")
        other = Node(PAIKA, self.url, *OPTIONS)
        self.addCleanup(other.close)
        one, two = Player(cut_off), Player(cut_off)
        self.addCleanup(one.close)
        self.addCleanup(two.close)
        room = one.open_room("othello:6x6", side="first", clock_ms=600_000)
        self.assertEqual(two.command(room, "join").status, 200)
        before = events_of(other, room)
        line.cut()
        with socket.create_connection(cut_off.address, timeout=PATIENCE) as lost:
            lost.sendall(Http(cut_off, token=one.token).request_bytes(
                "POST", f"/api/rooms/{room}/play", {"move": "c2", "id": "lost"}))
            other.wait_for("leads")
            lost.settimeout(1)
            try:
                self.assertNotIn(b" 200 ", lost.recv(1000))
            except (TimeoutError, ConnectionError):
                pass  # it says nothing, or hangs up
        self.assertEqual(events_of(other, room)[:len(before)], before)
        line.mend()
        cut_off.wait_for("leads_no_more")
        cut_off.wait_for("follows")
        self.assertEqual(events_of(cut_off, room), events_of(other, room))
        self.assertNotIn("lost", [event.get("id") for event in events_of(other, room)])
        self.check_epochs(1)

    def wait_for_node_port(self, node, body):
        deadline = time.monotonic() + PATIENCE
        while (answer := Http(node.node_port).get("/healthz")).body != body:
            self.assertLess(time.monotonic(), deadline, answer)
            time.sleep(0.05)
        return answer

    def test_a_leader_that_is_cut_off_ends_by_itself(self):
        """Nobody else is there to depose it, and nobody closes its connections."""
        line = Line(self.cluster)
        self.addCleanup(line.close)
        node = Node(PAIKA, line.url(self.url), *OPTIONS)
        self.addCleanup(node.close)
        node.wait_for("leads")
        player = Player(node)
        self.addCleanup(player.close)
        self.assertTrue(node.leads)
        known = len(node.events())
        cut_at = time.time()
        line.cut()
        self.assertEqual(self.wait_for_node_port(node, b"nobody leads\n").status, 503)
        self.assertFalse(node.leads)
        stepped_down = node.wait_for("steps_down", after=known)
        self.assertEqual(stepped_down["what"], "the database cannot be reached")
        self.assertLess(moment(stepped_down["time"]) - cut_at, 4, "it promises three seconds")
        self.assertEqual(Http(node, token=player.token).post("/api/rooms", {"game": "othello:6x6"}).status, 503)
        line.mend()
        node.wait_for("leads", after=known)
        self.assertTrue(node.leads)
        self.assertEqual(Http(node, token=player.token).get("/api/me").status, 200)

    def test_a_leader_that_is_cut_off_can_be_stopped(self):
        line = Line(self.cluster)
        self.addCleanup(line.close)
        node = Node(PAIKA, line.url(self.url), *OPTIONS)
        self.addCleanup(node.close)
        node.wait_for("leads")
        line.cut()
        self.assertEqual(node.stop(), 0)

    def test_a_leader_whose_writer_hangs_ends(self):
        """It can read the database and hears its clients, but nothing is written."""
        group = self.group(2)
        leader = group.leader
        play = self.begin_game(group)
        play()
        holder = self.cluster.begin_sql(f"BEGIN; UPDATE {self.schema}.paika_layout SET version = version; SELECT pg_sleep(600)")
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        stepped_down = leader.wait_for("steps_down")
        self.assertEqual(stepped_down["what"], "nothing was written for too long")
        self.wait_for_node_port(leader, b"nobody leads\n")
        self.cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%'"
                         " AND pid <> pg_backend_pid()")
        group.wait_for_leader()
        play()
        self.check_epochs(2)

    def test_the_connection_is_lost_while_the_tables_are_made(self):
        """Another server may have the lock then: whoever goes on would write beside it."""
        line = Line(self.cluster)
        self.addCleanup(line.close)
        line.break_after(b"COMMIT\0", 3)
        self.assertIn("was lost while it was brought up to date", self.serve("--db", line.url(self.url)))
        self.assertEqual(self.cluster.sql(f"SELECT epoch FROM {self.schema}.paika_layout"), "0")
        line.limit = None
        node = Node(PAIKA, line.url(self.url), *OPTIONS)
        self.addCleanup(node.close)
        node.wait_for("leads")
        self.assertTrue(node.leads)

    def test_clients_wait_while_a_leader_ends(self):
        """Who finishes a request keeps the leader for a while: others wait for the next one meanwhile."""
        group = self.group(2)
        leader, follower = sorted(group.nodes, key=lambda node: not node.leads)
        with socket.create_connection(leader.address, timeout=PATIENCE) as slow:
            slow.sendall(b"POST /api/guests HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{")
            time.sleep(0.2)
            leader.process.send_signal(signal.SIGTERM)
            group.ended = leader
            statuses, cut = [], 0
            while not statuses or not follower.leads:
                try:
                    statuses.append(Http(follower).get("/api/games").status)
                except (Gone, ConnectionError):  # it came through just before
                    cut += 1
            statuses.append(Http(follower).get("/api/games").status)
        self.assertEqual(set(statuses), {200})
        self.assertLessEqual(cut, 2)
        self.assertEqual(leader.wait(), 0)

    def test_a_dump_does_not_hold_up_the_next_leader(self):
        group = self.group(2)
        dump = self.cluster.begin_sql(f"BEGIN; LOCK TABLE {self.schema}.paika_layout IN ACCESS SHARE MODE; SELECT pg_sleep(600)")
        self.addCleanup(dump.wait)
        self.addCleanup(dump.kill)
        time.sleep(0.5)
        group.kill()
        group.restart()
        self.assertIsNone(dump.poll(), "it goes on")

    def test_many_begin_at_once_after_one_that_was_silent(self):
        self.group(1).close()
        for _ in range(3):
            self.cluster.sql(f"UPDATE {self.schema}.paika_layout SET owner = '10.0.0.1 1 x', beat = now() - interval '1 hour'")
            with concurrent.futures.ThreadPoolExecutor() as pool:
                nodes = list(pool.map(lambda _: Node(PAIKA, self.url, *OPTIONS), range(4)))
            try:
                for node in nodes:
                    self.assertEqual(Http(node).get("/healthz").status, 200)  # which waits for a leader
                self.assertEqual(sum(node.leads for node in nodes), 1)
                self.assertEqual([line for node in nodes for line in node.events() if line["event"] == "leader_deposed"], [])
            finally:
                for node in nodes:
                    node.close()

    def test_a_leader_that_cannot_be_reached(self):
        self.group(1).close()
        self.cluster.sql(f"UPDATE {self.schema}.paika_layout SET owner = '127.0.0.1 1 x', beat = now() + interval '1 hour'")
        holder = self.cluster.begin_sql(f"SELECT pg_advisory_lock(1348561259, hashtext('{self.schema}')), pg_sleep(60)")
        self.addCleanup(holder.wait)
        self.addCleanup(holder.kill)
        time.sleep(0.5)
        node = Node(PAIKA, self.url, *OPTIONS)
        self.addCleanup(node.close)
        deadline = time.monotonic() + PATIENCE
        while (answer := Http(node.node_port).get("/healthz")).body != b"cannot reach the leader\n":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        self.assertEqual(answer.status, 503)
        self.assertIn("the leader at 127.0.0.1, port 1, cannot be reached", node.log())

    def test_nodes_with_one_folder(self):
        """One that was deposed leaves the next one's socket for operators alone."""
        group = self.group(2)
        group.how = "pause"
        folder = group.nodes[0].folder
        group.nodes[1].environment = lambda: {**os.environ, "XDG_DATA_HOME": str(folder)}
        group.nodes[1].stop()
        group.nodes[1].start()
        for _ in range(2):
            group.kill()
            group.restart()
            subprocess.run([PAIKA, "admin", "--db", self.url, "statistics"], check=True, capture_output=True,
                           env=group.nodes[0].environment())

    def test_postgresql_hangs(self):
        """A node can be stopped nevertheless, whether it leads or not."""
        group = self.group(2)
        player = Player(group.leader)
        self.addCleanup(player.close)
        go_on = self.cluster.pause()
        try:
            with socket.create_connection(group.leader.address, timeout=PATIENCE) as waiting:
                waiting.sendall(Http(group.leader, token=player.token).request_bytes(
                    "POST", "/api/rooms", {"game": "othello:6x6"}))
                time.sleep(0.5)
                for node in group.nodes:
                    self.assertEqual(node.stop(), 0)
        finally:
            go_on()

    def test_postgresql_is_killed(self):
        group = self.group(2)
        one, two = Player(group.nodes[0]), Player(group.nodes[1])
        self.addCleanup(one.close)
        self.addCleanup(two.close)
        room = one.open_room("othello:6x6", side="first", clock_ms=600_000)
        self.assertEqual(two.command(room, "join").status, 200)
        rules = Rules(PAIKA)
        self.addCleanup(rules.close)
        for i in range(2):
            turn = rules.turns("othello:6x6", one.snapshot(room)["position"])[0]
            self.assertEqual((one, two)[i].command(room, "play", move=turn, id=f"m{i}").status, 200)
            before = events_of(group.nodes[0], room)
            self.cluster.kill()
            time.sleep(0.5)
            self.cluster.start()
            group.wait_for_leader()
            for node in group.nodes:
                self.assertEqual(events_of(node, room)[:len(before)], before)
        self.check_epochs(1)

    def test_without_a_leader_clients_wait_and_are_told(self):
        group = self.group(2)
        follower = next(node for node in group.nodes if not node.leads)
        self.cluster.kill()
        try:
            group.leader.kill()
            began = time.monotonic()
            answer = Http(follower).get("/api/games")
            self.assertEqual((answer.status, answer.code), (503, "no_leader"))
            self.assertGreater(time.monotonic() - began, 2)
        finally:
            self.cluster.start()
        follower.wait_for("leads")
        self.assertEqual(Http(follower).get("/api/games").status, 200)


class BadInput(Nodes):
    def test_options(self):
        self.assertIn("--node needs --db postgresql://", self.serve("--node", "127.0.0.1:0", "--db", "/tmp/none.db"))
        for text in ("0.0.0.0:7421", "[::]:7421", "db.example.org:7421"):
            self.assertIn("where the other nodes reach this one", self.serve("--node", text, "--db", self.url), text)
        for text in ("127.0.0.1:x", "127.0.0.1:70000", ":7421"):
            self.assertIn("--node ", self.serve("--node", text, "--db", self.url), text)
        self.assertIn("cannot be reached", self.serve("--node", "127.0.0.1:0", "--db", "postgresql://127.0.0.1:1/none"))
        self.assertIn("cannot listen on 203.0.113.1", self.serve("--node", "203.0.113.1:0", "--db", self.url))

    def test_nodes_and_a_server_of_its_own(self):
        node = Node(PAIKA, self.url, *OPTIONS)
        self.addCleanup(node.close)
        self.assertIn("is in use by another server", self.serve("--db", self.url))
        self.assertEqual(node.stop(), 0)
        Server.databases = lambda: self.url
        try:
            server = Server(PAIKA)
        finally:
            Server.databases = None
        self.addCleanup(server.close)
        self.assertIn("runs without --node", self.serve("--node", "127.0.0.1:0", "--db", self.url))
        self.assertIn("\"/nowhere\" cannot be read", self.serve("--node", "127.0.0.1:0", "--db", self.url, "--web", "/nowhere"))


if __name__ == "__main__":
    PAIKA = os.path.abspath(sys.argv.pop(1))
    unittest.main()
